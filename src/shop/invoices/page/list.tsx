import { Group } from "@mantine/core"
import { invoiceFilterStatuses } from "../../../shared/statuses"
import { call } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import type { Invoice } from "../../../console/api/types"
import { pdfBulk } from "../../../trade/page/pdf-bulk"
import { date, money } from "../../../console/format"
import type { BulkAction } from "../../../console/lists/bulk"
import type { Column } from "../../../console/lists/columns"
import { useCustomerInWords } from "../../../console/lists/customer-in-words"
import { RecordList } from "../../../console/lists/record-list"
import { ImportButton } from "../../../console/parts/import-button"
import { t } from "../../../console/texts"
import { InvoiceBadges } from "./invoice-badges"

const filters = [
  {
    key: "status",
    label: t(($) => $.common.status),
    options: invoiceFilterStatuses.map((value) => ({ value, label: t(($) => $.values.status[value]) })),
  },
  { key: "invoiceDate", label: t(($) => $.fields.invoiceDate), isDate: true as const },
  { key: "dueDate", label: t(($) => $.fields.dueDate), isDate: true as const },
]

const columns: Column<Invoice>[] = [
  {
    key: "invoiceNumber",
    title: t(($) => $.common.number),
    show: ({ invoiceNumber }) => invoiceNumber ?? t(($) => $.values.status.draft),
  },
  { key: "customerName", title: t(($) => $.fields.customer), show: ({ customerName }) => customerName },
  { key: "invoiceDate", title: t(($) => $.fields.invoiceDate), show: ({ invoiceDate }) => date(invoiceDate) },
  { key: "dueDate", title: t(($) => $.fields.dueDate), show: ({ dueDate }) => date(dueDate) },
  {
    key: "status",
    title: t(($) => $.common.status),
    show: (invoice) => (
      <Group gap={4} display="inline-flex">
        <InvoiceBadges invoice={invoice} />
      </Group>
    ),
  },
  {
    key: "total",
    title: t(($) => $.fields.total),
    isNumber: true,
    hasSum: true,
    show: ({ total, currency }) => money(total, currency),
  },
  {
    key: "balance",
    title: t(($) => $.invoices.open),
    isNumber: true,
    hasSum: true,
    show: ({ balance, currency }) => money(balance, currency),
  },
  {
    key: "orderNumber",
    title: t(($) => $.invoices.order),
    isExtra: true,
    show: ({ orderNumber }) => orderNumber ?? "–",
  },
  {
    key: "paymentTerms",
    title: t(($) => $.fields.paymentTerms),
    isExtra: true,
    show: ({ paymentTerms }) => paymentTerms ?? "–",
  },
  {
    key: "amountPaid",
    title: t(($) => $.invoices.paid),
    isNumber: true,
    hasSum: true,
    isExtra: true,
    show: ({ amountPaid, currency }) => money(amountPaid, currency),
  },
]

/** What is left to pay of a part-paid invoice, otherwise the total. */
const amountOf = ({ status, total, balance, currency }: Invoice) =>
  status === "partially_paid"
    ? t(($) => $.invoices.openAmount, { amount: money(balance, currency) })
    : money(total, currency)

const issue: BulkAction<Invoice> = {
  label: t(($) => $.invoices.issueDrafts),
  done: "issued",
  isDangerous: true,
  refusal: ({ status }) => (status === "draft" ? null : t(($) => $.invoices.notDraft)),
  run: ({ id, version }) => call("PUT", `/invoices/${id}/status`, { body: { status: "unpaid" }, version }),
}

const pdfs: BulkAction<Invoice> = {
  ...pdfBulk("invoices"),
  refusal: ({ isOpening }) => (isOpening ? t(($) => $.invoices.openingTitle) : null),
}

export default function Invoices() {
  const may = useMay()
  const describe = useCustomerInWords()
  const mayWrite = may("invoices", "write")
  return (
    <RecordList
      kind="invoices"
      title={t(($) => $.kinds.invoices.title)}
      columns={columns}
      phone={{ title: "invoiceNumber", amount: amountOf, line: ["customerName", "invoiceDate", "status"] }}
      filters={filters}
      nameOf={({ invoiceNumber, customerName }) =>
        invoiceNumber ?? t(($) => $.invoices.draftFor, { customer: customerName })
      }
      hrefOf={({ id }) => `/invoices/${id}`}
      create={mayWrite && { label: t(($) => $.invoices.new), href: "/invoices/new" }}
      actions={<ImportButton kind="opening-invoices" />}
      bulk={mayWrite ? [pdfs, issue] : [pdfs]}
      describe={describe}
      intro={t(($) => $.invoices.intro)}
    />
  )
}
