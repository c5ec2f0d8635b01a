import { useMay, useRecord } from "../../../console/api/hooks"
import type { SalesOrder } from "../../../console/api/types"
import { CustomerLink } from "../../../trade/page/customer-link"
import { NewDocument } from "../../../trade/page/new-document"
import { date, money } from "../../../console/format"
import { useHeld } from "../../../console/forms/unsaved"
import { Loaded } from "../../../console/parts/loaded"
import { OnlyFor } from "../../../console/parts/only-for"
import { RecordPage } from "../../../trade/page/record-page"
import { StatusBadge } from "../../../console/parts/status-badge"
import { t } from "../../../console/texts"
import { useOrderActions } from "./order-actions"
import { OrderAside } from "./order-aside"
import { OrderEditor } from "./order-editor"
import { OrderView } from "./order-view"
import { useCopiedOrder } from "./use-copied-order"

const parent = { title: t(($) => $.kinds["sales-orders"].title), href: "/orders" }

/** The page of an order: the form of a draft, or a view with the available actions. */
export default function OrderPage({ id }: { id: string }) {
  const query = useRecord("sales-orders", id === "new" ? null : id)
  if (id === "new")
    return (
      <OnlyFor
        area="sales-orders"
        scope="write"
        title={t(($) => $.orders.new)}
        parent={parent}
        sentence={t(($) => $.orders.onlyFor)}
      >
        <NewOrder />
      </OnlyFor>
    )
  return <Loaded query={query}>{(order) => <Existing order={order} />}</Loaded>
}

function NewOrder() {
  const { id, copied, isLoading } = useCopiedOrder()
  return (
    <NewDocument title={t(($) => $.orders.new)} parent={parent}>
      {(customer) => !isLoading && <OrderEditor key={id} order={null} customer={customer} copied={copied} />}
    </NewDocument>
  )
}

function Existing({ order }: { order: SalesOrder }) {
  const may = useMay()
  const status = useHeld(order.status)
  const isEditable = status === "draft" && may("sales-orders", "write")
  const { actions, more } = useOrderActions(order)
  return (
    <RecordPage
      kind="sales-orders"
      record={order}
      title={order.orderNumber}
      parent={parent}
      badge={
        <>
          <StatusBadge status={order.status} />
          {order.invoiceStatus !== "not_invoiced" && <StatusBadge status={order.invoiceStatus} />}
        </>
      }
      facts={[
        { label: t(($) => $.fields.customer), value: <CustomerLink of={order} /> },
        { label: t(($) => $.fields.total), value: money(order.total, order.currency), isStrong: true },
        { label: t(($) => $.fields.orderDate), value: date(order.orderDate) },
        { label: t(($) => $.fields.deliveryDate), value: date(order.deliveryDate) },
      ]}
      actions={actions}
      more={more}
      aside={<OrderAside order={order} />}
      isWide={isEditable}
    >
      {isEditable ? <OrderEditor order={order} /> : <OrderView key={status} order={order} />}
    </RecordPage>
  )
}
