import type { App } from "../../http/app"
import { readBody } from "../../http/body"
import { callerOf } from "../../http/call"
import { idempotencyKey, idParameter, ifMatch } from "../../http/crud-operations"
import { crudRoutes, type Door } from "../../http/crud-routes"
import { ok } from "../../http/envelope"
import { enveloped, operation, ref } from "../../http/operation"
import type { Right } from "../../http/caller"
import { created, etagOf, readIfMatch } from "../../http/write"
import { readStatusChange, statusBody } from "../lines/status-change"
import { salesOrders } from "./model"
import { orderStatuses } from "../../shared/statuses"
import { nextStatuses } from "./rules"
import type { SalesOrderService } from "./service"

const path = "/api/v1/sales-orders"
const writing: Right = { area: "sales-orders", scope: "write" }

/** Orders: the common routes, the way through their statuses, and two ways to copy one. */
export const salesOrderRoutes = (orders: SalesOrderService, door: Door) => (app: App) =>
  app.use(crudRoutes(salesOrders, orders, { ...door, area: "sales-orders" })).use(orderActions(orders, door))

const orderActions =
  (orders: SalesOrderService, { commit, post }: Door) =>
  (app: App) =>
    app
      .put(
        "/api/v1/sales-orders/:id/status",
        async ({ call, params, request, set }) => {
          const expected = readIfMatch(request)
          const asked = readStatusChange(await readBody(request), orderStatuses)
          const { value, warnings } = await commit(call, (tx) =>
            orders.changeStatus(tx, params.id, { ...asked, caller: callerOf(call) }, expected),
          )
          set.headers["etag"] = etagOf(value)
          return ok(value, warnings)
        },
        { may: writing, parse: "none", detail: statusOperation },
      )
      .post(
        "/api/v1/sales-orders/:id/duplicate",
        async ({ call, params, request, set }) => {
          const input = await readBody(request, { optional: true, empty: true })
          return post({ call, request, set }, input, (tx) =>
            created(path, orders.duplicate(tx, params.id, callerOf(call))),
          )
        },
        {
          may: writing,
          parse: "none",
          detail: copyOperation("duplicateSalesOrder", "Copy an order into a new draft"),
        },
      )
      .post(
        "/api/v1/sales-orders/:id/amend",
        async ({ call, params, request, set }) => {
          const input = await readBody(request, { optional: true, empty: true })
          return post({ call, request, set }, input, (tx) =>
            created(path, orders.amend(tx, params.id, callerOf(call))),
          )
        },
        {
          may: writing,
          parse: "none",
          detail: copyOperation("amendSalesOrder", "Cancel an order and copy it into a new draft"),
        },
      )

const ways = Object.entries(nextStatuses)
  .map(([from, to]) => `${from} → ${to.join(" or ") || "nowhere"}`)
  .join("; ")

const statusOperation = operation(() => ({
  id: "changeSalesOrderStatus",
  summary: "Move an order to another status",
  description: `Where an order may go: ${ways}. It completes by itself when all is invoiced, and opens again when an invoice of it is cancelled. The same status again changes nothing.`,
  tag: "sales-orders",
  parameters: [idParameter("sales order"), ifMatch],
  body: statusBody(orderStatuses, "submitted"),
  answers: {
    status: 200,
    description: "The order as it is now.",
    schema: enveloped(ref("SalesOrder")),
    headers: ["ETag"],
  },
  refuses: [404, 412],
}))

function copyOperation(id: string, summary: string) {
  return operation(() => ({
    id,
    summary,
    tag: "sales-orders",
    parameters: [idParameter("sales order"), idempotencyKey],
    body: { schema: { type: "object", additionalProperties: false }, optional: true },
    answers: {
      status: 201,
      description: "The new draft.",
      schema: enveloped(ref("SalesOrder")),
      headers: ["ETag", "Location"],
    },
    refuses: [404],
  }))
}
