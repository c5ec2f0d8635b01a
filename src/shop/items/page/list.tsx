import { Badge, Group } from "@mantine/core"
import { itemTypes } from "../../../shared/suggestions"
import { useMay, useMe } from "../../../console/api/hooks"
import type { Item } from "../../../console/api/types"
import { moment, number, price } from "../../../console/format"
import { useActiveBulk } from "../../../console/lists/active-bulk"
import type { Column } from "../../../console/lists/columns"
import { activeFilter } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { ImportButton } from "../../../console/parts/import-button"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { ChangeMenu } from "../../reprice/page/change-menu"
import { PriceDialog } from "../../reprice/page/price-dialog"
import { PriceJobs } from "../../reprice/page/price-jobs"
import { usePriceChange, type PriceChanging } from "../../reprice/page/use-price-change"

const filters = [
  {
    key: "itemType",
    label: common(($) => $.common.type),
    options: itemTypes.map((value) => ({ value, label: common(($) => $.values.itemType[value]) })),
  },
  activeFilter,
]

/** What a change of many items needs: their names, versions, and the fields that it can restore. */
const bulkFields = ["id", "version", "itemName", "isActive", "category", "taxCode", "taxRate"] as const

export default function Items() {
  const mayWrite = useMay()("items", "write")
  const { currency } = useMe().company
  const bulk = useActiveBulk("items")
  const prices = usePriceChange()
  return (
    <RecordList
      kind="items"
      title={common(($) => $.kinds.items.title)}
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
      create={mayWrite && { label: t(($) => $.new), href: "/items/new" }}
      actions={<ImportButton kind="items" />}
      bulk={bulk}
      bulkFields={bulkFields}
      bulkEdit={mayWrite ? (given) => <ChangeMenu {...given} onPrice={prices.open} /> : undefined}
      intro={t(($) => $.intro)}
    >
      {mayWrite && <PriceChange {...prices} />}
    </RecordList>
  )
}

/** The price dialog while it is open, and the price changes that go on without it. */
const PriceChange = ({ opened, start, close }: PriceChanging) => (
  <>
    <PriceJobs inDialog={opened?.jobId ?? null} />
    {opened && (
      <PriceDialog
        filter={opened.filter}
        jobId={opened.jobId}
        onStarted={(id) => start(opened, id)}
        onClose={close}
      />
    )}
  </>
)

const columnsIn = (currency: string): Column<Item>[] => [...standard(currency), ...extra(currency)]

const standard = (currency: string): Column<Item>[] => [
  { key: "itemCode", title: t(($) => $.code), show: ({ itemCode }) => itemCode },
  { key: "itemName", title: common(($) => $.common.name), show: ({ itemName }) => itemName },
  { key: "category", title: common(($) => $.fields.category), show: ({ category }) => category ?? "–" },
  {
    key: "sellingPrice",
    title: common(($) => $.fields.sellingPrice),
    isNumber: true,
    show: (item) => price(item.sellingPrice, currency),
  },
  {
    key: "availableStock",
    title: t(($) => $.available),
    isNumber: true,
    show: (item) => <Available item={item} />,
  },
  {
    key: "status",
    title: common(($) => $.common.status),
    show: ({ status }) => <StatusBadge status={status} />,
  },
]

/** Columns that are hidden by default. */
const extra = (currency: string): Column<Item>[] => [
  {
    key: "itemType",
    title: common(($) => $.common.type),
    isExtra: true,
    show: ({ itemType }) => common(($) => $.values.itemType[itemType]),
  },
  {
    key: "costPrice",
    title: common(($) => $.fields.costPrice),
    isNumber: true,
    isExtra: true,
    show: (item) => price(item.costPrice, currency),
  },
  {
    key: "taxRate",
    title: common(($) => $.fields.taxRate),
    isNumber: true,
    isExtra: true,
    show: ({ taxRate }) => `${number(taxRate)} %`,
  },
  {
    key: "currentStock",
    title: t(($) => $.inStock),
    isNumber: true,
    isExtra: true,
    show: (item) => number(item.currentStock),
  },
  {
    key: "updatedAt",
    title: common(($) => $.common.updated),
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
          {t(($) => $.low)}
        </Badge>
      )}
      {number(item.availableStock)} {item.uom}
    </Group>
  )
}
