import { termsOf } from "../../../trade/page/in-words"
import { ActionIcon, Alert, Anchor, Badge, Button, Group, Paper, Stack, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconPlus, IconTrash } from "../../../console/parts/icons"
import { correctionRoles } from "../../../shared/rights"
import { useChange, useMay, useMe, useRead } from "../../../console/api/hooks"
import type { Invoice, InvoicePayment, Payment } from "../../../console/api/types"
import { DocumentLines } from "../../../trade/page/lines/document-lines"
import { OpenFields } from "../../../trade/page/document-page"
import { SendingProblem } from "../../../trade/page/mail/no-address"
import { SendAction } from "../../../trade/page/mail/send-action"
import { sentFact } from "../../../trade/page/mail/sent"
import { PdfButton } from "../../../trade/page/papers/pdf-button"
import { Figure, TotalsBox } from "../../../trade/page/view/totals-box"
import { cancelled, useSteps } from "../../../trade/page/use-steps"
import { date, moment, money, number } from "../../../console/format"
import { confirm } from "../../../console/parts/confirm"
import type { MoreAction } from "../../../console/parts/more-menu"
import { RecordPage, type HeaderFact } from "../../../trade/page/record-page"
import { useDelete, useDuplicate } from "../../../console/parts/use-delete"
import { howPaid } from "../../../trade/page/suggestions"
import { t as common } from "../../../console/texts"
import { t } from "./texts"
import { t as creditNoteTexts } from "../../credit-notes/page/texts"
import { t as tradeTexts } from "../../../trade/page/texts"
import { t as paymentTexts } from "../../payments/page/texts"
import { CreditAction, useBlockedCredit } from "../../credit-notes/page/credit-action"
import { InvoiceCredits } from "../../credit-notes/page/invoice-credits"
import { PaymentDialog } from "./pay-invoice-dialog"
import { InvoiceReminders, useRemind } from "../../reminders/page/remind"
import { DeductedDeposits, depositAmounts, TypeBadge } from "../deposits/page/deducted"
import { t as depositTexts } from "../deposits/page/texts"
import { useMayWriteOff, WriteOffDialog, WriteOffRows } from "./write-off"
import { Facts, Panel, Section } from "../../../console/parts/page"
import { Link } from "wouter"
import { Entry, Parties, CustomerLink } from "../../../trade/page/view/parties"
import { tellDone, tellError } from "../../../console/parts/tell"
import { call } from "../../../console/api/client"
import { EInvoicePanel } from "../../../trade/page/papers/e-invoice-panel"
import { t as eInvoiceTexts } from "../../../trade/page/papers/e-invoice-texts"
import { StatusBadge } from "../../../console/parts/status-badge"
import { daysBetween } from "../../../shared/dates"

/**
 * The page of an issued invoice. Only its notes, due date and payments can change. Users who may not update drafts see
 * drafts the same way.
 */
export function IssuedInvoice({ invoice }: { invoice: Invoice }) {
  const { invoiceNumber, customerName, status, cancelledAt, cancelReason } = invoice
  const { today } = useMe().company
  const [isWritingOff, { open, close }] = useDisclosure()
  return (
    <RecordPage
      kind="invoices"
      record={invoice}
      title={invoiceNumber ?? t(($) => $.draftFor, { customer: customerName })}
      badge={<InvoiceBadges invoice={invoice} />}
      facts={invoiceFacts(invoice, today)}
      actions={<Actions invoice={invoice} />}
      more={useMore(invoice, open)}
      aside={<Account invoice={invoice} />}
    >
      <Stack>
        {status === "cancelled" && (
          <Alert color="gray" title={t(($) => $.cancelledAt, { time: moment(cancelledAt) })}>
            {cancelReason ?? t(($) => $.noReason)}
          </Alert>
        )}
        <OpeningNote invoice={invoice} />
        <OfRecurring invoice={invoice} />
        <Parties of={invoice}>
          <Terms invoice={invoice} />
        </Parties>
        {invoice.isOpening ? <OpeningBalance invoice={invoice} /> : <DocumentLines of={invoice} />}
        <InvoiceNotes invoice={invoice} />
        {isWritingOff && <WriteOffDialog invoice={invoice} onClose={close} />}
      </Stack>
    </RecordPage>
  )
}

