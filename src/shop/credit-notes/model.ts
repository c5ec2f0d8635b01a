import { refusalsOf } from "../../core/lib/refusal"
import { Type } from "@sinclair/typebox"
import { type Address, address as addressFields } from "../../core/kind/address"
import { body, type BodyOf } from "../../core/kind/body"
import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import { externalFields } from "../../core/kind/tag"
import {
  amount,
  boolean,
  choice,
  date,
  decimal,
  derived,
  integer,
  notStored,
  payable,
  positive,
  readOnly,
  readOnlyNullable,
  reference,
  required,
  status,
  structure,
  timestamp,
  withDefault,
} from "../../core/kind/field"
import { lines } from "../../core/kind/lines"
import { code, text } from "../../core/kind/text-field"
import { languages } from "../../shared/languages"
import { rightsOf } from "../../shared/rights"
import {
  copiedDiscount,
  documentFields,
  documentOptions,
  type Line,
  lineFields,
  sendOnIssue,
  type ShownLine,
  totalFields,
} from "../../trade/documents/model"
import { type Buyer, buyerSchema, type Seller, sellerSchema } from "../../trade/documents/parties"
import {
  type Application,
  applicationSchema,
  type Refund,
  refundSchema,
  settlementRefusals,
} from "../../trade/settlements/model"
import { integerIn, rowsOf, textIn } from "../../core/engine/sql"
import { documentChecks, seriesChecks } from "../../trade/documents/checks"

const tables = {
  noun: "credit note",
  table: "credit_notes",
  lines: { table: "credit_note_lines", owner: "credit_note" },
  name: "credit_note_number",
}

const invoicedTax = integerIn("invoiced.value", "tax")

/** A credit note's totals must match its lines, its parts what was applied and refunded, and its tax that of its invoice. */
const creditNoteChecks: readonly Check[] = [
  ...documentChecks(tables),
  ...seriesChecks({ ...tables, prefix: "CN" }),
  {
    says: ({ name, is, should }) => `Of credit note ${name}, ${is} is left; its parts leave ${should}.`,
    sql: `SELECT credit_note_number AS name, unapplied AS "is", total - applied_to_invoice - applied - refunded AS should
      FROM credit_notes WHERE unapplied <> total - applied_to_invoice - applied - refunded`,
  },
  {
    says: ({ name, is, should }) =>
      `Of credit note ${name}, ${is} is applied; its applications add up to ${should}.`,
    sql: `SELECT credit_note_number AS name, applied AS "is", coalesce(sum(amount), 0) AS should
      FROM credit_notes LEFT JOIN settlements ON credit_note = credit_notes.id AND kind = 'application'
        AND voided_at IS NULL
      GROUP BY credit_notes.id HAVING applied <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `Of credit note ${name}, ${is} is refunded; its refunds add up to ${should}.`,
    sql: `SELECT credit_note_number AS name, refunded AS "is", coalesce(sum(amount), 0) AS should
      FROM credit_notes LEFT JOIN settlements ON credit_note = credit_notes.id AND kind = 'refund'
        AND voided_at IS NULL
      GROUP BY credit_notes.id HAVING refunded <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `Credit note ${name} gives back deposits of ${is}; the invoice that it cancels deducts ${should}.`,
    sql: `SELECT credit_note_number AS name, credit_notes.deposit_total AS "is",
        CASE is_cancellation WHEN 1 THEN invoices.deposit_total ELSE 0 END AS should
      FROM credit_notes JOIN invoices ON invoices.id = invoice
      WHERE credit_notes.deposit_total <> CASE is_cancellation WHEN 1 THEN invoices.deposit_total ELSE 0 END`,
  },
  {
    says: ({ name }) =>
      `Credit note ${name} is of another customer, currency or kind of prices than its invoice.`,
    sql: `SELECT credit_note_number AS name FROM credit_notes JOIN invoices ON invoices.id = invoice
      WHERE credit_notes.customer <> invoices.customer OR credit_notes.currency <> invoices.currency
        OR credit_notes.prices_include_tax <> invoices.prices_include_tax
        OR credit_note_date < invoice_date OR invoices.issued_at IS NULL`,
  },
  {
    says: ({ name }) =>
      `Credit note ${name} has another discount on the whole in percent than its invoice, or one without an amount.`,
    sql: `SELECT credit_note_number AS name FROM credit_notes JOIN invoices ON invoices.id = invoice
      WHERE credit_notes.discount <> CASE credit_notes.discount_amount WHEN 0 THEN 0 ELSE invoices.discount END
        OR credit_notes.is_discount_amount > invoices.is_discount_amount`,
  },
  {
    says: ({ name }) => `Credit note ${name} is applied to an invoice of another customer.`,
    sql: `SELECT DISTINCT credit_note_number AS name FROM credit_notes
      JOIN settlements ON credit_note = credit_notes.id AND voided_at IS NULL
      JOIN invoices ON invoices.id = settlements.invoice WHERE invoices.customer <> credit_notes.customer`,
  },
  {
    says: ({ name, is, should }) =>
      `The credit notes of invoice ${name} have a tax of ${is} in one category and rate; the invoice has ${should}.`,
    sql: `SELECT invoices.invoice_number AS name, credited.tax AS "is", ${invoicedTax} AS should
      FROM (SELECT invoice, ${textIn("value", "category")} AS category, ${integerIn("value", "rate")} AS rate,
          sum(${integerIn("value", "tax")}) AS tax FROM credit_notes, ${rowsOf("credit_notes.taxes")} GROUP BY 1, 2, 3) AS credited
      JOIN invoices ON invoices.id = credited.invoice, ${rowsOf("invoices.taxes")} AS invoiced
      WHERE ${textIn("invoiced.value", "category")} IS NOT DISTINCT FROM credited.category
        AND ${integerIn("invoiced.value", "rate")} = credited.rate
        AND (credited.tax > ${invoicedTax} OR (credited_total = invoices.total AND credited.tax <> ${invoicedTax}))`,
  },
]

