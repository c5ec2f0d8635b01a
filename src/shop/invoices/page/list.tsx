import { termsOf } from "../../../trade/page/in-words"
import { Group } from "@mantine/core"
import { call } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import type { Invoice } from "../../../console/api/types"
import { dateFilter, documentColumns, DocumentList, pdfBulk } from "../../../trade/page/document-list"
import { refusalOf, sendBulk } from "../../../trade/page/mail/bulk"
import { sentColumn } from "../../../trade/page/mail/sent"
import { kinds } from "../../../console/kinds"
import { optionsOf, statusFilter } from "../../../console/lists/filters"
import { statusName } from "../../../console/texts/fields"
import type { BulkAction } from "../../../console/lists/bulk-run"
import { t as common } from "../../../console/texts"
import { mostChecked, remarksBeforeIssue } from "./remarks-before-issue"
import { amountOf } from "./amount-of"
import { t } from "./texts"
import { InvoiceBadges } from "./issued-invoice"

const columns = documentColumns(
  "invoices",
  [
    {
      key: "invoiceNumber",
      title: common(($) => $.common.number),
      show: ({ invoiceNumber }) => invoiceNumber ?? common(($) => $.values.status.draft),
    },
    "customerName",
    "invoiceDate",
    "dueDate",
    {
      key: "status",
      show: (invoice) => (
        <Group gap={4} display="inline-flex">
          <InvoiceBadges invoice={invoice} />
        </Group>
      ),
    },
    {
      key: "total",
      as: "money",
      sumLess: { field: "depositTotal", label: t(($) => $.withoutDeposits) },
    },
    { key: "balance", title: t(($) => $.open), as: "money" },
  ],
  [
    sentColumn,
    { key: "invoiceType", show: ({ invoiceType }) => common(($) => $.values.invoiceType[invoiceType]) },
    { key: "orderNumber", title: t(($) => $.order) },
    { key: "paymentTerms", show: ({ paymentTerms }) => termsOf(paymentTerms) },
    { key: "amountPaid", title: t(($) => $.paid), as: "money" },
    { key: "writtenOff", title: t(($) => $.writtenOff), as: "money" },
  ],
)

/** Those that are stored, and overdue. */
const statuses = (kinds.invoices.choices.status ?? []).flatMap((status) =>
  status === "partially_paid" ? [status, "overdue"] : [status],
)

const filters = [
  { ...statusFilter("invoices"), options: optionsOf(statuses, statusName) },
  dateFilter("invoiceDate"),
  dateFilter("dueDate"),
]

const issue: BulkAction<Invoice> = {
  label: t(($) => $.issueDrafts),
  done: "issued",
  isDangerous: true,
  about: { most: mostChecked, tell: remarksBeforeIssue },
  refusal: ({ status }) => (status === "draft" ? null : t(($) => $.notDraft)),
  run: ({ id, version }) => call("PUT", `/invoices/${id}/status`, { body: { status: "unpaid" }, version }),
}

const pdfs: BulkAction<Invoice> = {
  ...pdfBulk("invoices"),
  refusal: ({ isOpening }) => (isOpening ? t(($) => $.openingTitle) : null),
}

const nameOf = ({ invoiceNumber, customerName }: Invoice): string =>
  invoiceNumber ?? t(($) => $.draftFor, { customer: customerName })

const send = sendBulk("invoices", {
  nameOf,
  refusal: ({ status, isOpening }) => refusalOf(status === "draft", isOpening),
})

export default function Invoices() {
  const mayWrite = useMay()("invoices", "write")
  return (
    <DocumentList
      kind="invoices"
      columns={columns}
      phone={{ title: "invoiceNumber", amount: amountOf, line: ["customerName", "invoiceDate", "status"] }}
      filters={filters}
      nameOf={nameOf}
      create={t(($) => $.new)}
      imports="opening-invoices"
      bulk={mayWrite ? [pdfs, send, issue] : [pdfs]}
      intro={t(($) => $.intro)}
    />
  )
}