/** The totals, payments and credit notes of an invoice. */
const Account = ({ invoice }: { invoice: Invoice }) => (
  <>
    {invoice.isOpening ? (
      <OpeningTotals invoice={invoice} more={balanceOf(invoice)} />
    ) : (
      <TotalsBox {...invoice} more={balanceOf(invoice)} />
    )}
    <DeductedDeposits invoice={invoice} />
    <Payments invoice={invoice} />
    <InvoiceCredits invoice={invoice} />
    <InvoiceReminders invoice={invoice} />
    {!invoice.isOpening && <InvoiceCheck invoice={invoice} />}
  </>
)

/** What was paid, credited and written off, and what is left to pay. */
const balanceOf = (invoice: Invoice) => [
  ...depositAmounts(invoice),
  { label: t(($) => $.paid), amount: invoice.amountPaid },
  ...(invoice.creditTaken > 0
    ? [{ label: creditNoteTexts(($) => $.taken), amount: invoice.creditTaken }]
    : []),
  ...(invoice.creditApplied > 0
    ? [{ label: creditNoteTexts(($) => $.applied), amount: invoice.creditApplied }]
    : []),
  ...(invoice.writtenOff > 0 ? [{ label: t(($) => $.writtenOff), amount: invoice.writtenOff }] : []),
  { label: common(($) => $.fields.balance), amount: invoice.balance, isStrong: true },
]

/** Recording a payment is the main action while something is open. */
function Actions({ invoice }: { invoice: Invoice }) {
  const { id, balance, status, isOpening } = invoice
  const may = useMay()
  const [isPaying, { open, close }] = useDisclosure()
  const mayPay = may("invoices", "write") && balance > 0 && status !== "cancelled" && status !== "draft"
  return (
    <>
      {/* A message about a cancelled one would ask for money that nobody owes. */}
      {!isOpening && status !== "draft" && status !== "cancelled" && (
        <SendAction kind="invoices" document={invoice} number={invoice.invoiceNumber ?? ""} isIssued />
      )}
      {!isOpening && (
        <PdfButton
          kind="invoices"
          id={id}
          isIssued={status !== "draft" && invoice.issuedAt !== null}
          isCancelled={status === "cancelled"}
        />
      )}
      {!isOpening && <CreditAction invoice={invoice} />}
      {mayPay && (
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          {t(($) => $.recordPayment)}
        </Button>
      )}
      {isPaying && <PaymentDialog invoice={invoice} onClose={close} />}
    </>
  )
}

type More = { actions: (MoreAction | false)[]; isBusy: boolean }

function useMore(invoice: Invoice, onWriteOff: () => void): More {
  const { role, company } = useMe()
  const may = useMay()
  const mayCancel = may("invoices", "write") && correctionRoles.includes(role)
  const { id, version, invoiceNumber } = invoice
  const removal = useDelete({
    kind: "invoices",
    id,
    version,
    name: invoiceNumber ?? "",
    to: "/invoices",
  })
  const steps = useSteps<Invoice>()
  const duplicate = useDuplicate("/invoices", id)
  const mayWriteOff = useMayWriteOff(invoice)
  const reminder = useRemind(invoice)
  const blockedCredit = useBlockedCredit(invoice)
  const isCancellable = invoice.allowedTransitions.includes("cancelled")
  const blockedBy = isCancellable ? undefined : whyKept(invoice)
  return {
    actions: [
      may("invoices", "write") && !invoice.isOpening && invoice.invoiceType !== "deposit" && duplicate,
      reminder.action,
      mayWriteOff && { label: t(($) => $.writeOffRest), onClick: onWriteOff },
      blockedCredit,
      mayCancel &&
        (isCancellable || blockedBy !== undefined) && {
          label: t(($) => $.cancel),
          onClick: () => steps.take(cancel(invoice, company.correctBy === "credit-note")),
          blockedBy,
        },
      may("invoices", "delete") && isUnusedOpening(invoice) && removal.action,
    ],
    isBusy: steps.isPending || removal.isBusy || reminder.isBusy,
  }
}

