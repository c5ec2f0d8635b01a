import { type ErrorParams, type FieldError, refusalsOf } from "../../core/lib/refusal"
import { address as addressFields, type Address } from "../../core/kind/address"
import { defineResource, type Check, type RecordOf } from "../../core/kind/define"
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
  positive,
  readOnly,
  readOnlyNullable,
  reference,
  required,
  serverDefault,
  status,
  structure,
  timestamp,
  unique,
  withDefault,
} from "../../core/kind/field"
import { becomes, type Turn } from "../../core/kind/record-events"
import { code, text } from "../../core/kind/text-field"
import { lines } from "../../core/kind/lines"
import {
  documentFields,
  documentOptions,
  lineFields,
  lineOptions,
  override,
  sendOnIssue,
  totalFields,
  type Line,
  type ShownLine,
  pausedUntil,
} from "../../trade/documents/model"
import { languages } from "../../shared/languages"
import { rightsOf } from "../../shared/rights"
import { Type } from "@sinclair/typebox"
import {
  applicationSchema,
  settlementRefusals,
  type Application,
  type InvoicePayment,
  type WriteOff,
} from "../../trade/settlements/model"
import { buyerSchema, sellerSchema, type Buyer, type Seller } from "../../trade/documents/parties"
import { documentChecks, seriesChecks, taxCheck } from "../../trade/documents/checks"
import {
  type DeductedDeposit,
  deductedDeposit,
  depositChecks,
  depositRefusals,
  invoiceTypes,
} from "./deposits/model"
import { body, type BodyOf } from "../../core/kind/body"

const tables = {
  noun: "invoice",
  table: "invoices",
  lines: { table: "invoice_lines", owner: "invoice" },
  name: "coalesce(invoice_number, invoices.id)",
  isTaxed: "is_opening = 0",
}

