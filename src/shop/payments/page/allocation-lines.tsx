import { Button, Group, Stack, Table, Text, Title } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { ReactNode } from "react"
import { useMe } from "../../../console/api/hooks"
import { Note } from "../../../trade/page/note"
import { MoneyField } from "../../../console/forms/money-field"
import type { Typed } from "../../../console/forms/number"
import { digitsOf, money, number } from "../../../console/format"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "../../../console/texts"
import { dueOf, mostInvoices, type OpenInvoice } from "./open-invoices"
import { sumsOf } from "./proposal"
import type { Line, Values } from "./use-new-payment"

type Form = UseFormReturnType<Values>
type Props = { form: Form; lines: Line[]; customerName: string }

/** The open invoices of the customer, the oldest first, each with the part of the payment that pays it. */
export function AllocationLines({ form, lines, customerName }: Props) {
  const hasTyped = Object.keys(form.values.allocations).length > 0
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t(($) => $.payments.noOpenInvoices, { customer: customerName })}
      </Text>
    )
  return (
    <Stack gap="xs">
      <Group justify="space-between" mih={36}>
        <Title order={2} size="h5">
          {t(($) => $.payments.openInvoices)}
        </Title>
        {hasTyped && (
          <Button variant="subtle" size="compact-sm" onClick={() => form.setFieldValue("allocations", {})}>
            {t(($) => $.payments.proposeAgain)}
          </Button>
        )}
      </Group>
      {lines.length >= mostInvoices && (
        <Text size="xs" c="dimmed">
          {t(($) => $.payments.mostInvoices, { shown: number(mostInvoices) })}
        </Text>
      )}
      <Lines form={form} lines={lines} />
      <Rest
        amount={form.values.amount}
        parts={lines.map(({ part }) => part)}
        error={form.errors["allocations"]}
      />
    </Stack>
  )
}

const Lines = ({ form, lines }: Pick<Props, "form" | "lines">) => (
  <Table verticalSpacing={6} aria-label={t(($) => $.payments.openInvoices)}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t(($) => $.fields.invoice)}</Table.Th>
        <Table.Th className="right" visibleFrom="xs">
          {t(($) => $.payments.open)}
        </Table.Th>
        <Table.Th w={{ base: 120, xs: 150 }}>{t(($) => $.payments.part)}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {lines.map((line) => (
        <LineRow key={line.invoice.id} form={form} {...line} />
      ))}
    </Table.Tbody>
  </Table>
)

function LineRow({ form, invoice, part }: Line & { form: Form }) {
  const { id, invoiceNumber, balance } = invoice
  const { currency } = useMe().company
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{invoiceNumber}</Text>
        <Text size="xs" className="figures" hiddenFrom="xs">
          {t(($) => $.invoices.openAmount, { amount: money(balance, currency) })}
        </Text>
        <DueDate invoice={invoice} />
      </Table.Td>
      <Table.Td className="right" visibleFrom="xs">
        {money(balance, currency)}
      </Table.Td>
      <Table.Td>
        <MoneyField
          aria-label={t(($) => $.payments.partFor, { number: invoiceNumber ?? "" })}
          {...form.getInputProps(`allocations.${id}`)}
          value={part}
        />
      </Table.Td>
    </Table.Tr>
  )
}

const DueDate = ({ invoice }: { invoice: OpenInvoice }) => (
  <Group gap={6}>
    <Text size="xs" c="dimmed">
      {dueOf(invoice)}
    </Text>
    {invoice.isOverdue && <StatusBadge status="overdue" />}
  </Group>
)

/** What the parts add up to, and what they leave. The error is the server's, if they exceed the amount. */
function Rest({ amount, parts, error }: { amount: Typed; parts: Typed[]; error: ReactNode }) {
  const { currency } = useMe().company
  const { allocated, rest } = sumsOf(amount, parts, digitsOf(currency))
  return (
    <Stack gap={4} px={10} aria-live="polite">
      <Figure label={t(($) => $.payments.allocated)} value={money(allocated, currency)} />
      {rest < 0 ? (
        <>
          <Note>{t(($) => $.payments.exceedsAmount, { amount: money(-rest, currency) })}</Note>
          {typeof error === "string" && <ErrorAlert message={error} />}
        </>
      ) : (
        <Figure label={t(($) => $.payments.staysAsCredit)} value={money(rest, currency)} isStrong />
      )}
    </Stack>
  )
}

const Figure = ({ label, value, isStrong }: { label: string; value: string; isStrong?: boolean }) => (
  <Group justify="space-between">
    <Text size="sm" fw={isStrong ? 600 : undefined}>
      {label}
    </Text>
    <Text size="sm" fw={isStrong ? 600 : undefined} className="figures">
      {value}
    </Text>
  </Group>
)
