// Revising an order that was submitted: what its invoices and deliveries hold, and what follows from the new lines.
import type { Database } from "../../core/engine/engine"
import { fieldError, type FieldError, Refusal } from "../../core/lib/refusal"
import type { Warning } from "../../core/lib/warning"
import type { Tx } from "../../core/write/writer"
import type { Settings } from "../../office/settings/model"
import { amountText, fromUnits, priceDigits } from "../../shared/decimal"
import {
  chargedBy,
  discountOf,
  fullAmount,
  lineAmounts,
  shareOf,
  taxKeyOf,
  type TaxSum,
} from "../../shared/money"
import { readCustomer, warnOfTreatment } from "../../trade/documents/customer"
import { type Became, creditOverride, type Revising } from "../../trade/documents/kind"
import type { Held } from "../../trade/documents/revise/held"
import { foreignFields } from "../../trade/documents/rules"
import type { TakenTax } from "../../trade/documents/store"
import type { Items } from "../../trade/needs"
import type { CustomerService } from "../customers/service"
import { type Order, type OrderHead, type OrderLine, orderRefusals, type OrderStatus } from "./model"
import {
  billingStatusOf,
  deliveryStatusOf,
  goneOf,
  type IsGoods,
  movedTo,
  openValueOf,
  reservedBy,
  statusByBilling,
} from "./rules"
import { type Charged, findNamedLines, invoicesOfOrders } from "./store"

/** The fields of an order whose edit raises no revision: the customer does not have them in writing, or may move the date. */
const unrevised: readonly string[] = ["notes", "deliveryDate", ...foreignFields]

/** True for an edit of what the customer has confirmed. */
export const isRevision = (status: OrderStatus, differing: readonly string[]): boolean =>
  status === "submitted" && differing.some((name) => !unrevised.includes(name))

type Money = { digits: number }

/** Returns what invoices, deliveries and deposits hold of a submitted order; null if there are none. Deposits name no lines. */
export function heldBy(
  { db, moneyContext }: { db: Database; moneyContext: () => Money },
  { head }: Order,
): Held<OrderLine> | null {
  if (head.status !== "submitted") return null
  const named = findNamedLines(db, head.id)
  if (named.size === 0 && head.depositTotal === 0) return null
  const { digits } = moneyContext()
  return {
    fields: ["customer", "pricesIncludeTax"],
    has: ({ id }) => named.has(id),
    resize: (line, quantity, field) =>
      resize(line, quantity, { field, digits, currency: head.currency, charged: named.get(line.id) }),
    refuse: (details) => refuse(head, details),
  }
}

const refuse = ({ orderNumber }: OrderHead, details: FieldError[]): Refusal =>
  new Refusal(
    orderRefusals.ORDER_IN_PROGRESS,
    `Invoices, deliveries or deposits depend on sales order ${orderNumber}; what they name stays.`,
    { params: { number: orderNumber }, details },
  )

type Resizing = { field: string; digits: number; currency: string; charged: Charged | undefined }

function resize(
  line: OrderLine,
  quantity: number,
  { field, digits, currency, charged }: Resizing,
): OrderLine | FieldError {
  const least = goneOf(line)
  if (quantity < least) {
    const [min, invoiced, delivered] = [least, line.invoicedQuantity, line.deliveredQuantity].map(plain)
    const message = `must be at least ${min}: ${invoiced} invoiced, ${delivered} delivered`
    return fieldError(field, "TOO_SMALL", message, { min: min ?? 0, invoiced: invoiced ?? 0 })
  }
  const resized = resizedLine(line, quantity, charged ?? { charged: 0, documentDiscount: 0 }, digits)
  if (resized) return resized
  const amount = fromUnits(charged?.charged ?? 0, digits)
  return fieldError(
    field,
    "RULE",
    `cannot be ${plain(quantity)}: invoices charge ${amountText(amount, { digits, currency })} for ${plain(line.invoicedQuantity)}, which rounding makes another amount. Leave the quantity, and complete the order instead`,
    { rule: "ROUNDED", amount, currency },
  )
}

const plain = (quantity: number): number => fromUnits(quantity, priceDigits)

