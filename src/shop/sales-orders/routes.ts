import { businessRoutes, type BusinessDeps } from "../../core/http/route/business-routes"
import { ref } from "../../core/http/openapi/kind-schemas"
import { checked, post, type Route } from "../../core/http/route/route"
import { created } from "../../core/http/request/write"
import { emptyBody } from "../../core/kind/body"
import { statusRoute } from "../../trade/documents/status"
import { salesOrders } from "./model"
import { transitions } from "./rules"
import type { SalesOrderService } from "./service"

const copy = {
  may: salesOrders.rights.write,
  tag: "sales-orders",
  names: { id: "sales order" },
  body: checked(emptyBody),
  answer: {
    status: 201,
    description: "The new draft.",
    schema: ref("SalesOrder"),
    headers: ["ETag", "Location"],
  },
  refuses: [404],
}

/** Orders: the common routes, status changes, and two routes that copy an order. */
export const salesOrderRoutes = (
  { salesOrders: service }: { salesOrders: SalesOrderService },
  deps: BusinessDeps,
): Route[] => [
  ...businessRoutes(salesOrders, service, deps),
  statusRoute(salesOrders, service, {
    transitions,
    summary: "Change the status of a sales order",
    about:
      "An order completes automatically when everything is invoiced and, if it has deliveries, all goods are delivered. It reopens when one of its invoices is cancelled.",
    example: "submitted",
  }),
  post(
    "/sales-orders/:id/duplicate",
    { ...copy, id: "duplicateSalesOrder", summary: "Copy a sales order to a new draft" },
    (tx, { params, caller }) =>
      created("/api/v1/sales-orders", service.duplicate(tx, params.id ?? "", caller)),
  ),
  post(
    "/sales-orders/:id/amend",
    { ...copy, id: "amendSalesOrder", summary: "Cancel a sales order and copy it to a new draft" },
    (tx, { params, caller }) => created("/api/v1/sales-orders", service.amend(tx, params.id ?? "", caller)),
  ),
]
