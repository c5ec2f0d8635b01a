import { fromUnits, nearestUnits, priceDigits } from "../../../shared/decimal"
import { spread, taxIn, taxKeyOf } from "../../../shared/money"
import { formatsOf } from "../contents"
import type { Paper, PaperLine } from "../model"
import { discountName } from "../shown"
import { textsOf } from "../words"
import type { Allowance } from "./content"

/** BG-20: the discount of a document. What it takes off each line is without tax, as all amounts of an e-invoice. */
export type Allowances = {
  /** BT-131: the amount of each line before the discount. */
  lineAmounts: number[]
  /** One in each category and rate. */
  allowances: Allowance[]
  /** BT-106 and BT-107. */
  lineTotal: number
  allowanceTotal: number
}

/**
 * Returns the discount of a document per category and rate, and the amounts of its lines before it. If prices include
 * tax, the tax is taken out of the discount once per category and rate, and the rest is spread over its lines. So the
 * lines less the allowances are the bases of the taxes, to the last minor unit.
 */
export function allowancesOf(paper: Paper): Allowances {
  const { lines, digits, subtotal } = paper
  const plain = (units: number) => fromUnits(units, digits)
  const minor = (amount: number) => nearestUnits(amount, digits)
  const taken = new Map<PaperLine, number>()
  const reason = paper.discountAmount > 0 ? reasonOf(paper) : ""
  let total = 0
  const allowances = [...Map.groupBy(lines, taxKeyOf).values()].flatMap((group): Allowance[] => {
    const shares = netShares(group, paper)
    group.forEach((line, i) => taken.set(line, shares[i] ?? 0))
    const sum = shares.reduce((all, share) => all + share, 0)
    total += sum
    const { taxCategory, taxRate } = group[0] as PaperLine
    const rate = taxCategory === "O" ? null : taxRate
    return sum > 0 ? [{ amount: plain(sum), reason, category: taxCategory ?? "S", rate }] : []
  })
  return {
    lineAmounts: lines.map((line) => plain(minor(line.amount) + (taken.get(line) ?? 0))),
    allowances,
    lineTotal: plain(minor(subtotal) + total),
    allowanceTotal: plain(total),
  }
}

/** The shares of lines of one category and rate in the discount, without tax, in the minor unit. */
function netShares(lines: readonly PaperLine[], { pricesIncludeTax, digits }: Paper): number[] {
  const shares = lines.map(({ documentDiscount }) => nearestUnits(documentDiscount, digits))
  if (!pricesIncludeTax) return shares
  const sum = shares.reduce((all, share) => all + share, 0)
  return spread(sum - taxIn(sum, nearestUnits(lines[0]?.taxRate ?? 0, priceDigits)), shares)
}

const reasonOf = (paper: Paper): string =>
  discountName({
    paper,
    texts: textsOf[paper.language],
    formats: formatsOf(paper.language, paper.currency),
  })
