import { expect, test } from "bun:test"
import fc from "fast-check"
import { fromUnits } from "../decimal"
import { applyTax, lineAmounts, totalsOf } from "../money"
import { discountBy, spreadDiscount, sumBeforeDiscount } from "./discount"
import { categoryByRate } from "./tax"
import { plainTotals } from "./totals"

const units = (most: number) => fc.integer({ min: 0, max: most * 10_000 })
const line = fc.record({
  quantity: units(100_000),
  rate: units(100_000),
  discount: units(100),
  taxRate: fc.constantFrom(0, 70_000, 190_000, 55_555),
})

test("Totals of plain numbers equal the totals of whole units, for any lines in any currency.", () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.constantFrom(0, 2, 3),
      fc.boolean(),
      units(100),
      fc.boolean(),
      (lines, digits, gross, percent, isAmount) => {
        const counted = lines.map((each) => {
          const amounts = lineAmounts(each, digits)
          const taxCategory = categoryByRate(each.taxRate)
          const grossAmount = gross ? amounts.amount : null
          return { ...each, ...amounts, grossAmount, documentDiscount: 0, taxCategory }
        })
        const full = sumBeforeDiscount(counted)
        const given = isAmount
          ? { discountAmount: Math.floor((full * percent) / 1_000_000) }
          : { discount: percent }
        const { discountAmount } = discountBy(full, given)
        const taxed = applyTax(spreadDiscount(counted, discountAmount), gross)
        const { subtotal, discountTotal, taxTotal, total } = totalsOf(taxed.lines, taxed.taxes)
        const plain = lines.map(({ quantity, rate, discount, taxRate }) => ({
          quantity: fromUnits(quantity, 4),
          rate: fromUnits(rate, 4),
          discount: fromUnits(discount, 4),
          taxRate: fromUnits(taxRate, 4),
        }))
        const discount = isAmount
          ? { discount: 0, discountAmount: fromUnits(discountAmount, digits) }
          : { discount: fromUnits(percent, 4) }
        expect(plainTotals(plain, { digits, pricesIncludeTax: gross, discount })).toMatchObject({
          amounts: counted.map(({ amount }) => fromUnits(amount, digits)),
          subtotal: fromUnits(subtotal, digits),
          discountTotal: fromUnits(discountTotal, digits),
          discountAmount: fromUnits(discountAmount, digits),
          taxTotal: fromUnits(taxTotal, digits),
          total: fromUnits(total, digits),
        })
      },
    ),
    { numRuns: 500 },
  )
})
