import { ok } from "../../http/envelope"
import { draftBody, listDescription, type Money } from "../../http/kind-routes"
import { ref } from "../../http/kind-schemas"
import { answerList } from "../../http/list-answer"
import { get, post, remove, type Route } from "../../http/route"
import { created } from "../../http/write"
import { readParams } from "../../resource/query"
import { readDraft, type Draft } from "../../resource/read"
import { payments } from "./model"
import type { PaymentService } from "./payments"

const tag = payments.name
const names = { id: "invoice", paymentId: "payment" }
const { read, write, remove: removal } = payments.rights

/** The routes for the payments of an invoice. */
export function paymentRoutes(service: PaymentService, money: Money): Route[] {
  const described = listDescription(payments)
  return [
    get(
      "/invoices/:id/payments",
      {
        ...described,
        may: read,
        id: "listPayments",
        tag,
        summary: "List the payments of an invoice",
        names,
        refuses: [...described.refuses, 404],
      },
      (context) =>
        answerList(payments, context, money(), (query) => service.list(context.params.id ?? "", query)),
    ),
    post<Draft>(
      "/invoices/:id/payments",
      {
        may: write,
        id: "addPayment",
        tag,
        summary: "Record a payment",
        names,
        body: {
          ...draftBody(payments),
          example: { amount: 100, method: "Bank transfer" },
          read: (input) => readDraft(payments, input),
        },
        answer: { status: 201, description: "The payment.", schema: ref("Payment"), headers: ["Location"] },
        refuses: [404],
      },
      (tx, { params: { id = "" }, body, caller }) =>
        created(`/api/v1/invoices/${id}/payments`, service.create(tx, id, body, caller)),
    ),
    get(
      "/invoices/:id/payments/:paymentId",
      {
        may: read,
        id: "getPayment",
        tag,
        summary: "Get a payment",
        names,
        answer: { status: 200, description: "The payment.", schema: ref("Payment") },
        refuses: [404],
      },
      ({ call, params }) => {
        readParams(call.query)
        return ok(service.get(params.id ?? "", params.paymentId ?? ""))
      },
    ),
    remove(
      "/invoices/:id/payments/:paymentId",
      {
        may: removal,
        id: "removePayment",
        tag,
        summary: "Delete a payment",
        description: "If-Match, if it is sent, is compared with the version of the invoice.",
        names,
        answer: {
          status: 204,
          description: "The payment is deleted, and the balance of the invoice is higher again.",
        },
        refuses: [404, 412],
      },
      (tx, { params, expected }) => service.remove(tx, params.id ?? "", params.paymentId ?? "", expected),
    ),
  ]
}
