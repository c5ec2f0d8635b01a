import { Type, type Static, type TSchema } from "@sinclair/typebox"
import { orderStatuses, type OrderStatus } from "../../shared/statuses"

/** How long invoices have been due, from those that are not to those that have been for longest. */
export const ages = ["notDue", "1-30", "31-60", "61-90", "over90"] as const

const closed = { additionalProperties: false }
const date = (description?: string) =>
  Type.String({ format: "date", ...(description ? { description } : {}) })
const amount = (description: string) => Type.Number({ description })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const countOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ["integer", "null"], minimum: 0, description })

/** An object or a list that may be null, because the caller may not read what it is made from. */
const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [String(schema["type"]), "null"] })

/** What happened in one month, tax included. */
const MonthOfSales = Type.Object(
  {
    month: Type.String({ pattern: "^\\d{4}-\\d{2}$", examples: ["2026-03"] }),
    ordered: amount("Totals of the submitted and completed orders with an orderDate in the month."),
    orderCount: count("How many orders that is."),
    invoiced: amount("Totals of the issued invoices with an invoiceDate in the month, less cancelled ones."),
    invoiceCount: count("How many invoices that is."),
    paid: amount("Payments with a paymentDate in the month, whatever the date of their invoice."),
    paymentCount: count("How many payments that is."),
  },
  closed,
)
export type MonthOfSales = Static<typeof MonthOfSales>

const Bucket = Type.Object(
  {
    label: Type.Unsafe<string>({
      type: "string",
      enum: ages,
      description: "Days past the dueDate; an invoice that is due today is not due yet.",
    }),
    amount: amount("What is left to pay on them."),
    count: count("How many invoices that is."),
  },
  closed,
)

/** What is open on invoices, by how long they have been due. */
const Receivables = Type.Object(
  {
    total: amount("What is left to pay on all unpaid and partially paid invoices."),
    overdue: amount("The part of it whose dueDate has passed."),
    buckets: Type.Array(Bucket, { minItems: ages.length, maxItems: ages.length }),
  },
  closed,
)
export type Receivables = Static<typeof Receivables>

const LowItem = Type.Object(
  {
    id: Type.String(),
    itemCode: Type.String(),
    itemName: Type.String(),
    uom: Type.String(),
    currentStock: Type.Number(),
    reservedStock: Type.Number(),
    availableStock: Type.Number(),
    reorderLevel: Type.Number(),
  },
  closed,
)
export type LowItem = Static<typeof LowItem>

const LowStock = Type.Object(
  {
    count: count("How many active items have isLowStock."),
    items: Type.Array(LowItem, {
      maxItems: 10,
      description: "Ten of them at most: those with the least left for each unit of their reorderLevel.",
    }),
  },
  closed,
)

const LatestOrder = Type.Object(
  {
    id: Type.String(),
    orderNumber: Type.String({ examples: ["SO-2026-00001"] }),
    customerName: Type.String(),
    status: Type.Unsafe<OrderStatus>({ type: "string", enum: orderStatuses }),
    orderDate: date(),
    total: Type.Number(),
  },
  closed,
)
export type LatestOrder = Static<typeof LatestOrder>

/** The shop at a glance. A part that the caller may not read is null. */
export const Summary = Type.Object(
  {
    currency: Type.String({
      examples: ["EUR"],
      description: "ISO 4217; every amount is in it, tax included.",
    }),
    today: date("The day in the instance's time zone that all figures refer to."),
    salesByMonth: orNull(
      Type.Array(MonthOfSales, {
        minItems: 12,
        maxItems: 12,
        description:
          "The last twelve months with the present one, oldest first; one without sales has zeros.",
      }),
    ),
    receivables: orNull(Receivables),
    lowStock: orNull(LowStock),
    latestOrders: orNull(
      Type.Array(LatestOrder, {
        maxItems: 8,
        description: "The eight orders that were made last, in any status, newest first.",
      }),
    ),
    counts: Type.Object(
      {
        items: countOrNull("All items."),
        customers: countOrNull("All customers."),
        openOrders: countOrNull("Submitted orders."),
        openInvoices: countOrNull("Unpaid and partially paid invoices."),
      },
      closed,
    ),
  },
  closed,
)
export type Summary = Static<typeof Summary>