/** An invoice's totals must match its lines, its balance the payments, and the numbers must have no gaps. */
const invoiceChecks: readonly Check[] = [
  ...documentChecks(tables),
  taxCheck(tables, "id IN (SELECT id FROM invoices WHERE sales_order IS NULL)"),
  {
    says: ({ name }) =>
      `Invoice ${name} is issued, but does not have the data of its company and its customer.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name FROM invoices
      LEFT JOIN seller_versions ON seller_versions.id = seller_version
      WHERE (issued_at IS NOT NULL AND is_opening = 0) <> (seller_versions.id IS NOT NULL AND buyer IS NOT NULL AND language IS NOT NULL)`,
  },
  {
    says: ({ name }) => `Invoice ${name} needs the tax ID of its customer, which it does not have.`,
    sql: `SELECT DISTINCT invoice_number AS name FROM invoices JOIN invoice_lines ON invoice = invoices.id
      WHERE issued_at IS NOT NULL AND tax_category IN ('AE', 'K') AND invoices.tax_id IS NULL`,
  },
  {
    says: ({ name, is, should }) =>
      `The amount paid of invoice ${name} is ${is}; its payments add up to ${should}.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name, amount_paid AS "is", coalesce(sum(amount), 0) AS should
      FROM invoices LEFT JOIN settlements ON invoice = invoices.id AND kind = 'allocation' AND voided_at IS NULL
      GROUP BY invoices.id HAVING amount_paid <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `The applied credit of invoice ${name} is ${is}; its applications add up to ${should}.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name, credit_applied AS "is", coalesce(sum(amount), 0) AS should
      FROM invoices LEFT JOIN settlements ON invoice = invoices.id AND kind = 'application' AND voided_at IS NULL
      GROUP BY invoices.id HAVING credit_applied <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `Of invoice ${name}, ${is} is credited; its credit notes add up to ${should}, or lower its balance by another amount.`,
    sql: `SELECT coalesce(invoices.invoice_number, invoices.id) AS name, credited_total AS "is",
        coalesce(sum(credit_notes.total), 0) AS should
      FROM invoices LEFT JOIN credit_notes ON invoice = invoices.id GROUP BY invoices.id
      HAVING credited_total <> coalesce(sum(credit_notes.total), 0) OR credit_taken <> coalesce(sum(applied_to_invoice), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `Of invoice ${name}, ${is} is written off; its write-offs add up to ${should}.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name, written_off AS "is", coalesce(sum(amount), 0) AS should
      FROM invoices LEFT JOIN live_write_offs ON invoice = invoices.id
      GROUP BY invoices.id HAVING written_off <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name }) =>
      `The balance or the status of invoice ${name} does not match its payments and credits.`,
    sql: `SELECT coalesce(invoice_number, id) AS name FROM invoices
      WHERE balance <> CASE status WHEN 'cancelled' THEN 0 ELSE total - deposit_total - credit_taken - amount_paid - credit_applied - written_off END
        OR (status = 'paid' AND balance <> 0)
        OR (status = 'partially_paid' AND (amount_paid + credit_applied + written_off = 0 OR balance = 0))
        OR (status = 'credited' AND (credited_total = 0 OR credited_total <> total))
        OR (status NOT IN ('credited', 'cancelled') AND credited_total = total AND total > 0)
        OR (status IN ('draft', 'unpaid', 'cancelled') AND amount_paid + credit_applied + written_off <> 0)
        OR (status = 'draft' AND credited_total <> 0)`,
  },
  {
    says: ({ name }) =>
      `A line of invoice ${name} is not credited as its credit notes say, or more than it has.`,
    sql: `SELECT DISTINCT coalesce(invoices.invoice_number, invoices.id) AS name
      FROM invoice_lines AS line JOIN invoices ON invoices.id = line.invoice
      LEFT JOIN (SELECT invoice_line, sum(CASE is_amount WHEN 1 THEN 0 ELSE quantity END) AS quantity,
          sum(coalesce(gross_amount, amount)) AS amount FROM credit_note_lines GROUP BY invoice_line) AS credited
        ON credited.invoice_line = line.id
      WHERE credited_quantity <> coalesce(credited.quantity, 0) OR credited_amount <> coalesce(credited.amount, 0)
        OR credited_quantity > line.quantity OR credited_amount > coalesce(line.gross_amount, line.amount)`,
  },
  {
    says: ({ name, is, should }) =>
      `The discount on the whole sales order ${name} is ${should}; its invoices have ${is} of it, and nothing is left to invoice.`,
    sql: `SELECT sales_orders.order_number AS name, sales_orders.discount_amount AS should, coalesce(sum(invoices.discount_amount), 0) AS "is"
      FROM sales_orders JOIN invoices ON sales_order = sales_orders.id AND invoices.status <> 'cancelled'
      WHERE invoice_status = 'invoiced' GROUP BY sales_orders.id
      HAVING sales_orders.discount_amount <> coalesce(sum(invoices.discount_amount), 0)`,
  },
  {
    says: ({ name }) => `Invoice ${name} has a number, but no series and counter, or the other way round.`,
    sql: `SELECT coalesce(invoice_number, id) AS name FROM invoices
      WHERE is_opening = 0 AND ((invoice_number IS NULL) <> (number_series IS NULL)
        OR (invoice_number IS NULL) <> (number_counter IS NULL))`,
  },
  {
    says: ({ name }) =>
      `Opening invoice ${name} has a number of ours, a tax, an order, an item, a credit note or paper, or it has no number or not one line.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name FROM invoices
      LEFT JOIN invoice_lines ON invoice = invoices.id WHERE is_opening = 1
      GROUP BY invoices.id HAVING invoice_number IS NULL OR opening_key IS NULL OR status = 'draft' OR number_series IS NOT NULL
        OR number_counter IS NOT NULL OR taxes <> '[]' OR tax_total <> 0 OR sales_order IS NOT NULL
        OR credited_total <> 0 OR count(invoice_lines.id) <> 1 OR max(item) IS NOT NULL OR max(tax_rate) <> 0
        OR EXISTS (SELECT 1 FROM papers WHERE document = invoices.id)
        OR EXISTS (SELECT 1 FROM paper_values WHERE document = invoices.id)`,
  },
  ...seriesChecks({ ...tables, prefix: "INV" }),
  ...depositChecks,
  {
    says: ({ name }) => `The timestamps of ${name} do not match its status.`,
    sql: `SELECT 'invoice ' || coalesce(invoice_number, id) AS name FROM invoices
      WHERE (status = 'paid' AND paid_at IS NULL) OR (paid_at IS NOT NULL AND status NOT IN ('paid', 'credited', 'cancelled')) OR (status = 'cancelled') <> (cancelled_at IS NOT NULL)
        OR (invoice_number IS NULL) <> (issued_at IS NULL) OR (status = 'unpaid' AND total = 0)`,
  },
  {
    says: ({ name }) => `${name} is not in the currency of the settings.`,
    sql: `WITH now AS (SELECT coalesce((SELECT body ->> 'currency' FROM settings), 'USD') AS currency)
      SELECT 'Invoice ' || coalesce(invoice_number, id) AS name FROM invoices, now WHERE invoices.currency <> now.currency`,
  },
]

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
/** True when a write-off leaves nothing to pay of an invoice. */
const isWrittenOff = ({ before, after }: Turn): boolean =>
  after.balance === 0 && Number(after.writtenOff) > Number(before?.writtenOff ?? 0)