/**
 * Returns a line with another quantity at the same price. A discount given as an amount and the share in the discount of the
 * order go with the quantity. The line costs what is charged if all of it is invoiced, and else not less: then its discounts
 * take the cents of rounding. Null if what is charged has no share in the discount of the order.
 */
export function resizedLine(
  line: OrderLine,
  quantity: number,
  { charged, documentDiscount }: Charged,
  digits: number,
): OrderLine | null {
  const full = fullAmount({ quantity, rate: line.rate }, digits)
  const isWhole = quantity === line.invoicedQuantity
  const least = charged + documentDiscount
  const isAmount = line.isDiscountAmount === 1
  const usual = isAmount
    ? Math.min(full, shareOf(line.discountAmount, quantity, line.quantity))
    : lineAmounts({ ...line, quantity }, digits).discountAmount
  const discountAmount = !isAmount ? usual : isWhole ? full - least : Math.min(usual, full - least)
  const cost = full - discountAmount
  const isRounded = isWhole ? cost !== least : cost < least
  if (discountAmount < 0 || (isRounded && documentDiscount === 0)) return null
  const usualShare = shareOf(line.documentDiscount, quantity, line.quantity)
  const share =
    isWhole || isRounded ? documentDiscount : Math.max(documentDiscount, Math.min(usualShare, cost - charged))
  const amount = isWhole || isRounded ? charged : cost - share
  return {
    ...line,
    quantity,
    discount: isAmount ? discountOf(discountAmount, full) : line.discount,
    discountAmount,
    documentDiscount: share,
    amount,
    grossAmount: line.grossAmount === null ? null : amount,
  }
}

type Deps = {
  db: Database
  items: Items
  customers: CustomerService
  settings: () => Settings
  moneyContext: (at?: string) => Money
  goodsIn: (lines: readonly OrderLine[]) => IsGoods
}

/** Checks a revision of a submitted order, and returns the statuses that follow from it. */
export function reviseOrder(
  deps: Deps,
  tx: Tx,
  before: Order,
  after: Order,
  { differing, override, caller }: Revising,
): Became<OrderHead> {
  if (!isRevision(before.head.status, differing)) return { head: after.head }
  const { digits } = deps.moneyContext(tx.now)
  if (differing.includes("items") || before.head.total !== after.head.total) assertParts(deps, after, digits)
  if (after.head.total < before.head.total) assertTotalCovers(after.head, differing, digits)
  if (differing.includes("items"))
    warnOfShortage(tx, { lines: after.lines, reserved: reservedBy(before) }, deps.items)
  const head = { ...after.head, ...statusesOf(after, deps.goodsIn(after.lines), tx.now) }
  const errors: FieldError[] = []
  const customer = readCustomer(deps.customers, head.customer, head.customer, { errors, warnings: [] })
  if (!customer) return { head }
  warnOfTreatment(tx.warnings, head, customer)
  const isMoved = head.customer !== before.head.customer
  if (!isMoved && head.total <= before.head.total) return { head }
  const openOrdersValue = customer.openOrdersValue - (isMoved ? 0 : openValueOf(before.head))
  const isForced = deps.customers.assertCredit(
    tx,
    { ...customer, openOrdersValue },
    {
      total: openValueOf(head),
      what: "order",
      override,
      caller,
      digits,
      currency: head.currency,
      policy: deps.settings().creditPolicy,
    },
  )
  return { head, changes: isForced ? creditOverride : {} }
}

/** An order completes when a revision leaves nothing to invoice or deliver, and can be invoiced again when it adds something. */
const statusesOf = ({ head, lines }: Order, isGoods: IsGoods, now: string) => ({
  invoiceStatus: billingStatusOf(lines),
  deliveryStatus: deliveryStatusOf(lines, isGoods),
  ...movedTo(head, statusByBilling(head.status, lines, isGoods), now),
})

/**
 * Refuses to lower a total below what is asked for already: what its invoices have, and deposits that these do not deduct.
 * These may add up to more than the order, if an invoice was issued while a deposit was open.
 */
