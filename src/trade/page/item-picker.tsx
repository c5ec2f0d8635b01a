import { Group, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { useMe } from "../../console/api/hooks"
import type { Item } from "../../console/api/types"
import { number, price } from "../../console/format"
import { t } from "../../console/texts"
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
      placeholder={t(($) => $.pickers.itemHint)}
      codeOf={({ itemCode }) => itemCode}
      nothing={t(($) => $.pickers.noItem)}
      create={newItem}
      show={(item) => (
        <>
          <Text size="sm">{item.itemName}</Text>
          <Group gap="sm" justify="space-between">
            <Text size="xs" c="dimmed">
              {inShort(item)}
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

function inShort({ itemCode, itemType, availableStock, uom }: Item): string {
  if (itemType === "Service") return itemCode
  return `${itemCode} · ${t(($) => $.documents.available, { quantity: number(availableStock), uom })}`
}

const newItem = {
  label: t(($) => $.pickers.createNewItem),
  dialog: (props: NewRecordProps<Item>) => <NewItemDialog {...props} />,
}
