import { useMay, useRecord } from "../../api/hooks"
import { NewDocument } from "../../documents/new-document"
import { Loaded } from "../../parts/loaded"
import { OnlyFor } from "../../parts/only-for"
import { DraftInvoice } from "./draft-invoice"
import { IssuedInvoice } from "./issued-invoice"
import { InvoiceEditor } from "./invoice-editor"

const parent = { title: "Invoices", href: "/invoices" }

/** The page of an invoice: the form of a draft if the user may update it, or a read-only view. */
export default function InvoicePage({ id }: { id: string }) {
  const query = useRecord("invoices", id === "new" ? null : id)
  const mayWrite = useMay()("invoices", "write")
  if (id === "new")
    return (
      <OnlyFor
        area="invoices"
        scope="write"
        title="New invoice"
        parent={parent}
        sentence="Only shops, accountants, managers and admins can create invoices."
      >
        <NewDocument title="New invoice" parent={parent}>
          {(customer) => <InvoiceEditor invoice={null} customer={customer} />}
        </NewDocument>
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
