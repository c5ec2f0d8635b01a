import type { Caller } from "../../../core/caller"
import type { Reading } from "../../../core/kind/body"
import type { MoneyContext } from "../../../core/kind/field"
import { newId } from "../../../core/lib/id"
import { assertNoErrors, fieldError, type FieldError, invalid, Refusal } from "../../../core/lib/refusal"
import { takenErrors } from "../../../core/store/crud"
import type { Tx } from "../../../core/write/writer"
import { amountText, fromUnits, largestPrice, priceDigits, toUnits } from "../../../shared/decimal"
import { noDiscount } from "../../../shared/documents/discount"
import type { Language } from "../../../shared/languages"
import { shareOf, takeGross, type TaxSum, taxKeyOf } from "../../../shared/money"
import { withoutDiscount } from "../../../trade/documents/discount"
import type { DocumentCustomer } from "../../../trade/needs"
import { formatsOf } from "../../../trade/paper/contents"
import { readAmount } from "../../../trade/settlements/money"
import type { Order, OrderHead } from "../../sales-orders/model"
import { openValueOf } from "../../sales-orders/rules"
import { depositsOfOrders } from "../../sales-orders/service"
import { assertInvoiceable, customerOf, datesOf, headOfOrder } from "../from-order"
import { issue, type InvoiceDeps, type Invoices } from "../invoices"
import { type Invoice, type InvoiceHead, type InvoiceLine, invoices as invoiceKind } from "../model"
import { withoutUsed } from "./deduct"
import { type DepositBody, depositRefusals } from "./model"
import { findTaken } from "./store"

/** The maximum number of deposits per order, because every invoice of the order reads them. */
const mostDeposits = 100
const hundredPercent = 100 * 10 ** priceDigits

/**
 * Asks for a deposit on an order, with an issued invoice. It is taxed in proportion to what is left of the order per
 * category and rate, moves no stock, and takes no quantity of the order. Later invoices deduct what is paid of it.
 */
export function requestDeposit(
  deps: InvoiceDeps,
  invoices: Invoices,
  tx: Tx,
  orderId: string,
  { values, errors }: Reading<DepositBody>,
  caller: Caller,
): Invoice {
  const order = deps.salesOrders.load(orderId)
  const money = deps.moneyContext(tx.now)
  errors.push(...takenErrors(invoiceKind, deps.store, { externalId: values.externalId }, null))
  const total = totalOf(order.head, values, money, errors)
  assertNoErrors(errors, "The deposit invoice has invalid values.")
  assertInvoiceable(order.head, "status")
  assertPossible(deps, order.head, { total, percent: values.percent }, money)
  const customer = customerOf(deps, order.head)
  const dates = datesOf(deps, tx, order.head, { ...values, supplyDate: null })
  const left = withoutUsed(order.head.taxes, findTaken(deps.db, order.head.id))
  const taxes = takeGross(total, left).map((tax) => ({ ...tax, reason: null }))
  const taxTotal = taxes.reduce((sum, { tax }) => sum + tax, 0)
  const totals = { subtotal: total - taxTotal, discountTotal: 0, taxTotal, total }
  const contents = { values, customer, discount: withoutDiscount, taxes, totals }
  const draft: InvoiceHead = {
    ...headOfOrder(invoices, tx, order.head, contents, caller),
    ...dates,
    supplyDate: dates.invoiceDate,
    invoiceType: "deposit",
    balance: total,
  }
  const says = descriptionOf(deps, order.head, customer, values.percent)
  const lines = taxes.map((tax) => lineOf(order, tax, { says, now: tx.now, digits: money.digits }))
  if (lines.some(({ rate }) => rate > largestRate)) throw tooLarge(values)
  const issuing = { customer, userId: caller.userId, leaving: [] }
  const head = issue(deps, tx, { head: draft, lines }, issuing)
  const afterSave = () => deps.salesOrders.recordDeposit(tx, order, { total, isNew: true })
  return invoices.create(tx, { head, lines, afterSave })
}

/** Returns what a body asks for, in the minor unit; 0 after an error. */
function totalOf(
  { total }: OrderHead,
  { percent, amount }: DepositBody,
  money: MoneyContext,
  errors: FieldError[],
): number {
  // An invalid value is null, and has its error already.
  if (errors.some(({ field }) => field === "percent" || field === "amount")) return 0
  if (percent !== null && amount !== null) {
    const other = { rule: "EXCLUSIVE", other: "percent" } as const
    errors.push(fieldError("amount", "RULE", "must not be given with percent", other))
    return 0
  }
  if (amount !== null) return readAmount(amount, money, "amount", errors)
  if (percent === null) {
    errors.push(fieldError("percent", "REQUIRED", "is required, or an amount"))
    return 0
  }
  return shareOf(total, toUnits(percent, priceDigits) ?? 0, hundredPercent)
}

