import { Group, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { useMe } from "../api/hooks"
import type { Item } from "../api/types"
import { number, price } from "../format"
import { NewItemDialog } from "./new-item-dialog"
import { RecordPicker, type NewRecordProps } from "./record-picker"

type Props = {
  id: string
  label?: string
  "aria-label"?: string
  picked: string
  onPick: (item: Item) => void
  error?: ReactNode
}

export function ItemPicker(props: Props) {
  const { currency } = useMe().company
  return (
    <RecordPicker
      {...props}
      kind="items"
      sort="itemName"
      placeholder="Code or name"
      codeOf={({ itemCode }) => itemCode}
      nothing="No item found"
      create={newItem}
      show={(item) => (
        <>
          <Text size="sm">{item.itemName}</Text>
          <Group gap="sm" justify="space-between">
            <Text size="xs" c="dimmed">
              {item.itemCode}
              {item.itemType !== "Service" && ` · ${number(item.availableStock)} ${item.uom} available`}
            </Text>
            <Text size="xs" className="figures">
              {price(item.sellingPrice, currency)}
            </Text>
          </Group>
        </>
      )}
    />
  )
}

const newItem = {
  label: "Create a new item",
  dialog: (props: NewRecordProps<Item>) => <NewItemDialog {...props} />,
}
