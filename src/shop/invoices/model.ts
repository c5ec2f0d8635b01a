import { address as addressFields, type Address } from "../../core/kind/address"
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
  serverDefault,
  reference,
  required,
  readOnly,
  readOnlyNullable,
  status,
  structure,
  timestamp,
  withDefault,
} from "../../core/kind/field"
import { becomes, type Turn } from "../../core/kind/record-events"
import { code, text } from "../../core/kind/text-field"
import { lines } from "../../core/kind/lines"
import { invoiceStatuses } from "../../shared/statuses"
import {
  lineFields,
  override,
  type Line,
  type ShownLine,
  documentFields,
  documentLookups,
  lineOptions,
  totalFields,
} from "../../trade/documents/model"
import { languages } from "../../shared/languages"
import { rightsOf } from "../../shared/rights"
import { Type } from "@sinclair/typebox"
import { applicationSchema, type Application, type InvoicePayment } from "../../trade/settlements/model"
import { invoiceChecks } from "./checks"
import { buyerSchema, sellerSchema, type Buyer, type Seller } from "../../trade/documents/parties"

/**
 * A line of an invoice. A line created from an order names the order's line. The credited amount includes tax if the
 * prices of the invoice do.
 */
export type InvoiceLine = Line & {
  orderLine: string | null
  creditedQuantity: number
  creditedAmount: number
}

const overdue = ({ today }: { today: string }) =>
  `status IN ('unpaid', 'partially_paid') AND due_date < '${today}'`
/** The same rule for a stored invoice. */
const isOverdue = (invoice: Turn["before"], today: string): boolean =>
  (invoice?.status === "unpaid" || invoice?.status === "partially_paid") && String(invoice.dueDate) < today
const opening = {
  ...boolean(),
  schema: Type.Boolean({
    description:
      "True for an invoice of another system that was not paid when the business moved to Kontor. It has the number of that system, one line with what was left to pay, and no tax. It counts in receivables and balances, not in sales and tax; it has no PDF, no e-invoice and no credit notes. Only an import creates it.",
  }),
}
const words = structure<string[]>(Type.Array(Type.String()))
const address = structure<Address>(addressFields().schema)

/** An invoice to a customer, with its payments. */
export const invoices = defineResource({
  name: "invoices",
  table: "invoices",
  idPrefix: "inv",
  noun: "invoice",
  title: "Invoice",
  about: "Invoices to customers.",
  rights: rightsOf("invoices"),
  hasHistory: true,
  lifecycle: {
    // An opening invoice was issued by another system.
    issued: ({ before, after }) => !before?.issuedAt && Boolean(after.issuedAt) && !after.isOpening,
    paid: becomes("status", "paid"),
    overdue: ({ before, after, today }) =>
      isOverdue(after, today) && !isOverdue(before, today) && !(before === null && after.isOpening),
    cancelled: becomes("status", "cancelled"),
    credited: ({ before, after }) => Number(after.creditedTotal) > Number(before?.creditedTotal ?? 0),
  },
  listsBySum: { payments: "amountPaid", applications: "creditApplied" },
  isPrinted: true,
  search: ["invoiceNumber", "customerName"],
  searchMore: ["notes"],
  found: {
    code: "invoiceNumber",
    title: "customerName",
    numbers: "invoices",
    showsCode: true,
    // The balance of an unpaid invoice is its total. An invoice comes before an order with the same total.
    amounts: [
      { field: "balance", when: "status = 'partially_paid'", score: 0.98 },
      { field: "total", score: 0.97 },
    ],
  },
  indexed: {
    sort: ["createdAt", "updatedAt", "invoiceDate"],
    group: ["customer", "status"],
    unique: ["invoiceNumber", "externalId"],
  },
  countsChanges: true,
  bulky: { fields: ["notes", "metadata"], from: 26 },
  expands: ["customer", "items.item"],
  lookups: documentLookups,
  onCreate: {
    status: withDefault(choice(["draft", "unpaid"]), "draft"),
    override,
  },
  checks: invoiceChecks,
  fields: {
    invoiceNumber: readOnlyNullable(code("INV-2026-00001")),
    numberSeries: readOnlyNullable(code("INV-2026")),
    numberCounter: readOnlyNullable(integer()),
    status: { ...readOnly(status(invoiceStatuses)), virtual: { overdue } },
    isOverdue: derived(readOnly(boolean()), overdue),
    allowedTransitions: notStored(readOnly(words)),
    salesOrder: readOnlyNullable(reference("so")),
    orderNumber: readOnlyNullable(code("SO-2026-00001")),
    customer: required(reference("cus")),
    customerName: readOnly(text({ examples: ["Nordlicht GmbH"] })),
    billingAddress: readOnlyNullable(address),
    taxId: readOnlyNullable(code("DE123456789")),
    sellerVersion: readOnlyNullable(reference("slr")),
    seller: derived(
      readOnlyNullable(structure<Seller>(sellerSchema)),
      () => "(SELECT body FROM seller_versions WHERE seller_versions.id = seller_version)",
    ),
    buyer: readOnlyNullable(structure<Buyer>(buyerSchema)),
    language: readOnlyNullable(choice(languages)),
    invoiceDate: serverDefault(date()),
    supplyDate: serverDefault(date()),
    dueDate: serverDefault(date()),
    paymentTerms: text({ max: 64, examples: ["Net 30"] }),
    ...documentFields,
    items: notStored(
      required(
        lines<ShownLine<InvoiceLine>>(
          {
            ...lineFields("inl"),
            orderLine: readOnlyNullable(reference("sol")),
            creditedQuantity: readOnly(decimal()),
            creditedAmount: readOnly(amount()),
          },
          { name: "InvoiceLine", ...lineOptions },
        ),
      ),
    ),
    notes: text({ max: 10_000, multiline: true, examples: ["Thank you."] }),
    ...externalFields,
    ...totalFields,
    amountPaid: readOnly(amount(), 0),
    creditedTotal: readOnly(amount(), 0),
    creditTaken: readOnly(amount(), 0),
    creditApplied: readOnly(amount(), 0),
    balance: readOnly(amount(), 0),
    payments: notStored(
      readOnly(structure<InvoicePayment[]>(Type.Array(Type.Ref("#/components/schemas/InvoicePayment")))),
    ),
    applications: notStored(readOnly(structure<Application[]>(Type.Array(applicationSchema)))),
    creditNotes: notStored(readOnly(structure<string[]>(Type.Array(reference("crn").schema)))),
    issuedAt: readOnlyNullable(timestamp()),
    paidAt: readOnlyNullable(timestamp()),
    cancelledAt: readOnlyNullable(timestamp()),
    cancelReason: readOnlyNullable(text({ max: 500, multiline: true })),
    isOpening: readOnly(opening, false),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

/** A stored invoice without its lines: amounts in the minor unit. */
export type InvoiceHead = Omit<
  RecordOf<typeof invoices>,
  "items" | "payments" | "applications" | "creditNotes" | "allowedTransitions"
>

/** An invoice in the form of a response. */
export type Invoice = RecordOf<typeof invoices>
