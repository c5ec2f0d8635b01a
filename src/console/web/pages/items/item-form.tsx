import { Select, SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useLocation } from "wouter"
import { itemTypes } from "../../../../shared/item-types"
import { useMay } from "../../api/hooks"
import type { Item } from "../../api/types"
import { NumberField } from "../../forms/number-field"
import { RecordForm } from "../../forms/record-form"
import { TagsField } from "../../forms/tags-field"
import { useRecordForm } from "../../forms/use-record-form"
import { tellDone } from "../../parts/tell"

const valuesOf = (item: Item | null) => ({
  itemCode: item?.itemCode ?? "",
  itemName: item?.itemName ?? "",
  category: item?.category ?? "",
  itemType: item?.itemType ?? "Product",
  uom: item?.uom ?? "Nos",
  sellingPrice: item?.sellingPrice ?? 0,
  costPrice: item?.costPrice ?? 0,
  taxRate: item?.taxRate ?? 0,
  reorderLevel: item?.reorderLevel ?? 0,
  reorderQty: item?.reorderQty ?? 0,
  description: item?.description ?? "",
  images: item?.images ?? [],
  isActive: item?.isActive ?? true,
})

type Form = UseFormReturnType<ReturnType<typeof valuesOf>>

/** The form of an item. If `item` is null, it creates one. */
export function ItemForm({ item }: { item: Item | null }) {
  const may = useMay()
  const [, go] = useLocation()
  const state = useRecordForm({
    kind: "items",
    record: item,
    valuesOf,
    onSaved: ({ id, itemName }) => {
      tellDone(`${itemName} was saved.`)
      if (!item) go(`/items/${id}`, { replace: true })
    },
  })
  const { form } = state
  return (
    <RecordForm state={state} isReadOnly={!may("items", "write")} submit={item ? "Save" : "Create item"}>
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
