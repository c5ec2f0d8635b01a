import { call } from "../../../console/api/client"
import { useMay } from "../../../console/api/hooks"
import type { Quotation } from "../../../console/api/types"
import { money } from "../../../console/format"
import type { BulkAction } from "../../../console/lists/bulk-run"
import { statusFilter } from "../../../console/lists/filters"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t as common } from "../../../console/texts"
import { dateFilter, documentColumns, DocumentList, pdfBulk } from "../../../trade/page/document-list"
import { termsOf } from "../../../trade/page/in-words"
import { sendBulk } from "../../../trade/page/mail/bulk"
import { sentColumn } from "../../../trade/page/mail/sent"
import { t as tradeTexts } from "../../../trade/page/texts"
import { t } from "./texts"

/** The status as people call it. */
export const shownStatus = ({ status, isExpired }: Pick<Quotation, "status" | "isExpired">): string =>
  isExpired ? "expired" : status

const columns = documentColumns(
  "quotations",
  [
    { key: "quotationNumber", title: common(($) => $.common.number) },
    "customerName",
    "quotationDate",
    "validUntil",
    { key: "status", show: (row) => <StatusBadge status={shownStatus(row)} /> },
    { key: "total", as: "money" },
  ],
  [
    sentColumn,
    { key: "revision", as: "number" },
    "acceptedBy",
    "acceptedAt",
    { key: "subtotal", as: "money" },
    { key: "taxTotal", title: tradeTexts(($) => $.documents.tax), as: "money" },
    { key: "paymentTerms", show: ({ paymentTerms }) => termsOf(paymentTerms) },
    { key: "createdAt", title: common(($) => $.common.created) },
    "updatedAt",
  ],
)

const filters = [statusFilter("quotations"), dateFilter("quotationDate"), dateFilter("validUntil")]

const onlyDraft = ({ status }: Quotation) => (status === "draft" ? null : t(($) => $.wasSentBefore))

const markSent: BulkAction<Quotation> = {
  label: t(($) => $.markSent),
  done: "sent",
  refusal: onlyDraft,
  run: ({ id, version }) => call("PUT", `/quotations/${id}/status`, { body: { status: "sent" }, version }),
}

const remove: BulkAction<Quotation> = {
  label: t(($) => $.deleteDrafts),
  done: "deleted",
  isDangerous: true,
  refusal: onlyDraft,
  operation: ({ id, version }) => ({ op: "delete", id, ifMatch: String(version) }),
}

const nameOf = ({ quotationNumber }: Quotation): string => quotationNumber
const send = sendBulk("quotations", { nameOf, refusal: () => null })

export default function Quotations() {
  const may = useMay()
  const bulk = [
    pdfBulk("quotations"),
    ...(may("sales-orders", "write") ? [send, markSent] : []),
    ...(may("sales-orders", "delete") ? [remove] : []),
  ]
  return (
    <DocumentList
      kind="quotations"
      columns={columns}
      phone={{
        title: "quotationNumber",
        amount: ({ total, currency }) => money(total, currency),
        line: ["customerName", "validUntil", "status"],
      }}
      filters={filters}
      nameOf={nameOf}
      create={t(($) => $.new)}
      bulk={bulk}
      intro={t(($) => $.intro)}
    />
  )
}
