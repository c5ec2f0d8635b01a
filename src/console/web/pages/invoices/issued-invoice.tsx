import { Alert, Button, Grid, Stack, Text } from "@mantine/core"
import { useId } from "react"
import { correctionRoles } from "../../../../shared/rights"
import { useMay, useMe } from "../../api/hooks"
import type { Invoice } from "../../api/types"
import { describeDocument } from "../../documents/describe"
import { DocumentLines } from "../../documents/document-lines"
import { PrintButton } from "../../documents/print-button"
import { TotalsBox } from "../../documents/totals-box"
import { setStatus, useSteps, type Step } from "../../documents/use-steps"
import { moment } from "../../format"
import { confirm } from "../../parts/confirm"
import { History } from "../../parts/history"
import { Page } from "../../parts/page"
import { InvoiceBadges } from "./invoice-badges"
import { InvoiceNotesForm } from "./invoice-notes-form"
import { InvoiceParties } from "./invoice-parties"
import { Payments } from "./payments"

/**
 * The page of an issued invoice. Only its notes, due date and payments can change. Users who may not update drafts see
 * drafts the same way.
 */
export function IssuedInvoice({ invoice }: { invoice: Invoice }) {
  const { invoiceNumber, customerName, status, cancelledAt, cancelReason } = invoice
  return (
    <Page
      title={invoiceNumber ?? `Draft for ${customerName}`}
      parent={{ title: "Invoices", href: "/invoices" }}
      badge={<InvoiceBadges invoice={invoice} />}
      actions={<Actions invoice={invoice} />}
    >
      <Grid>
        <Grid.Col span={{ base: 12, lg: 8 }}>
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
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Account invoice={invoice} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

/** The totals, payments and history of an invoice. */
const Account = ({ invoice }: { invoice: Invoice }) => (
  <Stack>
    <TotalsBox
      {...invoice}
      more={[
        { label: "Paid", amount: invoice.amountPaid },
        { label: "Balance", amount: invoice.balance, isStrong: true },
      ]}
    />
    <Payments invoice={invoice} />
    <History kind="invoices" id={invoice.id} describe={describeDocument(invoice)} />
  </Stack>
)

function Actions({ invoice }: { invoice: Invoice }) {
  const { role } = useMe()
  const mayCancel = useMay()("invoices", "write") && correctionRoles.includes(role)
  const steps = useSteps<Invoice>()
  const reason = useId()
  const isAllowed = invoice.allowedTransitions.includes("cancelled")
  const isBlocked = !isAllowed && invoice.payments.length > 0
  return (
    <>
      {mayCancel && isBlocked && (
        <Text size="sm" c="dimmed" id={reason}>
          To cancel this invoice, delete the payments first.
        </Text>
      )}
      {mayCancel && (isAllowed || isBlocked) && (
        <Button
          variant="light"
          color="red"
          disabled={isBlocked}
          aria-describedby={isBlocked ? reason : undefined}
          onClick={() => steps.take(cancel(invoice))}
          loading={steps.isPending}
        >
          Cancel invoice
        </Button>
      )}
      <PrintButton of={`/invoices/${invoice.id}`} />
    </>
  )
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
