import { Group } from "@mantine/core"
import { invoiceFilterStatuses } from "../../../../shared/statuses"
import { call } from "../../api/client"
import { useMay } from "../../api/hooks"
import type { Invoice } from "../../api/types"
import { date, money } from "../../format"
import type { BulkAction } from "../../lists/bulk"
import type { Column } from "../../lists/columns"
import { useCustomerInWords } from "../../lists/customer-in-words"
import { optionsOf } from "../../lists/filters"
import { RecordList } from "../../lists/record-list"
import { InvoiceBadges } from "./invoice-badges"

const filters = [
  { key: "status", label: "Status", options: optionsOf(invoiceFilterStatuses) },
  { key: "invoiceDate", label: "Invoice date", isDate: true as const },
  { key: "dueDate", label: "Due date", isDate: true as const },
]

const columns: Column<Invoice>[] = [
  {
    key: "invoiceNumber",
    title: "Number",
    show: ({ invoiceNumber }) => invoiceNumber ?? "Draft",
  },
  { key: "customerName", title: "Customer", show: ({ customerName }) => customerName },
  { key: "invoiceDate", title: "Invoice date", show: ({ invoiceDate }) => date(invoiceDate) },
  { key: "dueDate", title: "Due date", show: ({ dueDate }) => date(dueDate) },
  {
    key: "status",
    title: "Status",
    show: (invoice) => (
      <Group gap={4} display="inline-flex">
        <InvoiceBadges invoice={invoice} />
      </Group>
    ),
    plain: ({ status, isOverdue }) => (isOverdue ? `${status}, overdue` : status),
  },
  {
    key: "total",
    title: "Total",
    isNumber: true,
    hasSum: true,
    show: ({ total, currency }) => money(total, currency),
  },
  {
    key: "balance",
    title: "Open",
    isNumber: true,
    hasSum: true,
    show: ({ balance, currency }) => money(balance, currency),
  },
  {
    key: "orderNumber",
    title: "Order",
    isExtra: true,
    show: ({ orderNumber }) => orderNumber ?? "–",
  },
  {
    key: "paymentTerms",
    title: "Payment terms",
    isExtra: true,
    show: ({ paymentTerms }) => paymentTerms ?? "–",
  },
  {
    key: "amountPaid",
    title: "Paid",
    isNumber: true,
    hasSum: true,
    isExtra: true,
    show: ({ amountPaid, currency }) => money(amountPaid, currency),
  },
]

/** What is left to pay of a part-paid invoice, otherwise the total. */
const amountOf = ({ status, total, balance, currency }: Invoice) =>
  status === "partially_paid" ? `${money(balance, currency)} open` : money(total, currency)

const issue: BulkAction<Invoice> = {
  label: "Issue drafts",
  done: "issued",
  isDangerous: true,
  refusal: ({ status }) => (status === "draft" ? null : "This invoice is not a draft."),
  run: ({ id, version }) => call("PUT", `/invoices/${id}/status`, { body: { status: "unpaid" }, version }),
}

export default function Invoices() {
  const may = useMay()
  const describe = useCustomerInWords()
  const mayWrite = may("invoices", "write")
  return (
    <RecordList
      kind="invoices"
      title="Invoices"
      noun="invoice"
      columns={columns}
      phone={{ title: "invoiceNumber", amount: amountOf, line: ["invoiceDate", "status", "customerName"] }}
      filters={filters}
      nameOf={({ invoiceNumber, customerName }) => invoiceNumber ?? `Draft for ${customerName}`}
      hrefOf={({ id }) => `/invoices/${id}`}
      create={mayWrite && { label: "New invoice", href: "/invoices/new" }}
      bulk={mayWrite ? [issue] : []}
      describe={describe}
      intro="Create an invoice from a submitted order, or without an order."
    />
  )
}
