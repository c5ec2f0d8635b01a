import { useMay, useMe } from "../../../console/api/hooks"
import type { Invoice } from "../../../console/api/types"
import { PdfButton } from "../../../trade/page/pdf-button"
import { RecordPage } from "../../../trade/page/record-page"
import { useDelete } from "../../../console/parts/use-delete"
import { t } from "../../../console/texts"
import { InvoiceCheck } from "./invoice-check"
import { InvoiceBadges } from "./invoice-badges"
import { InvoiceEditor } from "./invoice-editor"
import { invoiceFacts } from "./invoice-facts"

/** The page of a draft invoice. The form has the main action, issuing it. */
export function DraftInvoice({ invoice }: { invoice: Invoice }) {
  const { id, version, customerName } = invoice
  const may = useMay()
  const { today } = useMe().company
  const removal = useDelete({
    kind: "invoices",
    id,
    version,
    name: t(($) => $.invoices.thisDraft),
    deleted: t(($) => $.invoices.draftDeleted),
    to: "/invoices",
  })
  return (
    <RecordPage
      kind="invoices"
      record={invoice}
      title={t(($) => $.invoices.draftFor, { customer: customerName })}
      parent={{ title: t(($) => $.kinds.invoices.title), href: "/invoices" }}
      badge={<InvoiceBadges invoice={invoice} />}
      facts={invoiceFacts(invoice, today)}
      actions={<PdfButton kind="invoices" id={id} />}
      more={{ actions: [may("invoices", "delete") && removal.action], isBusy: removal.isBusy }}
      aside={<InvoiceCheck invoice={invoice} isEditable />}
      isWide
    >
      <InvoiceEditor invoice={invoice} />
    </RecordPage>
  )
}
