import { TextInput, type TextInputProps } from "@mantine/core"
import { useState } from "react"
import { numbersIn, type Typed } from "./number"

const numbers = numbersIn(navigator.languages)
const unread = `This is not a number that can be read. Write it as ${numbers.write(1234.5)}.`
const shown = (value: Typed) => (typeof value === "number" ? numbers.write(value) : value)
const editable = (value: Typed) => (typeof value === "number" ? numbers.writePlain(value) : value)

type Props = Omit<TextInputProps, "value" | "defaultValue" | "onChange"> & {
  value?: Typed
  onChange?: (value: Typed) => void
  selectAllOnFocus?: boolean
}

/**
 * A number. Its text is left alone while somebody types; what cannot be read stays as it was typed, and is the value
 * of the form: so nobody saves another number than they see.
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
  // The form may have put another number in its place meanwhile.
  const isTyped = typed !== null && numbers.read(typed) === value
  const isUnread = typed === null && typeof value === "string" && value !== ""
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      maxLength={30}
      {...props}
      value={isTyped ? typed : typed === null ? shown(value) : editable(value)}
      error={isUnread ? unread : error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange?.(numbers.read(currentTarget.value))
      }}
      onFocus={(event) => {
        const { currentTarget } = event
        setTyped(editable(value))
        // Selects after the editable text has been rendered.
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
