import { unitOf } from "../../../trade/page/in-words"
import { Text } from "@mantine/core"
import { useState, type ReactNode } from "react"
import type { Item } from "../../../console/api/types"
import { RecordPicker } from "../../../trade/page/pickers/record-picker"
import { number } from "../../../console/format"
import { t } from "./texts"
import { t as tradeTexts } from "../../../trade/page/texts"

type Props = {
  label?: string
  "aria-label"?: string
  required?: boolean
  autoFocus?: boolean
  "data-autofocus"?: boolean
  error?: ReactNode
  onChange: (id: string) => void
  /** Called after a choice, to go on to the next input. */
  onPicked?: (id: string) => void
  onUnknown?: ((code: string) => void) | undefined
  /** The item that is selected initially. */
  chosen: Item | null
}

const stockOf = ({ currentStock, uom }: Item) =>
  t(($) => $.stock.itemStock, { quantity: number(currentStock), unit: unitOf(uom, currentStock) })

/** Searches items that can have stock, as you type. */
export function ItemPicker({
  label,
  required,
  autoFocus,
  error,
  onChange,
  onPicked,
  onUnknown,
  chosen,
  ...named
}: Props) {
  const [picked, setPicked] = useState(chosen)
  return (
    <RecordPicker
      kind="items"
      sort="itemName"
      where={{ "itemType[ne]": "Service" }}
      label={label}
      aria-label={named["aria-label"]}
      required={required}
      autoFocus={autoFocus}
      data-autofocus={named["data-autofocus"]}
      error={error}
      placeholder={tradeTexts(($) => $.pickers.itemHint)}
      picked={picked ? `${picked.itemCode} · ${picked.itemName}` : ""}
      description={picked ? stockOf(picked) : undefined}
      // Below the input, so that it is on one line with the quantity.
      inputWrapperOrder={["label", "input", "error", "description"]}
      codes={["itemCode", "barcode"]}
      nothing={tradeTexts(($) => $.pickers.noItem)}
      onUnknown={onUnknown}
      onPick={(item) => {
        setPicked(item)
        onChange(item.id)
        onPicked?.(item.id)
      }}
      show={(item) => (
        <>
          <Text size="sm">{item.itemName}</Text>
          <Text size="xs" c="dimmed">
            {item.itemCode} · {stockOf(item)}
          </Text>
        </>
      )}
    />
  )
}
