import { Type, type Static, type TSchema } from "@sinclair/typebox"
import { orderStatuses, type OrderStatus } from "../sales-orders/model"

/** The age groups of open invoices: not due yet, then by days past the due date. */
export const ages = ["notDue", "1-30", "31-60", "61-90", "over90"] as const

const closed = { additionalProperties: false }
const date = (description?: string) =>
  Type.String({ format: "date", ...(description ? { description } : {}) })
const amount = (description: string) => Type.Number({ description })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const countOrNull = (description: string) =>
  Type.Unsafe<number | null>({ type: ["integer", "null"], minimum: 0, description })

/** An object or a list that is null when the caller may not read the data behind it. */
const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [String(schema["type"]), "null"] })

/** The figures of one month, including tax. */
const MonthOfSales = Type.Object(
  {
    month: Type.String({ pattern: "^\\d{4}-\\d{2}$", examples: ["2026-03"] }),
    ordered: amount("Totals of the submitted and completed orders with an orderDate in the month."),
    orderCount: count("Number of these orders."),
    invoiced: amount(
      "Totals of the issued invoices with an invoiceDate in the month, without those that were cancelled without a credit note, and without opening invoices.",
    ),
    invoiceCount: count("Number of these invoices."),
    cancelled: amount("The part of `invoiced` of invoices that were cancelled by a credit note."),
    cancelledCount: count("Number of these invoices."),
    credited: amount("Totals of the credit notes with a creditNoteDate in the month."),
    creditCount: count("Number of these credit notes."),
    reversed: amount(
      "The part of `credited` of credit notes that cancel a whole invoice (`isCancellation`).",
    ),
    reversedCount: count("Number of these credit notes."),
    paid: amount("Payments with a paymentDate in the month, for invoices of any date."),
    paymentCount: count("Number of these payments."),
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
    amount: amount("Balance of these invoices."),
    count: count("Number of these invoices."),
  },
  closed,
)
/** The balance of open invoices, by age. */
const Receivables = Type.Object(
  {
    total: amount("Balance of all open invoices, including opening invoices."),
    overdue: amount("Balance of the invoices whose dueDate has passed."),
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
    count: count("Number of active items with isLowStock."),
    items: Type.Array(LowItem, {
      maxItems: 10,
      description:
        "At most ten of them: those with the least available stock relative to their reorderLevel. Items without a reorderLevel, which have less than 0 available, come first.",
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

/** The key figures of the shop. A part that the caller may not read is null. */
export const Summary = Type.Object(
  {
    currency: Type.String({
      examples: ["EUR"],
      description: "ISO 4217 code of all amounts. Amounts include tax.",
    }),
    today: date(
      "The current date in the instance's time zone. All figures refer to it, unless `at` is given.",
    ),
    at: Type.Unsafe<string | null>({
      type: ["string", "null"],
      format: "date",
      description: "The day of the receivables, if the request asked for one. The other parts are null then.",
    }),
    salesByMonth: orNull(
      Type.Array(MonthOfSales, {
        minItems: 12,
        maxItems: 12,
        description:
          "The current month and the eleven months before it, oldest first. A month without sales has zeros.",
      }),
    ),
    receivables: orNull(Receivables),
    lowStock: orNull(LowStock),
    latestOrders: orNull(
      Type.Array(LatestOrder, {
        maxItems: 8,
        description: "The eight orders that were created last, in any status, newest first.",
      }),
    ),
    counts: Type.Object(
      {
        items: countOrNull("All items."),
        customers: countOrNull("All customers."),
        openOrders: countOrNull("Submitted orders."),
        openInvoices: countOrNull("Unpaid and partially paid invoices."),
        failedMessages: countOrNull(
          "Messages about documents of the last 30 days that failed, unless there is a later one about the same document; at most 1,000.",
        ),
        uncertainMessages: countOrNull("The same for uncertain messages."),
        dueReminders: countOrNull("Invoices of which a reminder is due."),
        recurringProblems: countOrNull("Recurring invoices with `needsAttention`; at most 2,000."),
        recurringSkipped: countOrNull("Recurring invoices that have skipped periods in the last 30 days."),
      },
      closed,
    ),
  },
  { $id: "Summary", ...closed },
)
export type Summary = Static<typeof Summary>
