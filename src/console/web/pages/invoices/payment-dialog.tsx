import { Autocomplete, TextInput } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useMe } from "../../api/hooks"
import type { Invoice, Payment } from "../../api/types"
import { DayInput } from "../../documents/day-input"
import { NumberField } from "../../forms/number-field"
import { useCreateForm } from "../../forms/use-create-form"
import { money } from "../../format"
import { FormDialog } from "../../parts/form-dialog"

const methods = ["Bank transfer", "Cash", "Card", "Direct debit", "Cheque"]

type Props = { invoice: Invoice; onClose: () => void }

export function PaymentDialog({ invoice, onClose }: Props) {
  const { id, invoiceNumber, balance, currency } = invoice
  const { today } = useMe().company
  const state = useCreateForm<Payment, Values>({
    path: `/invoices/${id}/payments`,
    initialValues: { amount: balance, paymentDate: today, method: "", reference: "" },
    onCreated: ({ amount }) => {
      notifications.show({ message: `The payment of ${money(amount, currency)} was added.`, color: "teal" })
      onClose()
    },
  })
  const { form } = state
  return (
    <FormDialog
      title={`Payment on ${invoiceNumber}`}
      state={state}
      submit="Add payment"
      onClose={onClose}
      size="md"
    >
      <NumberField
        label="Amount"
        description={`${money(balance, currency)} is still owed`}
        required
        data-autofocus
        {...form.getInputProps("amount")}
      />
      <DayInput label="Date" required {...form.getInputProps("paymentDate")} />
      <Autocomplete
        label="Method"
        data={methods}
        comboboxProps={{ keepMounted: false }}
        {...form.getInputProps("method")}
      />
      <TextInput
        label="Reference"
        description="As on the bank statement"
        {...form.getInputProps("reference")}
      />
    </FormDialog>
  )
}

type Values = { amount: number | string; paymentDate: string; method: string; reference: string }
