import type { Language } from "../../shared/languages"
import type { Address } from "../../core/kind/address"
import { roundedTo } from "../../shared/decimal"
import type { TaxRow } from "../documents/model"
import { type Formats, formatsOf } from "./contents"
import type { Paper, PaperClaim, PaperDeposit, PaperLine } from "./model"
import { dueOf } from "./due"
import { type Texts, textsOf } from "./words"
import { termsIn } from "../../shared/words/payment-terms"

/** A document with the words and formats of a language. */
export type Worded = { paper: Paper; texts: Texts; formats: Formats }

/** Returns a document with the words and formats of its language. */
export const wordedOf = (paper: Paper): Worded => ({
  paper,
  texts: textsOf[paper.language],
  formats: formatsOf(localeOf(paper), paper.currency),
})

/**
 * Countries that write numbers and dates in a language in their own way. Austria and the French part of Switzerland are
 * not among them: there, amounts with and without a currency look different, and would be on one page.
 */
const regions: Record<Language, readonly string[]> = {
  en: ["AU", "GB", "IE", "NZ"],
  de: ["CH", "LI"],
  fr: ["LU"],
}

/** The language of the document, as the country of the seller writes it. */
export function localeOf({ language, seller }: Paper): string {
  const country = seller.address?.country ?? ""
  return regions[language].includes(country) ? `${language}-${country}` : language
}

/** A label and its value. */
export type Fact = [label: string, value: string]

const present = (facts: [string, string | null][]): Fact[] =>
  facts.flatMap(([label, value]): Fact[] => (value ? [[label, value]] : []))

/** The dates and references of a document, in the order in which they are shown. */
export function factsOf({ paper, texts, formats }: Worded): Fact[] {
  const date = (value: string | null) => value && formats.date(value)
  return present([
    [paper.dateName, formats.date(paper.date)],
    [texts.supplyDate, date(paper.supplyDate)],
    // Paper that waited for an update of the server has no such field.
    [
      texts.period,
      paper.period ? `${formats.date(paper.period.from)} – ${formats.date(paper.period.to)}` : null,
    ],
    [texts.deliveryDate, date(paper.deliveryDate)],
    [texts.dueDate, date(paper.dueDate)],
    ...paper.ownDates.map(({ name, date: own, text }): [string, string | null] => [name, text ?? date(own)]),
    ...(paper.handover?.facts ?? []).map(({ name, text }): [string, string | null] => [name, text]),
    [texts.paymentTerms, paper.paymentTerms && termsIn(paper.language, paper.paymentTerms)],
    [texts.orderNumber, paper.orderNumber],
    [texts.buyerReference, paper.buyerReference],
    [texts.customerNumber, paper.buyer.customerNumber],
    [texts.buyerTaxId, paper.buyer.taxId],
  ])
}

/** What a credit note corrects, and why. */
export function correctionOf({ paper: { corrects }, texts, formats }: Worded): Fact[] {
  if (!corrects) return []
  const { number, date, reason } = corrects
  return present([
    [texts.correctedInvoice, texts.numberAndDate(number, formats.date(date))],
    [texts.reason, reason],
  ])
}

/** The address of delivery, unless it is that of the customer. */
export const deliveryAddressOf = ({ shippingAddress, buyer }: Paper): Address | null =>
  Bun.deepEquals(shippingAddress, buyer.address) ? null : shippingAddress

/** A row of the totals. */
export type Sum = { label: string; amount: number; isTotal?: boolean }

/**
 * The totals of a document. On a document whose prices include tax, the lines add up to the total, so the tax is below
 * it.
 */
export function sumsOf(worded: Worded): Sum[] {
  const { paper, texts } = worded
  if (paper.handover) return []
  if (paper.account) return [{ label: texts.closing, amount: paper.account.closing, isTotal: true }]
  if (paper.claim) return claimSums(paper.claim, worded)
  const { subtotal, total, pricesIncludeTax } = paper
  const sum: Sum = { label: texts.total, amount: total, isTotal: true }
  const discounts = discountSums(worded)
  return [
    ...(pricesIncludeTax
      ? [...discounts, sum, { label: texts.totalWithoutTax, amount: subtotal }, ...taxSums(worded)]
      : [...discounts, { label: texts.subtotal, amount: subtotal }, ...taxSums(worded), sum]),
    ...depositSums(worded),
  ]
}

