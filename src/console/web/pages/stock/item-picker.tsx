import { Text } from "@mantine/core"
import { useState, type ReactNode } from "react"
import type { Item } from "../../api/types"
import { RecordPicker } from "../../documents/record-picker"
import { number } from "../../format"

type Props = {
  label?: string
  "aria-label"?: string
  required?: boolean
  autoFocus?: boolean
  error?: ReactNode
  onChange: (id: string) => void
  /** The item that is selected initially. */
  chosen: Item | null
}

/** Searches items that can have stock, as you type. */
export function ItemPicker({ label, required, autoFocus, error, onChange, chosen, ...named }: Props) {
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
      error={error}
      placeholder="Code or name"
      picked={picked ? `${picked.itemCode} · ${picked.itemName}` : ""}
      description={picked ? `${number(picked.currentStock)} ${picked.uom} in stock` : undefined}
      codeOf={({ itemCode }) => itemCode}
      nothing="No item found"
      onPick={(item) => {
        setPicked(item)
        onChange(item.id)
      }}
      show={(item) => (
        <>
          <Text size="sm">{item.itemName}</Text>
          <Text size="xs" c="dimmed">
            {item.itemCode} · {number(item.currentStock)} {item.uom} in stock
          </Text>
        </>
      )}
    />
  )
}
