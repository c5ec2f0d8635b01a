import { newId } from "../../core/lib/id"
import {
  applyTax,
  chargedBy,
  discountOf,
  shareOf,
  taxKeyOf,
  type Carried,
  type TaxSum,
} from "../../shared/money"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import type { Doc } from "../../trade/documents/kind"
import type { InvoiceHead, InvoiceLine } from "../invoices/model"
import { moneyLeft, type Chosen } from "./choose"
import type { CreditNoteLine } from "./model"
import type { findCreditedTaxes } from "./store"

type Context = { now: string; digits: number; credited: ReturnType<typeof findCreditedTaxes> }

/**
 * Computes the lines and taxes of a credit note. For any split, the credit notes of an invoice add up to the invoice, to
 * the last minor unit: in money, and in tax per category and rate.
 */
export function creditLines(
  { head, lines: invoiced }: Doc<InvoiceHead, InvoiceLine>,
  chosen: readonly Chosen[],
  { now, digits, credited }: Context,
): { lines: CreditNoteLine[]; taxes: TaxSum[] } {
  const lines = chosen.map((each): CreditNoteLine => {
    const { orderLine: _, creditedQuantity: __, creditedAmount: ___, ...rest } = each.line
    const part = "amount" in each ? amountPart(each.amount, digits) : quantityPart(each.line, each.quantity)
    const { amount } = part
    return {
      ...rest,
      ...part,
      id: newId("cnl", now),
      invoiceLine: each.line.id,
      grossAmount: head.pricesIncludeTax ? amount : null,
    }
  })
  const taxed = applyTax(lines, head.pricesIncludeTax, carriedTaxes(head, invoiced, credited))
  return { lines: [...taxed.lines], taxes: taxed.taxes }
}

type Part = Pick<
  CreditNoteLine,
  "quantity" | "rate" | "discount" | "amount" | "discountAmount" | "isDiscountAmount" | "isAmount"
>

/** An amount is credited as one piece at that price. */
function amountPart(amount: number, digits: number): Part {
  const rate = toUnits(fromUnits(amount, digits), priceDigits) ?? 0
  const noDiscount = { discount: 0, discountAmount: 0, isDiscountAmount: 0 }
  return { quantity: 10 ** priceDigits, rate, amount, ...noDiscount, isAmount: 1 }
}

/**
 * A quantity is credited at the price of the invoice, at most with the money that is left of the line. What is missing
 * then is shown as a discount.
 */
function quantityPart(line: InvoiceLine, quantity: number): Part {
  const charged = chargedBy(line)
  const upTo = (whole: number, credited: number) => shareOf(whole, credited, line.quantity)
  const share = (whole: number) =>
    upTo(whole, line.creditedQuantity + quantity) - upTo(whole, line.creditedQuantity)
  const nominal = share(charged)
  const amount = Math.min(nominal, moneyLeft(line))
  const full = share(charged + line.discountAmount)
  const discountAmount = Math.max(0, full - amount)
  const isNominal = amount === nominal
  return {
    quantity,
    rate: line.rate,
    discount: isNominal ? line.discount : discountOf(discountAmount, full),
    amount,
    discountAmount,
    isDiscountAmount: isNominal ? line.isDiscountAmount : 1,
    isAmount: 0,
  }
}

/** Returns what earlier credit notes contain per category and rate, and what the whole invoice contains. */
function carriedTaxes(
  { taxes, pricesIncludeTax }: InvoiceHead,
  invoiced: readonly InvoiceLine[],
  credited: Context["credited"],
): Map<string, Carried> {
  const groups = Map.groupBy(invoiced, taxKeyOf)
  const before = new Map(credited.map((each) => [taxKeyOf(each), each.tax]))
  return new Map(
    taxes.map(({ category, rate, base, tax }) => {
      const key = taxKeyOf({ taxCategory: category, taxRate: rate })
      const charged = (groups.get(key) ?? []).reduce((sum, line) => sum + line.creditedAmount, 0)
      const whole = { charged: pricesIncludeTax ? base + tax : base, tax }
      return [key, { charged, tax: before.get(key) ?? 0, whole }]
    }),
  )
}
