import { Text, TextInput } from "@mantine/core"
import type { ReactNode } from "react"
import { useMe, useRecord } from "../../../console/api/hooks"
import type { Customer } from "../../../console/api/types"
import { money } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { t } from "../texts"
import { Note } from "../view/note"
import { type NewRecordProps, RecordPicker, type RecordPickerProps } from "./record-picker"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"

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
}

/** The customer of a document, with the available credit. */
export function CustomerField({ value, name, total, ...input }: Props) {
  const { currency } = useMe().company
  const { data: customer } = useRecord("customers", value)
  return (
    <div>
      <CustomerPicker
        {...input}
        picked={customer?.name ?? (value ? name : "")}
        create={newCustomer}
        inShort={(each) => creditOf(each, currency)}
      />
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
  Pick<RecordPickerProps<"customers">, "picked" | "where" | "create"> & {
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

/** Creates a customer without leaving the document. */
function NewCustomerDialog({ typed, onCreated, onClose }: NewRecordProps<Customer>) {
  const state = useCreateForm<Customer, { name: string; email: string; phone: string }>({
    path: "/customers",
    initialValues: { name: typed, email: "", phone: "" },
    onCreated: (customer) => {
      tellDone(common(($) => $.common.saved, { name: customer.name }))
      onCreated(customer)
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.pickers.newCustomer)}
      state={state}
      submit={t(($) => $.pickers.createCustomer)}
      onClose={onClose}
      size="md"
    >
      <TextInput
        label={common(($) => $.common.name)}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput label={common(($) => $.common.email)} type="email" {...form.getInputProps("email")} />
      <TextInput label={common(($) => $.fields.phone)} type="tel" {...form.getInputProps("phone")} />
    </FormDialog>
  )
}
