import { unitOf } from "../in-words"
import { ActionIcon, Group, Select, SimpleGrid, Text, Textarea, TextInput } from "@mantine/core"
import { IconTrash } from "../../../console/parts/icons"
import { type ComponentProps, type KeyboardEvent, memo, type ReactNode } from "react"
import type { Item } from "../../../console/api/types"
import { currencySymbol, digitsOf, number, price } from "../../../console/format"
import { selectAllOnClick } from "../../../console/forms/select-all"
import { MoneyField, NumberField } from "../../../console/forms/number-field"
import { keepFromSubmitting } from "../../../console/forms/search-select"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { defaultUnit } from "./line-values"
import { useMe } from "../../../console/api/hooks"
import { type NewRecordProps, RecordPicker } from "../pickers/record-picker"
import type { UseFormReturnType } from "@mantine/form"
import { itemTypes } from "../../../shared/suggestions"
import type { Typed } from "../../../console/forms/number"
import { newUnit, rememberTax } from "../suggestions"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { isGtin, plainBarcode } from "../../../shared/barcode"
import { BarcodeField } from "../pickers/barcode-field"
import { bodyOfItem, type ItemTax, newItemTax, TaxFields } from "../pickers/tax-fields"

type NumberPart = "quantity" | "rate" | "discount"
type TextPart = "description" | "uom"
export type LineActions = {
  set: (index: number, part: NumberPart | TextPart | "taxCode", value: number | string | null) => void
  pick: (index: number, item: Item) => void
  /** Enters the discount as an amount instead of a percentage, or the other way round. */
  switchDiscount: (index: number) => void
  remove: (index: number) => void
  /** Moves the focus to the next line. After the last line, adds a line. */
  next: (index: number) => void
  /** Adds a line with the item whose code was scanned. */
  scan: (code: string) => void
}

/** The codes that were scanned for lines that are not shown yet, by the keys of the lines. */
export const scans = new Map<string, string>()

export type Common = {
  isCard: boolean
  index: number
  lineKey: string
  actions: LineActions
  error?: string
  /** True in a line of which only the quantity can be updated. */
  isHeld?: boolean
}

export const inputId = (key: string, part: string) => `line-${key}-${part}`

/** The ID of an input, and its path in the form, by which a link can name it. */
export const placeOf = ({ lineKey, index }: Common, part: string) => ({
  id: inputId(lineKey, part),
  "data-path": `items.${index}.${part}`,
})

type Part = NumberPart | TextPart | "discountAmount" | "tax" | "item"

/** The label of an input: on a card above it, in a table only for screen readers, with the number of the line. */
export const labelsOf = (isCard: boolean, index: number, part: Part) =>
  isCard
    ? { label: t(($) => $.documents.part[part]) }
    : { "aria-label": t(($) => $.documents.partOfLine[part], { line: index + 1 }) }

// Inputs are the most expensive part of a line. Their props are plain values, so that an input renders again only when
// its own values change.

export const ItemInput = memo(function ItemInput(props: Common & { picked: string }) {
  const { isCard, index, lineKey, actions, picked, error, isHeld } = props
  if (isHeld)
    return (
      <TextInput
        id={inputId(lineKey, "item")}
        {...labelsOf(isCard, index, "item")}
        value={picked}
        error={error}
        disabled
      />
    )
  return (
    <ItemPicker
      id={inputId(lineKey, "item")}
      {...labelsOf(isCard, index, "item")}
      picked={picked}
      error={error}
      entered={scans.get(lineKey)}
      onPick={(item) => {
        scans.delete(lineKey)
        actions.pick(index, item)
      }}
    />
  )
})

/** What a line without an item sells. */
export const DescriptionInput = memo(function DescriptionInput(props: Common & { value: string }) {
  const { isCard, index, actions, value, error, isHeld } = props
  return (
    <Textarea
      disabled={isHeld}
      {...placeOf(props, "description")}
      {...labelsOf(isCard, index, "description")}
      placeholder={t(($) => $.documents.descriptionHint)}
      autosize
      minRows={1}
      maxRows={6}
      maxLength={1000}
      flex={1}
      value={value}
      error={error}
      onChange={({ currentTarget }) => actions.set(index, "description", currentTarget.value)}
    />
  )
})

/** The unit of a line without an item. */
export const UnitInput = memo(function UnitInput(props: Common & { value: string }) {
  const { isCard, index, actions, value, error, isHeld } = props
  return (
    <TextInput
      disabled={isHeld}
      {...placeOf(props, "uom")}
      {...labelsOf(isCard, index, "uom")}
      size={isCard ? undefined : "xs"}
      placeholder={defaultUnit}
      maxLength={20}
      value={value}
      error={error}
      onChange={({ currentTarget }) => actions.set(index, "uom", currentTarget.value)}
      onKeyDown={keepFromSubmitting}
    />
  )
})

type NumberProps = Common & {
  part: NumberPart
  value: number | string
  /** The value that applies if the input is empty. */
  placeholder?: string
  /** The decimals of an amount of money. */
  digits?: number
}

export const NumberInput = memo(function NumberInput(props: NumberProps) {
  const { isCard, index, lineKey, actions, part, value, placeholder, digits, error, isHeld } = props
  return (
    <NumberField
      disabled={isHeld && part !== "quantity"}
      id={inputId(lineKey, part)}
      {...labelsOf(isCard, index, part)}
      value={value}
      onChange={(next) => actions.set(index, part, next)}
      onKeyDown={(event) => goToNextLine(event, props)}
      error={error}
      placeholder={placeholder}
      digits={digits}
      isQuantity={part === "quantity"}
      onScan={part === "quantity" ? actions.scan : undefined}
    />
  )
})

