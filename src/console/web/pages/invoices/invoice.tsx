import { useRecord } from "../../api/hooks"
import { Loaded } from "../../parts/loaded"
import { DraftInvoice } from "./draft-invoice"
import { IssuedInvoice } from "./issued-invoice"
import NewInvoice from "./new-invoice"

/** One invoice: a draft to write, or a document that was issued. */
export default function InvoicePage({ id }: { id: string }) {
  const query = useRecord("invoices", id === "new" ? null : id)
  if (id === "new") return <NewInvoice />
  return (
    <Loaded query={query}>
      {(invoice) =>
        invoice.status === "draft" ? <DraftInvoice invoice={invoice} /> : <IssuedInvoice invoice={invoice} />
      }
    </Loaded>
  )
}
