import { useMay } from "../../../console/api/hooks"
import type { CreditNote } from "../../../console/api/types"
import { dateFilter, documentColumns, DocumentList, pdfBulk } from "../../../trade/page/document-list"
import { sendBulk } from "../../../trade/page/mail/bulk"
import { sentColumn } from "../../../trade/page/mail/sent"
import { statusFilter } from "../../../console/lists/filters"
import { money } from "../../../console/format"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

const columns = documentColumns(
  "credit-notes",
  [
    { key: "creditNoteNumber", title: common(($) => $.common.number) },
    "creditNoteDate",
    "customerName",
    { key: "invoiceNumber", title: common(($) => $.fields.invoice) },
    { key: "total", as: "money" },
    { key: "unapplied", as: "money" },
    "status",
  ],
  [
    sentColumn,
    "reason",
    { key: "appliedToInvoice", as: "money" },
    { key: "applied", as: "money" },
    { key: "refunded", as: "money" },
  ],
)

const filters = [statusFilter("credit-notes"), dateFilter("creditNoteDate")]

/** What is left of a credit note that was used in part, otherwise the total. */
const amountOf = ({ status, total, unapplied, currency }: CreditNote) =>
  status === "open" && unapplied < total
    ? t(($) => $.unappliedAmount, { amount: money(unapplied, currency) })
    : money(total, currency)

const nameOf = ({ creditNoteNumber }: CreditNote): string => creditNoteNumber
const pdfs = pdfBulk("credit-notes")
const send = sendBulk("credit-notes", { nameOf, refusal: () => null })

export default function CreditNotes() {
  const mayWrite = useMay()("invoices", "write")
  return (
    <DocumentList
      kind="credit-notes"
      columns={columns}
      phone={{
        title: "creditNoteNumber",
        amount: amountOf,
        line: ["customerName", "creditNoteDate", "status"],
      }}
      filters={filters}
      nameOf={nameOf}
      bulk={mayWrite ? [pdfs, send] : [pdfs]}
      intro={t(($) => $.intro)}
    />
  )
}
