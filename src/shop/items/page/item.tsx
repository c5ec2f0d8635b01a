import { Button, Select, SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core"
import { Link, useLocation } from "wouter"
import { useMay, useMe, useRecord } from "../../../console/api/hooks"
import type { Item } from "../../../console/api/types"
import { number, price } from "../../../console/format"
import { Loaded, OnlyFor } from "../../../console/parts/page"
import { NewRecord } from "../../../console/parts/new-record"
import { RecordPage } from "../../../trade/page/record-page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { useDelete, useDuplicate } from "../../../console/parts/use-delete"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { ReceiveButton } from "../../stock-movements/page/stock-actions"
import type { UseFormReturnType } from "@mantine/form"
import { itemTypes } from "../../../shared/suggestions"
import { AnotherButton, useAnother } from "../../../console/forms/another-button"
import { bodyOfItem, newItemTax, TaxFields } from "../../../trade/page/tax-fields"
import type { Typed } from "../../../console/forms/number"
import { MoneyField, NumberField, selectAllOnClick } from "../../../console/forms/number-field"
import { RecordForm } from "../../../console/forms/record-form"
import { lastItem, rememberItem } from "../../../trade/page/remembered"
import { TagsField } from "../../../console/forms/tags-field"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { tellDone } from "../../../console/parts/tell"
import { CategoryField } from "./category-field"

const parent = { title: common(($) => $.kinds.items.title), href: "/items" }

/** The page of an item: its stock, form and timeline. */
export default function ItemPage({ id }: { id: string }) {
  const query = useRecord("items", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="items"
        scope="write"
        title={t(($) => $.new)}
        parent={parent}
        sentence={t(($) => $.onlyFor)}
      >
        <NewRecord kind="items" title={t(($) => $.new)} parent={parent}>
          {(copied, startAgain) => <ItemForm item={null} copied={copied} startAgain={startAgain} />}
        </NewRecord>
      </OnlyFor>
    )
  return <Loaded query={query}>{(item) => <Existing item={item} />}</Loaded>
}

function Existing({ item }: { item: Item }) {
  const may = useMay()
  const { currency } = useMe().company
  const { id, version, itemName: name, uom } = item
  const duplicate = useDuplicate("/items", id)
  const removal = useDelete({ kind: "items", id, version, name, to: "/items" })
  const hasStock = item.itemType !== "Service"
  const stock = (quantity: number) => `${number(quantity)} ${uom}`
  return (
    <RecordPage
      kind="items"
      record={item}
      title={name}
      parent={parent}
      badge={<StatusBadge status={item.status} />}
      facts={[
        { label: t(($) => $.code), value: item.itemCode },
        {
          label: common(($) => $.fields.sellingPrice),
          value: price(item.sellingPrice, currency),
          isStrong: true,
        },
        hasStock && { label: t(($) => $.inStock), value: stock(item.currentStock) },
        hasStock && { label: t(($) => $.reserved), value: stock(item.reservedStock) },
        hasStock && { label: t(($) => $.available), value: stock(item.availableStock), isStrong: true },
      ]}
      actions={hasStock && <StockButtons item={item} />}
      more={{
        actions: [may("items", "write") && duplicate, may("items", "delete") && removal.action],
        isBusy: removal.isBusy,
      }}
    >
      <ItemForm item={item} />
    </RecordPage>
  )
}

const StockButtons = ({ item }: { item: Item }) => (
  <>
    <Button component={Link} href={`/stock/ledger?item=${item.id}`} variant="default">
      {t(($) => $.movements)}
    </Button>
    <ReceiveButton item={item} />
  </>
)

const typeChoices = itemTypes.map((value) => ({ value, label: common(($) => $.values.itemType[value]) }))

const valuesOf = (item: Item | null) => ({
  itemCode: item?.itemCode ?? "",
  itemName: item?.itemName ?? "",
  category: item?.category ?? "",
  itemType: item?.itemType ?? "Product",
  uom: item?.uom ?? lastItem().uom,
  sellingPrice: item?.sellingPrice ?? 0,
  costPrice: item?.costPrice ?? 0,
  taxCode: item?.taxCode ?? "",
  taxRate: (item?.taxRate ?? "") as Typed,
  reorderLevel: item?.reorderLevel ?? 0,
  reorderQty: item?.reorderQty ?? 0,
  description: item?.description ?? "",
  images: item?.images ?? [],
  isActive: item?.isActive ?? true,
})

type Form = UseFormReturnType<ReturnType<typeof valuesOf>>

/** The values of a new item that is like another one. Its code must be another one. */
const copyOf = (item: Item): Item => ({ ...item, itemCode: "", isActive: true })

type Props = {
  /** The item to edit; null for a new one. */
  item: Item | null
  /** The item from which a new one is filled. */
  copied?: Item | null
  /** Shows an empty form after "Save and add another". */
  startAgain?: () => void
}

/** The form of an item. If `item` is null, it creates one. */
function ItemForm({ item, copied, startAgain }: Props) {
  const may = useMay()
  const { state, saveAndAdd } = useItemForm({ item, copied, startAgain })
  const { form } = state
  return (
    <RecordForm
      state={state}
      isReadOnly={!may("items", "write")}
      submit={item ? common(($) => $.common.save) : t(($) => $.create)}
      actions={!item && <AnotherButton isSaving={state.isSaving} onClick={saveAndAdd} />}
    >
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
    </RecordForm>
  )
}

function useItemForm({ item, copied, startAgain }: Props) {
  const [, go] = useLocation()
  const { company } = useMe()
  const another = useAnother()
  const state = useRecordForm({
    kind: "items",
    record: item,
    valuesOf: (from) => {
      const filled = from ?? (copied ? copyOf(copied) : null)
      return { ...valuesOf(filled), ...(filled ? {} : newItemTax(company.defaultTaxCode)) }
    },
    bodyOf: bodyOfItem,
    onSaved: (saved) => {
      tellDone(common(($) => $.common.saved, { name: saved.itemName }))
      if (item) return
      rememberItem(saved)
      if (another.isWanted()) startAgain?.()
      else go(`/items/${saved.id}`, { replace: true })
    },
  })
  return another.buttonsOf(state)
}

const ShortFields = ({ form, isNew }: { form: Form; isNew: boolean }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    <TextInput label={t(($) => $.code)} required autoFocus={isNew} {...form.getInputProps("itemCode")} />
    <TextInput label={common(($) => $.common.name)} required {...form.getInputProps("itemName")} />
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
