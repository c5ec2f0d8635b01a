import { Select, SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useLocation } from "wouter"
import { languages } from "../../../shared/languages"
import { useMay, useMe } from "../../../console/api/hooks"
import type { Customer } from "../../../console/api/types"
import { paymentTerms } from "../../../trade/page/terms"
import { AddressFields, addressValuesOf } from "../../../console/forms/address-fields"
import { AnotherButton, useAnother } from "../../../console/forms/another-button"
import { emptyAsNull } from "../../../console/forms/body"
import { MoneyField } from "../../../console/forms/number-field"
import { RecordForm } from "../../../console/forms/record-form"
import { SuggestInput } from "../../../console/forms/search-select"
import { useRecordForm } from "../../../console/forms/use-record-form"
import { tellDone } from "../../../console/parts/tell"
import { creditLimitRoles } from "../../../shared/rights"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { customerTypeInWords, customerTypeNames, storedCustomerType } from "./customer-types"
import { ShippingFields } from "./shipping-fields"
import { TaxFieldset } from "./tax-fieldset"

const languageChoices = [
  { value: "", label: t(($) => $.companyLanguage) },
  ...languages.map((value) => ({ value, label: common(($) => $.values.language[value]) })),
]

const valuesOf = (customer: Customer | null) => ({
  name: customer?.name ?? "",
  type: customerTypeInWords(customer?.type ?? "Company"),
  email: customer?.email ?? "",
  phone: customer?.phone ?? "",
  contactName: customer?.contactName ?? "",
  language: customer?.language ?? "",
  taxId: customer?.taxId ?? "",
  taxTreatment: customer?.taxTreatment ?? "domestic",
  taxReason: customer?.taxReason ?? "",
  paymentTerms: customer?.paymentTerms ?? "",
  creditLimit: customer?.creditLimit ?? "",
  address: addressValuesOf(customer?.address),
  shippingAddress: addressValuesOf(customer?.shippingAddress),
  notes: customer?.notes ?? "",
  isActive: customer?.isActive ?? true,
})

type Values = ReturnType<typeof valuesOf>
export type CustomerFormValues = UseFormReturnType<Values>
type Form = CustomerFormValues

const bodyOf = (values: Values) => ({
  ...emptyAsNull(values),
  type: storedCustomerType(values.type) || null,
})

type Props = {
  /** The customer to edit; null for a new one. */
  customer: Customer | null
  /** The customer from which a new one is filled. */
  copied?: Customer | null
  /** Shows an empty form after "Save and add another". */
  startAgain?: () => void
}

/** The form of a customer. If `customer` is null, it creates one. */
export function CustomerForm({ customer, copied, startAgain }: Props) {
  const isReadOnly = !useMay()("customers", "write")
  const { state, saveAndAdd } = useCustomerForm({ customer, copied, startAgain })
  const { form } = state
  return (
    <RecordForm
      state={state}
      isReadOnly={isReadOnly}
      submit={customer ? common(($) => $.common.save) : t(($) => $.create)}
      actions={!customer && <AnotherButton isSaving={state.isSaving} onClick={saveAndAdd} />}
      isMain={!customer || form.isDirty()}
    >
      <MainFields form={form} isNew={!customer} />
      <TaxFieldset form={form} />
      <AddressFields
        form={form}
        name="address"
        legend={common(($) => $.fields.address)}
        isReadOnly={isReadOnly}
      />
      <ShippingFields form={form} isReadOnly={isReadOnly} />
      <Textarea
        label={common(($) => $.fields.notes)}
        description={t(($) => $.notesHint)}
        autosize
        minRows={2}
        maxRows={12}
        {...form.getInputProps("notes")}
      />
      <Switch
        label={common(($) => $.values.status.active)}
        description={t(($) => $.activeHint)}
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
    </RecordForm>
  )
}

function useCustomerForm({ customer, copied, startAgain }: Props) {
  const [, go] = useLocation()
  const another = useAnother()
  const state = useRecordForm({
    kind: "customers",
    record: customer,
    bodyOf,
    valuesOf: (from) => valuesOf(from ?? (copied ? { ...copied, isActive: true } : null)),
    onSaved: ({ id, name }) => {
      tellDone(common(($) => $.common.saved, { name }))
      if (customer) return
      if (another.isWanted()) startAgain?.()
      else go(`/customers/${id}`, { replace: true })
    },
  })
  return another.buttonsOf(state)
}

function MainFields({ form, isNew }: { form: Form; isNew: boolean }) {
  const { role } = useMe()
  // Every role that may create customers may set the limit on create. Only these roles may update it.
  const maySetLimit = isNew || creditLimitRoles.includes(role)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={common(($) => $.common.name)}
        required
        autoFocus={isNew}
        {...form.getInputProps("name")}
      />
      <SuggestInput
        label={common(($) => $.common.type)}
        data={customerTypeNames}
        {...form.getInputProps("type")}
      />
      <TextInput label={common(($) => $.fields.contactName)} {...form.getInputProps("contactName")} />
      <Select
        label={t(($) => $.language)}
        data={languageChoices}
        allowDeselect={false}
        {...form.getInputProps("language")}
      />
      <TextInput label={common(($) => $.common.email)} type="email" {...form.getInputProps("email")} />
      <TextInput label={common(($) => $.fields.phone)} type="tel" {...form.getInputProps("phone")} />
      <SuggestInput
        label={common(($) => $.fields.paymentTerms)}
        description={t(($) => $.paymentTermsHint)}
        data={paymentTerms}
        {...form.getInputProps("paymentTerms")}
      />
      <MoneyField
        label={common(($) => $.fields.creditLimit)}
        description={maySetLimit ? t(($) => $.creditLimitHint) : t(($) => $.creditLimitFixed)}
        disabled={!maySetLimit}
        {...form.getInputProps("creditLimit")}
      />
    </SimpleGrid>
  )
}
