import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { IconSearch } from "../../../console/parts/icons"
import { useState } from "react"
import { useList, useMe } from "../../../console/api/hooks"
import type { Invoice, Payment } from "../../../console/api/types"
import { date, money } from "../../../console/format"
import { FormDialog, useRestoreFocus } from "../../../console/parts/form-dialog"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { MoneyField } from "../../../console/forms/number-field"
import { lastMethod, rememberMethod } from "../../../trade/page/suggestions"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { tellDone } from "../../../console/parts/tell"
import { PaymentFields } from "../../payments/page/payment-fields"

/** Records a payment for an open invoice, which the user chooses first. */
export function PayInvoiceDialog({ onClose }: { onClose: () => void }) {
  const [chosen, choose] = useState<Invoice | null>(null)
  return chosen ? (
    <PaymentDialog invoice={chosen} onClose={onClose} />
  ) : (
    <ChooseInvoice onChoose={choose} onClose={onClose} />
  )
}

type Props = { onChoose: (invoice: Invoice) => void; onClose: () => void }

function ChooseInvoice({ onChoose, onClose }: Props) {
  useRestoreFocus()
  const [typed, setTyped] = useState("")
  const [search] = useDebouncedValue(typed.trim(), 150)
  // The list stays until the next one is there, so that a click is not lost.
  const { data, isFetching } = useList("invoices", {
    "status[in]": "unpaid,partially_paid",
    search,
    sort: "dueDate",
    order: "asc",
    perPage: "8",
  })
  const found = data?.pages[0]?.data
  return (
    <Modal opened onClose={onClose} title={t(($) => $.whichPaid)}>
      <TextInput
        type="search"
        label={common(($) => $.fields.invoice)}
        placeholder={t(($) => $.numberOrCustomer)}
        leftSection={<IconSearch size={16} />}
        data-autofocus
        maxLength={200}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        mb="sm"
      />
      <Stack gap="xs" mih={120}>
        {found?.length === 0 && !isFetching && <Text c="dimmed">{t(($) => $.noneOpen)}</Text>}
        {found?.map((invoice) => (
          <OpenInvoice key={invoice.id} invoice={invoice} onClick={() => onChoose(invoice)} />
        ))}
      </Stack>
    </Modal>
  )
}

const OpenInvoice = ({ invoice, onClick }: { invoice: Invoice; onClick: () => void }) => (
  <Button variant="default" h="auto" py={6} fullWidth justify="space-between" onClick={onClick} fw={400}>
    <Stack gap={0} align="start" miw={0}>
      <Text size="sm" fw={600} truncate maw="100%">
        {invoice.invoiceNumber} · {invoice.customerName}
      </Text>
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          {t(($) => $.openAndDue, {
            amount: money(invoice.balance, invoice.currency),
            date: date(invoice.dueDate),
          })}
        </Text>
      </Group>
    </Stack>
  </Button>
)

type PaymentDialogProps = { invoice: Invoice; onClose: () => void }
type Values = { amount: number | string; paymentDate: string; method: string; reference: string }

export function PaymentDialog({ invoice, onClose }: PaymentDialogProps) {
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

function usePaymentForm({ invoice: { id, balance, currency }, onClose }: PaymentDialogProps) {
  const { today } = useMe().company
  return useCreateForm<Payment, Values>({
    path: `/invoices/${id}/payments`,
    initialValues: {
      amount: balance,
      paymentDate: today,
      method: lastMethod(),
      reference: "",
    },
    onCreated: ({ amount, method }) => {
      rememberMethod(method)
      tellDone(t(($) => $.wasPaid, { amount: money(amount, currency) }))
      onClose()
    },
  })
}
