import { billingStatuses, orderStatuses } from "../../../../shared/statuses"
import { call } from "../../api/client"
import { useMay } from "../../api/hooks"
import type { SalesOrder } from "../../api/types"
import { date, moment, money } from "../../format"
import type { BulkAction } from "../../lists/bulk"
import type { Column } from "../../lists/columns"
import { useCustomerInWords } from "../../lists/customer-in-words"
import { optionsOf } from "../../lists/filters"
import { RecordList } from "../../lists/record-list"
import { StatusBadge } from "../../parts/status-badge"

const filters = [
  { key: "status", label: "Status", options: optionsOf(orderStatuses) },
  { key: "invoiceStatus", label: "Invoice status", options: optionsOf(billingStatuses) },
  { key: "orderDate", label: "Order date", isDate: true as const },
]

const columns: Column<SalesOrder>[] = [
  { key: "orderNumber", title: "Number", show: ({ orderNumber }) => orderNumber },
  { key: "customerName", title: "Customer", show: ({ customerName }) => customerName },
  { key: "orderDate", title: "Order date", show: ({ orderDate }) => date(orderDate) },
  { key: "deliveryDate", title: "Delivery date", show: ({ deliveryDate }) => date(deliveryDate) },
  { key: "status", title: "Status", show: ({ status }) => <StatusBadge status={status} /> },
  {
    key: "invoiceStatus",
    title: "Invoice status",
    show: ({ invoiceStatus }) => <StatusBadge status={invoiceStatus} />,
  },
  {
    key: "total",
    title: "Total",
    isNumber: true,
    hasSum: true,
    show: ({ total, currency }) => money(total, currency),
  },
  {
    key: "subtotal",
    title: "Subtotal",
    isNumber: true,
    hasSum: true,
    isExtra: true,
    show: ({ subtotal, currency }) => money(subtotal, currency),
  },
  {
    key: "taxTotal",
    title: "Tax",
    isNumber: true,
    hasSum: true,
    isExtra: true,
    show: ({ taxTotal, currency }) => money(taxTotal, currency),
  },
  {
    key: "invoicedTotal",
    title: "Invoiced total",
    isNumber: true,
    hasSum: true,
    isExtra: true,
    show: ({ invoicedTotal, currency }) => money(invoicedTotal, currency),
  },
  {
    key: "paymentTerms",
    title: "Payment terms",
    isExtra: true,
    show: ({ paymentTerms }) => paymentTerms ?? "–",
  },
  { key: "createdAt", title: "Created", isExtra: true, show: ({ createdAt }) => moment(createdAt) },
  { key: "updatedAt", title: "Updated", isExtra: true, show: ({ updatedAt }) => moment(updatedAt) },
]

/** The server would also accept an unchanged status and delete a cancelled order. */
const onlyDraft = ({ status }: SalesOrder) =>
  status === "draft" ? null : `This order is ${status}, not a draft.`

const submit: BulkAction<SalesOrder> = {
  label: "Submit drafts",
  done: "submitted",
  refusal: onlyDraft,
  run: ({ id, version }) =>
    call("PUT", `/sales-orders/${id}/status`, { body: { status: "submitted" }, version }),
}

const remove: BulkAction<SalesOrder> = {
  label: "Delete drafts",
  done: "deleted",
  isDangerous: true,
  refusal: onlyDraft,
  operation: ({ id, version }) => ({ op: "delete", id, ifMatch: String(version) }),
}

export default function Orders() {
  const may = useMay()
  const describe = useCustomerInWords()
  const mayWrite = may("sales-orders", "write")
  const bulk = [...(mayWrite ? [submit] : []), ...(may("sales-orders", "delete") ? [remove] : [])]
  return (
    <RecordList
      kind="sales-orders"
      title="Orders"
      noun="order"
      columns={columns}
      phone={{
        title: "orderNumber",
        amount: ({ total, currency }) => money(total, currency),
        line: ["orderDate", "status", "customerName"],
      }}
      filters={filters}
      sort={{ key: "createdAt", order: "desc" }}
      nameOf={({ orderNumber }) => orderNumber}
      hrefOf={({ id }) => `/orders/${id}`}
      create={mayWrite && { label: "New order", href: "/orders/new" }}
      bulk={bulk}
      describe={describe}
      intro="Create an order, submit it to reserve the stock, then invoice it."
    />
  )
}
