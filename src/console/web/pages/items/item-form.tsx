import { Select, SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useLocation } from "wouter"
import { itemTypes } from "../../../../shared/item-types"
import { useMay } from "../../api/hooks"
import type { Item } from "../../api/types"
import { AnotherButton } from "../../forms/another-button"
import { NumberField } from "../../forms/number-field"
import { RecordForm } from "../../forms/record-form"
import { lastItem, rememberItem } from "../../forms/remembered"
import { TagsField } from "../../forms/tags-field"
import { useAnother } from "../../forms/use-another"
import { useRecordForm } from "../../forms/use-record-form"
import { tellDone } from "../../parts/tell"

const valuesOf = (item: Item | null) => ({
  itemCode: item?.itemCode ?? "",
  itemName: item?.itemName ?? "",
  category: item?.category ?? "",
  itemType: item?.itemType ?? "Product",
  uom: item?.uom ?? lastItem().uom,
  sellingPrice: item?.sellingPrice ?? 0,
  costPrice: item?.costPrice ?? 0,
  taxRate: item?.taxRate ?? lastItem().taxRate,
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
export function ItemForm({ item, copied, startAgain }: Props) {
  const may = useMay()
  const { state, saveAndAdd } = useItemForm({ item, copied, startAgain })
  const { form } = state
  return (
    <RecordForm
      state={state}
      isReadOnly={!may("items", "write")}
      submit={item ? "Save" : "Create item"}
      actions={!item && <AnotherButton isSaving={state.isSaving} onClick={saveAndAdd} />}
    >
      <ShortFields form={form} isNew={!item} />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={12}
        {...form.getInputProps("description")}
      />
      <TagsField form={form} name="images" label="Images" description="Image URLs. Press Enter after each" />
      <Switch
        label="Active"
        description="Inactive items cannot be used on new orders"
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
    </RecordForm>
  )
}

function useItemForm({ item, copied, startAgain }: Props) {
  const [, go] = useLocation()
  const another = useAnother()
  const state = useRecordForm({
    kind: "items",
    record: item,
    valuesOf: (from) => valuesOf(from ?? (copied ? copyOf(copied) : null)),
    onSaved: (saved) => {
      tellDone(`${saved.itemName} was saved.`)
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
    <TextInput label="Code" required autoFocus={isNew} {...form.getInputProps("itemCode")} />
    <TextInput label="Name" required {...form.getInputProps("itemName")} />
    <TextInput label="Category" {...form.getInputProps("category")} />
    <Select label="Type" data={itemTypes} allowDeselect={false} {...form.getInputProps("itemType")} />
    <NumberField label="Selling price" {...form.getInputProps("sellingPrice")} />
    <NumberField label="Cost price" {...form.getInputProps("costPrice")} />
    <NumberField label="Tax rate" rightSection="%" {...form.getInputProps("taxRate")} />
    <TextInput label="Unit" {...form.getInputProps("uom")} />
    <NumberField
      label="Reorder level"
      description="Stock is low at or below this level"
      {...form.getInputProps("reorderLevel")}
    />
    <NumberField
      label="Reorder quantity"
      description="Suggested quantity to reorder"
      {...form.getInputProps("reorderQty")}
    />
  </SimpleGrid>
)
