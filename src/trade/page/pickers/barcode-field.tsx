import { TextInput, type TextInputProps } from "@mantine/core"
import { useState } from "react"
import { keepFromSubmitting } from "../../../console/forms/search-select"
import { t as common } from "../../../console/texts"
import { missedCheckDigit, plainBarcode } from "../../../shared/barcode"
import { t } from "../texts"
import { Note } from "../view/note"

type Props = Omit<TextInputProps, "value"> & { value?: string }

/** The barcode of an item. The Enter of a scanner does not save the form. A wrong check digit is told at once. */
export function BarcodeField({ value = "", onFocus, onBlur, ...props }: Props) {
  const [isTyped, setTyped] = useState(false)
  const expected = missedCheckDigit(plainBarcode(value.trim()))
  return (
    <div>
      <TextInput
        label={common(($) => $.fields.barcode)}
        description={t(($) => $.pickers.barcodeHint)}
        inputWrapperOrder={["label", "input", "error", "description"]}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onKeyDown={keepFromSubmitting}
        value={value}
        {...props}
        onFocus={(event) => {
          setTyped(true)
          onFocus?.(event)
        }}
        onBlur={(event) => {
          setTyped(false)
          onBlur?.(event)
        }}
      />
      {/* The room stays, so that what stands below does not move under a click. */}
      <div style={{ minHeight: 22 }}>
        {expected !== null && !isTyped && <Note>{t(($) => $.pickers.checkDigit, { expected })}</Note>}
      </div>
    </div>
  )
}
