import { useMe } from "../../../console/api/hooks"
import type { CreditNote } from "../../../console/api/types"
import { MoneyField } from "../../../console/forms/number-field"
import { lastMethod, rememberMethod } from "../../../trade/page/suggestions"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { money } from "../../../console/format"
import { FormDialog } from "../../../console/parts/form-dialog"
import { tellDone } from "../../../console/parts/tell"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { PaymentFields } from "../../payments/page/payment-fields"

type Props = {
  /** The API path of the credit note or of the payment. */
  of: string
  name: string
  /** What is left of it. */
  left: { amount: number; label: string }
  currency: string
  /** Its date: a refund is not older. */
  from: string
  onClose: () => void
}
type Refund = CreditNote["refunds"][number]
type Values = { amount: number | string; refundDate: string; method: string; reference: string }

/** Records that the customer got back what is left of a credit note or of a payment, or a part of it. */
export function RefundDialog(props: Props) {
  const state = useRefundForm(props)
  const { form } = state
  return (
    <FormDialog
      title={t(($) => $.refundOf, { number: props.name })}
      state={state}
      submit={t(($) => $.recordRefund)}
      onClose={props.onClose}
      size="md"
    >
      <MoneyField
        label={common(($) => $.fields.amount)}
        description={props.left.label}
        required
        data-autofocus
        {...form.getInputProps("amount")}
      />
      <PaymentFields day="refundDate" getInputProps={form.getInputProps} />
    </FormDialog>
  )
}

function useRefundForm({ of, left, currency, from, onClose }: Props) {
  const { today } = useMe().company
  return useCreateForm<Refund, Values>({
    path: `${of}/refunds`,
    initialValues: {
      amount: left.amount,
      refundDate: from > today ? from : today,
      method: lastMethod(),
      reference: "",
    },
    onCreated: ({ amount, method }) => {
      rememberMethod(method)
      tellDone(t(($) => $.wasRefunded, { amount: money(amount, currency) }))
      onClose()
    },
  })
}
