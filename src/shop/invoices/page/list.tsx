import { Group } from "@mantine/core"
import { call } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import type { Invoice } from "../../../console/api/types"
import { pdfBulk } from "../../../trade/page/pdf-bulk"
import { date, money } from "../../../console/format"
import type { BulkAction } from "../../../console/lists/bulk-bar"
import type { Column } from "../../../console/lists/columns"
import { useCustomerInWords } from "../../../console/lists/customer-in-words"
import { optionsOf } from "../../../console/lists/filters"
import { kinds } from "../../../console/kinds"
import { RecordList } from "../../../console/lists/record-list"
import { ImportButton } from "../../../console/parts/import-button"
import { t as common } from "../../../console/texts"
import { statusName } from "../../../console/texts/fields"
import { t } from "./texts"
import { InvoiceBadges } from "./issued-invoice"

/** Those that are stored, and overdue. */
const statuses = (kinds.invoices.choices.status ?? []).flatMap((status) =>
  status === "partially_paid" ? [status, "overdue"] : [status],
)

const filters = [
  {
    key: "status",
    label: common(($) => $.common.status),
    options: optionsOf(statuses, statusName),
  },
  { key: "invoiceDate", label: common(($) => $.fields.invoiceDate), isDate: true as const },
  { key: "dueDate", label: common(($) => $.fields.dueDate), isDate: true as const },
]

const columns: Column<Invoice>[] = [
  {
    key: "invoiceNumber",
    title: common(($) => $.common.number),
    show: ({ invoiceNumber }) => invoiceNumber ?? common(($) => $.values.status.draft),
  },
  { key: "customerName", title: common(($) => $.fields.customer), show: ({ customerName }) => customerName },
  {
    key: "invoiceDate",
    title: common(($) => $.fields.invoiceDate),
    show: ({ invoiceDate }) => date(invoiceDate),
  },
  { key: "dueDate", title: common(($) => $.fields.dueDate), show: ({ dueDate }) => date(dueDate) },
  {
    key: "status",
    title: common(($) => $.common.status),
    show: (invoice) => (
      <Group gap={4} display="inline-flex">
        <InvoiceBadges invoice={invoice} />
      </Group>
    ),
  },
  {
    key: "total",
    title: common(($) => $.fields.total),
    isNumber: true,
    hasSum: true,
    show: ({ total, currency }) => money(total, currency),
  },
  {
    key: "balance",
    title: t(($) => $.open),
    isNumber: true,
    hasSum: true,
    show: ({ balance, currency }) => money(balance, currency),
  },
  {
    key: "orderNumber",
    title: t(($) => $.order),
    isExtra: true,
    show: ({ orderNumber }) => orderNumber ?? "–",
  },
  {
    key: "paymentTerms",
    title: common(($) => $.fields.paymentTerms),
    isExtra: true,
    show: ({ paymentTerms }) => paymentTerms ?? "–",
  },
  {
    key: "amountPaid",
    title: t(($) => $.paid),
    isNumber: true,
    hasSum: true,
    isExtra: true,
    show: ({ amountPaid, currency }) => money(amountPaid, currency),
  },
]

/** What is left to pay of a part-paid invoice, otherwise the total. */
const amountOf = ({ status, total, balance, currency }: Invoice) =>
  status === "partially_paid"
    ? t(($) => $.openAmount, { amount: money(balance, currency) })
    : money(total, currency)

const issue: BulkAction<Invoice> = {
  label: t(($) => $.issueDrafts),
  done: "issued",
  isDangerous: true,
  refusal: ({ status }) => (status === "draft" ? null : t(($) => $.notDraft)),
  run: ({ id, version }) => call("PUT", `/invoices/${id}/status`, { body: { status: "unpaid" }, version }),
}

const pdfs: BulkAction<Invoice> = {
  ...pdfBulk("invoices"),
  refusal: ({ isOpening }) => (isOpening ? t(($) => $.openingTitle) : null),
}

export default function Invoices() {
  const may = useMay()
  const describe = useCustomerInWords()
  const mayWrite = may("invoices", "write")
  return (
    <RecordList
      kind="invoices"
      title={common(($) => $.kinds.invoices.title)}
      columns={columns}
      phone={{ title: "invoiceNumber", amount: amountOf, line: ["customerName", "invoiceDate", "status"] }}
      filters={filters}
      nameOf={({ invoiceNumber, customerName }) =>
        invoiceNumber ?? t(($) => $.draftFor, { customer: customerName })
      }
      hrefOf={({ id }) => `/invoices/${id}`}
      create={mayWrite && { label: t(($) => $.new), href: "/invoices/new" }}
      actions={<ImportButton kind="opening-invoices" />}
      bulk={mayWrite ? [pdfs, issue] : [pdfs]}
      describe={describe}
      intro={t(($) => $.intro)}
    />
  )
}
