import type { CreditNote } from "../../../console/api/types"
import { pdfBulk } from "../../../trade/page/pdf-bulk"
import { date, money } from "../../../console/format"
import type { Column } from "../../../console/lists/columns"
import { useCustomerInWords } from "../../../console/lists/customer-in-words"
import { statusFilter } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { t } from "./texts"

const filters = [
  statusFilter("credit-notes"),
  { key: "creditNoteDate", label: common(($) => $.fields.creditNoteDate), isDate: true as const },
]

type Amount = "total" | "unapplied" | "appliedToInvoice" | "applied" | "refunded"

const amount = (key: Amount): Column<CreditNote> => ({
  key,
  title: common(($) => $.fields[key]),
  isNumber: true,
  hasSum: true,
  show: (note) => money(note[key], note.currency),
})

const columns: Column<CreditNote>[] = [
  {
    key: "creditNoteNumber",
    title: common(($) => $.common.number),
    show: ({ creditNoteNumber }) => creditNoteNumber,
  },
  {
    key: "creditNoteDate",
    title: common(($) => $.fields.creditNoteDate),
    show: ({ creditNoteDate }) => date(creditNoteDate),
  },
  { key: "customerName", title: common(($) => $.fields.customer), show: ({ customerName }) => customerName },
  {
    key: "invoiceNumber",
    title: common(($) => $.fields.invoice),
    show: ({ invoiceNumber }) => invoiceNumber,
  },
  amount("total"),
  amount("unapplied"),
  {
    key: "status",
    title: common(($) => $.common.status),
    show: ({ status }) => <StatusBadge status={status} />,
  },
  { key: "reason", title: common(($) => $.fields.reason), isExtra: true, show: ({ reason }) => reason },
  ...(["appliedToInvoice", "applied", "refunded"] as const).map((key) => ({ ...amount(key), isExtra: true })),
]

/** What is left of a credit note that was used in part, otherwise the total. */
const amountOf = ({ status, total, unapplied, currency }: CreditNote) =>
  status === "open" && unapplied < total
    ? t(($) => $.unappliedAmount, { amount: money(unapplied, currency) })
    : money(total, currency)

const bulk = [pdfBulk("credit-notes")]

export default function CreditNotes() {
  const describe = useCustomerInWords()
  return (
    <RecordList
      kind="credit-notes"
      title={common(($) => $.kinds["credit-notes"].title)}
      columns={columns}
      phone={{
        title: "creditNoteNumber",
        amount: amountOf,
        line: ["customerName", "creditNoteDate", "status"],
      }}
      filters={filters}
      nameOf={({ creditNoteNumber }) => creditNoteNumber}
      hrefOf={({ id }) => `/credit-notes/${id}`}
      bulk={bulk}
      describe={describe}
      intro={t(($) => $.intro)}
    />
  )
}
