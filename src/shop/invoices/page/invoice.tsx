import { useMay, useRecord } from "../../../console/api/hooks"
import type { Invoice } from "../../../console/api/types"
import { NewDocument } from "../../../trade/page/new-document"
import { useHeld } from "../../../console/forms/unsaved"
import { Loaded } from "../../../console/parts/loaded"
import { OnlyFor } from "../../../console/parts/only-for"
import { t } from "../../../console/texts"
import { DraftInvoice } from "./draft-invoice"
import { IssuedInvoice } from "./issued-invoice"
import { InvoiceEditor } from "./invoice-editor"

const parent = { title: t(($) => $.kinds.invoices.title), href: "/invoices" }

/** The page of an invoice: the form of a draft if the user may update it, or a read-only view. */
export default function InvoicePage({ id }: { id: string }) {
  const query = useRecord("invoices", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="invoices"
        scope="write"
        title={t(($) => $.invoices.new)}
        parent={parent}
        sentence={t(($) => $.invoices.onlyFor)}
      >
        <NewDocument title={t(($) => $.invoices.new)} parent={parent}>
          {(customer) => <InvoiceEditor invoice={null} customer={customer} />}
        </NewDocument>
      </OnlyFor>
    )
  return <Loaded query={query}>{(invoice) => <Existing invoice={invoice} />}</Loaded>
}

function Existing({ invoice }: { invoice: Invoice }) {
  const mayWrite = useMay()("invoices", "write")
  const isDraft = useHeld(invoice.status) === "draft"
  return isDraft && mayWrite ? <DraftInvoice invoice={invoice} /> : <IssuedInvoice invoice={invoice} />
}
