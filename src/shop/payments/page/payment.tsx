import { useMe, useRecord } from "../../../console/api/hooks"
import { documentPage } from "../../../trade/page/document-page"
import { ErrorAlert } from "../../../console/parts/error-alert"
import { Loaded } from "../../../console/parts/page"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as invoiceTexts } from "../../invoices/page/texts"
import { PaymentView } from "./payment-view"
import { Button, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { Customer, Payment } from "../../../console/api/types"
import { MoneyField } from "../../../console/forms/number-field"
import { RecordForm } from "../../../console/forms/record-form"
import { digitsOf, money, number } from "../../../console/format"
import { hintBelow, PaymentFields } from "./payment-fields"
import type { ReactNode } from "react"
import { CustomerPicker } from "../../../trade/page/pickers/customer-field"
import { Note } from "../../../trade/page/view/note"
import type { Typed } from "../../../console/forms/number"
import { StatusBadge } from "../../../console/parts/status-badge"
import { dueOf, mostInvoices, type OpenInvoice, useOpenInvoices } from "./open-invoices"
import { proposedParts, sumsOf } from "./proposal"
import { useLocation } from "wouter"
import { emptyAsNull } from "../../../console/forms/body"
import { lastMethod, rememberMethod } from "../../../trade/page/suggestions"
import { useCreateForm } from "../../../console/forms/use-create-form"
import { tellDone } from "../../../console/parts/tell"

/** The page of a payment, or of a new one, for the customer in the URL if there is one. */
export default documentPage({
  kind: "payments",
  create: {
    title: t(($) => $.record),
    onlyFor: t(($) => $.onlyFor),
    form: (customer) => <NewPayment customer={customer ?? null} />,
  },
  show: (payment) => <PaymentView payment={payment} />,
})

/** The form of a payment that can pay several invoices of a customer. */
function NewPayment({ customer }: { customer: Customer | null }) {
  const { state, open, lines } = useNewPayment(customer)
  const { form } = state
  const { currency } = useMe().company
  const { data: paying } = useRecord("customers", form.values.customer)
  return (
    <Paper withBorder p="md" maw={760}>
      <RecordForm state={state} submit={t(($) => $.record)}>
        <CustomerPicker
          picked={paying?.name ?? ""}
          // Also an inactive customer may pay.
          where={{}}
          error={form.errors["customer"]}
          autoFocus={customer === null}
          onPick={({ id }) => form.setValues({ customer: id, allocations: {} })}
          inShort={({ outstandingBalance }) =>
            invoiceTexts(($) => $.openAmount, { amount: money(outstandingBalance, currency) })
          }
        />
        <Fields form={form} hasFocus={customer !== null} outstanding={paying?.outstandingBalance} />
        {form.values.customer !== "" && (
          <Loaded query={open}>
            {() => <AllocationLines form={form} lines={lines} customerName={paying?.name ?? ""} />}
          </Loaded>
        )}
      </RecordForm>
    </Paper>
  )
}

type FieldsProps = { form: UseFormReturnType<Values>; hasFocus: boolean; outstanding: number | undefined }

function Fields({ form, hasFocus, outstanding }: FieldsProps) {
  const { currency } = useMe().company
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <MoneyField
        label={common(($) => $.fields.amount)}
        required
        autoFocus={hasFocus}
        inputWrapperOrder={hintBelow}
        description={
          outstanding !== undefined && t(($) => $.openOf, { amount: money(outstanding, currency) })
        }
        {...form.getInputProps("amount")}
      />
      <PaymentFields day="paymentDate" isGrid getInputProps={form.getInputProps} />
    </SimpleGrid>
  )
}

type Form = UseFormReturnType<Values>
type AllocationLinesProps = { form: Form; lines: Line[]; customerName: string }

