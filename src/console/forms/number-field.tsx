import { selectAllOnClick } from "./select-all"
import { TextInput, type TextInputProps } from "@mantine/core"
import { useMergedRef } from "@mantine/hooks"
import { type ComponentProps, useLayoutEffect, useRef, useState } from "react"
import { locales, t } from "../texts"
import { numbersIn, type Typed } from "./number"
import { useMe } from "../api/hooks"
import { digitsOf } from "../format"

/** The input of an amount or a price in the company's currency. It shows the decimals of the currency: 12.50. */
export function MoneyField(props: ComponentProps<typeof NumberField>) {
  const { currency } = useMe().company
  return <NumberField digits={digitsOf(currency)} {...props} />
}

const numbers = numbersIn(locales)
/** What is wrong with text that is not a number. */
export const invalidNumber = t(($) => $.problems.number, { example: numbers.write(12.5, 2) })
const shown = (value: Typed, digits?: number) =>
  typeof value === "number" ? numbers.write(value, digits) : value
const editable = (value: Typed, digits?: number) =>
  typeof value === "number" ? numbers.writePlain(value, digits) : value

/** Reads a number. An amount may have its currency before or after it: 12.50 €, EUR 12.50. */
const read = (text: string, digits?: number): Typed => {
  if (digits === undefined) return numbers.read(text)
  const bare = text.trim().replace(/^(?:\p{Sc}|[A-Z]{3})\s*|\s*(?:\p{Sc}|[A-Z]{3})$/gu, "")
  const value = numbers.read(bare)
  return typeof value === "number" ? value : numbers.read(text)
}

type Props = Omit<TextInputProps, "value" | "defaultValue" | "onChange"> & {
  value?: Typed
  onChange?: (value: Typed) => void
  /** The number of decimals that an amount of money is shown with. It may have more. */
  digits?: number
  /** True for a quantity beside a picker: the code of the next item may be scanned into it, which is no number. */
  isQuantity?: boolean
  /** Takes a code that was scanned into a quantity, which then has its number again. Without it, the code is refused. */
  onScan?: (code: string) => void
}

/** True for a code that was scanned. Nobody types a quantity of eight digits without separators. */
export const isScanned = (value: Typed): boolean => typeof value === "string" && /^\d{8,}$/.test(value)

const problemOf = (value: string): string =>
  isScanned(value) ? t(($) => $.problems.notAQuantity) : invalidNumber

/**
 * A number input. Focus selects the number, so typing replaces it. The text does not change while the user types. Text
 * that is not a valid number stays in the input and is the value of the form, so the user never saves a number that
 * differs from the one on screen.
 */
export function NumberField(all: Props) {
  const {
    value = "",
    onChange,
    digits,
    isQuantity,
    onScan,
    error,
    onFocus,
    onBlur,
    onKeyDown,
    ref,
    ...props
  } = all
  const [typed, setTyped] = useState<string | null>(null)
  const [focuses, setFocuses] = useState(0)
  const input = useSelected(focuses)
  const atFocus = useRef<Typed>(value)
  const readTyped = (text: string) =>
    isQuantity && isScanned(text.trim()) ? text.trim() : read(text, digits)
  // False if the form has set another number since the user typed.
  const isTyped = typed !== null && readTyped(typed) === value
  const isInvalid = typed === null && typeof value === "string" && value !== ""
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      maxLength={30}
      {...props}
      {...selectAllOnClick}
      ref={useMergedRef(input, ref)}
      value={isTyped ? typed : typed === null ? shown(value, digits) : editable(value, digits)}
      error={isInvalid ? problemOf(value) : error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange?.(readTyped(currentTarget.value))
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !isQuantity || !isScanned(value)) return onKeyDown?.(event)
        event.preventDefault()
        setTyped(null)
        if (onScan) {
          onChange?.(atFocus.current)
          return onScan(String(value))
        }
        // The problem is told at once, and typing replaces the code.
        event.currentTarget.select()
      }}
      onFocus={(event) => {
        atFocus.current = value
        setTyped(editable(value, digits))
        setFocuses((count) => count + 1)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setTyped(null)
        onBlur?.(event)
      }}
    />
  )
}

/**
 * Selects the text at each focus, and never while somebody types. On focus the text loses its thousands separators, and
 * with that change the browser drops its own selection. The effect runs before the next key press; a timer could run after
 * it.
 */
function useSelected(focuses: number) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (focuses > 0) input.current?.select()
  }, [focuses])
  return input
}
