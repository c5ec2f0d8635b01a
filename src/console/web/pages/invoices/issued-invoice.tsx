import { Alert, Button, Stack } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { IconPlus } from "@tabler/icons-react"
import { correctionRoles } from "../../../../shared/rights"
import { useMay, useMe } from "../../api/hooks"
import type { Invoice } from "../../api/types"
import { DocumentLines } from "../../documents/document-lines"
import { PrintButton } from "../../documents/print-button"
import { TotalsBox } from "../../documents/totals-box"
import { setStatus, useSteps, type Step } from "../../documents/use-steps"
import { moment } from "../../format"
import { confirm } from "../../parts/confirm"
import type { MoreAction } from "../../parts/more-menu"
import { RecordPage } from "../../parts/record-page"
import { InvoiceBadges } from "./invoice-badges"
import { invoiceFacts } from "./invoice-facts"
import { InvoiceNotesForm } from "./invoice-notes-form"
import { InvoiceParties } from "./invoice-parties"
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
      title={invoiceNumber ?? `Draft for ${customerName}`}
      parent={{ title: "Invoices", href: "/invoices" }}
      badge={<InvoiceBadges invoice={invoice} />}
      facts={invoiceFacts(invoice, today)}
      actions={<Actions invoice={invoice} />}
      more={useMore(invoice)}
      aside={<Account invoice={invoice} />}
    >
      <Stack>
        {status === "cancelled" && (
          <Alert color="gray" title={`Cancelled ${moment(cancelledAt)}`}>
            {cancelReason ?? "No reason given"}
          </Alert>
        )}
        <InvoiceParties invoice={invoice} />
        <DocumentLines lines={invoice.items} currency={invoice.currency} />
        <InvoiceNotesForm invoice={invoice} />
      </Stack>
    </RecordPage>
  )
}

/** The totals and payments of an invoice. */
const Account = ({ invoice }: { invoice: Invoice }) => (
  <>
    <TotalsBox
      {...invoice}
      more={[
        { label: "Paid", amount: invoice.amountPaid },
        { label: "Balance", amount: invoice.balance, isStrong: true },
      ]}
    />
    <Payments invoice={invoice} />
  </>
)

/** Recording a payment is the main action while something is open. */
function Actions({ invoice }: { invoice: Invoice }) {
  const { id, balance, status } = invoice
  const may = useMay()
  const [isPaying, { open, close }] = useDisclosure()
  const mayPay = may("invoices", "write") && balance > 0 && status !== "cancelled" && status !== "draft"
  return (
    <>
      <PrintButton of={`/invoices/${id}`} />
      {mayPay && (
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          Record payment
        </Button>
      )}
      {isPaying && <PaymentDialog invoice={invoice} onClose={close} />}
    </>
  )
}

function useMore(invoice: Invoice): { actions: (MoreAction | false)[]; isBusy: boolean } {
  const { role } = useMe()
  const mayCancel = useMay()("invoices", "write") && correctionRoles.includes(role)
  const steps = useSteps<Invoice>()
  const isCancellable = invoice.allowedTransitions.includes("cancelled")
  const isPaid = invoice.payments.length > 0 && invoice.status !== "cancelled"
  return {
    actions: [
      mayCancel &&
        (isCancellable || isPaid) && {
          label: "Cancel invoice",
          onClick: () => steps.take(cancel(invoice)),
          blockedBy: isCancellable ? undefined : "The invoice has payments. Delete them first.",
        },
    ],
    isBusy: steps.isPending,
  }
}

async function cancel(invoice: Invoice): Promise<Step<Invoice> | null> {
  const answer = await confirm({
    title: `Cancel ${invoice.invoiceNumber}?`,
    text: "The quantities return to stock, and the order can be invoiced again. The invoice number is not reused.",
    reason: "Reason",
    action: "Cancel invoice",
    dismiss: "Keep invoice",
  })
  return (
    answer && {
      run: () => setStatus("invoices", invoice, { status: "cancelled", reason: answer.reason || null }),
      done: `${invoice.invoiceNumber} was cancelled.`,
    }
  )
}
