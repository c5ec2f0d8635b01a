import { Autocomplete, TextInput } from "@mantine/core"
import { useMe } from "../../api/hooks"
import type { Invoice, Payment } from "../../api/types"
import { DayInput } from "../../documents/day-input"
import { NumberField } from "../../forms/number-field"
import { remember, remembered } from "../../forms/remembered"
import { useCreateForm } from "../../forms/use-create-form"
import { money } from "../../format"
import { FormDialog } from "../../parts/form-dialog"
import { tellDone } from "../../parts/tell"

const methods = ["Bank transfer", "Cash", "Card", "Direct debit", "Cheque"]

type Props = { invoice: Invoice; onClose: () => void }
type Values = { amount: number | string; paymentDate: string; method: string; reference: string }

export function PaymentDialog({ invoice, onClose }: Props) {
  const { balance, currency } = invoice
  const state = usePaymentForm({ invoice, onClose })
  const { form } = state
  return (
    <FormDialog
      title={`Payment for ${invoice.invoiceNumber}`}
      state={state}
      submit="Record payment"
      onClose={onClose}
      size="md"
    >
      <NumberField
        label="Amount"
        description={`Balance: ${money(balance, currency)}`}
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
        description="As shown on the bank statement"
        {...form.getInputProps("reference")}
      />
    </FormDialog>
  )
}

function usePaymentForm({ invoice: { id, balance, currency }, onClose }: Props) {
  const { today } = useMe().company
  return useCreateForm<Payment, Values>({
    path: `/invoices/${id}/payments`,
    initialValues: {
      amount: balance,
      paymentDate: today,
      method: remembered("paymentMethod") ?? "",
      reference: "",
    },
    onCreated: ({ amount, method }) => {
      remember("paymentMethod", method)
      tellDone(`The payment of ${money(amount, currency)} was recorded.`)
      onClose()
    },
  })
}
