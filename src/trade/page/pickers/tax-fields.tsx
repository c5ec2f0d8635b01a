import { Text, TextInput, Select, Textarea } from "@mantine/core"
import type { ReactNode } from "react"
import { useRecord } from "../../../console/api/hooks"
import type { TaxCode } from "../../../console/api/types"
import { number } from "../../../console/format"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { RecordPicker, type NewRecordProps } from "./record-picker"
import type { UseFormReturnType } from "@mantine/form"
import { categoriesWithReason, taxCategories, type TaxCategory } from "../../../shared/documents/tax"
import { NumberField } from "../../../console/forms/number-field"
import type { Typed } from "../../../console/forms/number"
import { emptyAsNull, type Body } from "../../../console/forms/body"
import { lastTax } from "../suggestions"

type Props = {
  /** The id of the tax code; empty if none is selected. */
  value: string
  /** Gets null when the choice is removed. */
  onPick: (taxCode: TaxCode | null) => void
  label?: string
  description?: string
  "aria-label"?: string
  id?: string
  /** The path in the form, by which a link can name the input. */
  "data-path"?: string
  error?: ReactNode
}

/** A tax code that may be left out. */
export function TaxCodeField({ value, onPick, ...input }: Props) {
  const { data } = useRecord("tax-codes", value)
  return (
    <RecordPicker
      {...input}
      kind="tax-codes"
      sort="code"
      where={active}
      placeholder={t(($) => $.pickers.taxCodeHint)}
      picked={value && data ? `${data.code} · ${data.name}` : ""}
      codes={["code"]}
      nothing={t(($) => $.pickers.noTaxCode)}
      create={newTaxCode}
      onClear={() => onPick(null)}
      onPick={onPick}
      show={({ code, name, category, rate }) => (
        <>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed">
            {`${code} · ${common(($) => $.values.taxCategory[category])} · ${number(rate)} %`}
          </Text>
        </>
      )}
    />
  )
}

const active = { isActive: "true" }

const newTaxCode = {
  label: t(($) => $.pickers.createNewTaxCode),
  dialog: (props: NewRecordProps<TaxCode>) => <NewTaxCodeDialog {...props} />,
}

/** Creates a tax code without leaving the form. */
function NewTaxCodeDialog({ typed, onCreated, onClose }: NewRecordProps<TaxCode>) {
  const state = useRecordForm({
    kind: "tax-codes",
    record: null,
    valuesOf: (record) => ({ ...taxCodeValuesOf(record), ...(record ? {} : { code: typed }) }),
    onSaved: (taxCode) => {
      tellDone(common(($) => $.common.saved, { name: taxCode.code }))
      onCreated(taxCode)
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.pickers.newTaxCode)}
      state={state}
      submit={t(($) => $.pickers.createTaxCode)}
      onClose={onClose}
      size="md"
    >
      <TextInput
        label={t(($) => $.pickers.taxCode)}
        placeholder="DE19"
        required
        data-autofocus={typed === "" || undefined}
        {...form.getInputProps("code")}
      />
      <TextInput
        label={common(($) => $.common.name)}
        required
        data-autofocus={typed !== "" || undefined}
        {...form.getInputProps("name")}
      />
      <TaxKindFields form={form} />
    </FormDialog>
  )
}

export const taxCodeValuesOf = (taxCode: TaxCode | null) => ({
  code: taxCode?.code ?? "",
  name: taxCode?.name ?? "",
  category: taxCode?.category ?? ("S" as TaxCategory),
  rate: (taxCode?.rate ?? "") as Typed,
  reason: taxCode?.reason ?? "",
  isActive: taxCode?.isActive ?? true,
})

type TaxCodeForm = UseFormReturnType<ReturnType<typeof taxCodeValuesOf>>

const choices = taxCategories.map((value) => ({
  value,
  label: `${value} · ${common(($) => $.values.taxCategory[value])}`,
}))

/** The category of a tax code, its rate, and why no tax is charged. The first two are fixed when the code is used. */
export function TaxKindFields({ form, isFixed = false }: { form: TaxCodeForm; isFixed?: boolean }) {
  const { category } = form.values
  const isTaxed = category === "S"
  return (
    <>
      <Select
        label={t(($) => $.taxKind.category)}
        description={common(($) => $.values.taxCategoryMeaning[category])}
        data={choices}
        allowDeselect={false}
        disabled={isFixed}
        {...form.getInputProps("category")}
        onChange={(next) =>
          next && form.setValues({ category: next as TaxCategory, rate: next === "S" ? "" : 0 })
        }
      />
      <NumberField
        label={t(($) => $.taxKind.rate)}
        description={isFixed ? t(($) => $.taxKind.fixed) : !isTaxed && t(($) => $.taxKind.rateHint)}
        rightSection="%"
        required={isTaxed}
        disabled={isFixed || !isTaxed}
        {...form.getInputProps("rate")}
      />
      {!isTaxed && <Reason form={form} isRequired={categoriesWithReason.includes(category)} />}
    </>
  )
}

const hasBuiltIn = (category: TaxCategory): boolean => ["AE", "K", "G"].includes(category)

const Reason = ({ form, isRequired }: { form: TaxCodeForm; isRequired: boolean }) => (
  <Textarea
    label={t(($) => $.taxKind.reason)}
    description={t(($) =>
      hasBuiltIn(form.values.category) ? $.taxKind.reasonBuiltIn : $.taxKind.reasonHint,
    )}
    required={isRequired}
    autosize
    minRows={2}
    maxRows={6}
    {...form.getInputProps("reason")}
  />
)

/** The tax of an item. The code is empty if there is none. With a code, the rate may be empty: it is that of the code. */
export type ItemTax = { taxCode: string; taxRate: Typed }

/** The tax of a new item: that of the last one on this device, or else the default of the company. */
export function newItemTax(defaultTaxCode: string | null): ItemTax {
  const { taxCode, taxRate } = lastTax()
  return defaultTaxCode !== null || taxRate === ""
    ? { taxCode: defaultTaxCode ?? "", taxRate: "" }
    : { taxCode, taxRate }
}

/** The request body of an item. Without a code, a rate that is left empty is 0, and not the default of the company. */
export const bodyOfItem = <V extends ItemTax>(values: V): Body =>
  emptyAsNull(values.taxCode === "" && values.taxRate === "" ? { ...values, taxRate: 0 } : values)

type TaxProps = {
  values: ItemTax
  errors: Record<string, ReactNode>
  onChange: (values: Partial<ItemTax>) => void
}

/** The tax code of an item and its rate. A code sets the rate, and another rate removes the code. */
export function TaxFields({ values: { taxCode, taxRate }, errors, onChange }: TaxProps) {
  const { data } = useRecord("tax-codes", taxCode)
  const shownRate = taxCode && taxRate === "" ? (data?.rate ?? "") : taxRate
  return (
    <>
      <TaxCodeField
        data-path="taxCode"
        label={common(($) => $.fields.taxCode)}
        value={taxCode}
        error={errors["taxCode"]}
        onPick={(next) => onChange(next ? { taxCode: next.id, taxRate: next.rate } : { taxCode: "" })}
      />
      <NumberField
        label={common(($) => $.fields.taxRate)}
        description={taxCode ? t(($) => $.pickers.rateOfCode) : undefined}
        inputWrapperOrder={["label", "input", "description", "error"]}
        rightSection="%"
        value={shownRate}
        error={errors["taxRate"]}
        onChange={(next) => next !== shownRate && onChange({ taxRate: next, taxCode: "" })}
      />
    </>
  )
}
