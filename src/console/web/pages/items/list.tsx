import { Badge, Group } from "@mantine/core"
import { itemTypes } from "../../../../shared/item-types"
import { useMay, useMe } from "../../api/hooks"
import type { Item } from "../../api/types"
import { moment, number, price } from "../../format"
import { useActiveBulk } from "../../lists/active-bulk"
import type { Column } from "../../lists/columns"
import { activeFilter, optionsOf } from "../../lists/filters"
import { RecordList } from "../../lists/record-list"
import { StatusBadge } from "../../parts/status-badge"

const filters = [{ key: "itemType", label: "Type", options: optionsOf(itemTypes) }, activeFilter]

export default function Items() {
  const mayWrite = useMay()("items", "write")
  const { currency } = useMe().company
  const bulk = useActiveBulk("items")
  return (
    <RecordList
      kind="items"
      title="Items"
      noun="item"
      columns={columnsIn(currency)}
      phone={{
        title: "itemName",
        amount: ({ sellingPrice }) => price(sellingPrice, currency),
        line: ["itemCode", "availableStock", "status"],
      }}
      filters={filters}
      sort={{ key: "itemName", order: "asc" }}
      nameOf={({ itemName }) => itemName}
      hrefOf={({ id }) => `/items/${id}`}
      create={mayWrite && { label: "New item", href: "/items/new" }}
      bulk={bulk}
      intro="Add the products, consumables and services you sell."
    />
  )
}

const columnsIn = (currency: string): Column<Item>[] => [...standard(currency), ...extra(currency)]

const standard = (currency: string): Column<Item>[] => [
  { key: "itemCode", title: "Code", show: ({ itemCode }) => itemCode },
  { key: "itemName", title: "Name", show: ({ itemName }) => itemName },
  { key: "category", title: "Category", show: ({ category }) => category ?? "–" },
  {
    key: "sellingPrice",
    title: "Selling price",
    isNumber: true,
    show: (item) => price(item.sellingPrice, currency),
  },
  { key: "availableStock", title: "Available", isNumber: true, show: (item) => <Available item={item} /> },
  { key: "status", title: "Status", show: ({ status }) => <StatusBadge status={status} /> },
]

/** Columns that are hidden by default. */
const extra = (currency: string): Column<Item>[] => [
  { key: "itemType", title: "Type", isExtra: true, show: ({ itemType }) => itemType },
  {
    key: "costPrice",
    title: "Cost price",
    isNumber: true,
    isExtra: true,
    show: (item) => price(item.costPrice, currency),
  },
  {
    key: "taxRate",
    title: "Tax rate",
    isNumber: true,
    isExtra: true,
    show: ({ taxRate }) => `${number(taxRate)} %`,
  },
  {
    key: "currentStock",
    title: "In stock",
    isNumber: true,
    isExtra: true,
    show: (item) => number(item.currentStock),
  },
  {
    key: "updatedAt",
    title: "Updated",
    isExtra: true,
    show: ({ updatedAt }) => moment(updatedAt),
  },
]

function Available({ item }: { item: Item }) {
  if (item.itemType === "Service") return "–"
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end" display="inline-flex">
      {item.isLowStock && (
        <Badge color="orange" variant="light" size="sm">
          Low
        </Badge>
      )}
      {number(item.availableStock)} {item.uom}
    </Group>
  )
}
