import type { App } from "../../http/app"
import { readBody } from "../../http/body"
import { callerOf } from "../../http/call"
import { crudRoutes, answerList, type Door } from "../../http/crud-routes"
import { ok } from "../../http/envelope"
import type { Right } from "../../http/caller"
import { created, etagOf, readIfMatch } from "../../http/write"
import { readParams } from "../../resource/query"
import { readStatusChange } from "../lines/status-change"
import { invoices, payments } from "./model"
import { invoiceStatuses } from "../../shared/statuses"
import * as operations from "./operations"
import type { PaymentService } from "./payments"
import type { InvoiceService } from "./service"

const path = "/api/v1/invoices"
const reading: Right = { area: "invoices", scope: "read" }
const writing: Right = { area: "invoices", scope: "write" }
const removing: Right = { area: "invoices", scope: "delete" }

/** Invoices: the common routes, billing an order, the way through their statuses, and their payments. */
export const invoiceRoutes = (service: InvoiceService, paid: PaymentService, door: Door) => (app: App) =>
  app
    .use(crudRoutes(invoices, service, { ...door, area: "invoices" }))
    .use(invoiceActions(service, door))
    .use(paymentRoutes(paid, door))

const invoiceActions =
  (service: InvoiceService, { commit, post }: Door) =>
  (app: App) =>
    app
      .post(
        "/api/v1/invoices/from-order",
        async ({ call, request, set }) => {
          const input = await readBody(request)
          return post({ call, request, set }, input, (tx) =>
            created(path, service.fromOrder(tx, input, callerOf(call))),
          )
        },
        { may: writing, parse: "none", detail: operations.fromOrder },
      )
      .put(
        "/api/v1/invoices/:id/status",
        async ({ call, params, request, set }) => {
          const expected = readIfMatch(request)
          const asked = readStatusChange(await readBody(request), invoiceStatuses)
          const { value, warnings } = await commit(call, (tx) =>
            service.changeStatus(tx, params.id, { ...asked, caller: callerOf(call) }, expected),
          )
          set.headers["etag"] = etagOf(value)
          return ok(value, warnings)
        },
        { may: writing, parse: "none", detail: operations.changeStatus },
      )

const paymentRoutes =
  (paid: PaymentService, { commit, post, basis }: Door) =>
  (app: App) =>
    app
      .get(
        "/api/v1/invoices/:id/payments",
        ({ call, params, set }) =>
          answerList(payments, call, set, basis(), (query) => paid.list(params.id, query)),
        {
          may: reading,
          detail: operations.listPayments,
        },
      )
      .post(
        "/api/v1/invoices/:id/payments",
        async ({ call, params, request, set }) => {
          const input = await readBody(request)
          const place = `${path}/${params.id}/payments`
          return post({ call, request, set }, input, (tx) =>
            created(place, paid.create(tx, params.id, input, callerOf(call))),
          )
        },
        { may: writing, parse: "none", detail: operations.addPayment },
      )
      .get(
        "/api/v1/invoices/:id/payments/:paymentId",
        ({ call, params }) => {
          readParams(call.query)
          return ok(paid.get(params.id, params.paymentId))
        },
        { may: reading, detail: operations.getPayment },
      )
      .delete(
        "/api/v1/invoices/:id/payments/:paymentId",
        async ({ call, params, request, set }) => {
          const expected = readIfMatch(request)
          await commit(call, (tx) => paid.remove(tx, params.id, params.paymentId, expected))
          set.status = 204
        },
        { may: removing, parse: "none", detail: operations.removePayment },
      )
