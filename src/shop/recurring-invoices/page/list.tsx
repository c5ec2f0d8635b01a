import type { RecurringInvoice } from "../../../console/api/types"
import { money } from "../../../console/format"
import { statusFilter } from "../../../console/lists/filters"
import { documentColumns, DocumentList } from "../../../trade/page/document-list"
import { termsOf } from "../../../trade/page/in-words"
import { intervalText } from "./schedule"
import { t } from "./texts"

const columns = documentColumns(
  "recurring-invoices",
  [
    "customerName",
    { key: "every", title: t(($) => $.rhythm), show: ({ every }) => intervalText(every) },
    "nextDate",
    "mode",
    "status",
    { key: "total", as: "money" },
  ],
  [
    "startsOn",
    "endsOn",
    "skippedPeriods",
    { key: "paymentTerms", show: ({ paymentTerms }) => termsOf(paymentTerms) },
  ],
)

const nameOf = ({ customerName }: RecurringInvoice): string => customerName

export default function RecurringInvoices() {
  return (
    <DocumentList
      kind="recurring-invoices"
      columns={columns}
      phone={{
        title: "customerName",
        amount: ({ total, currency }) => money(total, currency),
        line: ["every", "nextDate", "status"],
      }}
      filters={[statusFilter("recurring-invoices")]}
      nameOf={nameOf}
      create={t(($) => $.new)}
      intro={t(($) => $.intro)}
    />
  )
}
