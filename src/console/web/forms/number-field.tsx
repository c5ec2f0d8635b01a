import { TextInput, type TextInputProps } from "@mantine/core"
import { useLayoutEffect, useRef, useState } from "react"
import { locales, t } from "../texts"
import { numbersIn, type Typed } from "./number"
import { selectAllOnClick } from "./select-all"

const numbers = numbersIn(locales)
const invalidMessage = t(($) => $.problems.number, { example: numbers.write(1234.5) })
const shown = (value: Typed) => (typeof value === "number" ? numbers.write(value) : value)
const editable = (value: Typed) => (typeof value === "number" ? numbers.writePlain(value) : value)

type Props = Omit<TextInputProps, "value" | "defaultValue" | "onChange"> & {
  value?: Typed
  onChange?: (value: Typed) => void
}

/**
 * A number input. Focus selects the number, so typing replaces it. The text does not change while the user types. Text
 * that is not a valid number stays in the input and is the value of the form, so the user never saves a number that
 * differs from the one on screen.
 */
export function NumberField({ value = "", onChange, error, onFocus, onBlur, ...props }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const input = useSelected(typed !== null)
  // False if the form has set another number since the user typed.
  const isTyped = typed !== null && numbers.read(typed) === value
  const isInvalid = typed === null && typeof value === "string" && value !== ""
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      maxLength={30}
      {...props}
      {...selectAllOnClick}
      ref={input}
      value={isTyped ? typed : typed === null ? shown(value) : editable(value)}
      error={isInvalid ? invalidMessage : error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange?.(numbers.read(currentTarget.value))
      }}
      onFocus={(event) => {
        setTyped(editable(value))
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
 * Selects the text when editing begins. On focus the text loses its thousands separators, and with that change the
 * browser drops its own selection. The effect runs before the next key press; a timer could run after it.
 */
function useSelected(isEditing: boolean) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (isEditing) input.current?.select()
  }, [isEditing])
  return input
}
