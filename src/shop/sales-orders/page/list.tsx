import { termsOf } from "../../../trade/page/in-words"
import { call } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import type { SalesOrder } from "../../../console/api/types"
import { dateFilter, documentColumns, DocumentList, pdfBulk } from "../../../trade/page/document-list"
import { refusalOf, sendBulk } from "../../../trade/page/mail/bulk"
import { sentColumn } from "../../../trade/page/mail/sent"
import { statusFilter } from "../../../console/lists/filters"
import { money } from "../../../console/format"
import type { BulkAction } from "../../../console/lists/bulk-run"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { t as tradeTexts } from "../../../trade/page/texts"
import { t } from "./texts"

const columns = documentColumns(
  "sales-orders",
  [
    { key: "orderNumber", title: common(($) => $.common.number) },
    "customerName",
    "orderDate",
    "deliveryDate",
    "status",
    { key: "invoiceStatus", show: ({ invoiceStatus }) => <StatusBadge status={invoiceStatus} /> },
    { key: "total", as: "money" },
  ],
  [
    sentColumn,
    { key: "deliveryStatus", show: ({ deliveryStatus }) => <StatusBadge status={deliveryStatus} /> },
    { key: "subtotal", as: "money" },
    { key: "taxTotal", title: tradeTexts(($) => $.documents.tax), as: "money" },
    { key: "invoicedTotal", as: "money" },
    { key: "paymentTerms", show: ({ paymentTerms }) => termsOf(paymentTerms) },
    { key: "createdAt", title: common(($) => $.common.created) },
    "updatedAt",
  ],
)

const filters = [
  statusFilter("sales-orders"),
  statusFilter("sales-orders", "invoiceStatus"),
  statusFilter("sales-orders", "deliveryStatus"),
  dateFilter("orderDate"),
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

const nameOf = ({ orderNumber }: SalesOrder): string => orderNumber
const send = sendBulk("sales-orders", { nameOf, refusal: ({ status }) => refusalOf(status === "draft") })

export default function Orders() {
  const may = useMay()
  const bulk = [
    pdfs,
    ...(may("sales-orders", "write") ? [send, submit] : []),
    ...(may("sales-orders", "delete") ? [remove] : []),
  ]
  return (
    <DocumentList
      kind="sales-orders"
      columns={columns}
      phone={{
        title: "orderNumber",
        amount: ({ total, currency }) => money(total, currency),
        line: ["customerName", "orderDate", "status"],
      }}
      filters={filters}
      nameOf={nameOf}
      create={t(($) => $.new)}
      bulk={bulk}
      intro={t(($) => $.intro)}
    />
  )
}
