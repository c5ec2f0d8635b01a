import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { divideRounded, isExact, lineAmounts, partOf, taxesOf, taxOf, totalsOf } from "./money"

const runs = { numRuns: 10_000 }
const digits = fc.constantFrom(0, 2, 3)
const quantity = fc.integer({ min: 1, max: 9_999_999_999_999 })
const line = fc.record({
  quantity: fc.integer({ min: 1, max: 100_000_000 }),
  rate: fc.integer({ min: 0, max: 100_000_000 }),
  discount: fc.integer({ min: 0, max: 1_000_000 }),
  taxRate: fc.constantFrom(0, 70_000, 190_000, 200_000, 33_333),
})

/** Rounds half away from zero, digit by digit on decimal text. It shares no code with the code under test. */
function roundedByHand(numerator: bigint, powerOfTen: number): bigint {
  const negative = numerator < 0n
  const text = (negative ? -numerator : numerator).toString().padStart(powerOfTen + 1, "0")
  const whole = BigInt(text.slice(0, text.length - powerOfTen))
  const next = text[text.length - powerOfTen] ?? "0"
  const rounded = next >= "5" ? whole + 1n : whole
  return negative ? -rounded : rounded
}

describe("an amount", () => {
  test("is quantity × rate × (1 − discount/100), rounded half away from zero", () => {
    fc.assert(
      fc.property(
        quantity,
        quantity,
        fc.integer({ min: 0, max: 1_000_000 }),
        digits,
        (q, rate, discount, d) => {
          const { amount, discountAmount } = lineAmounts({ quantity: q, rate, discount }, d)
          const product = BigInt(q) * BigInt(rate)
          const exact = roundedByHand(product * BigInt(1_000_000 - discount) * 10n ** BigInt(d), 14)
          expect(amount).toBe(Number(exact))
          if (isExact(amount)) expect(BigInt(amount)).toBe(exact)
          const gross = Number(roundedByHand(product * 10n ** BigInt(d), 8))
          if (isExact(gross)) expect(amount + discountAmount).toBe(gross)
        },
      ),
      runs,
    )
  })

  test.each([
    [{ quantity: 10_000, rate: 50, discount: 0 }, 2, 1],
    [{ quantity: 10_000, rate: 49, discount: 0 }, 2, 0],
    [{ quantity: 100_000, rate: 250_000, discount: 50_000 }, 2, 23_750],
    [{ quantity: 30_000, rate: 33_333, discount: 0 }, 2, 1_000],
    [{ quantity: 10_000, rate: 123_456, discount: 1_000_000 }, 2, 0],
    [{ quantity: 10_000, rate: 15_000, discount: 0 }, 0, 2],
    [{ quantity: 10_000, rate: 12_345, discount: 0 }, 3, 1_235],
  ])("%p with %p decimals is %p", (figures, d, amount) => {
    expect(lineAmounts(figures, d).amount).toBe(amount)
  })

  test("rounds away from zero on both sides", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (n) => {
        expect(divideRounded(n, 10n ** 6n)).toBe(roundedByHand(n, 6))
        expect(divideRounded(-n, 10n ** 6n)).toBe(-divideRounded(n, 10n ** 6n))
      }),
      runs,
    )
  })
})

describe("a document", () => {
  test("adds up: Σ amount = subtotal, subtotal + taxTotal = total, tax rounded once per rate", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), digits, (lines, d) => {
        const counted = lines.map((each) => ({ ...each, ...lineAmounts(each, d) }))
        const taxes = taxesOf(counted)
        const { subtotal, taxTotal, total, discountTotal } = totalsOf(counted, taxes)
        expect(subtotal).toBe(counted.reduce((sum, { amount }) => sum + amount, 0))
        expect(total).toBe(subtotal + taxTotal)
        expect(discountTotal).toBe(counted.reduce((sum, { discountAmount }) => sum + discountAmount, 0))
        for (const [rate, tax] of taxes) {
          const base = counted
            .filter(({ taxRate }) => taxRate === rate)
            .reduce((sum, { amount }) => sum + amount, 0)
          expect(tax).toBe(Number(roundedByHand(BigInt(base) * BigInt(rate), 6)))
        }
      }),
      runs,
    )
  })
})

describe("parts", () => {
  test("add up to the whole, and none is negative, for any split", () => {
    fc.assert(
      fc.property(
        line,
        fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 12 }),
        digits,
        (whole, cuts, d) => {
          const weight = cuts.reduce((sum, cut) => sum + cut, 0)
          let done = 0
          let carried = 0
          let carriedTax = 0
          cuts.forEach((cut, i) => {
            done =
              i === cuts.length - 1
                ? whole.quantity
                : Math.min(whole.quantity, done + Math.floor((whole.quantity * cut) / weight))
            const part = partOf(lineAmounts({ ...whole, quantity: done }, d).amount, carried)
            expect(part).toBeGreaterThanOrEqual(0)
            carried += part
            const tax = partOf(taxOf(carried, whole.taxRate), carriedTax)
            expect(tax).toBeGreaterThanOrEqual(0)
            carriedTax += tax
          })
          expect(carried).toBe(lineAmounts(whole, d).amount)
          expect(carriedTax).toBe(taxOf(carried, whole.taxRate))
        },
      ),
      runs,
    )
  })

  test("a hundred parts of a line of 0.50 add up to 0.50", () => {
    let carried = 0
    for (let i = 1; i <= 100; i++) {
      const part = partOf(lineAmounts({ quantity: i * 100, rate: 5_000, discount: 0 }, 2).amount, carried)
      expect(part).toBeGreaterThanOrEqual(0)
      carried += part
    }
    expect(carried).toBe(50)
  })
})
