import { ActionIcon, Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core"
import { IconTrash } from "../../../console/parts/icons"
import { Link } from "wouter"
import { call } from "../../../console/api/client"
import { useChange, useMay, useRead } from "../../../console/api/hooks"
import type { Invoice, InvoicePayment, Payment } from "../../../console/api/types"
import { date, money } from "../../../console/format"
import { confirm } from "../../../console/parts/confirm"
import { tellDone, tellError } from "../../../console/parts/tell"
import { t } from "../../../console/texts"

/** The payments of an invoice. */
export function Payments({ invoice }: { invoice: Invoice }) {
  const { payments, status } = invoice
  const wholes = useWholes(payments)
  if ((status === "cancelled" || status === "draft") && payments.length === 0) return null
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        {t(($) => $.fields.payments)}
      </Title>
      {payments.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(($) => $.invoices.noPayments)}
        </Text>
      )}
      <Stack gap="xs">
        {payments.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} whole={wholes.get(payment.id)} invoice={invoice} />
        ))}
      </Stack>
    </Paper>
  )
}

/** The whole amount of each payment, by id. Nearly every invoice has less than a hundred payments. */
function useWholes(payments: readonly InvoicePayment[]): ReadonlyMap<string, number> {
  const ids = payments.slice(0, 100).map(({ id }) => id)
  const { data = [] } = useRead<Payment[]>(
    `/payments?id[in]=${ids.join(",")}&fields=id,amount&perPage=100`,
    ids.length > 0,
  )
  return new Map(data.map(({ id, amount }) => [id, amount]))
}

type RowProps = { payment: InvoicePayment; invoice: Invoice }

function PaymentRow({ payment, whole, invoice }: RowProps & { whole: number | undefined }) {
  const may = useMay()
  const shown = money(payment.amount, invoice.currency)
  return (
    <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
      <div>
        <Anchor component={Link} href={`/payments/${payment.id}`} size="sm">
          {date(payment.paymentDate)}
        </Anchor>
        <Text size="xs" c="dimmed">
          {[payment.method, payment.reference].filter(Boolean).join(" · ") || "–"}
        </Text>
        {whole !== undefined && whole !== payment.amount && (
          <Text size="xs" c="dimmed">
            {t(($) => $.invoices.partOfPayment, { amount: money(whole, invoice.currency) })}
          </Text>
        )}
      </div>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" className="figures">
          {shown}
        </Text>
        {may("invoices", "delete") && <DeleteButton payment={payment} invoice={invoice} shown={shown} />}
      </Group>
    </Group>
  )
}

function DeleteButton({ payment, invoice, shown }: RowProps & { shown: string }) {
  const remove = useChange(() =>
    call("DELETE", `/invoices/${invoice.id}/payments/${payment.id}`, { version: invoice.version }),
  )
  const ask = async () => {
    const { data } = await call<Payment>("GET", `/payments/${payment.id}`)
    const isWhole = data.invoice === invoice.id && data.unallocated === 0 && data.refunded === 0
    const isConfirmed = await confirm(isWhole ? wholeQuestion(shown) : partQuestion(shown, invoice, data))
    if (!isConfirmed) return
    const done = t(($) => (isWhole ? $.invoices.paymentDeleted : $.payments.allocationVoided), {
      amount: shown,
    })
    remove.mutate(undefined, { onSuccess: () => tellDone(done), onError: tellError })
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t(($) => $.invoices.deletePayment, { amount: shown })}
      loading={remove.isPending}
      onClick={() => void ask().catch(tellError)}
    >
      <IconTrash size={16} />
    </ActionIcon>
  )
}

/** The question before a payment that pays nothing else is voided. */
const wholeQuestion = (amount: string) => ({
  title: t(($) => $.invoices.confirmDeletePayment, { amount }),
  text: t(($) => $.invoices.confirmDeletePaymentText),
  action: t(($) => $.common.delete),
})

/** The question before only the part of a payment for this invoice is voided. */
const partQuestion = (amount: string, { invoiceNumber, currency }: Invoice, whole: Payment) => ({
  title: t(($) => $.payments.confirmVoidAllocation, { amount, number: invoiceNumber ?? "" }),
  text: t(($) => $.invoices.confirmDeletePart, { amount: money(whole.amount, currency) }),
  action: t(($) => $.creditNotes.void),
})
