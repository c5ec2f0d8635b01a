import { Button, Grid } from "@mantine/core"
import { IconPrinter } from "@tabler/icons-react"
import { Link } from "wouter"
import { useMay } from "../../api/hooks"
import type { Invoice } from "../../api/types"
import { confirm } from "../../parts/confirm"
import { DeleteButton } from "../../parts/delete-button"
import { History } from "../../parts/history"
import { Page } from "../../parts/page"
import { InvoiceBadges } from "./invoice-badges"
import { DraftInvoiceEditor } from "./new-invoice"
import { useStatusChange } from "./use-status-change"

/** An invoice that is still being written. */
export function DraftInvoice({ invoice }: { invoice: Invoice }) {
  const { id, version, customerName } = invoice
  const may = useMay()
  const status = useStatusChange(invoice)
  const issue = async () => {
    const isMeant = await confirm({
      title: `Issue this invoice for ${customerName}?`,
      text:
        "It gets its number, and its goods leave the stock. After that only its notes and due date can be changed. " +
        "What you have not saved yet is not on it.",
      action: "Issue",
      isDangerous: false,
    })
    if (isMeant)
      status.changeTo({ status: "unpaid" }, ({ invoiceNumber }) => `Invoice ${invoiceNumber} was issued.`)
  }
  return (
    <Page
      title={`Draft for ${customerName}`}
      parent={{ title: "Invoices", href: "/invoices" }}
      badge={<InvoiceBadges invoice={invoice} />}
      actions={
        <>
          <Button
            component={Link}
            href={`/invoices/${id}/print`}
            variant="default"
            leftSection={<IconPrinter size={16} />}
          >
            Print
          </Button>
          {may("invoices", "delete") && (
            <DeleteButton kind="invoices" id={id} version={version} name="this draft" to="/invoices" />
          )}
          {may("invoices", "write") && (
            <Button onClick={issue} loading={status.isPending}>
              Issue
            </Button>
          )}
        </>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, xl: 9 }}>
          <DraftInvoiceEditor invoice={invoice} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xl: 3 }}>
          <History kind="invoices" id={id} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}