/** A line of a credit note: a quantity of a line of its invoice, or an amount if `isAmount` is 1. */
export type CreditNoteLine = Line & { invoiceLine: string; isAmount: number }

/** A line as responses show it. */
type ShownCreditLine = Omit<ShownLine<CreditNoteLine>, "isAmount"> & { isAmount: boolean }

const words = structure<string[]>(Type.Array(Type.String()))

/** Why an invoice cannot be credited. */
export const creditNoteRefusals = refusalsOf({
  OVER_CREDITED: {
    about: "The quantity or the amount exceeds what is left of the invoice to credit",
    de: "Von der Rechnung {{number}} ist nicht mehr so viel übrig, wie korrigiert werden soll.",
  },
})

/** What mail with one of them says. */
const creditNoteMail = {
  en: {
    subject: "Credit note {number} from {company}",
    message: "Hello,\n\nplease find attached credit note {number} for {total}.\n\nKind regards\n{company}",
  },
  de: {
    subject: "Rechnungskorrektur {number} von {company}",
    message:
      "Guten Tag,\n\nim Anhang finden Sie die Rechnungskorrektur {number} über {total}.\n\nMit freundlichen Grüßen\n{company}",
  },
  fr: {
    subject: "Avoir {number} de {company}",
    message:
      "Bonjour,\n\nveuillez trouver ci-joint l’avoir {number} d’un montant de {total}.\n\nCordialement\n{company}",
  },
}

