import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { applyTax, lineAmounts, totalsOf } from "../money"
import { beforeDiscount, convertedDiscount, discountBy, spreadDiscount, sumBeforeDiscount } from "./discount"

const runs = { numRuns: 3_000 }
const line = fc.record({
  charged: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 200 }),
    fc.integer({ min: 0, max: 1_000_000_000 }),
  ),
  discountAmount: fc.integer({ min: 0, max: 500 }),
  taxRate: fc.constantFrom(0, 70_000, 190_000, 55_555),
  taxCategory: fc.constantFrom("S" as const, null),
})
const document = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 30 }),
  isGross: fc.boolean(),
  percent: fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(0, 50_000, 1_000_000)),
  isAmount: fc.boolean(),
})
type Document = typeof document extends fc.Arbitrary<infer D> ? D : never

const linesOf = ({ lines, isGross }: Document) =>
  lines.map(({ charged, ...rest }) => ({
    ...rest,
    amount: charged,
    grossAmount: isGross ? charged : null,
    documentDiscount: 0,
  }))

/** The discount of a document, given as a percentage or as an amount. */
function discountOf({ percent, isAmount }: Document, full: number) {
  const { discountAmount } = discountBy(full, { discount: percent })
  return discountBy(full, isAmount ? { discountAmount } : { discount: percent })
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

describe("The discount of a document", () => {
  test("is the sum of its shares, and the lines add up to the totals, with any lines, net and gross.", () => {
    fc.assert(
      fc.property(document, (given) => {
        const before = linesOf(given)
        const full = sumBeforeDiscount(before)
        const { discountAmount } = discountOf(given, full)
        const { lines, taxes } = applyTax(spreadDiscount(before, discountAmount), given.isGross)
        const { subtotal, discountTotal, taxTotal, total } = totalsOf(lines, taxes)
        expect(sum(lines.map((each) => each.documentDiscount))).toBe(discountAmount)
        expect(sum(lines.map(({ amount }) => amount))).toBe(subtotal)
        expect(discountTotal).toBe(discountAmount + sum(before.map((each) => each.discountAmount)))
        expect(given.isGross ? total : subtotal).toBe(full - discountAmount)
        expect(total).toBe(subtotal + taxTotal)
        lines.forEach((each, i) => {
          expect(beforeDiscount(each)).toBe(before[i]?.amount ?? NaN)
          expect(Math.min(each.amount, each.documentDiscount, each.grossAmount ?? 0)).toBeGreaterThanOrEqual(
            0,
          )
        })
      }),
      runs,
    )
  })

  test("does not depend on the shares that its lines had before.", () => {
    fc.assert(
      fc.property(document, fc.nat({ max: 1_000_000 }), (given, first) => {
        const before = linesOf(given)
        const full = sumBeforeDiscount(before)
        const spreadOnce = spreadDiscount(before, discountBy(full, { discount: first }).discountAmount)
        const { discountAmount } = discountOf(given, full)
        expect(spreadDiscount(spreadOnce, discountAmount)).toEqual([
          ...spreadDiscount(before, discountAmount),
        ])
      }),
      runs,
    )
  })

  test("of one line is what the same discount of the line would be.", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000 }), fc.nat({ max: 1_000_000 }), (full, discount) => {
        const figures = { quantity: 10_000, rate: full * 100, discount }
        expect(discountBy(full, { discount }).discountAmount).toBe(lineAmounts(figures, 2).discountAmount)
      }),
      runs,
    )
  })

  test("of 5 % on 10.50 is 0.52, because the rest is rounded up, and an amount of it shows its percentage.", () => {
    expect(discountBy(1_050, { discount: 50_000 })).toEqual({
      discount: 50_000,
      discountAmount: 52,
      isDiscountAmount: 0,
    })
    expect(discountBy(1_050, { discountAmount: 50 })).toEqual({
      discount: 47_619,
      discountAmount: 50,
      isDiscountAmount: 1,
    })
    expect(discountBy(1_050, { discountAmount: 0 }).isDiscountAmount).toBe(0)
    expect(discountBy(0, { discount: 50_000 }).discountAmount).toBe(0)
  })

  test("loses the tax of each of its shares.", () => {
    const shares = [
      { documentDiscount: 119, taxRate: 190_000 },
      { documentDiscount: 107, taxRate: 70_000 },
      { documentDiscount: 50, taxRate: 0 },
    ]
    expect(convertedDiscount(shares)).toBe(250)
  })
})
