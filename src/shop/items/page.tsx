import { inUnits } from "../../trade/page/in-words"
import { Badge, Button, Group, Select, SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { Link } from "wouter"
import { useMay, useMe } from "../../console/api/hooks"
import type { Item, Me } from "../../console/api/types"
import { MoneyField, NumberField } from "../../console/forms/number-field"
import { selectAllOnClick } from "../../console/forms/select-all"
import { TagsField } from "../../console/forms/search-select"
import { price } from "../../console/format"
import { useActiveBulk } from "../../console/lists/active-bulk"
import { activeFilter, optionsOf, valuesFilter } from "../../console/lists/filters"
import { RecordList } from "../../console/lists/record-list"
import { t as common } from "../../console/texts"
import { itemTypes } from "../../shared/suggestions"
import { columnsOf } from "../../trade/page/columns"
import { kindPage } from "../../trade/page/kind-page"
import { newUnit, rememberTax } from "../../trade/page/suggestions"
import { bodyOfItem, type ItemTax, newItemTax, TaxFields } from "../../trade/page/pickers/tax-fields"
import { ChangeMenu, usePriceChange, type PriceChanging } from "../reprice/page/change-menu"
import { PriceDialog } from "../reprice/page/price-dialog"
import { PriceJobs } from "../reprice/page/price-job"
import { ReceiveButton } from "../stock-movements/page/stock-actions"
import { BarcodeField } from "../../trade/page/pickers/barcode-field"
import { CategoryField } from "./fields"
import { t } from "./texts"

const typeChoices = optionsOf(itemTypes, (type) => common(($) => $.values.itemType[type]))

const filters = [
  valuesFilter("items", "category"),
  { key: "itemType", label: common(($) => $.common.type), options: typeChoices },
  activeFilter,
]

const columns = columnsOf(
  "items",
  [
    { key: "itemCode", title: t(($) => $.code) },
    { key: "itemName", title: t(($) => $.name) },
    "category",
    { key: "sellingPrice", as: "price" },
    {
      key: "availableStock",
      title: t(($) => $.available),
      isNumber: true,
      show: (item) => <Available item={item} />,
    },
    "status",
  ],
  [
    {
      key: "itemType",
      title: common(($) => $.common.type),
      show: ({ itemType }) => common(($) => $.values.itemType[itemType]),
    },
    "barcode",
    { key: "costPrice", as: "price" },
    { key: "taxRate", as: "percent" },
    { key: "currentStock", title: t(($) => $.inStock), as: "number" },
    "updatedAt",
  ],
)

/** What a change of many items needs: their names, versions, and the fields that it can restore. */
const bulkFields = ["id", "version", "itemName", "isActive", "category", "taxCode", "taxRate"] as const

export function List() {
  const mayWrite = useMay()("items", "write")
  const { currency } = useMe().company
  const bulk = useActiveBulk("items")
  const prices = usePriceChange()
  return (
    <RecordList
      kind="items"
      title={common(($) => $.kinds.items.title)}
      columns={columns}
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
      imports="items"
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

function Available({ item }: { item: Item }) {
  if (item.itemType === "Service") return "–"
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end" display="inline-flex">
      {item.isLowStock && (
        <Badge color="orange" variant="light" size="sm">
          {t(($) => $.low)}
        </Badge>
      )}
      {inUnits(item.availableStock, item.uom)}
    </Group>
  )
}

const taxOf = (item: Item | null, defaultTaxCode: string | null): ItemTax =>
  item ? { taxCode: item.taxCode ?? "", taxRate: item.taxRate } : newItemTax(defaultTaxCode)

type Defaults = Pick<Me["company"], "defaultTaxCode" | "defaultUnit">

const valuesOf = (item: Item | null, { defaultTaxCode, defaultUnit }: Defaults) => ({
  itemCode: item?.itemCode ?? "",
  itemName: item?.itemName ?? "",
  barcode: item?.barcode ?? "",
  category: item?.category ?? "",
  itemType: item?.itemType ?? "Product",
  uom: item?.uom ?? newUnit(defaultUnit),
  sellingPrice: item?.sellingPrice ?? 0,
  costPrice: item?.costPrice ?? 0,
  ...taxOf(item, defaultTaxCode),
  reorderLevel: item?.reorderLevel ?? 0,
  reorderQty: item?.reorderQty ?? 0,
  description: item?.description ?? "",
  images: item?.images ?? [],
  isActive: item?.isActive ?? true,
})

type Form = UseFormReturnType<ReturnType<typeof valuesOf>>

export const Record = kindPage({
  kind: "items",
  texts: { new: t(($) => $.new), create: t(($) => $.create), onlyFor: t(($) => $.onlyFor) },
  nameOf: ({ itemName }) => itemName,
  valuesOf,
  bodyOf: bodyOfItem,
  inCopy: { itemCode: "", barcode: null },
  onCreated: rememberTax,
  facts(item, { currency }) {
    const hasStock = item.itemType !== "Service"
    const stock = (quantity: number) => inUnits(quantity, item.uom)
    return [
      { label: t(($) => $.code), value: item.itemCode },
      item.barcode !== null && { label: common(($) => $.fields.barcode), value: item.barcode },
      {
        label: common(($) => $.fields.sellingPrice),
        value: price(item.sellingPrice, currency),
        isStrong: true,
      },
      hasStock && { label: t(($) => $.inStock), value: stock(item.currentStock) },
      hasStock && { label: t(($) => $.reserved), value: stock(item.reservedStock) },
      hasStock && { label: t(($) => $.available), value: stock(item.availableStock), isStrong: true },
    ]
  },
  actions: (item) => item.itemType !== "Service" && <StockButtons item={item} />,
  fields: (form, item) => (
    <>
      <ShortFields form={form} isNew={!item} />
      <Textarea
        label={common(($) => $.fields.description)}
        autosize
        minRows={2}
        maxRows={12}
        {...form.getInputProps("description")}
      />
      <TagsField
        form={form}
        name="images"
        label={common(($) => $.fields.images)}
        description={t(($) => $.imagesHint)}
      />
      <Switch
        label={common(($) => $.values.status.active)}
        description={t(($) => $.activeHint)}
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
    </>
  ),
})

const StockButtons = ({ item }: { item: Item }) => (
  <>
    <Button component={Link} href={`/stock/ledger?item=${item.id}`} variant="default">
      {t(($) => $.movements)}
    </Button>
    <ReceiveButton item={item} />
  </>
)

const ShortFields = ({ form, isNew }: { form: Form; isNew: boolean }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    <TextInput label={t(($) => $.code)} required autoFocus={isNew} {...form.getInputProps("itemCode")} />
    <TextInput label={t(($) => $.name)} required {...form.getInputProps("itemName")} />
    <BarcodeField {...form.getInputProps("barcode")} />
    <CategoryField {...form.getInputProps("category")} />
    <Select
      label={common(($) => $.common.type)}
      data={typeChoices}
      allowDeselect={false}
      {...form.getInputProps("itemType")}
    />
    <MoneyField label={common(($) => $.fields.sellingPrice)} {...form.getInputProps("sellingPrice")} />
    <MoneyField label={common(($) => $.fields.costPrice)} {...form.getInputProps("costPrice")} />
    <TaxFields values={form.values} errors={form.errors} onChange={form.setValues} />
    <TextInput label={t(($) => $.unit)} {...selectAllOnClick} {...form.getInputProps("uom")} />
    <NumberField
      label={common(($) => $.fields.reorderLevel)}
      description={t(($) => $.reorderLevelHint)}
      {...form.getInputProps("reorderLevel")}
    />
    <NumberField
      label={t(($) => $.reorderQuantity)}
      description={t(($) => $.reorderQuantityHint)}
      {...form.getInputProps("reorderQty")}
    />
  </SimpleGrid>
)