/** A credit note of an invoice. It is issued at once and never changed. */
export const creditNotes = defineResource({
  name: "credit-notes",
  table: "credit_notes",
  ...documentOptions,
  lines: tables.lines,
  idPrefix: "crn",
  noun: "credit note",
  title: "CreditNote",
  about:
    "The credit notes of invoices. `POST /invoices/{id}/credit-notes` issues one. It first lowers the balance of its invoice (`appliedToInvoice`); what is left (`unapplied`) can be applied to other invoices or refunded.",
  menu: {
    group: "sell",
    place: 4,
    path: "/credit-notes",
    recordPath: "/credit-notes/:id",
    icon: "receipt-refund",
  },
  names: {
    en: {
      title: "Credit notes",
      one: "credit note",
      many: "credit notes",
      the: "the credit note",
      statuses: { open: "Open", settled: "Settled" },
      events: { issued: "Issued" },
    },
    de: {
      title: "Rechnungskorrekturen",
      one: "Rechnungskorrektur",
      many: "Rechnungskorrekturen",
      the: "die Rechnungskorrektur",
      statuses: { open: "Offen", settled: "Ausgeglichen" },
      events: { issued: "Ausgestellt" },
    },
  },
  colours: { open: "blue" },
  rights: rightsOf("invoices"),
  mail: creditNoteMail,
  numbers: {
    field: "creditNoteNumber",
    prefix: "CN",
    format: "CN-{YYYY}-{#####}",
    german: "RK-{YYYY}-{#####}",
  },
  events: { issued: ({ before }) => before === null },
  listsBySum: { applications: "applied", refunds: "refunded" },
  refusals: { ...creditNoteRefusals, INSUFFICIENT_CREDIT: settlementRefusals.INSUFFICIENT_CREDIT },
  search: ["creditNoteNumber", "invoiceNumber", "customerName"],
  searchMore: ["reason", "notes"],
  found: {
    code: "creditNoteNumber",
    title: "customerName",
    showsCode: true,
    amounts: [{ field: "total", score: 0.95 }],
  },
  indexed: {
    sort: ["createdAt", "updatedAt", "creditNoteDate"],
    group: ["customer", "invoice"],
    unique: ["creditNoteNumber", "externalId"],
  },
  countsChanges: true,
  expands: ["customer", "invoice", "items.item"],
  checks: creditNoteChecks,
  fields: {
    creditNoteNumber: readOnly(code("CN-2026-00001")),
    numberSeries: readOnly(code("CN-2026")),
    numberCounter: readOnly(integer()),
    status: derived(
      readOnly(status(["open", "settled"])),
      () => "CASE WHEN unapplied > 0 THEN 'open' ELSE 'settled' END",
    ),
    allowedTransitions: notStored(readOnly(words)),
    invoice: readOnly(reference("inv")),
    invoiceNumber: readOnly(code("INV-2026-00001")),
    customer: readOnly(reference("cus")),
    customerName: readOnly(text({ examples: ["Nordlicht GmbH"] })),
    billingAddress: readOnlyNullable(structure<Address>(addressFields().schema)),
    taxId: readOnlyNullable(code("DE136695976")),
    sellerVersion: readOnly(reference("slr")),
    seller: derived(
      readOnly(structure<Seller>(sellerSchema)),
      () => "(SELECT body FROM seller_versions WHERE seller_versions.id = seller_version)",
    ),
    buyer: readOnly(structure<Buyer>(buyerSchema)),
    language: readOnly(choice(languages)),
    creditNoteDate: readOnly(date()),
    reason: readOnly(text({ max: 500, multiline: true, examples: ["Returned: scratched"] })),
    restock: readOnly(boolean()),
    isCancellation: readOnly(boolean()),
    pricesIncludeTax: readOnly(boolean()),
    taxTreatment: documentFields.taxTreatment,
    ...copiedDiscount,
    buyerReference: readOnlyNullable(code("04011000-12345-03")),
    shippingAddress: readOnlyNullable(addressFields()),
    items: notStored(
      readOnly(
        lines<ShownCreditLine>(
          {
            ...lineFields("cnl"),
            invoiceLine: readOnly(reference("inl")),
            isAmount: readOnly(boolean()),
          },
          { name: "CreditNoteLine", min: 1, max: 500 },
        ),
      ),
    ),
    notes: text({ max: 10_000, multiline: true, examples: ["Thank you for your patience."] }),
    ...externalFields,
    ...totalFields,
    depositTotal: readOnly(amount(), 0),
    appliedToInvoice: readOnly(amount(), 0),
    applied: readOnly(amount(), 0),
    refunded: readOnly(amount(), 0),
    unapplied: readOnly(amount(), 0),
    applications: notStored(readOnly(structure<Application[]>(Type.Array(applicationSchema)))),
    refunds: notStored(readOnly(structure<Refund[]>(Type.Array(refundSchema)))),
    lastSentAt: readOnlyNullable(timestamp()),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

/** A credit note in the form of a response. */
export type CreditNote = RecordOf<typeof creditNotes>

/** A stored credit note without its lines: amounts in the minor unit. */
export type CreditNoteHead = Omit<CreditNote, "items" | "applications" | "refunds" | "allowedTransitions">

/** A body that credits an invoice: all that is left of it, or quantities or amounts of some lines. */
export const credit = body(
  {
    reason: required(text({ max: 500, multiline: true, examples: ["Returned: scratched"] })),
    restock: withDefault(boolean(), false),
    creditNoteDate: date(),
    notes: text({ max: 10_000, multiline: true }),
    ...externalFields,
    send: sendOnIssue,
    items: lines<{ invoiceLine: string; quantity: number | null; amount: number | null }>(
      {
        invoiceLine: required(reference("inl")),
        quantity: positive(decimal({ min: 0, example: 1 })),
        // Without an example, so that an example of a line has either a quantity or an amount.
        amount: { ...payable(), schema: Type.Number({ exclusiveMinimum: 0 }) },
      },
      { name: "CreditedLine", min: 1, max: 500 },
    ),
  },
  { example: { reason: "Returned: scratched", restock: true } },
)
export type Credit = BodyOf<typeof credit>

/** A body that applies a part of a credit note to an invoice. */
export const applicationBody = body(
  { invoice: required(reference("inv")), amount: required(payable()), applicationDate: date() },
  { example: { invoice: "inv_01kb2qk3dvb6r8h5m9x4w7z2nc", amount: 100 } },
)
export type ApplicationBody = BodyOf<typeof applicationBody>
