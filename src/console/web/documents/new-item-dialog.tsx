import { Select, SimpleGrid, TextInput } from "@mantine/core"
import { itemTypes } from "../../../shared/item-types"
import type { Item } from "../api/types"
import type { Typed } from "../forms/number"
import { NumberField } from "../forms/number-field"
import { lastItem, rememberItem } from "../forms/remembered"
import { useCreateForm } from "../forms/use-create-form"
import { FormDialog } from "../parts/form-dialog"
import { tellDone } from "../parts/tell"
import type { NewRecordProps } from "./record-picker"

type Values = {
  itemCode: string
  itemName: string
  itemType: string
  sellingPrice: Typed
  taxRate: Typed
  uom: string
}

/** A text without spaces and with a digit is a code. Any other text is a name. */
const named = (typed: string) =>
  /^(?=.*\d)\S+$/.test(typed) ? { itemCode: typed, itemName: "" } : { itemCode: "", itemName: typed }

/** Creates an item without leaving the document. */
export function NewItemDialog({ typed, onCreated, onClose }: NewRecordProps<Item>) {
  const state = useCreateForm<Item, Values>({
    path: "/items",
    initialValues: { ...named(typed), itemType: "Product", sellingPrice: 0, ...lastItem() },
    onCreated: (item) => {
      rememberItem(item)
      tellDone(`${item.itemName} was saved.`)
      onCreated(item)
    },
  })
  const { form } = state
  const isNamed = named(typed).itemName !== ""
  return (
    <FormDialog title="New item" state={state} submit="Create item" onClose={onClose} size="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Code"
          required
          data-autofocus={isNamed || undefined}
          {...form.getInputProps("itemCode")}
        />
        <TextInput
          label="Name"
          required
          data-autofocus={!isNamed || undefined}
          {...form.getInputProps("itemName")}
        />
        <Select label="Type" data={itemTypes} allowDeselect={false} {...form.getInputProps("itemType")} />
        <NumberField label="Selling price" {...form.getInputProps("sellingPrice")} />
        <NumberField label="Tax rate" rightSection="%" {...form.getInputProps("taxRate")} />
        <TextInput label="Unit" {...form.getInputProps("uom")} />
      </SimpleGrid>
    </FormDialog>
  )
}