/** An opening invoice that nothing paid can be deleted, to import it again. */
const isUnusedOpening = (invoice: Invoice): boolean => invoice.isOpening && isUnused(invoice)

const isUnused = ({ payments, applications, writeOffs }: Invoice): boolean =>
  payments.length + applications.length + writeOffs.length === 0

/** Why an issued invoice cannot be cancelled. */
function whyKept(invoice: Invoice): string | undefined {
  const { status, payments, creditNotes, applications, writeOffs, deductedTotal } = invoice
  if (status === "cancelled") return undefined
  if (deductedTotal > 0) return depositTexts(($) => $.cannotCancel)
  if (writeOffs.length > 0) return t(($) => $.hasWriteOffs)
  if (creditNotes.length > 0 || applications.length > 0) return t(($) => $.hasCredits)
  return payments.length > 0 ? t(($) => $.hasPayments) : undefined
}

/** What cancelling an invoice does. */
function effectOf({ isOpening, salesOrder }: Invoice, isCredited: boolean): string {
  if (isOpening) return t(($) => $.confirmCancelOpeningText)
  const goods = t(($) => (salesOrder ? $.cancelReopens : $.cancelReturns))
  return isCredited ? `${t(($) => $.cancelCredits)} ${goods}` : `${goods} ${t(($) => $.cancelKeepsNumber)}`
}

const cancel = (invoice: Invoice, isCredited: boolean) =>
  cancelled("invoices", invoice, invoice.invoiceNumber ?? "", {
    text: effectOf(invoice, isCredited),
    action: t(($) => $.cancel),
    dismiss: t(($) => $.keep),
  })

/** Why an opening invoice has no PDF and no credit notes, and what can be done with it. */
const OpeningNote = ({ invoice }: { invoice: Invoice }) =>
  invoice.isOpening && (
    <Alert color="gray" title={t(($) => $.openingTitle)}>
      {[t(($) => $.openingText), ...possible(invoice)].join(" ")}
    </Alert>
  )

function possible(invoice: Invoice): string[] {
  if (invoice.status === "cancelled") return []
  return [
    ...(invoice.balance > 0 ? [t(($) => $.openingPay)] : []),
    ...(isUnused(invoice) ? [t(($) => $.openingUndo)] : []),
  ]
}

/** What is known of an invoice of another system. The line that the server keeps for it is not one of that system. */
const OpeningBalance = ({ invoice }: { invoice: Invoice }) => (
  <Section title={t(($) => $.openingBalance)}>
    <Facts
      columns={3}
      of={[
        { label: t(($) => $.openingNumber), value: invoice.invoiceNumber },
        { label: common(($) => $.fields.invoiceDate), value: date(invoice.invoiceDate) },
        { label: t(($) => $.openingAmount), value: money(invoice.total, invoice.currency) },
      ]}
    />
  </Section>
)

type Props = { invoice: Invoice; more: { label: string; amount: number; isStrong?: boolean }[] }

/** The amounts of an invoice of another system. How much of it is tax is known only there. */
const OpeningTotals = ({ invoice: { total, currency }, more }: Props) => (
  <Paper withBorder p="md" role="group" aria-label={tradeTexts(($) => $.documents.totals)}>
    <Figure label={t(($) => $.openingAmount)} value={money(total, currency)} />
    {more.map(({ label, amount, isStrong }) => (
      <Figure key={label} label={label} value={money(amount, currency)} isStrong={isStrong} />
    ))}
  </Paper>
)

