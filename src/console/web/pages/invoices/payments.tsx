import { ActionIcon, Group, Paper, Stack, Text, Title } from "@mantine/core"
import { IconTrash } from "@tabler/icons-react"
import { call } from "../../api/client"
import { useChange, useMay } from "../../api/hooks"
import type { Invoice, Payment } from "../../api/types"
import { date, money } from "../../format"
import { confirm } from "../../parts/confirm"
import { tellDone, tellError } from "../../parts/tell"
import { t } from "../../texts"

/** The payments of an invoice. */
export function Payments({ invoice }: { invoice: Invoice }) {
  const { payments, status } = invoice
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
          <PaymentRow key={payment.id} payment={payment} invoice={invoice} />
        ))}
      </Stack>
    </Paper>
  )
}

type RowProps = { payment: Payment; invoice: Invoice }

function PaymentRow({ payment, invoice }: RowProps) {
  const may = useMay()
  const shown = money(payment.amount, invoice.currency)
  return (
    <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
      <div>
        <Text size="sm">{date(payment.paymentDate)}</Text>
        <Text size="xs" c="dimmed">
          {[payment.method, payment.reference].filter(Boolean).join(" · ") || "–"}
        </Text>
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
    const isConfirmed = await confirm({
      title: t(($) => $.invoices.confirmDeletePayment, { amount: shown }),
      text: t(($) => $.invoices.confirmDeletePaymentText),
      action: t(($) => $.common.delete),
    })
    if (!isConfirmed) return
    const onSuccess = () => tellDone(t(($) => $.invoices.paymentDeleted, { amount: shown }))
    remove.mutate(undefined, { onSuccess, onError: tellError })
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t(($) => $.invoices.deletePayment, { amount: shown })}
      loading={remove.isPending}
      onClick={ask}
    >
      <IconTrash size={16} />
    </ActionIcon>
  )
}
