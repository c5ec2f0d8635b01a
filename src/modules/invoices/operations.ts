import { describeList, idempotencyKey, idParameter, ifMatch } from "../../http/crud-operations"
import { enveloped, operation, ref } from "../../http/operation"
import { statusBody } from "../lines/status-change"
import { billingSchema } from "./from-order"
import { payments } from "./model"
import { invoiceStatuses } from "../../shared/statuses"
import { nextStatuses } from "./rules"

const tag = "invoices"
const id = idParameter("invoice")
const paymentId = { ...idParameter("payment"), name: "paymentId" }
const one = enveloped(ref("Invoice"))
const ways = Object.entries(nextStatuses)
  .map(([from, to]) => `${from} → ${to.join(" or ") || "nowhere"}`)
  .join("; ")

export const fromOrder = operation(() => ({
  id: "createInvoiceFromOrder",
  summary: "Invoice a sales order, whole or in part",
  description:
    "Answers an issued invoice with its number. Without `items` it is all that is left of the order.",
  tag,
  parameters: [idempotencyKey],
  body: {
    schema: billingSchema,
    example: { salesOrder: "so_01kb2qk3dvb6r8h5m9x4w7z2nc", invoiceDate: "2026-03-01" },
  },
  answers: { status: 201, description: "The issued invoice.", schema: one, headers: ["ETag", "Location"] },
}))

export const changeStatus = operation(() => ({
  id: "changeInvoiceStatus",
  summary: "Issue or cancel an invoice",
  description: `Where an invoice may go: ${ways}; with payments on it, nowhere. Payments move it between unpaid, partially_paid and paid.`,
  tag,
  parameters: [id, ifMatch],
  body: statusBody(invoiceStatuses, "cancelled"),
  answers: { status: 200, description: "The invoice as it is now.", schema: one, headers: ["ETag"] },
  refuses: [404, 412],
}))

export const listPayments = operation(() => {
  const list = describeList(payments)
  return {
    ...list,
    id: "listPayments",
    tag,
    summary: "List the payments of an invoice",
    parameters: [id, ...list.parameters],
    refuses: [...list.refuses, 404],
  }
})

export const addPayment = operation(() => ({
  id: "addPayment",
  summary: "Record a payment",
  tag,
  parameters: [id, idempotencyKey],
  body: { schema: ref("PaymentDraft"), example: { amount: 100, method: "Bank transfer" } },
  answers: {
    status: 201,
    description: "The payment.",
    schema: enveloped(ref("Payment")),
    headers: ["Location"],
  },
  refuses: [404],
}))

export const getPayment = operation(() => ({
  id: "getPayment",
  summary: "Get one payment",
  tag,
  parameters: [id, paymentId],
  answers: { status: 200, description: "The payment.", schema: enveloped(ref("Payment")) },
  refuses: [404],
}))

export const removePayment = operation(() => ({
  id: "removePayment",
  summary: "Take a payment away",
  tag,
  parameters: [id, paymentId, ifMatch],
  description: "If-Match, where it is sent, is held against the version of the invoice.",
  answers: { status: 204, description: "It is gone, and the invoice owes it again." },
  refuses: [404, 412],
}))
