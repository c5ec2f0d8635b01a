import { TextInput, type TextInputProps } from "@mantine/core"
import { useState } from "react"
import { locales, t } from "../texts"
import { numbersIn, type Typed } from "./number"

const numbers = numbersIn(locales)
const invalidMessage = t(($) => $.problems.number, { example: numbers.write(1234.5) })
const shown = (value: Typed) => (typeof value === "number" ? numbers.write(value) : value)
const editable = (value: Typed) => (typeof value === "number" ? numbers.writePlain(value) : value)

type Props = Omit<TextInputProps, "value" | "defaultValue" | "onChange"> & {
  value?: Typed
  onChange?: (value: Typed) => void
  selectAllOnFocus?: boolean
}

/**
 * A number input. It does not change the text while the user types. Text that is not a valid number stays in the input
 * and is the value of the form, so the user never saves a number that differs from the one on screen.
 */
export function NumberField({
  value = "",
  onChange,
  error,
  selectAllOnFocus,
  onFocus,
  onBlur,
  ...props
}: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  // False if the form has set another number since the user typed.
  const isTyped = typed !== null && numbers.read(typed) === value
  const isInvalid = typed === null && typeof value === "string" && value !== ""
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      maxLength={30}
      {...props}
      value={isTyped ? typed : typed === null ? shown(value) : editable(value)}
      error={isInvalid ? invalidMessage : error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange?.(numbers.read(currentTarget.value))
      }}
      onFocus={(event) => {
        const { currentTarget } = event
        setTyped(editable(value))
        // Select the text after it has been rendered without thousands separators.
        if (selectAllOnFocus) setTimeout(() => currentTarget.select())
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setTyped(null)
        onBlur?.(event)
      }}
    />
  )
}
