import { Select, SimpleGrid, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { itemTypes } from "../../shared/item-types"
import { useMe } from "../../console/api/hooks"
import type { Item } from "../../console/api/types"
import type { Typed } from "../../console/forms/number"
import { MoneyField } from "../../console/forms/money-field"
import { lastItem, rememberItem } from "../../console/forms/remembered"
import { selectAllOnClick } from "../../console/forms/select-all"
import { useCreateForm } from "../../console/forms/use-create-form"
import { FormDialog } from "../../console/parts/form-dialog"
import { tellDone } from "../../console/parts/tell"
import { t } from "../../console/texts"
import type { NewRecordProps } from "./record-picker"
import { bodyOfItem, newItemTax, TaxFields, type ItemTax } from "./tax-fields"

type Values = {
  itemCode: string
  itemName: string
  itemType: string
  sellingPrice: Typed
  uom: string
} & ItemTax

/** A text without spaces and with a digit is a code. Any other text is a name. */
const named = (typed: string) =>
  /^(?=.*\d)\S+$/.test(typed) ? { itemCode: typed, itemName: "" } : { itemCode: "", itemName: typed }

/** Creates an item without leaving the document. */
export function NewItemDialog({ typed, onCreated, onClose }: NewRecordProps<Item>) {
  const state = useCreateForm<Item, Values>({
    path: "/items",
    initialValues: {
      ...named(typed),
      itemType: "Product",
      sellingPrice: 0,
      uom: lastItem().uom,
      ...newItemTax(useMe().company.defaultTaxCode),
    },
    bodyOf: bodyOfItem,
    onCreated: (item) => {
      rememberItem(item)
      tellDone(t(($) => $.common.saved, { name: item.itemName }))
      onCreated(item)
    },
  })
  return (
    <FormDialog
      title={t(($) => $.items.new)}
      state={state}
      submit={t(($) => $.items.create)}
      onClose={onClose}
      size="md"
    >
      <ItemFields form={state.form} isNamed={named(typed).itemName !== ""} />
    </FormDialog>
  )
}

type FieldsProps = {
  form: UseFormReturnType<Values>
  /** True if the typed text is the name of the item, so that its code is missing. */
  isNamed: boolean
}

const ItemFields = ({ form, isNamed }: FieldsProps) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    <TextInput
      label={t(($) => $.items.code)}
      required
      data-autofocus={isNamed || undefined}
      {...form.getInputProps("itemCode")}
    />
    <TextInput
      label={t(($) => $.common.name)}
      required
      data-autofocus={!isNamed || undefined}
      {...form.getInputProps("itemName")}
    />
    <Select
      label={t(($) => $.common.type)}
      data={itemTypes.map((value) => ({ value, label: t(($) => $.values.itemType[value]) }))}
      allowDeselect={false}
      {...form.getInputProps("itemType")}
    />
    <MoneyField label={t(($) => $.fields.sellingPrice)} {...form.getInputProps("sellingPrice")} />
    <TaxFields values={form.values} errors={form.errors} onChange={form.setValues} />
    <TextInput label={t(($) => $.items.unit)} {...selectAllOnClick} {...form.getInputProps("uom")} />
  </SimpleGrid>
)