function assertTotalCovers(head: OrderHead, differing: readonly string[], digits: number): void {
  const asked = head.invoicedTotal + head.depositTotal - head.deductedTotal
  if (head.total >= asked) return
  const min = fromUnits(asked, digits)
  const { currency } = head
  const message = `must have a total of at least ${amountText(min, { digits, currency })}, which is invoiced or asked for with deposits`
  const field = ["items", "discountAmount", "discount"].find((name) => differing.includes(name)) ?? "items"
  throw refuse(head, [fieldError(field, "TOO_SMALL", message, { min, currency, of: "total" })])
}

/** Refuses lines of which the invoices could no longer be parts, to the last cent of each tax. */
function assertParts({ db }: Pick<Deps, "db">, { head, lines }: Order, digits: number): void {
  const taken = invoicesOfOrders.findTaxes(db, head.id)
  if (taken.length === 0) return
  const named = findNamedLines(db, head.id)
  const errors = Map.groupBy(lines, taxKeyOf)
    .values()
    .flatMap((group) => taxErrors(head, group, { taken, named, digits }))
  const details = [...errors]
  if (details.length > 0) throw refuse(head, details)
}

type Parts = { taken: readonly TakenTax[]; named: ReadonlyMap<string, Charged>; digits: number }

/** The tax of lines must be that of their invoices if all is invoiced, and else leave for the rest what it can have. */
function taxErrors(
  { taxes, currency }: OrderHead,
  group: readonly OrderLine[],
  { taken, named, digits }: Parts,
): FieldError[] {
  const key = taxKeyOf(group[0] as OrderLine)
  const isOfGroup = ({ category, rate }: TaxSum) => taxKeyOf({ taxCategory: category, taxRate: rate }) === key
  const tax = taxes.find(isOfGroup)?.tax ?? 0
  const billed = taken.find((each) => taxKeyOf(each) === key)?.tax ?? 0
  const isWhole = group.every(({ quantity, invoicedQuantity }) => quantity === invoicedQuantity)
  const left = group.reduce((sum, line) => sum + chargedBy(line) - (named.get(line.id)?.charged ?? 0), 0)
  const most = isWhole ? 0 : group[0]?.grossAmount == null ? Infinity : left
  if (tax >= billed && tax - billed <= most) return []
  const other = fromUnits(billed, digits)
  const [own, ofInvoices] = [fromUnits(tax, digits), other].map((each) =>
    amountText(each, { digits, currency }),
  )
  return [
    fieldError(
      "items",
      "RULE",
      `have a tax of ${own}, and rounding makes that of the invoices ${ofInvoices}. Leave the quantities, and complete the order instead`,
      { rule: "ROUNDED", amount: other, currency },
    ),
  ]
}

/** Lines that need stock, and what they have reserved of it already. */
type Needing = { lines: readonly OrderLine[]; reserved: ReturnType<typeof reservedBy> }

/** Warns of each line with goods for which there is not enough stock. */
export function warnOfShortage(
  tx: { warnings: Warning[] },
  { lines, reserved }: Needing,
  items: Items,
): void {
  const sold = items.forLines(lines.flatMap(({ item }) => item ?? []))
  const own = Map.groupBy(reserved, ({ item }) => item)
  const promised = new Map<string, number>()
  lines.forEach((line, i) => {
    const { item } = line
    if (item === null) return
    const found = sold.get(item)
    const kept = (own.get(item) ?? []).reduce((sum, { quantity }) => sum + quantity, 0)
    const free = (found?.currentStock ?? 0) - (found?.reservedStock ?? 0) + kept
    const available = free - (promised.get(item) ?? 0)
    const quantity = line.quantity - goneOf(line)
    promised.set(item, (promised.get(item) ?? 0) + quantity)
    if (!found?.hasStock || quantity === 0 || available >= quantity) return
    const { itemCode } = found
    const [ordered, left] = [plain(quantity), plain(available)]
    tx.warnings.push({
      code: "INSUFFICIENT_STOCK",
      field: `items[${i}].quantity`,
      message: `${itemCode}: ${ordered} ordered, ${left} available.`,
      params: { itemCode, ordered, available: left },
    })
  })
}
