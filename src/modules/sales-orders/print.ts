import type { CustomerService } from "../customers/service"
import type { Seller } from "../documents/parties"
import { otherAddress, type Sheet } from "../print/model"
import type { OrderStatus } from "../../shared/statuses"
import type { SalesOrderService } from "./service"

const marks: Partial<Record<OrderStatus, Sheet["mark"]>> = { draft: "draft", cancelled: "cancelled" }

type Deps = { salesOrders: SalesOrderService; customers: CustomerService; sellerNow: () => Seller }

/** The printed page of an order. An order stores no address, so the page shows the customer's current one. */
export function orderSheet({ salesOrders, customers, sellerNow }: Deps, id: string): Sheet {
  const order = salesOrders.get(id)
  const { contactName, address, taxId } = customers.get(order.customer)
  return {
    title: "Sales order",
    number: order.orderNumber,
    mark: marks[order.status] ?? null,
    seller: sellerNow(),
    customer: { name: order.customerName, contactName, address, taxId },
    shippingAddress: otherAddress(order.shippingAddress, address),
    dates: [
      ["Order date", order.orderDate],
      ["Delivery date", order.deliveryDate],
    ],
    facts: [
      ["Payment terms", order.paymentTerms],
      ["Buyer reference", order.buyerReference],
    ],
    currency: order.currency,
    pricesIncludeTax: order.pricesIncludeTax,
    lines: order.items,
    subtotal: order.subtotal,
    discountTotal: order.discountTotal,
    taxes: order.taxes,
    total: order.total,
    payment: null,
    notes: order.notes,
  }
}
