import { ok } from "../../../core/http/answer/envelope"
import { answerList } from "../../../core/http/answer/list-answer"
import { ref } from "../../../core/http/openapi/kind-schemas"
import { created } from "../../../core/http/request/write"
import { listDescription, type Money } from "../../../core/http/route/kind-routes"
import { get, post, remove, type Route } from "../../../core/http/route/route"
import type { Reading } from "../../../core/kind/body"
import { readParams } from "../../../core/kind/query"
import { writeOffBody, writeOffs, type WriteOffBody } from "../../../trade/settlements/model"
import { invoices } from "../model"
import type { WriteOffService } from "./service"

const tag = invoices.name
const { read, write, remove: removal } = invoices.rights
const path = "/invoices/:id/write-offs"
const names = { id: "invoice", writeOffId: "write-off" }

/** The routes for the write-offs of an invoice. */
export function writeOffRoutes(service: WriteOffService, { money }: { money: Money }): Route[] {
  const described = listDescription(writeOffs)
  return [
    get(
      path,
      {
        ...described,
        may: read,
        id: "listWriteOffs",
        tag,
        summary: "List the write-offs of an invoice",
        names,
        refuses: [...described.refuses, 404],
      },
      (context) =>
        answerList(writeOffs, context, money(), (query) => service.list(context.params.id ?? "", query)),
    ),
    post<Reading<WriteOffBody>>(
      path,
      {
        may: write,
        id: "writeOffInvoice",
        tag,
        summary: "Write off what nobody will pay of an invoice",
        description:
          "The `amount` is at most the balance. The balance is lower by it, and so is what the customer owes; sales and tax do not change. When nothing is left to pay, the invoice is `paid`, with the event `invoices.written-off`. For accountants, managers and admins.",
        names,
        body: writeOffBody,
        answer: {
          status: 201,
          description: "The write-off.",
          schema: ref("WriteOff"),
          headers: ["Location"],
        },
        refuses: [404],
      },
      (tx, { params: { id = "" }, body, caller }) =>
        created(`/api/v1/invoices/${id}/write-offs`, service.create(tx, id, body, caller)),
    ),
    get(
      `${path}/:writeOffId`,
      {
        may: read,
        id: "getWriteOff",
        tag,
        summary: "Get a write-off of an invoice",
        names,
        answer: { status: 200, description: "The write-off.", schema: ref("WriteOff") },
        refuses: [404],
      },
      ({ call, params }) => {
        readParams(call.query)
        return ok(service.get(params.id ?? "", params.writeOffId ?? ""))
      },
    ),
    remove(
      `${path}/:writeOffId`,
      {
        may: removal,
        id: "voidWriteOff",
        tag,
        summary: "Void a write-off of an invoice",
        description: "If-Match, if it is sent, is compared with the version of the invoice.",
        names,
        answer: {
          status: 204,
          description: "The write-off is voided, and the balance of the invoice is higher again.",
        },
        refuses: [404, 412, 422],
      },
      (tx, { params, expected, caller }) =>
        service.remove(tx, params.id ?? "", params.writeOffId ?? "", expected, caller),
    ),
  ]
}
