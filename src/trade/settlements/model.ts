import { refusalsOf } from "../../core/lib/refusal"
import { Type } from "@sinclair/typebox"
import { body, type BodyOf } from "../../core/kind/body"
import { defineLedger, type RecordOf } from "../../core/kind/define"
import { externalFields } from "../../core/kind/tag"
import {
  date,
  payable,
  readOnly,
  readOnlyNullable,
  reference,
  required,
  serverDefault,
} from "../../core/kind/field"
import { text } from "../../core/kind/text-field"
import { rightsOf } from "../../shared/rights"

const idOf = (prefix: string) => Type.Unsafe<string>(reference(prefix).schema)
const textOrNull = Type.Unsafe<string | null>({ type: ["string", "null"] })
const money = Type.Number()
const day = Type.String({ format: "date" })
const made = { createdBy: textOrNull, createdAt: Type.String({ format: "date-time" }) }

/** Why a payment or a credit cannot be used. */
export const settlementRefusals = refusalsOf({
  OVERPAYMENT: {
    about: "The payment or the applied credit exceeds the balance",
    de: "Die Zahlung ist höher als der offene Betrag von {{balance}}.",
  },
  INSUFFICIENT_CREDIT: {
    about: "The amount exceeds what is left of the payment or of the credit note",
    de: "Es sind nur noch {{available}} übrig.",
  },
})

/** The part of a payment that pays an invoice. */
export const allocationSchema = Type.Object(
  {
    id: idOf("alc"),
    invoice: idOf("inv"),
    invoiceNumber: Type.String(),
    amount: money,
    allocationDate: day,
    ...made,
  },
  { $id: "Allocation" },
)
export type Allocation = (typeof allocationSchema)["static"]

/** The part of a credit note that pays an invoice. */
export const applicationSchema = Type.Object(
  {
    id: idOf("app"),
    creditNote: idOf("crn"),
    creditNoteNumber: Type.String(),
    invoice: idOf("inv"),
    invoiceNumber: Type.String(),
    amount: money,
    applicationDate: day,
    ...made,
  },
  { $id: "Application" },
)
export type Application = (typeof applicationSchema)["static"]

/** What a customer got back of a payment or of a credit note. */
export const refundSchema = Type.Object(
  { id: idOf("rfd"), amount: money, refundDate: day, method: textOrNull, reference: textOrNull, ...made },
  { $id: "Refund" },
)
export type Refund = (typeof refundSchema)["static"]

/** The fields of a payment that a caller sets. */
export const paymentFields = {
  amount: required(payable()),
  paymentDate: serverDefault(date()),
  method: text({ max: 40, examples: ["Bank transfer"] }),
  reference: text({ max: 100, examples: ["RF18 5390 0754"] }),
  notes: text({ max: 10_000, multiline: true, examples: ["Paid by a relative"] }),
  ...externalFields,
}

/** The part of a payment that pays one invoice, as the invoice shows it: with the id of the payment. */
export const invoicePayments = defineLedger({
  name: "payments",
  table: "settlements",
  view: "invoice_payments",
  isBounded: true,
  idPrefix: "pay",
  noun: "payment",
  title: "InvoicePayment",
  about: "The payments of an invoice.",
  rights: rightsOf("invoices"),
  search: [],
  scan: ["method", "reference"],
  fields: {
    invoice: readOnly(reference("inv")),
    ...paymentFields,
    createdBy: readOnlyNullable(reference("usr")),
  },
})
export type InvoicePayment = RecordOf<typeof invoicePayments>

const amountAndReason = {
  amount: required(payable()),
  reason: required(text({ max: 500, multiline: true, examples: ["Bank charges"] })),
}

/** A rest of an invoice that nobody will pay. */
export const writeOffs = defineLedger({
  name: "write-offs",
  table: "write_offs",
  view: "live_write_offs",
  isBounded: true,
  idPrefix: "wof",
  noun: "write-off",
  title: "WriteOff",
  about: "The write-offs of an invoice.",
  rights: rightsOf("invoices"),
  search: [],
  fields: {
    invoice: readOnly(reference("inv")),
    ...amountAndReason,
    writeOffDate: serverDefault(date()),
    createdBy: readOnlyNullable(reference("usr")),
  },
})
export type WriteOff = RecordOf<typeof writeOffs>

/** A body that writes off a part of what is left to pay of an invoice. */
export const writeOffBody = body(
  { ...amountAndReason, writeOffDate: date() },
  { example: { amount: 1.5, reason: "Bank charges" } },
)
export type WriteOffBody = BodyOf<typeof writeOffBody>

/** A body that refunds a part of a payment or of a credit note. */
export const refundBody = body(
  {
    amount: required(payable()),
    refundDate: date(),
    method: text({ max: 40, examples: ["Bank transfer"] }),
    reference: text({ max: 100 }),
  },
  { example: { amount: 25, method: "Bank transfer" } },
)
export type RefundBody = BodyOf<typeof refundBody>
