import { Type } from "@sinclair/typebox"
import { body, type BodyOf } from "../../core/kind/body"
import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import {
  amount,
  notStored,
  payable,
  readOnly,
  readOnlyNullable,
  reference,
  required,
  structure,
} from "../../core/kind/field"
import { lines } from "../../core/kind/lines"
import { text } from "../../core/kind/text-field"
import { rightsOf } from "../../shared/rights"
import { mergedCheck } from "../../trade/documents/checks"
import { foreignFields } from "../../trade/documents/rules"
import {
  type Allocation,
  allocationSchema,
  paymentFields,
  type Refund,
  refundSchema,
} from "../../trade/settlements/model"

/** What is allocated and refunded of a payment must match its parts, and its customer must be that of its invoices. */
const paymentChecks: readonly Check[] = [
  {
    says: ({ name, is, should }) => `Of payment ${name}, ${is} is left; its parts leave ${should}.`,
    sql: `SELECT id AS name, unallocated AS "is", amount - allocated - refunded AS should
      FROM live_payments WHERE unallocated <> amount - allocated - refunded`,
  },
  {
    says: ({ name, is, should }) =>
      `Of payment ${name}, ${is} is allocated; its allocations add up to ${should}.`,
    sql: `SELECT live_payments.id AS name, allocated AS "is", coalesce(sum(settlements.amount), 0) AS should
      FROM live_payments LEFT JOIN settlements ON payment = live_payments.id AND kind = 'allocation'
        AND settlements.voided_at IS NULL
      GROUP BY live_payments.id, allocated HAVING allocated <> coalesce(sum(settlements.amount), 0)`,
  },
  {
    says: ({ name, is, should }) => `Of payment ${name}, ${is} is refunded; its refunds add up to ${should}.`,
    sql: `SELECT live_payments.id AS name, live_payments.refunded AS "is", coalesce(sum(settlements.amount), 0) AS should
      FROM live_payments LEFT JOIN settlements ON payment = live_payments.id AND kind = 'refund'
        AND settlements.voided_at IS NULL
      GROUP BY live_payments.id, live_payments.refunded HAVING live_payments.refunded <> coalesce(sum(settlements.amount), 0)`,
  },
  {
    says: ({ name }) => `Payment ${name} is voided, but a part of it is not.`,
    sql: `SELECT DISTINCT payments.id AS name FROM payments JOIN settlements ON payment = payments.id
      WHERE payments.voided_at IS NOT NULL AND settlements.voided_at IS NULL`,
  },
  {
    says: ({ name }) => `Payment ${name} is allocated to an invoice of another customer.`,
    sql: `SELECT DISTINCT live_payments.id AS name FROM live_payments
      JOIN settlements ON payment = live_payments.id AND settlements.voided_at IS NULL
      JOIN invoices ON invoices.id = settlements.invoice WHERE invoices.customer <> live_payments.customer`,
  },
  {
    says: ({ name }) => `Payment ${name} names another invoice than its allocations.`,
    sql: `SELECT live_payments.id AS name FROM live_payments
      LEFT JOIN settlements ON payment = live_payments.id AND kind = 'allocation' AND settlements.voided_at IS NULL
      GROUP BY live_payments.id, live_payments.invoice
      HAVING live_payments.invoice IS DISTINCT FROM CASE count(DISTINCT settlements.invoice) WHEN 1 THEN max(settlements.invoice) END`,
  },
  mergedCheck({ noun: "payment", table: "live_payments", name: "live_payments.id" }),
]

const part = { invoice: required(reference("inv")), amount: required(payable()) }

/** The invoices that a new payment pays. Without them, it pays the oldest ones. */
export const wantedParts = lines<WantedPart>(part, { name: "AllocatedAmount", min: 0, max: 500 })
export type WantedPart = { invoice: string; amount: number }

/** A payment of a customer, for one invoice, for several, or for none yet. */
export const payments = defineResource({
  name: "payments",
  table: "payments",
  view: "live_payments",
  idPrefix: "pay",
  noun: "payment",
  title: "Payment",
  about:
    "The payments of customers. A payment can pay several invoices; what is left of it is `unallocated`. An update changes only `method`, `reference`, `notes`, `externalId` and `metadata`. `DELETE` voids a payment: it is kept for the audit, and no response contains it any more.",
  menu: { group: "sell", place: 5, path: "/payments", recordPath: "/payments/:id", icon: "cash" },
  names: {
    en: {
      title: "Payments",
      one: "payment",
      many: "payments",
      the: "the payment",
      new: "Record payment",
      statuses: { recorded: "Recorded" },
      fields: { invoiceNumbers: "Invoice number" },
    },
    de: {
      title: "Zahlungen",
      one: "Zahlung",
      many: "Zahlungen",
      the: "die Zahlung",
      new: "Zahlung erfassen",
      statuses: { recorded: "Erfasst" },
      fields: { invoiceNumbers: "Rechnungsnummer" },
    },
    fr: { fields: { invoiceNumbers: "Numéro de facture" } },
  },
  rights: rightsOf("invoices"),
  fixesCurrency: true,
  hasHistory: true,
  listsBySum: { allocations: "allocated", refunds: "refunded" },
  search: [],
  scan: ["customerName", "method", "reference"],
  indexed: {
    sort: ["createdAt", "updatedAt", "paymentDate"],
    group: ["customer", "invoice"],
    unique: ["externalId"],
  },
  counted: ["method"],
  bulky: { fields: ["notes", "metadata"], from: 26 },
  onCreate: {
    allocations: {
      ...wantedParts,
      givenSchema: (mode) => ({
        ...(wantedParts.givenSchema?.(mode) ?? wantedParts.schema),
        description:
          "What the payment pays of which invoices. Without it, the payment pays the customer's invoices that are due first, at most 500. What is left is `unallocated`. With `[]`, nothing is allocated",
      }),
    },
  },
  expands: ["customer", "allocations.invoice"],
  inTable: { invoice: ["invoiceNumbers"] },
  checks: paymentChecks,
  fields: {
    customer: required(reference("cus")),
    customerName: readOnly(text({ examples: ["Nordlicht GmbH"] })),
    invoice: readOnlyNullable(reference("inv")),
    ...paymentFields,
    allocated: readOnly(amount(), 0),
    refunded: readOnly(amount(), 0),
    unallocated: readOnly(amount(), 0),
    allocations: notStored(readOnly(structure<Allocation[]>(Type.Array(allocationSchema)))),
    refunds: notStored(readOnly(structure<Refund[]>(Type.Array(refundSchema)))),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

/** A payment in the form of a response. */
export type Payment = RecordOf<typeof payments>

/** A stored payment: amounts in the minor unit. */
export type StoredPayment = Omit<Payment, "allocations" | "refunds">

/** The values of a new payment, in the form of a request. */
export type GivenPayment = Pick<Payment, "customer" | keyof typeof paymentFields>

/** The fields that can still be updated. The books depend on the others. */
export const editable: readonly string[] = ["method", "reference", "notes", ...foreignFields]

/** A body that allocates a part of a payment to an invoice. */
export const allocationBody = body(part, {
  example: { invoice: "inv_01kb2qk3dvb6r8h5m9x4w7z2nc", amount: 100 },
})
export type AllocationBody = BodyOf<typeof allocationBody>