const opening = {
  ...boolean(),
  schema: Type.Boolean({
    description:
      "True for an invoice of another system that was not paid when the business moved to Kontor. It has the number of that system, one line with what was left to pay, and no tax. It counts in receivables and balances, not in sales and tax; it has no PDF, no e-invoice and no credit notes. Only an import creates it.",
  }),
}
const words = structure<string[]>(Type.Array(Type.String()))
const address = structure<Address>(addressFields().schema)

/** Why something that nobody waited for was refused, as a response would say it. */
export type Problem = {
  code: string
  message: string
  params?: ErrorParams
  details: FieldError[]
}

export const problemOf = (description: string) =>
  structure<Problem>(
    Type.Object(
      {
        code: Type.String({ examples: ["CREDIT_LIMIT_EXCEEDED"] }),
        message: Type.String(),
        params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        details: Type.Array(Type.Unsafe<FieldError>({ type: "object" })),
      },
      { description },
    ),
  )

/** Why an invoice cannot be cancelled, printed or credited. */
/** The status of an invoice. `overdue` is computed from the due date and not stored. */
export const invoiceStatuses = ["draft", "unpaid", "partially_paid", "paid", "credited", "cancelled"] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export const invoiceRefusals = {
  ...depositRefusals,
  ...refusalsOf({
    INVOICE_HAS_PAYMENTS: {
      about: "Delete the payments of the invoice first",
      de: "Löschen Sie zuerst die Zahlungen der Rechnung {{number}}.",
    },
    INVOICE_HAS_CREDITS: {
      about: "The invoice has credit notes or applied credit; credit the rest of it instead of cancelling it",
      de: "Zur Rechnung {{number}} gibt es schon Rechnungskorrekturen. Korrigieren Sie den Rest, statt sie zu stornieren.",
    },
    INVOICE_HAS_WRITE_OFFS: {
      about: "Void the write-offs of the invoice first",
      de: "Von der Rechnung {{number}} ist etwas ausgebucht. Stornieren Sie zuerst die Ausbuchung.",
    },
    OPENING_INVOICE: {
      about: "Another system issued the invoice, so it has no paper and no credit notes here",
      de: "Die Rechnung {{number}} stammt aus einem anderen Programm. Das ist hier nicht möglich.",
    },
  }),
}

