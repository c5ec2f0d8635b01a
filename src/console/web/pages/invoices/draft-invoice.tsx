import { Grid } from "@mantine/core"
import { useMay } from "../../api/hooks"
import type { Invoice } from "../../api/types"
import { describeDocument } from "../../documents/describe"
import { PrintButton } from "../../documents/print-button"
import { DeleteButton } from "../../parts/delete-button"
import { History } from "../../parts/history"
import { Page } from "../../parts/page"
import { InvoiceBadges } from "./invoice-badges"
import { InvoiceEditor } from "./invoice-editor"

/** The page of a draft invoice. */
export function DraftInvoice({ invoice }: { invoice: Invoice }) {
  const { id, version, customerName } = invoice
  const may = useMay()
  return (
    <Page
      title={`Draft for ${customerName}`}
      parent={{ title: "Invoices", href: "/invoices" }}
      badge={<InvoiceBadges invoice={invoice} />}
      actions={
        <>
          <PrintButton of={`/invoices/${id}`} />
          {may("invoices", "delete") && (
            <DeleteButton kind="invoices" id={id} version={version} name="this draft" to="/invoices" />
          )}
        </>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, xl: 9 }}>
          <InvoiceEditor invoice={invoice} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xl: 3 }}>
          <History kind="invoices" id={id} describe={describeDocument(invoice)} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}
