import { call } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import type { SalesOrder } from "../../../console/api/types"
import { pdfBulk } from "../../../trade/page/pdf-bulk"
import { date, moment, money } from "../../../console/format"
import type { BulkAction } from "../../../console/lists/bulk-bar"
import type { Column } from "../../../console/lists/columns"
import { useCustomerInWords } from "../../../console/lists/customer-in-words"
import { statusFilter } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { t as tradeTexts } from "../../../trade/page/texts"
import { t } from "./texts"

const filters = [
  statusFilter("sales-orders"),
  statusFilter("sales-orders", "invoiceStatus"),
  { key: "orderDate", label: common(($) => $.fields.orderDate), isDate: true as const },
]

const columns: Column<SalesOrder>[] = [
  { key: "orderNumber", title: common(($) => $.common.number), show: ({ orderNumber }) => orderNumber },
  { key: "customerName", title: common(($) => $.fields.customer), show: ({ customerName }) => customerName },
  { key: "orderDate", title: common(($) => $.fields.orderDate), show: ({ orderDate }) => date(orderDate) },
  {
    key: "deliveryDate",
    title: common(($) => $.fields.deliveryDate),
    show: ({ deliveryDate }) => date(deliveryDate),
  },
  {
    key: "status",
    title: common(($) => $.common.status),
    show: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: "invoiceStatus",
    title: common(($) => $.fields.invoiceStatus),
    show: ({ invoiceStatus }) => <StatusBadge status={invoiceStatus} />,
  },
  {
    key: "total",
    title: common(($) => $.fields.total),
    isNumber: true,
    hasSum: true,
    show: ({ total, currency }) => money(total, currency),
  },
  {
    key: "subtotal",
    title: common(($) => $.fields.subtotal),
    isNumber: true,
    hasSum: true,
    isExtra: true,
    show: ({ subtotal, currency }) => money(subtotal, currency),
  },
  {
    key: "taxTotal",
    title: tradeTexts(($) => $.documents.tax),
    isNumber: true,
    hasSum: true,
    isExtra: true,
    show: ({ taxTotal, currency }) => money(taxTotal, currency),
  },
  {
    key: "invoicedTotal",
    title: common(($) => $.fields.invoicedTotal),
    isNumber: true,
    hasSum: true,
    isExtra: true,
    show: ({ invoicedTotal, currency }) => money(invoicedTotal, currency),
  },
  {
    key: "paymentTerms",
    title: common(($) => $.fields.paymentTerms),
    isExtra: true,
    show: ({ paymentTerms }) => paymentTerms ?? "–",
  },
  {
    key: "createdAt",
    title: common(($) => $.common.created),
    isExtra: true,
    show: ({ createdAt }) => moment(createdAt),
  },
  {
    key: "updatedAt",
    title: common(($) => $.common.updated),
    isExtra: true,
    show: ({ updatedAt }) => moment(updatedAt),
  },
]

/** The server would also accept an unchanged status and delete a cancelled order. */
const onlyDraft = ({ status }: SalesOrder) => (status === "draft" ? null : t(($) => $.notDraft[status]))

const submit: BulkAction<SalesOrder> = {
  label: t(($) => $.submitDrafts),
  done: "submitted",
  refusal: onlyDraft,
  run: ({ id, version }) =>
    call("PUT", `/sales-orders/${id}/status`, { body: { status: "submitted" }, version }),
}

const remove: BulkAction<SalesOrder> = {
  label: t(($) => $.deleteDrafts),
  done: "deleted",
  isDangerous: true,
  refusal: onlyDraft,
  operation: ({ id, version }) => ({ op: "delete", id, ifMatch: String(version) }),
}

const pdfs = pdfBulk("sales-orders")

export default function Orders() {
  const may = useMay()
  const describe = useCustomerInWords()
  const mayWrite = may("sales-orders", "write")
  const bulk = [pdfs, ...(mayWrite ? [submit] : []), ...(may("sales-orders", "delete") ? [remove] : [])]
  return (
    <RecordList
      kind="sales-orders"
      title={common(($) => $.kinds["sales-orders"].title)}
      columns={columns}
      phone={{
        title: "orderNumber",
        amount: ({ total, currency }) => money(total, currency),
        line: ["customerName", "orderDate", "status"],
      }}
      filters={filters}
      sort={{ key: "createdAt", order: "desc" }}
      nameOf={({ orderNumber }) => orderNumber}
      hrefOf={({ id }) => `/orders/${id}`}
      create={mayWrite && { label: t(($) => $.new), href: "/orders/new" }}
      bulk={bulk}
      describe={describe}
      intro={t(($) => $.intro)}
    />
  )
}
