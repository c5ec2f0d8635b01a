import { businessRoutes, type BusinessDeps } from "../../core/http/route/business-routes"
import { draftBody, listDescription, type Money } from "../../core/http/route/kind-routes"
import { ref } from "../../core/http/openapi/kind-schemas"
import { ok } from "../../core/http/answer/envelope"
import { answerList } from "../../core/http/answer/list-answer"
import { get, post, remove, type Route } from "../../core/http/route/route"
import { created } from "../../core/http/request/write"
import { readParams } from "../../core/kind/query"
import { readDraft, type Draft } from "../../core/kind/read"
import { invoicePayments, refundBody } from "../../trade/settlements/model"
import { partRoutes } from "../../trade/settlements/routes"
import { allocationBody, payments } from "./model"
import type { InvoicePaymentService } from "./of-invoice"
import type { PaymentService } from "./service"

const tag = payments.name
const { read, write, remove: removal } = payments.rights

/** Payments: the common routes, their allocations and refunds, and the payments of one invoice. */
export const paymentRoutes = (
  { payments: service }: { payments: PaymentService },
  deps: BusinessDeps,
): Route[] => [
  ...businessRoutes(payments, service, deps),
  ...useRoutes(service),
  ...invoiceRoutes(service.ofInvoice, deps.money),
]

const useRoutes = (service: PaymentService): Route[] => [
  ...partRoutes(
    payments,
    {
      part: "allocation",
      ids: { add: "allocatePayment", void: "voidAllocation" },
      summary: "Pay an invoice with what is left of a payment",
      body: allocationBody,
      left: "unallocated",
    },
    { add: service.allocate, void: service.removeAllocation },
  ),
  ...partRoutes(
    payments,
    {
      part: "refund",
      ids: { add: "refundPayment", void: "voidPaymentRefund" },
      summary: "Refund what is left of a payment",
      description: "For accountants, managers and admins.",
      body: refundBody,
      left: "unallocated",
    },
    { add: service.refund, void: service.removeRefund },
  ),
]

const names = { id: "invoice", paymentId: "payment" }

/** The routes for the payments of an invoice. */
function invoiceRoutes(service: InvoicePaymentService, money: Money): Route[] {
  const described = listDescription(invoicePayments)
  return [
    get(
      "/invoices/:id/payments",
      {
        ...described,
        may: read,
        id: "listPaymentsOfInvoice",
        tag,
        summary: "List the payments of an invoice",
        names,
        refuses: [...described.refuses, 404],
      },
      (context) =>
        answerList(invoicePayments, context, money(), (query) =>
          service.list(context.params.id ?? "", query),
        ),
    ),
    post<Draft>(
      "/invoices/:id/payments",
      {
        may: write,
        id: "addPayment",
        tag,
        summary: "Record a payment of an invoice",
        names,
        body: {
          ...draftBody(invoicePayments),
          example: { amount: 100, method: "Bank transfer" },
          read: (input) => readDraft(invoicePayments, input),
        },
        answer: {
          status: 201,
          description: "The payment.",
          schema: ref("InvoicePayment"),
          headers: ["Location"],
        },
        refuses: [404],
      },
      (tx, { params: { id = "" }, body, caller }) =>
        created(`/api/v1/invoices/${id}/payments`, service.create(tx, id, body, caller)),
    ),
    get(
      "/invoices/:id/payments/:paymentId",
      {
        may: read,
        id: "getPaymentOfInvoice",
        tag,
        summary: "Get a payment of an invoice",
        names,
        answer: { status: 200, description: "The payment.", schema: ref("InvoicePayment") },
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
        summary: "Void a payment of an invoice",
        description:
          "If the payment pays nothing else, the whole payment is voided; otherwise only its part for this invoice, which becomes `unallocated`. If-Match, if it is sent, is compared with the version of the invoice.",
        names,
        answer: {
          status: 204,
          description: "The payment is voided, and the balance of the invoice is higher again.",
        },
        refuses: [404, 412, 422],
      },
      (tx, { params, expected, caller }) =>
        service.remove(tx, params.id ?? "", params.paymentId ?? "", expected, caller),
    ),
  ]
}
