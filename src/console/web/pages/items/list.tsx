import { Badge, Group } from "@mantine/core"
import { call } from "../../api/client"
import { useMay, useMe } from "../../api/hooks"
import type { Item } from "../../api/types"
import { moment, number, price } from "../../format"
import type { BulkAction } from "../../lists/bulk-bar"
import type { Column } from "../../lists/columns"
import { RecordList } from "../../lists/record-list"
import { StatusBadge } from "../../parts/status-badge"

const options = (values: string[]) => values.map((value) => ({ value, label: value }))
const filters = [
  { key: "itemType", label: "Type", options: options(["Product", "Service", "Consumable"]) },
  {
    key: "status",
    label: "Status",
    options: [
      { value: "active", label: "Active" },
      { value: "inactive", label: "Inactive" },
    ],
  },
]

const setActive = (isActive: boolean) => (item: Item) =>
  call("PUT", `/items/${item.id}`, { body: { isActive }, version: item.version })

export default function Items() {
  const may = useMay()
  const { currency } = useMe().company
  const columns: Column<Item>[] = [
    { key: "itemCode", title: "Code", show: ({ itemCode }) => itemCode },
    { key: "itemName", title: "Name", show: ({ itemName }) => itemName },
    { key: "category", title: "Category", show: ({ category }) => category ?? "–" },
    {
      key: "sellingPrice",
      title: "Price",
      isNumber: true,
      show: (item) => price(item.sellingPrice, currency),
    },
    { key: "availableStock", title: "Available", isNumber: true, show: (item) => <Available item={item} /> },
    { key: "status", title: "Status", show: ({ status }) => <StatusBadge status={status} /> },
    { key: "itemType", title: "Type", isExtra: true, show: ({ itemType }) => itemType },
    {
      key: "costPrice",
      title: "Cost",
      isNumber: true,
      isExtra: true,
      show: (item) => price(item.costPrice, currency),
    },
    { key: "taxRate", title: "Tax %", isNumber: true, isExtra: true, show: ({ taxRate }) => number(taxRate) },
    {
      key: "currentStock",
      title: "In stock",
      isNumber: true,
      isExtra: true,
      show: (item) => number(item.currentStock),
    },
    {
      key: "updatedAt",
      title: "Changed",
      isWhole: true,
      isExtra: true,
      show: ({ updatedAt }) => moment(updatedAt),
    },
  ]
  const bulk: BulkAction<Item>[] = [
    { label: "Activate", done: "activated", run: setActive(true) },
    { label: "Deactivate", done: "deactivated", run: setActive(false) },
  ]
  if (may("items", "delete"))
    bulk.push({
      label: "Delete",
      done: "deleted",
      isDangerous: true,
      run: ({ id, version }) => call("DELETE", `/items/${id}`, { version }),
    })
  return (
    <RecordList
      kind="items"
      title="Items"
      noun="item"
      columns={columns}
      filters={filters}
      sort={{ key: "itemName", order: "asc" }}
      nameOf={({ itemName }) => itemName}
      hrefOf={({ id }) => `/items/${id}`}
      create={may("items", "write") && { label: "New item", href: "/items/new" }}
      bulk={may("items", "write") ? bulk : []}
      intro="Items are what you sell: products, consumables and services."
    />
  )
}

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
