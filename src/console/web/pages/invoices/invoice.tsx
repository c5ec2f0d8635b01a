import { useMay, useRecord } from "../../api/hooks"
import { Loaded } from "../../parts/loaded"
import { OnlyFor } from "../../parts/only-for"
import { DraftInvoice } from "./draft-invoice"
import { IssuedInvoice } from "./issued-invoice"
import NewInvoice from "./new-invoice"

/** One invoice: a draft for those who may write it, or a document to look at. */
export default function InvoicePage({ id }: { id: string }) {
  const query = useRecord("invoices", id === "new" ? null : id)
  const mayWrite = useMay()("invoices", "write")
  if (id === "new")
    return (
      <OnlyFor
        area="invoices"
        scope="write"
        title="New invoice"
        parent={{ title: "Invoices", href: "/invoices" }}
        sentence="Only accountants, managers and administrators can make invoices."
      >
        <NewInvoice />
      </OnlyFor>
    )
  return (
    <Loaded query={query}>
      {(invoice) =>
        invoice.status === "draft" && mayWrite ? (
          <DraftInvoice invoice={invoice} />
        ) : (
          <IssuedInvoice invoice={invoice} />
        )
      }
    </Loaded>
  )
}
