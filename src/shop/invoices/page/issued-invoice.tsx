import { Alert, Button, Stack } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconPlus } from "../../../console/parts/icons"
import { correctionRoles } from "../../../shared/rights"
import { useMay, useMe } from "../../../console/api/hooks"
import type { Invoice } from "../../../console/api/types"
import { DocumentLines } from "../../../trade/page/document-lines"
import { PdfButton } from "../../../trade/page/pdf-button"
import { TotalsBox } from "../../../trade/page/totals-box"
import { setStatus, useSteps, type Step } from "../../../trade/page/use-steps"
import { moment } from "../../../console/format"
import { confirm } from "../../../console/parts/confirm"
import type { MoreAction } from "../../../console/parts/more-menu"
import { RecordPage } from "../../../trade/page/record-page"
import { useDelete } from "../../../console/parts/use-delete"
import { t } from "../../../console/texts"
import { CreditAction } from "../../credit-notes/page/credit-action"
import { InvoiceCredits } from "../../credit-notes/page/invoice-credits"
import { InvoiceBadges } from "./invoice-badges"
import { InvoiceCheck } from "./invoice-check"
import { invoiceFacts } from "./invoice-facts"
import { InvoiceNotesForm } from "./invoice-notes-form"
import { InvoiceParties } from "./invoice-parties"
import { OpeningBalance, OpeningTotals } from "./opening-balance"
import { OpeningNote } from "./opening-note"
import { PaymentDialog } from "./payment-dialog"
import { Payments } from "./payments"

/**
 * The page of an issued invoice. Only its notes, due date and payments can change. Users who may not update drafts see
 * drafts the same way.
 */
export function IssuedInvoice({ invoice }: { invoice: Invoice }) {
  const { invoiceNumber, customerName, status, cancelledAt, cancelReason } = invoice
  const { today } = useMe().company
  return (
    <RecordPage
      kind="invoices"
      record={invoice}
      title={invoiceNumber ?? t(($) => $.invoices.draftFor, { customer: customerName })}
      parent={{ title: t(($) => $.kinds.invoices.title), href: "/invoices" }}
      badge={<InvoiceBadges invoice={invoice} />}
      facts={invoiceFacts(invoice, today)}
      actions={<Actions invoice={invoice} />}
      more={useMore(invoice)}
      aside={<Account invoice={invoice} />}
    >
      <Stack>
        {status === "cancelled" && (
          <Alert color="gray" title={t(($) => $.invoices.cancelledAt, { time: moment(cancelledAt) })}>
            {cancelReason ?? t(($) => $.invoices.noReason)}
          </Alert>
        )}
        <OpeningNote invoice={invoice} />
        <InvoiceParties invoice={invoice} />
        {invoice.isOpening ? (
          <OpeningBalance invoice={invoice} />
        ) : (
          <DocumentLines
            lines={invoice.items}
            currency={invoice.currency}
            pricesIncludeTax={invoice.pricesIncludeTax}
          />
        )}
        <InvoiceNotesForm invoice={invoice} />
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
    <Payments invoice={invoice} />
    <InvoiceCredits invoice={invoice} />
    {!invoice.isOpening && <InvoiceCheck invoice={invoice} />}
  </>
)

/** What was paid and credited, and what is left to pay. */
const balanceOf = ({ amountPaid, creditTaken, creditApplied, balance }: Invoice) => [
  { label: t(($) => $.invoices.paid), amount: amountPaid },
  ...(creditTaken > 0 ? [{ label: t(($) => $.creditNotes.taken), amount: creditTaken }] : []),
  ...(creditApplied > 0 ? [{ label: t(($) => $.creditNotes.applied), amount: creditApplied }] : []),
  { label: t(($) => $.fields.balance), amount: balance, isStrong: true },
]

/** Recording a payment is the main action while something is open. */
function Actions({ invoice }: { invoice: Invoice }) {
  const { id, balance, status, isOpening } = invoice
  const may = useMay()
  const [isPaying, { open, close }] = useDisclosure()
  const mayPay = may("invoices", "write") && balance > 0 && status !== "cancelled" && status !== "draft"
  return (
    <>
      {!isOpening && <PdfButton kind="invoices" id={id} isIssued={status !== "draft"} />}
      {!isOpening && <CreditAction invoice={invoice} />}
      {mayPay && (
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          {t(($) => $.invoices.recordPayment)}
        </Button>
      )}
      {isPaying && <PaymentDialog invoice={invoice} onClose={close} />}
    </>
  )
}

function useMore(invoice: Invoice): { actions: (MoreAction | false)[]; isBusy: boolean } {
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
  const isCancellable = invoice.allowedTransitions.includes("cancelled")
  const blockedBy = isCancellable ? undefined : whyKept(invoice)
  return {
    actions: [
      mayCancel &&
        (isCancellable || blockedBy !== undefined) && {
          label: t(($) => $.invoices.cancel),
          onClick: () => steps.take(cancel(invoice, company.correctBy === "credit-note")),
          blockedBy,
        },
      may("invoices", "delete") && isUnusedOpening(invoice) && removal.action,
    ],
    isBusy: steps.isPending || removal.isBusy,
  }
}

/** An opening invoice that nothing paid can be deleted, to import it again. */
const isUnusedOpening = ({ isOpening, payments, applications }: Invoice): boolean =>
  isOpening && payments.length === 0 && applications.length === 0

/** Why an issued invoice cannot be cancelled. */
function whyKept({ status, payments, creditNotes, applications }: Invoice): string | undefined {
  if (status === "cancelled") return undefined
  if (creditNotes.length > 0 || applications.length > 0) return t(($) => $.invoices.hasCredits)
  return payments.length > 0 ? t(($) => $.invoices.hasPayments) : undefined
}

/** What cancelling an invoice does. */
function effectOf({ isOpening }: Invoice, isCredited: boolean): string {
  if (isOpening) return t(($) => $.invoices.confirmWriteOffText)
  return t(($) => (isCredited ? $.invoices.confirmCancelByNoteText : $.invoices.confirmCancelText))
}

async function cancel(invoice: Invoice, isCredited: boolean): Promise<Step<Invoice> | null> {
  const answer = await confirm({
    title: t(($) => $.documents.confirmCancel, { number: invoice.invoiceNumber ?? "" }),
    text: effectOf(invoice, isCredited),
    reason: t(($) => $.fields.reason),
    action: t(($) => $.invoices.cancel),
    dismiss: t(($) => $.invoices.keep),
  })
  return (
    answer && {
      run: () => setStatus("invoices", invoice, { status: "cancelled", reason: answer.reason || null }),
      done: t(($) => $.documents.wasCancelled, { number: invoice.invoiceNumber ?? "" }),
    }
  )
}
