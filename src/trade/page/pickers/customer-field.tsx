import { Select, SimpleGrid, Text, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { ReactNode } from "react"
import { call } from "../../../console/api/client"
import { useChange, useMe, useRecord } from "../../../console/api/hooks"
import type { Customer, CustomerDuplicate } from "../../../console/api/types"
import { money } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { Note } from "../view/note"
import { TreatmentProposal, typedCountry, VatIdNote } from "./tax-proposal"
import { type NewRecordProps, RecordPicker, type RecordPickerProps } from "./record-picker"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { Fold } from "../../../console/forms/fold"
import { tellDone, tellError } from "../../../console/parts/tell"
import { AddressFields, addressValuesOf } from "../../../console/forms/address-fields"
import { type TaxTreatment, taxTreatments } from "../../../shared/documents/tax"
import { PossibleDuplicates } from "./possible-duplicates"

type Props = {
  /** The id of the customer; empty if none is selected. */
  value: string
  /** The customer's name to show until the customer is loaded. */
  name: string
  onPick: (customer: Customer) => void
  error?: ReactNode
  /** The total of the document, compared with the customer's available credit. */
  total: number
  autoFocus?: boolean
  /** True if the customer cannot be replaced. */
  isFixed?: boolean
}

/** The customer of a document, with the available credit. */
export function CustomerField({ value, name, total, isFixed = false, ...input }: Props) {
  const { currency } = useMe().company
  const { data: customer } = useRecord("customers", value)
  return (
    <div>
      {isFixed ? (
        <TextInput label={common(($) => $.fields.customer)} value={customer?.name ?? name} disabled />
      ) : (
        <CustomerPicker
          {...input}
          picked={customer?.name ?? (value ? name : "")}
          create={newCustomer}
          inShort={(each) => creditOf(each, currency)}
        />
      )}
      {customer && (
        <Text size="xs" c="dimmed" mt={4}>
          {inShort(customer, currency)}
        </Text>
      )}
      {isOver(customer, total) && <Note>{t(($) => $.pickers.exceedsCredit)}</Note>}
    </div>
  )
}

type PickerProps = Pick<Props, "onPick" | "error" | "autoFocus"> &
  Pick<RecordPickerProps<"customers">, "picked" | "where" | "create" | "data-autofocus"> & {
    /** What is shown of a customer beside the name and the number. */
    inShort: (customer: Customer) => string
  }

/** Selects a customer. */
export const CustomerPicker = ({ inShort, ...props }: PickerProps) => (
  <RecordPicker
    {...props}
    kind="customers"
    sort="name"
    label={common(($) => $.fields.customer)}
    required
    placeholder={t(($) => $.pickers.customerHint)}
    codes={["customerNumber"]}
    nothing={t(($) => $.pickers.noCustomer)}
    show={(customer) => (
      <>
        <Text size="sm">{customer.name}</Text>
        <Text size="xs" c="dimmed">
          {[customer.customerNumber, customer.address?.city, inShort(customer)].filter(Boolean).join(" · ")}
        </Text>
      </>
    )}
  />
)

const newCustomer = {
  label: t(($) => $.pickers.createNewCustomer),
  dialog: (props: NewRecordProps<Customer>) => <NewCustomerDialog {...props} />,
}

/** A customer without a credit limit never exceeds it. */
const isOver = (customer: Customer | undefined, total: number): boolean =>
  typeof customer?.creditAvailable === "number" && total > customer.creditAvailable

const inShort = (customer: Customer, currency: string): string =>
  `${customer.customerNumber} · ${creditOf(customer, currency)}`

function creditOf({ creditAvailable }: Customer, currency: string): string {
  if (creditAvailable === null) return t(($) => $.pickers.noCreditLimit)
  return creditAvailable < 0
    ? t(($) => $.pickers.overCreditLimit, { amount: money(-creditAvailable, currency) })
    : t(($) => $.pickers.creditAvailable, { amount: money(creditAvailable, currency) })
}

/** What an invoice needs of a customer. */
const newValues = (typed: string, country: string | null) => ({
  name: typed,
  email: "",
  phone: "",
  address: { ...addressValuesOf(null), country },
  taxId: "",
  taxTreatment: "domestic" as TaxTreatment,
  taxReason: "",
})

/** Creates a customer without leaving the document, or takes one that exists. */
function NewCustomerDialog({ typed, onCreated, onClose }: NewRecordProps<Customer>) {
  const { country, taxCountry } = useMe().company
  const state = useCreateForm<Customer, ReturnType<typeof newValues>>({
    path: "/customers",
    initialValues: newValues(typed, country),
    onCreated: (customer) => {
      tellDone(common(($) => $.common.saved, { name: customer.name }))
      onCreated(customer)
    },
  })
  const { form } = state
  const { country: place } = form.values.address
  const isAbroad = place !== null && taxCountry !== null && place !== taxCountry
  const take = useChange<string, Customer>((id) => call("GET", `/customers/${id}`))
  const duplicates = {
    values: form.values,
    onUse: ({ id }: CustomerDuplicate) =>
      take.mutate(id, { onSuccess: ({ data }) => onCreated(data), onError: (error) => tellError(error) }),
  }
  return (
    <FormDialog
      title={t(($) => $.pickers.newCustomer)}
      state={state}
      submit={t(($) => $.pickers.createCustomer)}
      onClose={onClose}
      size="lg"
    >
      <div>
        <TextInput
          label={common(($) => $.common.name)}
          required
          data-autofocus
          {...form.getInputProps("name")}
        />
        <PossibleDuplicates {...duplicates} below="name" />
      </div>
      <div>
        <AddressFields form={form} name="address" legend={common(($) => $.fields.address)} />
        <PossibleDuplicates {...duplicates} below="address" />
      </div>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={common(($) => $.common.email)} type="email" {...form.getInputProps("email")} />
        <TextInput label={common(($) => $.fields.phone)} type="tel" {...form.getInputProps("phone")} />
      </SimpleGrid>
      <Fold
        label={t(($) => $.pickers.vatAndTax)}
        inShort={form.values.taxId}
        mustShow={isAbroad || Object.keys(form.errors).some((field) => field.startsWith("tax"))}
      >
        <TaxFields form={form} />
      </Fold>
    </FormDialog>
  )
}

const treatments = taxTreatments.map((value) => ({
  value,
  label: common(($) => $.values.taxTreatment[value]),
}))

/** The VAT ID of a new customer, and how sales to it are taxed. */
function TaxFields({ form }: { form: UseFormReturnType<ReturnType<typeof newValues>> }) {
  const place = typedCountry(form.values.address, useMe().company.country)
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <div>
          <TextInput label={common(($) => $.common.taxId)} {...form.getInputProps("taxId")} />
          <VatIdNote
            taxId={form.values.taxId}
            country={place}
            onTaxId={(next) => form.setFieldValue("taxId", next)}
          />
        </div>
        <Select
          label={common(($) => $.fields.taxTreatment)}
          description={common(($) => $.values.taxTreatmentMeaning[form.values.taxTreatment])}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={treatments}
          allowDeselect={false}
          {...form.getInputProps("taxTreatment")}
        />
      </SimpleGrid>
      <TreatmentProposal
        taxId={form.values.taxId}
        country={place}
        taxTreatment={form.values.taxTreatment}
        onAccept={(next) => form.setFieldValue("taxTreatment", next)}
      />
      {form.values.taxTreatment === "exempt" && (
        <TextInput label={common(($) => $.fields.taxReason)} required {...form.getInputProps("taxReason")} />
      )}
    </>
  )
}
