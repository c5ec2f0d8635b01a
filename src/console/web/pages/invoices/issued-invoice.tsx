import { Alert, Button, Grid, Paper, Stack, Title } from "@mantine/core"
import { IconPrinter } from "@tabler/icons-react"
import { Link } from "wouter"
import { useMay } from "../../api/hooks"
import type { Invoice } from "../../api/types"
import { describeDocument } from "../../documents/describe"
import { DocumentLines } from "../../documents/document-lines"
import { TotalsBox } from "../../documents/totals-box"
import { moment } from "../../format"
import { confirm } from "../../parts/confirm"
import { History } from "../../parts/history"
import { Page } from "../../parts/page"
import { InvoiceBadges } from "./invoice-badges"
import { InvoiceNotesForm } from "./invoice-notes-form"
import { InvoiceParties } from "./invoice-parties"
import { Payments } from "./payments"
import { useStatusChange } from "./use-status-change"

/**
 * An invoice that was issued: it stays as it is, but for its notes, its due date and what is paid on it. Whoever may
 * not write a draft sees it in the same way.
 */
export function IssuedInvoice({ invoice }: { invoice: Invoice }) {
  const { id, invoiceNumber, customerName, status, cancelledAt, cancelReason } = invoice
  const { currency, amountPaid, balance } = invoice
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
                {cancelReason ?? "No reason was given."}
              </Alert>
            )}
            <InvoiceParties invoice={invoice} />
            <Paper withBorder p="md">
              <Title order={2} size="h4" mb="sm">
                Lines
              </Title>
              <DocumentLines lines={invoice.items} currency={currency} />
            </Paper>
            <InvoiceNotesForm invoice={invoice} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <TotalsBox
              {...invoice}
              more={[
                { label: "Paid", amount: amountPaid },
                { label: "Balance", amount: balance, isStrong: true },
              ]}
            />
            <Payments invoice={invoice} />
            <History kind="invoices" id={id} describe={describeDocument(invoice)} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function Actions({ invoice }: { invoice: Invoice }) {
  const { id, invoiceNumber, allowedTransitions } = invoice
  const may = useMay()
  const status = useStatusChange(invoice)
  const cancel = async () => {
    const given = await confirm({
      title: `Cancel ${invoiceNumber}?`,
      text: "Its goods come back into stock, and its order can be invoiced again. The number stays used.",
      reason: "Reason",
      action: "Cancel the invoice",
      dismiss: "Keep it",
    })
    if (given)
      status.changeTo({ status: "cancelled", reason: given.reason }, () => `${invoiceNumber} was cancelled.`)
  }
  return (
    <>
      {may("invoices", "write") && allowedTransitions.includes("cancelled") && (
        <Button variant="light" color="red" onClick={cancel} loading={status.isPending}>
          Cancel invoice
        </Button>
      )}
      <Button
        component={Link}
        href={`/invoices/${id}/print`}
        variant="default"
        leftSection={<IconPrinter size={16} />}
      >
        Print
      </Button>
    </>
  )
}
