import { defineResource, type RecordOf } from "../../core/kind/define"
import { externalFields } from "../../core/kind/external"
import {
  amount,
  choice,
  date,
  decimal,
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
import { becomes } from "../../core/kind/record-events"
import { code, text } from "../../core/kind/text-field"
import { lines } from "../../core/kind/lines"
import { billingStatuses, orderStatuses } from "../../shared/statuses"
import type { Doc } from "../../trade/documents/kind"
import {
  lineFields,
  type Line,
  type ShownLine,
  documentFields,
  documentLookups,
  lineOptions,
  totalFields,
} from "../../trade/documents/model"
import { rightsOf } from "../../shared/rights"
import { Type } from "@sinclair/typebox"
import { orderChecks } from "./checks"

/** A line of an order, with the quantity that has been invoiced, and the invoiced quantity that was sent back. */
export type OrderLine = Line & { invoicedQuantity: number; returnedQuantity: number }

const ids = (prefix: string) => structure<string[]>(Type.Array(reference(prefix).schema))
const words = structure<string[]>(Type.Array(Type.String()))

/** An order of a customer. */
export const salesOrders = defineResource({
  name: "sales-orders",
  table: "sales_orders",
  idPrefix: "so",
  noun: "sales order",
  title: "SalesOrder",
  about: "The orders of customers.",
  rights: rightsOf("sales-orders"),
  hasHistory: true,
  lifecycle: {
    submitted: ({ before, after }) => after.status === "submitted" && (before?.status ?? "draft") === "draft",
    completed: becomes("status", "completed"),
    cancelled: becomes("status", "cancelled"),
  },
  isPrinted: true,
  search: ["orderNumber", "customerName"],
  searchMore: ["notes"],
  found: {
    code: "orderNumber",
    title: "customerName",
    numbers: "salesOrders",
    showsCode: true,
    amounts: [{ field: "total", score: 0.96 }],
  },
  indexed: {
    sort: ["createdAt", "updatedAt", "orderDate"],
    group: ["customer", "status"],
    unique: ["orderNumber", "externalId"],
  },
  countsChanges: true,
  bulky: { fields: ["notes", "metadata"], from: 26 },
  expands: ["customer", "items.item"],
  lookups: documentLookups,
  onCreate: { status: withDefault(choice(["draft", "submitted"]), "draft") },
  checks: orderChecks,
  fields: {
    orderNumber: readOnly(code("SO-2026-00001")),
    numberSeries: readOnly(code("SO-2026")),
    numberCounter: readOnly(integer()),
    status: readOnly(status(orderStatuses)),
    invoiceStatus: readOnly(choice(billingStatuses)),
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
    submittedAt: readOnlyNullable(timestamp()),
    completedAt: readOnlyNullable(timestamp()),
    cancelledAt: readOnlyNullable(timestamp()),
    cancelReason: readOnlyNullable(text({ max: 500, multiline: true })),
    amendedFrom: readOnlyNullable(reference("so")),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

/** A stored order without its lines: amounts in the minor unit. */
export type OrderHead = Omit<RecordOf<typeof salesOrders>, "items" | "invoices" | "allowedTransitions">

/** An order with its lines, both in stored form. */
export type Order = Doc<OrderHead, OrderLine>

/** An order in the form of a response. */
export type SalesOrder = RecordOf<typeof salesOrders>