type Asked = { total: number; percent: number | null }

/** Refuses a deposit of nothing, of more than is left of the order, or one of very many. */
function assertPossible(
  { db }: InvoiceDeps,
  order: OrderHead,
  { total, percent }: Asked,
  money: MoneyContext,
): void {
  const { digits, currency } = money
  const { id, orderNumber: number } = order
  const field = percent === null ? "amount" : "percent"
  const left = openValueOf(order)
  const max = fromUnits(left, digits)
  if (total > left || left === 0) {
    const most = Math.floor((left / Math.max(1, order.total)) * hundredPercent)
    const bound =
      percent === null
        ? fieldError(field, "TOO_LARGE", `must be at most ${amountText(max, money)}`, { max, currency })
        : atMost(field, fromUnits(most, priceDigits))
    throw new Refusal(
      depositRefusals.DEPOSIT_TOO_LARGE,
      `Of sales order ${number}, ${amountText(max, money)} is neither invoiced nor asked for with deposits.`,
      {
        params: { number, max, currency },
        details: [bound],
      },
    )
  }
  if (total === 0)
    throw invalid(field, "TOO_SMALL", `is nothing of ${amountText(fromUnits(order.total, digits), money)}`, {
      above: 0,
    })
  if (depositsOfOrders.count(db, id) >= mostDeposits)
    throw invalid(field, "RULE", `cannot be asked for: ${number} has ${mostDeposits} deposits already`, {
      rule: "TOO_MANY",
      max: mostDeposits,
      number,
    })
}

const atMost = (field: string, max: number): FieldError =>
  fieldError(field, "TOO_LARGE", `must be at most ${max}`, { max })

/** An order may have a larger total than a price can be. */
const largestRate = toUnits(largestPrice, priceDigits) ?? 0

const tooLarge = ({ percent }: DepositBody): Refusal =>
  invalid(
    percent === null ? "amount" : "percent",
    "TOO_LARGE",
    `makes a line of more than ${largestPrice}: ask for several deposits`,
    { max: largestPrice },
  )

/** What the lines of a deposit invoice say: for what, and how much of it. */
const descriptions: Record<Language, (order: string, share: string | null) => string> = {
  en: (order, share) =>
    share === null ? `Deposit for order ${order}` : `Deposit of ${share} for order ${order}`,
  de: (order, share) =>
    share === null
      ? `Abschlagszahlung auf Auftrag ${order}`
      : `Abschlagszahlung ${share} auf Auftrag ${order}`,
  fr: (order, share) =>
    share === null ? `Acompte sur la commande ${order}` : `Acompte de ${share} sur la commande ${order}`,
}

function descriptionOf(
  { settings }: InvoiceDeps,
  { orderNumber, currency }: OrderHead,
  customer: DocumentCustomer,
  percent: number | null,
): string {
  const language = customer.language ?? settings().defaultLanguage
  const share = percent === null ? null : formatsOf(language, currency).percent(percent)
  return descriptions[language](orderNumber, share)
}

/** The line for the tax in one category at one rate, with the tax code of the first line of the order that has it. */
function lineOf(
  { head: { pricesIncludeTax }, lines }: Order,
  { category: taxCategory, rate: taxRate, base, tax }: TaxSum,
  { says, now, digits }: { says: string; now: string; digits: number },
): InvoiceLine {
  const key = taxKeyOf({ taxCategory, taxRate })
  const taxCode = lines.find((line) => taxKeyOf(line) === key)?.taxCode ?? null
  const charged = pricesIncludeTax ? base + tax : base
  return {
    id: newId("inl", now),
    item: null,
    itemCode: null,
    itemName: null,
    description: says,
    uom: "Nos",
    quantity: 10 ** priceDigits,
    rate: toUnits(fromUnits(charged, digits), priceDigits) ?? 0,
    ...noDiscount,
    amount: base,
    documentDiscount: 0,
    grossAmount: pricesIncludeTax ? charged : null,
    taxCode,
    taxCategory,
    taxRate,
    hasOwnTaxCode: taxCode === null ? 0 : 1,
    orderLine: null,
    creditedQuantity: 0,
    creditedAmount: 0,
  }
}
