import { businessRoutes, type BusinessDeps } from "../../core/http/route/business-routes"
import { ref } from "../../core/http/openapi/kind-schemas"
import { checked, post, put, type Route } from "../../core/http/route/route"
import { created } from "../../core/http/request/write"
import { emptyBody, type BodyOf } from "../../core/kind/body"
import { orderStatuses } from "./model"
import { describeTransitions, statusBody } from "../../trade/documents/status"
import { salesOrders } from "./model"
import { transitions } from "./rules"
import type { SalesOrderService } from "./service"

const orderStatusBody = statusBody(orderStatuses, "submitted")
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
  put<BodyOf<typeof orderStatusBody>>(
    "/sales-orders/:id/status",
    {
      may: salesOrders.rights.write,
      id: "changeSalesOrderStatus",
      tag: "sales-orders",
      summary: "Change the status of a sales order",
      description: `Allowed transitions: ${describeTransitions(transitions)}. An order completes automatically when everything is invoiced, and reopens when one of its invoices is cancelled. A request for the current status changes nothing.`,
      names: { id: "sales order" },
      body: checked(orderStatusBody),
      answer: {
        status: 200,
        description: "The updated order.",
        schema: ref("SalesOrder"),
        headers: ["ETag"],
      },
      refuses: [404, 412],
    },
    (tx, { params, body, expected, caller }) =>
      service.changeStatus(tx, params.id ?? "", { ...body, caller }, expected),
  ),
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