/** The dates, payment terms and order of an invoice. */
function Terms({ invoice }: { invoice: Invoice }) {
  const { salesOrder, orderNumber, buyerReference, isOpening, invoiceType } = invoice
  return (
    <div>
      <Entry label={common(($) => $.fields.invoiceDate)}>{date(invoice.invoiceDate)}</Entry>
      {!isOpening && invoiceType !== "deposit" && (
        <Entry label={common(($) => $.fields.supplyDate)}>{date(invoice.supplyDate)}</Entry>
      )}
      <Entry label={common(($) => $.fields.paymentTerms)}>{termsOf(invoice.paymentTerms)}</Entry>
      {buyerReference && <Entry label={common(($) => $.fields.buyerReference)}>{buyerReference}</Entry>}
      {!isOpening && (
        <Entry label={t(($) => $.order)}>
          {salesOrder ? (
            <Anchor component={Link} href={`/orders/${salesOrder}`} inherit>
              {orderNumber}
            </Anchor>
          ) : (
            "–"
          )}
        </Entry>
      )}
    </div>
  )
}

/** The only two fields of an issued invoice that can be updated. */
function InvoiceNotes({ invoice }: { invoice: Invoice }) {
  const isReadOnly = !useMay()("invoices", "write") || invoice.status === "cancelled"
  return (
    <OpenFields
      kind="invoices"
      record={invoice}
      name={invoice.invoiceNumber ?? ""}
      isReadOnly={isReadOnly}
      hint={isReadOnly || invoice.isOpening ? undefined : tradeTexts(($) => $.documents.filesKeepValue)}
      day={{ key: "dueDate", required: true, w: { base: "100%", xs: 360 } }}
    />
  )
}

/** The payments of an invoice, and what was written off of it. */
function Payments({ invoice }: { invoice: Invoice }) {
  const { payments, writeOffs, status } = invoice
  const wholes = useWholes(payments)
  if ((status === "cancelled" || status === "draft") && payments.length === 0) return null
  return (
    <Panel title={common(($) => $.fields.payments)}>
      {payments.length + writeOffs.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(($) => $.noPayments)}
        </Text>
      )}
      <Stack gap="xs">
        {payments.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} whole={wholes.get(payment.id)} invoice={invoice} />
        ))}
        <WriteOffRows invoice={invoice} />
      </Stack>
    </Panel>
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
          {howPaid(payment)}
        </Text>
        {whole !== undefined && whole !== payment.amount && (
          <Text size="xs" c="dimmed">
            {t(($) => $.partOfPayment, { amount: money(whole, invoice.currency) })}
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
    const done = isWhole
      ? t(($) => $.paymentDeleted, { amount: shown })
      : paymentTexts(($) => $.allocationVoided, { amount: shown })
    remove.mutate(undefined, { onSuccess: () => tellDone(done), onError: tellError })
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t(($) => $.deletePayment, { amount: shown })}
      loading={remove.isPending}
      onClick={() => void ask().catch(tellError)}
    >
      <IconTrash size={16} />
    </ActionIcon>
  )
}

/** The question before a payment that pays nothing else is voided. */
const wholeQuestion = (amount: string) => ({
  title: t(($) => $.confirmDeletePayment, { amount }),
  text: t(($) => $.confirmDeletePaymentText),
  action: common(($) => $.common.delete),
})

/** The question before only the part of a payment for this invoice is voided. */
const partQuestion = (amount: string, { invoiceNumber, currency }: Invoice, whole: Payment) => ({
  title: paymentTexts(($) => $.confirmVoidAllocation, { amount, number: invoiceNumber ?? "" }),
  text: t(($) => $.confirmDeletePart, { amount: money(whole.amount, currency) }),
  action: creditNoteTexts(($) => $.void),
})

type InvoiceCheckProps = { invoice: Invoice; isEditable?: boolean }

