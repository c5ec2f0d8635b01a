import { useMay } from "../../../console/api/hooks"
import type { Kinds } from "../../../console/api/types"
import { statusFilter } from "../../../console/lists/filters"
import { RecordList } from "../../../console/lists/record-list"
import { t as common } from "../../../console/texts"
import { columnsOf } from "../../../trade/page/columns"
import { dateFilter, pdfBulk } from "../../../trade/page/document-list"
import { sendBulk } from "../../../trade/page/mail/bulk"
import { sentColumn } from "../../../trade/page/mail/sent"
import { t } from "./texts"

const columns = columnsOf(
  "deliveries",
  [
    { key: "deliveryNumber", title: common(($) => $.common.number) },
    "deliveryDate",
    { key: "customerName", title: common(($) => $.fields.customer) },
    { key: "orderNumber", title: common(($) => $.fields.salesOrder) },
    "carrier",
    "trackingNumber",
    "status",
  ],
  [sentColumn, { key: "createdAt", title: common(($) => $.common.created) }, "updatedAt"],
)

const nameOf = ({ deliveryNumber }: Kinds["deliveries"]): string => deliveryNumber
const pdfs = pdfBulk("deliveries")
const send = sendBulk("deliveries", { nameOf, refusal: () => null })

/** The deliveries. One is made on the page of its order. */
export default function Deliveries() {
  const mayWrite = useMay()("sales-orders", "write")
  return (
    <RecordList
      kind="deliveries"
      title={common(($) => $.kinds.deliveries.title)}
      columns={columns}
      hrefOf={({ id }) => `/deliveries/${id}`}
      phone={{
        title: "deliveryNumber",
        amount: ({ orderNumber }) => orderNumber,
        line: ["customerName", "deliveryDate", "status"],
      }}
      filters={[statusFilter("deliveries"), dateFilter("deliveryDate")]}
      nameOf={nameOf}
      bulk={mayWrite ? [pdfs, send] : [pdfs]}
      intro={t(($) => $.intro)}
    />
  )
}
