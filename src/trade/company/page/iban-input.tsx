import { TextInput } from "@mantine/core"
import { useLayoutEffect, useRef, useState, type ReactNode } from "react"
import { errorOfIban, tidyBankCode } from "../../../shared/iban"
import { fieldMessage } from "../../../console/forms/field-errors"
import { selectAllOnClick } from "../../../console/forms/select-all"
import { t } from "../../../console/texts"

type Props = {
  value?: string
  onChange?: (value: string) => void
  error?: ReactNode
  "data-path"?: string
}

/** DE89370400440532013000 → DE89 3704 0044 0532 0130 00 */
const grouped = (iban: string): string => iban.replace(/(.{4})(?=.)/g, "$1 ")

/** An IBAN, in groups of four while it is not edited. Its checksum is checked when the user leaves it. */
export function IbanInput({ value = "", onChange, error, "data-path": path }: Props) {
  const [isEditing, setEditing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // On focus the text loses its spaces, and the browser drops its selection. Typing must replace the text.
  useLayoutEffect(() => {
    if (isEditing) input.current?.select()
  }, [isEditing])
  return (
    <TextInput
      label={t(($) => $.fields.iban)}
      data-path={path}
      autoComplete="off"
      spellCheck={false}
      maxLength={42}
      {...selectAllOnClick}
      ref={input}
      value={isEditing ? value : grouped(value)}
      error={isEditing ? error : (problemOf(value) ?? error)}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      onFocus={() => setEditing(true)}
      onBlur={() => {
        setEditing(false)
        if (tidyBankCode(value) !== value) onChange?.(tidyBankCode(value))
      }}
    />
  )
}

function problemOf(iban: string): string | null {
  const message = iban === "" ? null : errorOfIban(tidyBankCode(iban))
  return message && fieldMessage({ field: "iban", code: "FORMAT", message, params: { format: "iban" } })
}
