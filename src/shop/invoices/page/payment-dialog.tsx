import { useMe } from "../../../console/api/hooks"
import type { Invoice, Payment } from "../../../console/api/types"
import { MoneyField } from "../../../console/forms/money-field"
import { paymentMethods } from "../../../trade/page/payment-methods"
import { remembered, rememberMethod } from "../../../trade/page/remembered"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { money } from "../../../console/format"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { PaymentFields } from "../../payments/page/payment-fields"

type Props = { invoice: Invoice; onClose: () => void }
type Values = { amount: number | string; paymentDate: string; method: string; reference: string }

export function PaymentDialog({ invoice, onClose }: Props) {
  const { balance, currency } = invoice
  const state = usePaymentForm({ invoice, onClose })
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.paymentFor, { number: invoice.invoiceNumber ?? "" })}
      state={state}
      submit={t(($) => $.recordPayment)}
      onClose={onClose}
      size="md"
    >
      <MoneyField
        label={common(($) => $.fields.amount)}
        description={t(($) => $.balance, { amount: money(balance, currency) })}
        required
        data-autofocus
        {...form.getInputProps("amount")}
      />
      <PaymentFields day="paymentDate" getInputProps={form.getInputProps} />
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
      rememberMethod(method, paymentMethods)
      tellDone(t(($) => $.wasPaid, { amount: money(amount, currency) }))
      onClose()
    },
  })
}
