import { Type } from "@sinclair/typebox"
import { address as addressFields, type Address } from "../../core/kind/address"
import { body, type BodyOf } from "../../core/kind/body"
import { defineResource, type RecordOf } from "../../core/kind/define"
import { externalFields } from "../../core/kind/external"
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
  withDefault,
} from "../../core/kind/field"
import { lines } from "../../core/kind/lines"
import { code, text } from "../../core/kind/text-field"
import { languages } from "../../shared/languages"
import { rightsOf } from "../../shared/rights"
import { creditNoteStatuses } from "../../shared/statuses"
import {
  documentFields,
  lineFields,
  totalFields,
  type Line,
  type ShownLine,
} from "../../trade/documents/model"
import { buyerSchema, sellerSchema, type Buyer, type Seller } from "../../trade/documents/parties"
import { applicationSchema, refundSchema, type Application, type Refund } from "../../trade/settlements/model"
import { creditNoteChecks } from "./checks"

/** A line of a credit note: a quantity of a line of its invoice, or an amount if `isAmount` is 1. */
export type CreditNoteLine = Line & { invoiceLine: string; isAmount: number }

/** A line as responses show it. */
type ShownCreditLine = Omit<ShownLine<CreditNoteLine>, "isAmount"> & { isAmount: boolean }

const words = structure<string[]>(Type.Array(Type.String()))

/** A credit note of an invoice. It is issued at once and never changed. */
export const creditNotes = defineResource({
  name: "credit-notes",
  table: "credit_notes",
  idPrefix: "crn",
  noun: "credit note",
  title: "CreditNote",
  about:
    "The credit notes of invoices. `POST /invoices/{id}/credit-notes` issues one. It first lowers the balance of its invoice (`appliedToInvoice`); what is left (`unapplied`) can be applied to other invoices or refunded.",
  rights: rightsOf("invoices"),
  hasHistory: true,
  lifecycle: { issued: ({ before }) => before === null },
  listsBySum: { applications: "applied", refunds: "refunded" },
  isPrinted: true,
  search: ["creditNoteNumber", "invoiceNumber", "customerName"],
  searchMore: ["reason", "notes"],
  found: {
    code: "creditNoteNumber",
    title: "customerName",
    numbers: "creditNotes",
    showsCode: true,
    amounts: [{ field: "total", score: 0.95 }],
  },
  indexed: {
    sort: ["createdAt", "updatedAt", "creditNoteDate"],
    group: ["customer", "invoice"],
    unique: ["creditNoteNumber", "externalId"],
  },
  bulky: { fields: ["notes", "metadata"], from: 26 },
  expands: ["customer", "items.item"],
  checks: creditNoteChecks,
  fields: {
    creditNoteNumber: readOnly(code("CN-2026-00001")),
    numberSeries: readOnly(code("CN-2026")),
    numberCounter: readOnly(integer()),
    status: derived(
      readOnly(status(creditNoteStatuses)),
      () => "CASE WHEN unapplied > 0 THEN 'open' ELSE 'settled' END",
    ),
    allowedTransitions: notStored(readOnly(words)),
    invoice: readOnly(reference("inv")),
    invoiceNumber: readOnly(code("INV-2026-00001")),
    customer: readOnly(reference("cus")),
    customerName: readOnly(text({ examples: ["Nordlicht GmbH"] })),
    billingAddress: readOnlyNullable(structure<Address>(addressFields().schema)),
    taxId: readOnlyNullable(code("DE123456789")),
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
    buyerReference: readOnlyNullable(code("04011000-12345-03")),
    shippingAddress: readOnlyNullable(structure<Address>(addressFields().schema)),
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
    appliedToInvoice: readOnly(amount(), 0),
    applied: readOnly(amount(), 0),
    refunded: readOnly(amount(), 0),
    unapplied: readOnly(amount(), 0),
    applications: notStored(readOnly(structure<Application[]>(Type.Array(applicationSchema)))),
    refunds: notStored(readOnly(structure<Refund[]>(Type.Array(refundSchema)))),
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
