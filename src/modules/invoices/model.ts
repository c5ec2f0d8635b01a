import { defineResource, defineLedger, type Kept } from "../../resource/define"
import {
  amount,
  boolean,
  date,
  derived,
  elsewhere,
  filled,
  payable,
  reference,
  required,
  served,
  servedOrNull,
  status,
  structure,
  timestamp,
} from "../../resource/field"
import { code, text } from "../../resource/text-field"
import { lines } from "../../resource/lines"
import { invoiceStatuses } from "../../shared/statuses"
import { lineFields, type Line } from "../lines/model"

/** A line of an invoice; one made from an order names the order's line. */
export type InvoiceLine = Line & { orderLine: string | null }

const overdue = ({ today }: { today: string }) =>
  `status IN ('unpaid', 'partially_paid') AND due_date < '${today}'`
const words = structure<string[]>({ type: "array", items: { type: "string" } })
const address = structure<Record<string, string | null>>({
  type: "object",
  additionalProperties: { type: ["string", "null"] },
})

/** What was paid on an invoice. Rows are added and taken away, never changed. */
export const payments = defineLedger({
  name: "payments",
  table: "payments",
  idPrefix: "pay",
  noun: "payment",
  title: "Payment",
  search: [],
  scan: ["method", "reference"],
  indexed: { group: ["invoice"] },
  fields: {
    invoice: served(reference("inv")),
    amount: required(payable()),
    paymentDate: filled(date()),
    method: text({ max: 40, examples: ["Bank transfer"] }),
    reference: text({ max: 100, examples: ["RF18 5390 0754"] }),
    createdBy: servedOrNull(reference("usr")),
  },
})

export type Payment = Kept<typeof payments>

/** What a customer owes. */
export const invoices = defineResource({
  name: "invoices",
  table: "invoices",
  idPrefix: "inv",
  noun: "invoice",
  title: "Invoice",
  search: ["invoiceNumber", "customerName"],
  searchMore: ["notes"],
  indexed: { sort: ["createdAt", "invoiceDate"], group: ["customer", "status"], unique: ["invoiceNumber"] },
  bulky: { fields: ["notes"], from: 26 },
  onCreate: {
    status: { type: ["string", "null"], enum: ["draft", "unpaid", null], default: "draft" },
    override: { type: ["boolean", "null"], description: "A manager or admin passes the credit limit." },
  },
  fields: {
    invoiceNumber: servedOrNull(code("INV-2026-00001")),
    status: { ...served(status(invoiceStatuses)), virtual: { overdue } },
    isOverdue: derived(served(boolean()), overdue),
    allowedTransitions: elsewhere(served(words)),
    salesOrder: servedOrNull(reference("so")),
    orderNumber: servedOrNull(code("SO-2026-00001")),
    customer: required(reference("cus")),
    customerName: served(text({ examples: ["Nordlicht GmbH"] })),
    billingAddress: servedOrNull(address),
    taxId: servedOrNull(code("DE123456789")),
    invoiceDate: filled(date()),
    dueDate: filled(date()),
    paymentTerms: text({ max: 64, examples: ["Net 30"] }),
    items: elsewhere(
      required(
        lines<InvoiceLine>(
          { ...lineFields("inl"), orderLine: servedOrNull(reference("sol")) },
          { min: 1, max: 500 },
        ),
      ),
    ),
    notes: text({ max: 10_000, multiline: true, examples: ["Thank you."] }),
    currency: served(code("USD")),
    subtotal: served(amount(), 0),
    discountTotal: served(amount(), 0),
    taxTotal: served(amount(), 0),
    total: served(amount(), 0),
    amountPaid: served(amount(), 0),
    balance: served(amount(), 0),
    payments: elsewhere(
      served(structure<Payment[]>({ type: "array", items: { $ref: "#/components/schemas/Payment" } })),
    ),
    issuedAt: servedOrNull(timestamp()),
    paidAt: servedOrNull(timestamp()),
    cancelledAt: servedOrNull(timestamp()),
    cancelReason: servedOrNull(text({ max: 500, multiline: true })),
    createdBy: servedOrNull(reference("usr")),
  },
})

/** An invoice as it is kept, without its lines: amounts in the minor unit. */
export type InvoiceHead = Omit<Kept<typeof invoices>, "items" | "payments" | "allowedTransitions">

/** An invoice as it is answered. */
export type Invoice = Kept<typeof invoices>
