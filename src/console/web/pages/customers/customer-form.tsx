import { Fieldset, SimpleGrid, Switch, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { useLocation } from "wouter"
import { useMay, useMe } from "../../api/hooks"
import type { Customer } from "../../api/types"
import { paymentTerms } from "../../documents/terms"
import { AnotherButton } from "../../forms/another-button"
import { emptyAsNull } from "../../forms/body"
import { MoneyField } from "../../forms/money-field"
import { RecordForm } from "../../forms/record-form"
import { SearchSelect } from "../../forms/search-select"
import { SuggestInput } from "../../forms/suggest-input"
import { useAnother } from "../../forms/use-another"
import { useRecordForm } from "../../forms/use-record-form"
import { tellDone } from "../../parts/tell"
import { creditLimitRoles } from "../../../../shared/rights"
import { t } from "../../texts"
import { countryOptions } from "./countries"
import { customerTypeInWords, customerTypeNames, storedCustomerType } from "./customer-types"

const valuesOf = (customer: Customer | null) => ({
  name: customer?.name ?? "",
  type: customerTypeInWords(customer?.type ?? "Company"),
  email: customer?.email ?? "",
  phone: customer?.phone ?? "",
  taxId: customer?.taxId ?? "",
  paymentTerms: customer?.paymentTerms ?? "",
  creditLimit: customer?.creditLimit ?? "",
  address: {
    street: customer?.address?.street ?? "",
    zipCode: customer?.address?.zipCode ?? "",
    city: customer?.address?.city ?? "",
    state: customer?.address?.state ?? "",
    country: customer?.address?.country ?? null,
  },
  isActive: customer?.isActive ?? true,
})

type Values = ReturnType<typeof valuesOf>
type Form = UseFormReturnType<Values>

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
      submit={customer ? t(($) => $.common.save) : t(($) => $.customers.create)}
      actions={!customer && <AnotherButton isSaving={state.isSaving} onClick={saveAndAdd} />}
      isMain={!customer || form.isDirty()}
    >
      <MainFields form={form} isNew={!customer} />
      <AddressFields form={form} isReadOnly={isReadOnly} />
      <Switch
        label={t(($) => $.values.status.active)}
        description={t(($) => $.customers.activeHint)}
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
      tellDone(t(($) => $.common.saved, { name }))
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
      <TextInput label={t(($) => $.common.name)} required autoFocus={isNew} {...form.getInputProps("name")} />
      <SuggestInput
        label={t(($) => $.common.type)}
        data={customerTypeNames}
        {...form.getInputProps("type")}
      />
      <TextInput label={t(($) => $.common.email)} type="email" {...form.getInputProps("email")} />
      <TextInput label={t(($) => $.fields.phone)} type="tel" {...form.getInputProps("phone")} />
      <TextInput label={t(($) => $.common.taxId)} {...form.getInputProps("taxId")} />
      <SuggestInput
        label={t(($) => $.fields.paymentTerms)}
        description={t(($) => $.customers.paymentTermsHint)}
        data={paymentTerms}
        {...form.getInputProps("paymentTerms")}
      />
      <MoneyField
        label={t(($) => $.fields.creditLimit)}
        description={
          maySetLimit ? t(($) => $.customers.creditLimitHint) : t(($) => $.customers.creditLimitFixed)
        }
        disabled={!maySetLimit}
        {...form.getInputProps("creditLimit")}
      />
    </SimpleGrid>
  )
}

const AddressFields = ({ form, isReadOnly }: { form: Form; isReadOnly: boolean }) => (
  <Fieldset legend={t(($) => $.fields.address)}>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label={t(($) => $.fields.street)} {...form.getInputProps("address.street")} />
      <TextInput label={t(($) => $.customers.postalCode)} {...form.getInputProps("address.zipCode")} />
      <TextInput label={t(($) => $.fields.city)} {...form.getInputProps("address.city")} />
      <TextInput label={t(($) => $.customers.state)} {...form.getInputProps("address.state")} />
      <SearchSelect
        label={t(($) => $.fields.country)}
        data={countryOptions}
        clearable={!isReadOnly}
        nothingFoundMessage={t(($) => $.customers.noCountry)}
        {...form.getInputProps("address.country")}
      />
    </SimpleGrid>
  </Fieldset>
)