/** The open invoices of the customer, the oldest first, each with the part of the payment that pays it. */
function AllocationLines({ form, lines, customerName }: AllocationLinesProps) {
  const hasTyped = Object.keys(form.values.allocations).length > 0
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t(($) => $.noOpenInvoices, { customer: customerName })}
      </Text>
    )
  return (
    <Stack gap="xs">
      <Group justify="space-between" mih={36}>
        <Title order={2} size="h5">
          {t(($) => $.openInvoices)}
        </Title>
        {hasTyped && (
          <Button variant="subtle" size="compact-sm" onClick={() => form.setFieldValue("allocations", {})}>
            {t(($) => $.proposeAgain)}
          </Button>
        )}
      </Group>
      {lines.length >= mostInvoices && (
        <Text size="xs" c="dimmed">
          {t(($) => $.mostInvoices, { shown: number(mostInvoices) })}
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

const Lines = ({ form, lines }: Pick<AllocationLinesProps, "form" | "lines">) => (
  <Table verticalSpacing={6} aria-label={t(($) => $.openInvoices)}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{common(($) => $.fields.invoice)}</Table.Th>
        <Table.Th className="right" visibleFrom="xs">
          {t(($) => $.open)}
        </Table.Th>
        <Table.Th w={{ base: 120, xs: 150 }}>{t(($) => $.part)}</Table.Th>
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
          {invoiceTexts(($) => $.openAmount, { amount: money(balance, currency) })}
        </Text>
        <DueDate invoice={invoice} />
      </Table.Td>
      <Table.Td className="right" visibleFrom="xs">
        {money(balance, currency)}
      </Table.Td>
      <Table.Td>
        <MoneyField
          aria-label={t(($) => $.partFor, { number: invoiceNumber ?? "" })}
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
      <Figure label={t(($) => $.allocated)} value={money(allocated, currency)} />
      {rest < 0 ? (
        <>
          <Note>{t(($) => $.exceedsAmount, { amount: money(-rest, currency) })}</Note>
          {typeof error === "string" && <ErrorAlert message={error} />}
        </>
      ) : (
        <Figure label={t(($) => $.staysAsCredit)} value={money(rest, currency)} isStrong />
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

/** `allocations` contains the parts that the user has typed, by the id of the invoice. The others are proposed. */
type Values = {
  customer: string
  amount: Typed
  paymentDate: string
  method: string
  reference: string
  allocations: Record<string, Typed>
}

/** An open invoice, and the part of the payment that pays it. */
type Line = { invoice: OpenInvoice; part: Typed }

/** The form of a payment, and the open invoices of its customer with the proposed or typed parts. */
function useNewPayment(customer: Customer | null) {
  const { today, currency } = useMe().company
  const [, go] = useLocation()
  const digits = digitsOf(currency)
  // The form tells the customer, and needs the invoices of the customer.
  const linesOf = (values: Values) => linesIn(values, open.data ?? [], digits)
  const state = useCreateForm<Payment, Values>({
    path: "/payments",
    initialValues: {
      customer: customer?.id ?? "",
      amount: "",
      paymentDate: today,
      method: lastMethod(),
      reference: "",
      allocations: {},
    },
    bodyOf: (values) => ({ ...emptyAsNull(values), allocations: allocationsIn(linesOf(values)) }),
    check: ({ customer }) => (customer !== "" && !open.data ? t(($) => $.stillLoading) : null),
    fieldOf: (field, values) => {
      const [, index] = /^allocations\[(\d+)\]\./.exec(field) ?? []
      const invoice = allocationsIn(linesOf(values))[Number(index)]?.invoice
      return invoice ? `allocations.${invoice}` : field
    },
    onCreated: ({ id, amount, method }) => {
      rememberMethod(method)
      tellDone(invoiceTexts(($) => $.wasPaid, { amount: money(amount, currency) }))
      go(`/payments/${id}`)
    },
  })
  const open = useOpenInvoices(state.form.values.customer)
  return { state, open, lines: linesOf(state.form.values) }
}

function linesIn({ amount, allocations }: Values, open: OpenInvoice[], digits: number): Line[] {
  const invoices = open.slice(0, mostInvoices)
  const parts = proposedParts(
    amount,
    invoices.map(({ id, balance }) => ({ balance, typed: allocations[id] })),
    digits,
  )
  return invoices.map((invoice, i) => ({ invoice, part: parts[i] ?? "" }))
}

/** The parts of a request. Text that is not a number is sent too, and the server rejects it. */
const allocationsIn = (lines: Line[]): { invoice: string; amount: Typed }[] =>
  lines
    .filter(({ part }) => part !== "" && part !== 0)
    .map(({ invoice, part }) => ({ invoice: invoice.id, amount: part }))