function goToNextLine(event: KeyboardEvent, { actions, index }: Common): void {
  if (event.key !== "Enter") return
  event.preventDefault()
  actions.next(index)
}

type DiscountProps = Common & { value: number | string; isAmount: boolean; currency: string }

/** The discount of a line. */
export const DiscountInput = memo(function DiscountInput(props: DiscountProps) {
  const { isCard, index, lineKey, actions, value, isAmount, currency, error, isHeld } = props
  return (
    <DiscountField
      disabled={isHeld}
      id={inputId(lineKey, "discount")}
      {...labelsOf(isCard, index, isAmount ? "discountAmount" : "discount")}
      value={value}
      onChange={(next) => actions.set(index, "discount", next)}
      onKeyDown={(event) => goToNextLine(event, props)}
      error={error}
      isAmount={isAmount}
      currency={currency}
      switchLabel={t(($) => $.documents[isAmount ? "asPercentage" : "asAmount"], { line: index + 1 })}
      onSwitch={() => actions.switchDiscount(index)}
    />
  )
})

type DiscountFieldProps = ComponentProps<typeof NumberField> & {
  isAmount: boolean
  currency: string
  switchLabel: string
  onSwitch: () => void
}

/** A discount, with a button that switches between a percentage and an amount. */
export const DiscountField = (all: DiscountFieldProps) => {
  const { isAmount, currency, switchLabel, onSwitch, ...props } = all
  return (
    <NumberField
      digits={isAmount ? digitsOf(currency) : undefined}
      {...props}
      rightSection={
        <ActionIcon
          variant="default"
          size={26}
          aria-label={switchLabel}
          disabled={props.disabled}
          onClick={onSwitch}
        >
          <Text size="sm">{isAmount ? currencySymbol(currency) : "%"}</Text>
        </ActionIcon>
      }
    />
  )
}

export const RemoveButton = memo(function RemoveButton({
  index,
  actions,
}: Pick<Common, "index" | "actions">) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t(($) => $.documents.removeLine, { line: index + 1 })}
      onClick={() => actions.remove(index)}
    >
      <IconTrash size={18} />
    </ActionIcon>
  )
})

type Props = {
  id: string
  label?: string
  "aria-label"?: string
  picked: string
  onPick: (item: Item) => void
  error?: ReactNode
  entered?: string | undefined
}

function ItemPicker(props: Props) {
  const { currency } = useMe().company
  return (
    <RecordPicker
      {...props}
      kind="items"
      sort="itemName"
      placeholder={t(($) => $.pickers.itemHint)}
      codes={["itemCode", "barcode"]}
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
  return `${itemCode} · ${t(($) => $.documents.available, {
    quantity: number(availableStock),
    uom: unitOf(uom, availableStock),
  })}`
}

const newItem = {
  label: t(($) => $.pickers.createNewItem),
  dialog: (props: NewRecordProps<Item>) => <NewItemDialog {...props} />,
}

type Values = {
  itemCode: string
  barcode: string
  itemName: string
  itemType: string
  sellingPrice: Typed
  uom: string
} & ItemTax

/** A text without spaces and with a digit is a barcode or a code. Any other text is a name. */
function named(typed: string) {
  const blank = { itemCode: "", itemName: "", barcode: "" }
  if (isGtin(plainBarcode(typed))) return { ...blank, barcode: plainBarcode(typed) }
  return /^(?=.*\d)\S+$/.test(typed) ? { ...blank, itemCode: typed } : { ...blank, itemName: typed }
}

/** Creates an item without leaving the document. */
function NewItemDialog({ typed, onCreated, onClose }: NewRecordProps<Item>) {
  const { defaultTaxCode, defaultUnit } = useMe().company
  const state = useCreateForm<Item, Values>({
    path: "/items",
    initialValues: {
      ...named(typed),
      itemType: "Product",
      sellingPrice: 0,
      uom: newUnit(defaultUnit),
      ...newItemTax(defaultTaxCode),
    },
    bodyOf: bodyOfItem,
    onCreated: (item) => {
      rememberTax(item)
      tellDone(common(($) => $.common.saved, { name: item.itemName }))
      onCreated(item)
    },
  })
  return (
    <FormDialog
      title={t(($) => $.pickers.newItem)}
      state={state}
      submit={t(($) => $.pickers.createItem)}
      onClose={onClose}
      size="md"
    >
      <ItemFields form={state.form} isNamed={named(typed).itemCode === ""} />
    </FormDialog>
  )
}

type FieldsProps = {
  form: UseFormReturnType<Values>
  /** True if the typed text is no code, so that the code is missing. */
  isNamed: boolean
}

const ItemFields = ({ form, isNamed }: FieldsProps) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    <TextInput
      label={t(($) => $.pickers.itemCode)}
      required
      data-autofocus={isNamed || undefined}
      {...form.getInputProps("itemCode")}
    />
    <TextInput
      label={t(($) => $.pickers.itemName)}
      required
      data-autofocus={!isNamed || undefined}
      {...form.getInputProps("itemName")}
    />
    <BarcodeField {...form.getInputProps("barcode")} />
    <Select
      label={common(($) => $.common.type)}
      data={itemTypes.map((value) => ({ value, label: common(($) => $.values.itemType[value]) }))}
      allowDeselect={false}
      {...form.getInputProps("itemType")}
    />
    <MoneyField label={common(($) => $.fields.sellingPrice)} {...form.getInputProps("sellingPrice")} />
    <TaxFields values={form.values} errors={form.errors} onChange={form.setValues} />
    <TextInput label={t(($) => $.pickers.itemUnit)} {...selectAllOnClick} {...form.getInputProps("uom")} />
  </SimpleGrid>
)
