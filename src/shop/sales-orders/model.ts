import { refusalsOf } from "../../core/lib/refusal"
import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import { externalFields } from "../../core/kind/tag"
import {
  amount,
  choice,
  date,
  decimal,
  integer,
  notStored,
  readOnly,
  readOnlyNullable,
  reference,
  required,
  serverDefault,
  status,
  structure,
  timestamp,
  withDefault,
} from "../../core/kind/field"
import { becomes } from "../../core/kind/record-events"
import { code, text } from "../../core/kind/text-field"
import { lines } from "../../core/kind/lines"
import type { Doc } from "../../trade/documents/kind"
import {
  documentFields,
  documentOptions,
  type Line,
  lineFields,
  lineOptions,
  override,
  type ShownLine,
  totalFields,
} from "../../trade/documents/model"
import { rightsOf } from "../../shared/rights"
import { Type } from "@sinclair/typebox"
import { documentChecks, taxCheck } from "../../trade/documents/checks"

const tables = {
  noun: "sales order",
  table: "sales_orders",
  lines: { table: "sales_order_lines", owner: "sales_order" },
  name: "order_number",
}

/** An order's totals must match its lines, and what is invoiced must match its invoices. */
const orderChecks: readonly Check[] = [
  ...documentChecks(tables),
  taxCheck(tables),
  {
    says: ({ name, is, should }) =>
      `The invoiced quantity of a line of sales order ${name} is ${is}; its invoices add up to ${should}.`,
    sql: `SELECT order_number AS name, invoiced_quantity / 10000.0 AS "is", coalesce(sum(billed.quantity), 0) / 10000.0 AS should
      FROM sales_order_lines AS line JOIN sales_orders ON sales_orders.id = line.sales_order
      LEFT JOIN (SELECT order_line, quantity FROM invoice_lines JOIN invoices ON invoices.id = invoice
        WHERE status <> 'cancelled') AS billed ON billed.order_line = line.id
      GROUP BY line.id, order_number HAVING invoiced_quantity <> coalesce(sum(billed.quantity), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `The returned quantity of a line of sales order ${name} is ${is}; its credit notes add up to ${should}.`,
    sql: `SELECT order_number AS name, returned_quantity / 10000.0 AS "is", coalesce(sum(back.quantity), 0) / 10000.0 AS should
      FROM sales_order_lines AS line JOIN sales_orders ON sales_orders.id = line.sales_order
      LEFT JOIN (SELECT order_line, credit_note_lines.quantity FROM credit_note_lines
        JOIN credit_notes ON credit_notes.id = credit_note JOIN invoice_lines ON invoice_lines.id = invoice_line
        WHERE restock = 1 AND is_amount = 0) AS back ON back.order_line = line.id
      GROUP BY line.id, order_number HAVING returned_quantity <> coalesce(sum(back.quantity), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `The invoiced total of sales order ${name} is ${is}; its invoices add up to ${should}.`,
    sql: `SELECT sales_orders.order_number AS name, invoiced_total AS "is", coalesce(sum(invoices.total), 0) AS should
      FROM sales_orders LEFT JOIN invoices ON sales_order = sales_orders.id AND invoices.status <> 'cancelled'
        AND invoice_type <> 'deposit'
      GROUP BY sales_orders.id HAVING invoiced_total <> coalesce(sum(invoices.total), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `The deposits of sales order ${name} are ${is}; its deposit invoices add up to ${should}.`,
    sql: `SELECT sales_orders.order_number AS name, sales_orders.deposit_total AS "is",
        coalesce(sum(invoices.total - credited_total), 0) AS should
      FROM sales_orders LEFT JOIN invoices ON sales_order = sales_orders.id AND invoice_type = 'deposit'
        AND invoices.status <> 'cancelled'
      GROUP BY sales_orders.id HAVING sales_orders.deposit_total <> coalesce(sum(invoices.total - credited_total), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `Of the deposits of sales order ${name}, ${is} is deducted; its invoices deduct ${should}.`,
    sql: `SELECT sales_orders.order_number AS name, sales_orders.deducted_total AS "is",
        coalesce(sum(invoices.deposit_total), 0) AS should
      FROM sales_orders LEFT JOIN invoices ON sales_order = sales_orders.id AND invoices.status <> 'cancelled'
      GROUP BY sales_orders.id HAVING sales_orders.deducted_total <> coalesce(sum(invoices.deposit_total), 0)`,
  },
  {
    says: ({ name }) => `Sales order ${name} is fully invoiced, but its invoices do not add up to its total.`,
    sql: `SELECT order_number AS name FROM sales_orders WHERE invoice_status = 'invoiced' AND invoiced_total <> total`,
  },
  {
    says: ({ name }) =>
      `Sales order ${name} is fully invoiced, but the taxes of its invoices are not its taxes.`,
    sql: `SELECT order_number AS name FROM sales_orders JOIN (SELECT sales_order, sum(tax_total) AS tax FROM invoices
        WHERE status <> 'cancelled' AND invoice_type <> 'deposit' GROUP BY 1) AS billed ON billed.sales_order = sales_orders.id
      WHERE invoice_status = 'invoiced' AND billed.tax <> tax_total`,
  },
  {
    says: ({ name }) => `The status of sales order ${name} does not match what is invoiced and delivered.`,
    sql: `SELECT order_number AS name FROM sales_orders JOIN (
        SELECT sales_order, min(CASE WHEN invoiced_quantity = quantity THEN 1 ELSE 0 END) AS whole,
          max(CASE WHEN invoiced_quantity > 0 THEN 1 ELSE 0 END) AS part,
          max(CASE WHEN delivered_quantity > 0 THEN 1 ELSE 0 END) AS is_delivered,
          max(CASE WHEN coalesce(item_type, 'Service') <> 'Service' AND delivered_quantity < quantity THEN 1 ELSE 0 END) AS lacks
        FROM sales_order_lines LEFT JOIN items ON items.id = item GROUP BY 1) AS line ON sales_order = sales_orders.id
      WHERE invoice_status <> CASE WHEN whole = 1 THEN 'invoiced' WHEN part = 1 THEN 'partially_invoiced' ELSE 'not_invoiced' END
        OR (whole = 1 AND (is_delivered = 0 OR lacks = 0) AND status <> 'completed')
        OR ((part = 1 OR is_delivered = 1) AND status IN ('draft', 'cancelled'))`,
  },
  {
    says: ({ name }) => `The timestamps of ${name} do not match its status.`,
    sql: `SELECT 'sales order ' || order_number AS name FROM sales_orders
      WHERE (status = 'completed') <> (completed_at IS NOT NULL) OR (status = 'cancelled') <> (cancelled_at IS NOT NULL)
        OR (status IN ('submitted', 'completed') AND submitted_at IS NULL)`,
  },
  {
    says: ({ name, is }) => `Sales order ${name} has revision ${is}, but was never submitted.`,
    sql: `SELECT order_number AS name, revision AS "is" FROM sales_orders WHERE revision > 1 AND submitted_at IS NULL`,
  },
  {
    says: ({ name }) => `${name} is not in the currency of the settings.`,
    sql: `WITH now AS (SELECT coalesce((SELECT body ->> 'currency' FROM settings), 'USD') AS currency)
      SELECT 'Sales order ' || order_number AS name FROM sales_orders, now WHERE sales_orders.currency <> now.currency`,
  },
]

/** A line of an order, with the quantities that were invoiced and delivered, and what was sent back of it. */
export type OrderLine = Line & {
  invoicedQuantity: number
  returnedQuantity: number
  deliveredQuantity: number
}

const ids = (prefix: string) => structure<string[]>(Type.Array(reference(prefix).schema))
const words = structure<string[]>(Type.Array(Type.String()))

export const orderStatuses = ["draft", "submitted", "completed", "cancelled"] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** How much of an order has been invoiced. */
const billingStatuses = ["not_invoiced", "partially_invoiced", "invoiced"] as const

/** How much of the goods of an order has been delivered with deliveries; of an order without goods, of all its lines. */
const deliveryStatuses = ["not_delivered", "partially_delivered", "delivered"] as const

/** Why an order cannot be invoiced, cancelled or revised. */
export const orderRefusals = refusalsOf({
  ORDER_NOT_SUBMITTED: {
    about: "Only a submitted order can be invoiced or delivered",
    de: "Nur ein bestätigter Auftrag kann geliefert oder abgerechnet werden.",
  },
  ORDER_CANCELLED: {
    about: "The order is cancelled",
    de: "Der Auftrag {{number}} ist storniert.",
  },
  ORDER_ALREADY_INVOICED: {
    about: "Everything is invoiced already",
    de: "Der Auftrag {{number}} ist schon vollständig abgerechnet.",
  },
  OVER_INVOICED: {
    about:
      "The quantity exceeds the quantity of the order line that is not invoiced yet, or that is delivered and not invoiced if `invoiceFrom` is `delivered`",
    de: "Die Menge ist größer als die Menge, die noch nicht abgerechnet ist.",
  },
  ORDER_HAS_INVOICES: {
    about: "Cancel the invoices of the order first",
    de: "Stornieren Sie zuerst die Rechnungen des Auftrags {{number}}.",
  },
  ORDER_HAS_DELIVERIES: {
    about: "Cancel the deliveries of the order first",
    de: "Stornieren Sie zuerst die Lieferscheine des Auftrags {{number}}.",
  },
  ORDER_IN_PROGRESS: {
    about:
      "Invoices, deliveries or deposits depend on the order. Each detail says what stays: lines that invoices or deliveries name, with their prices, discounts and taxes and what is invoiced or delivered of them, the customer, and whether prices include tax",
    de: "Ein Teil des Auftrags {{number}} ist schon geliefert, abgerechnet oder angezahlt und bleibt, wie er ist.",
  },
})

/** What mail with one of them says. */
const orderMail = {
  en: {
    subject: "Order confirmation {number} from {company}",
    message:
      "Hello,\n\nthank you for your order. Please find attached the confirmation {number} for {total}.\n\nKind regards\n{company}",
  },
  de: {
    subject: "Auftragsbestätigung {number} von {company}",
    message:
      "Guten Tag,\n\nvielen Dank für Ihren Auftrag. Im Anhang finden Sie die Auftragsbestätigung {number} über {total}.\n\nMit freundlichen Grüßen\n{company}",
  },
  fr: {
    subject: "Confirmation de commande {number} de {company}",
    message:
      "Bonjour,\n\nmerci de votre commande. Veuillez trouver ci-joint la confirmation {number} d’un montant de {total}.\n\nCordialement\n{company}",
  },
}

/** An order of a customer. */
export const salesOrders = defineResource({
  name: "sales-orders",
  table: "sales_orders",
  ...documentOptions,
  expands: [...documentOptions.expands, "quotation", "amendedFrom"],
  lines: tables.lines,
  idPrefix: "so",
  noun: "sales order",
  title: "SalesOrder",
  about:
    "The orders of customers. An edit after an order was submitted raises its `revision`; what invoices and deliveries name stays.",
  menu: { group: "sell", place: 1, path: "/orders", recordPath: "/orders/:id", icon: "shopping-cart" },
  names: {
    en: {
      title: "Orders",
      one: "order",
      many: "orders",
      the: "the order",
      new: "New order",
      statuses: {
        submitted: "Submitted",
        completed: "Completed",
        not_invoiced: "Not invoiced",
        partially_invoiced: "Partially invoiced",
        invoiced: "Invoiced",
        not_delivered: "Not delivered",
        partially_delivered: "Partially delivered",
        delivered: "Delivered",
      },
      fields: { revision: "Revision" },
    },
    de: {
      title: "Aufträge",
      one: "Auftrag",
      many: "Aufträge",
      the: "den Auftrag",
      new: "Neuer Auftrag",
      statuses: {
        submitted: "Bestätigt",
        completed: "Abgeschlossen",
        not_invoiced: "Nicht abgerechnet",
        partially_invoiced: "Teilweise abgerechnet",
        invoiced: "Abgerechnet",
        not_delivered: "Nicht geliefert",
        partially_delivered: "Teilweise geliefert",
        delivered: "Geliefert",
      },
      fields: { revision: "Fassung" },
    },
    fr: { fields: { revision: "Révision" } },
  },
  colours: {
    submitted: "blue",
    completed: "teal",
    partially_invoiced: "indigo",
    invoiced: "teal",
    partially_delivered: "indigo",
    delivered: "teal",
  },
  variable: "ORDER",
  lineVariables: { sol: "LINE" },
  rights: rightsOf("sales-orders"),
  mail: orderMail,
  draftTool: "draft_order",
  numbers: { field: "orderNumber", prefix: "SO", format: "SO-{YYYY}-{#####}", german: "AB-{YYYY}-{#####}" },
  events: {
    submitted: ({ before, after }) => after.status === "submitted" && (before?.status ?? "draft") === "draft",
    completed: becomes("status", "completed"),
    cancelled: becomes("status", "cancelled"),
  },
  refusals: orderRefusals,
  search: ["orderNumber", "customerName"],
  searchMore: ["notes"],
  found: {
    code: "orderNumber",
    title: "customerName",
    showsCode: true,
    amounts: [{ field: "total", score: 0.96 }],
  },
  indexed: {
    sort: ["createdAt", "updatedAt", "orderDate"],
    group: ["customer", "status"],
    unique: ["orderNumber", "externalId"],
  },
  countsChanges: true,
  onCreate: { status: withDefault(choice(["draft", "submitted"]), "draft") },
  onUpdate: { override },
  checks: orderChecks,
  fields: {
    orderNumber: readOnly(code("SO-2026-00001")),
    numberSeries: readOnly(code("SO-2026")),
    numberCounter: readOnly(integer()),
    revision: readOnly(integer({ min: 1 }), 1),
    status: readOnly(status(orderStatuses)),
    invoiceStatus: readOnly(choice(billingStatuses)),
    deliveryStatus: readOnly(choice(deliveryStatuses)),
    allowedTransitions: notStored(readOnly(words)),
    customer: required(reference("cus")),
    customerName: readOnly(text({ examples: ["Nordlicht GmbH"] })),
    orderDate: serverDefault(date()),
    deliveryDate: date(),
    items: notStored(
      required(
        lines<ShownLine<OrderLine>>(
          {
            ...lineFields("sol"),
            invoicedQuantity: readOnly(decimal()),
            returnedQuantity: readOnly(decimal()),
            deliveredQuantity: readOnly(decimal()),
          },
          { name: "SalesOrderLine", ...lineOptions },
        ),
      ),
    ),
    paymentTerms: text({ max: 64, examples: ["Net 30"] }),
    ...documentFields,
    notes: text({ max: 10_000, multiline: true, examples: ["Deliver to the back door."] }),
    ...externalFields,
    ...totalFields,
    invoicedTotal: readOnly(amount(), 0),
    invoices: notStored(readOnly(ids("inv"))),
    depositTotal: readOnly(amount(), 0),
    deductedTotal: readOnly(amount(), 0),
    depositInvoices: notStored(readOnly(ids("inv"))),
    deliveries: notStored(readOnly(ids("dn"))),
    submittedAt: readOnlyNullable(timestamp()),
    completedAt: readOnlyNullable(timestamp()),
    cancelledAt: readOnlyNullable(timestamp()),
    cancelReason: readOnlyNullable(text({ max: 500, multiline: true })),
    amendedFrom: readOnlyNullable(reference("so")),
    quotation: readOnlyNullable(reference("quo")),
    lastSentAt: readOnlyNullable(timestamp()),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

/** A stored order without its lines: amounts in the minor unit. */
export type OrderHead = Omit<
  RecordOf<typeof salesOrders>,
  "items" | "invoices" | "depositInvoices" | "deliveries" | "allowedTransitions"
>

/** An order with its lines, both in stored form. */
export type Order = Doc<OrderHead, OrderLine>

/** An order in the form of a response. */
export type SalesOrder = RecordOf<typeof salesOrders>