/** The check of the e-invoice of an invoice. A cancelled one is not sent any more. */
export const InvoiceCheck = ({ invoice, isEditable = false }: InvoiceCheckProps) =>
  invoice.status !== "cancelled" && (
    <EInvoicePanel
      kind="invoices"
      id={invoice.id}
      isIssued={invoice.status !== "draft"}
      document={{ ...invoice, path: `/invoices/${invoice.id}`, isEditable }}
      advice={mayBeCredited(invoice) ? eInvoiceTexts(($) => $.issued.invoices) : undefined}
    />
  )

/** True if something is left that a credit note can credit, before the invoice is issued again. */
const mayBeCredited = ({ status, total, creditedTotal, writtenOff }: Invoice): boolean =>
  status !== "draft" && creditedTotal < total && writtenOff === 0

type InvoiceBadgesProps = { invoice: Pick<Invoice, "status" | "isOverdue" | "isOpening" | "invoiceType"> }

/** The status of an invoice, an overdue badge, and the badge of an opening invoice. */
export const InvoiceBadges = ({ invoice }: InvoiceBadgesProps) => (
  <>
    <StatusBadge status={invoice.status} />
    {invoice.isOverdue && <StatusBadge status="overdue" />}
    <TypeBadge type={invoice.invoiceType} />
    {invoice.isOpening && (
      <Badge color="gray" variant="light" tt="none" fw={600}>
        {t(($) => $.openingBadge)}
      </Badge>
    )}
  </>
)

/** What a person looks for first on an invoice. */
export function invoiceFacts(invoice: Invoice, today: string): (HeaderFact | false)[] {
  const { total, balance, creditedTotal, currency, dueDate, status, isOpening } = invoice
  const isOwed = status !== "draft" && status !== "cancelled" && balance > 0
  return [
    { label: common(($) => $.fields.customer), value: <CustomerLink of={invoice} /> },
    {
      label: isOpening ? t(($) => $.openingAmount) : common(($) => $.fields.total),
      value: money(total, currency),
      isStrong: true,
    },
    isOwed && { label: t(($) => $.open), value: money(balance, currency), isStrong: true },
    creditedTotal > 0 && {
      label: creditNoteTexts(($) => $.creditedTotal),
      value: money(creditedTotal, currency),
    },
    {
      label: common(($) => $.fields.dueDate),
      value: dueDate ? <DueDate invoice={invoice} today={today} /> : "–",
    },
    invoice.periodStartDate !== null && {
      label: common(($) => $.fields.recurringPeriod),
      value: `${date(invoice.periodStartDate)} – ${date(invoice.periodEndDate)}`,
    },
    sentFact(invoice),
  ]
}

/** The recurring invoice that an invoice was made of, and why it was not issued or not sent by itself. */
export function OfRecurring({ invoice }: { invoice: Invoice }) {
  const { recurringInvoice, recurringProblem: problem, status, lastSentAt, customer, customerName } = invoice
  if (recurringInvoice === null) return null
  const waits = problem !== null && (status === "draft" || (invoice.balance > 0 && lastSentAt === null))
  const link = (
    <Anchor component={Link} href={`/recurring-invoices/${recurringInvoice}`} size="sm">
      {t(($) => $.toRecurring)}
    </Anchor>
  )
  if (!waits) return link
  return (
    <Alert color="yellow" title={t(($) => $[status === "draft" ? "notIssuedItself" : "notSentItself"])}>
      <Text size="sm">
        <SendingProblem problem={problem} customer={customer} name={customerName} />
      </Text>
      {link}
    </Alert>
  )
}

/** The due date. If it has passed and something is open, also by how many days. */
function DueDate({ invoice, today }: { invoice: Invoice; today: string }) {
  const { dueDate, isOverdue } = invoice
  if (!isOverdue || !dueDate) return date(dueDate)
  const days = daysBetween(dueDate, today)
  return (
    <>
      {date(dueDate)}{" "}
      <Text span inherit fw={600} c="var(--mantine-color-error)">
        {t(($) => $.daysOverdue, { count: days, shown: number(days) })}
      </Text>
    </>
  )
}
