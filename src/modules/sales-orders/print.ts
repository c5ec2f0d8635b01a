import type { CustomerService } from "../customers/service"
import type { Sheet } from "../print/model"
import type { OrderStatus } from "../../shared/statuses"
import type { SalesOrderService } from "./service"

const marks: Partial<Record<OrderStatus, Sheet["mark"]>> = { draft: "draft", cancelled: "cancelled" }

/** The printed page of an order. An order stores no address, so the page shows the customer's current one. */
export function orderSheet(orders: SalesOrderService, customers: CustomerService, id: string): Sheet {
  const order = orders.get(id)
  const { address, taxId } = customers.get(order.customer)
  return {
    title: "Sales order",
    number: order.orderNumber,
    mark: marks[order.status] ?? null,
    customer: { name: order.customerName, address, taxId },
    dates: [
      ["Order date", order.orderDate],
      ["Delivery date", order.deliveryDate],
    ],
    facts: [["Payment terms", order.paymentTerms]],
    currency: order.currency,
    lines: order.items,
    subtotal: order.subtotal,
    discountTotal: order.discountTotal,
    taxes: orders.taxes(id),
    total: order.total,
    payment: null,
    notes: order.notes,
  }
}