/** What mail with one of them says. */
const invoiceMail = {
  en: {
    subject: "Invoice {number} from {company}",
    message:
      "Hello,\n\nplease find attached invoice {number} for {total}, due on {dueDate}.\n\nKind regards\n{company}",
  },
  de: {
    subject: "Rechnung {number} von {company}",
    message:
      "Guten Tag,\n\nim Anhang finden Sie die Rechnung {number} über {total}, fällig am {dueDate}.\n\nMit freundlichen Grüßen\n{company}",
  },
  fr: {
    subject: "Facture {number} de {company}",
    message:
      "Bonjour,\n\nveuillez trouver ci-joint la facture {number} d’un montant de {total}, payable au {dueDate}.\n\nCordialement\n{company}",
  },
}

/** An invoice to a customer, with its payments. */
export const invoices = defineResource({
  name: "invoices",
  table: "invoices",
  ...documentOptions,
  lines: tables.lines,
  idPrefix: "inv",
  noun: "invoice",
  title: "Invoice",
  about: "Invoices to customers.",
  menu: { group: "sell", place: 2, path: "/invoices", recordPath: "/invoices/:id", icon: "file-invoice" },
  names: {
    en: {
      title: "Invoices",
      one: "invoice",
      many: "invoices",
      the: "the invoice",
      new: "New invoice",
      statuses: {
        unpaid: "Unpaid",
        partially_paid: "Partially paid",
        overdue: "Overdue",
        paid: "Paid",
        credited: "Credited",
      },
      events: {
        issued: "Issued",
        "written-off": "Written off",
      },
    },
    de: {
      title: "Rechnungen",
      one: "Rechnung",
      many: "Rechnungen",
      the: "die Rechnung",
      new: "Neue Rechnung",
      statuses: {
        unpaid: "Offen",
        partially_paid: "Teilweise bezahlt",
        overdue: "Überfällig",
        paid: "Bezahlt",
        credited: "Korrigiert",
      },
      events: {
        issued: "Ausgestellt",
        "written-off": "Rest ausgebucht",
      },
    },
  },
  colours: { unpaid: "blue", partially_paid: "indigo", overdue: "red", paid: "teal" },
  rights: rightsOf("invoices"),
  mail: invoiceMail,
  draftTool: "draft_invoice",
  numbers: {
    field: "invoiceNumber",
    prefix: "INV",
    format: "INV-{YYYY}-{#####}",
    german: "RE-{YYYY}-{#####}",
    foreign: { when: "is_opening = 1", noun: "an opening invoice" },
  },
  events: {
    // An opening invoice was issued by another system.
    issued: ({ before, after }) => !before?.issuedAt && Boolean(after.issuedAt) && !after.isOpening,
    paid: (turn) => becomes("status", "paid")(turn) && !isWrittenOff(turn),
    overdue: ({ before, after, today }) =>
      isOverdue(after, today) && !isOverdue(before, today) && !(before === null && after.isOpening),
    cancelled: becomes("status", "cancelled"),
    credited: ({ before, after }) => Number(after.creditedTotal) > Number(before?.creditedTotal ?? 0),
    "written-off": (turn) => isWrittenOff(turn),
  },
  listsBySum: {
    payments: "amountPaid",
    applications: "creditApplied",
    writeOffs: "writtenOff",
    deposits: "depositTotal",
  },
  refusals: { ...invoiceRefusals, OVERPAYMENT: settlementRefusals.OVERPAYMENT },
  search: ["invoiceNumber", "customerName"],
  searchMore: ["notes"],
  found: {
    code: "invoiceNumber",
    title: "customerName",
    showsCode: true,
    // The balance of an unpaid invoice that deducts no deposits is its total. An invoice comes before an order with the same total.
    amounts: [
      {
        field: "balance",
        when: "status IN ('unpaid', 'partially_paid') AND balance <> total",
        score: 0.98,
      },
      { field: "total", score: 0.97 },
    ],
  },
  indexed: {
    sort: ["createdAt", "updatedAt", "invoiceDate"],
    group: ["customer", "status"],
    unique: ["invoiceNumber", "externalId"],
  },
  countsChanges: true,
  expands: ["customer", "salesOrder", "recurringInvoice", "items.item"],
  onCreate: {
    status: withDefault(choice(["draft", "unpaid"]), "draft"),
    override,
    send: sendOnIssue,
  },
  checks: invoiceChecks,
  fields: {
    invoiceNumber: readOnlyNullable(code("INV-2026-00001")),
    numberSeries: readOnlyNullable(code("INV-2026")),
    numberCounter: readOnlyNullable(integer()),
    status: readOnly(status(invoiceStatuses, { overdue })),
    isOverdue: derived(readOnly(boolean()), overdue),
    allowedTransitions: notStored(readOnly(words)),
    salesOrder: readOnlyNullable(reference("so")),
    orderNumber: readOnlyNullable(code("SO-2026-00001")),
    customer: required(reference("cus")),
    customerName: readOnly(text({ examples: ["Nordlicht GmbH"] })),
    billingAddress: readOnlyNullable(address),
    taxId: readOnlyNullable(code("DE136695976")),
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
    remindersPausedUntil: pausedUntil("No reminder of the invoice is made until this day"),
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
    writtenOff: readOnly(amount(), 0),
    depositTotal: readOnly(amount(), 0),
    deductedTotal: readOnly(amount(), 0),
    balance: readOnly(amount(), 0),
    deposits: notStored(readOnly(structure<DeductedDeposit[]>(Type.Array(deductedDeposit)))),
    payments: notStored(
      readOnly(structure<InvoicePayment[]>(Type.Array(Type.Ref("#/components/schemas/InvoicePayment")))),
    ),
    applications: notStored(readOnly(structure<Application[]>(Type.Array(applicationSchema)))),
    writeOffs: notStored(
      readOnly(structure<WriteOff[]>(Type.Array(Type.Ref("#/components/schemas/WriteOff")))),
    ),
    creditNotes: notStored(readOnly(structure<string[]>(Type.Array(reference("crn").schema)))),
    issuedAt: readOnlyNullable(timestamp()),
    paidAt: readOnlyNullable(timestamp()),
    cancelledAt: readOnlyNullable(timestamp()),
    cancelReason: readOnlyNullable(text({ max: 500, multiline: true })),
    isOpening: readOnly(opening, false),
    invoiceType: readOnly(choice(invoiceTypes), "standard"),
    recurringInvoice: readOnlyNullable(reference("rec")),
    recurringPeriod: readOnlyNullable(integer()),
    periodStartDate: readOnlyNullable(date()),
    periodEndDate: readOnlyNullable(date()),
    recurringProblem: readOnlyNullable(
      problemOf("Why an invoice of a recurring one was not issued or not sent by itself"),
    ),
    lastSentAt: readOnlyNullable(timestamp()),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

/** A stored invoice without its lines: amounts in the minor unit. */
export type InvoiceHead = Omit<
  RecordOf<typeof invoices>,
  "items" | "payments" | "applications" | "writeOffs" | "creditNotes" | "deposits" | "allowedTransitions"
>

/** An invoice in the form of a response. */
export type Invoice = RecordOf<typeof invoices>

/**
 * The fields of an opening invoice: an invoice of another system that was not paid when the business moved here. The
 * customer is given by one of three fields; if there are several, they must name the same customer.
 */
export const openingInvoiceFields = {
  invoiceNumber: unique(required(text({ max: 64, isCode: true, examples: ["RE-2025-0817"] }))),
  customerNumber: text({ max: 64, isCode: true, examples: ["CUST-00001"] }),
  customerExternalId: text({ max: 100, isCode: true, description: "The externalId of the customer" }),
  customer: reference("cus"),
  invoiceDate: required(date()),
  dueDate: date(),
  /** What is left to pay, with tax. An amount that was paid before is not part of it. */
  balance: required(positive(decimal({ min: 0, example: 1190 }))),
  notes: text({ max: 10_000, multiline: true }),
  externalId: externalFields.externalId,
}

/** One opening invoice, as a row of an import gives it. */
export const openingInvoice = body(openingInvoiceFields)
export type OpeningInvoice = BodyOf<typeof openingInvoice>