/** The deposits that are taken off, each with its tax, and what is left to pay. */
function depositSums(worded: Worded): Sum[] {
  const { paper, texts } = worded
  const deposits = paper.deposits ?? []
  if (deposits.length === 0) return []
  const due = paper.kind === "credit-note" ? texts.toCredit : texts.toPay
  return [
    ...deposits.map((deposit) => ({
      label: depositName(deposit, worded),
      amount: -roundedTo(deposit.net + deposit.tax, paper.digits),
    })),
    { label: due, amount: dueOf(paper), isTotal: true },
  ]
}

/** How a deposit is called where it is taken off: with its number, its date and its tax. */
export const depositName = ({ number, date, net, tax }: PaperDeposit, { texts, formats }: Worded): string =>
  texts.deposit(texts.numberAndDate(number, formats.date(date)), formats.money(net), formats.money(tax))

/** What is open, and what is to be paid with the fee. */
const claimSums = ({ balance, fee }: PaperClaim, { paper, texts }: Worded): Sum[] => [
  ...(fee > 0
    ? [
        { label: texts.open, amount: balance },
        { label: texts.reminderFee, amount: fee },
      ]
    : []),
  { label: texts.toPay, amount: paper.total, isTotal: true },
]

/** The discounts that were taken off before the totals: those of the lines, and that of the whole document. */
function discountSums(worded: Worded): Sum[] {
  const { paper, texts } = worded
  const { subtotal, total, discountTotal, discountAmount, pricesIncludeTax, digits } = paper
  const charged = pricesIncludeTax ? total : subtotal
  const ofLines = roundedTo(discountTotal - discountAmount, digits)
  return [
    ...(ofLines > 0
      ? [
          { label: texts.beforeDiscount, amount: roundedTo(charged + discountTotal, digits) },
          { label: texts.discountTotal, amount: -ofLines },
        ]
      : []),
    ...(discountAmount > 0
      ? [
          { label: texts.sumOfLines, amount: roundedTo(charged + discountAmount, digits) },
          { label: discountName(worded), amount: -discountAmount },
        ]
      : []),
  ]
}

/** How the discount of a document is called: "Discount 5 %". One that was given as an amount has no percentage. */
export const discountName = ({ paper, texts, formats }: Worded): string =>
  paper.isDiscountAmount ? texts.discountTotal : `${texts.discountTotal} ${formats.percent(paper.discount)}`

/** The tax per category and rate. A document without any tax and category has one row. */
function taxSums({ paper: { taxes, pricesIncludeTax }, texts, formats }: Worded): Sum[] {
  if (taxes.every(({ category, rate }) => category === null && rate === 0))
    return [{ label: texts.tax, amount: 0 }]
  const nameOf = ({ category, rate }: TaxRow) => {
    if (pricesIncludeTax && rate > 0) return texts.includedTax
    return category === null ? texts.tax : texts.taxCategories[category]
  }
  return taxes.map((each) => ({
    label: texts.taxOnBase(nameOf(each), formats.percent(each.rate), formats.money(each.base)),
    amount: each.tax,
  }))
}

/** That the prices include tax, and why no tax is charged. */
export function remarksOf({ paper, texts }: Pick<Worded, "paper" | "texts">): string[] {
  const reasons = new Set(paper.taxes.map(({ reason }) => reason).filter((reason) => reason !== null))
  return [...(paper.pricesIncludeTax ? [texts.pricesIncludeTax] : []), ...reasons]
}

/** The columns that are shown only if a line has such a value. */
export const columnsIn = (lines: readonly PaperLine[]) => ({
  hasCode: lines.some(({ itemCode }) => itemCode !== null),
  hasDiscount: lines.some(({ discountAmount }) => discountAmount > 0),
  hasTax: lines.some(({ taxRate }) => taxRate > 0),
})

/**
 * The amount of a line as it is shown: with tax when the prices include tax, and before the discount of the document,
 * which is taken off below the lines.
 */
export const amountOf = (
  { grossAmount, amount, documentDiscount }: PaperLine,
  { pricesIncludeTax, digits }: Pick<Paper, "pricesIncludeTax" | "digits">,
): number => roundedTo((pricesIncludeTax ? (grossAmount ?? amount) : amount) + documentDiscount, digits)

/** A discount as people give it: a percentage, or an amount if the percentage has many decimals. */
export function discountOf({ discount, discountAmount }: PaperLine, formats: Formats): string {
  if (discountAmount === 0) return ""
  const isPlain = Math.abs(discount * 100 - Math.round(discount * 100)) < 1e-6
  return isPlain ? formats.percent(discount) : formats.amount(discountAmount)
}

/** An IBAN as people read it: in groups of four characters. */
export const inGroups = (iban: string): string => iban.match(/.{1,4}/g)?.join(" ") ?? iban
