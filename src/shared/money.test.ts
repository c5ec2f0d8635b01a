import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  applyTax,
  divideRounded,
  isExact,
  lineAmounts,
  partOf,
  shareOf,
  spread,
  taxKeyOf,
  taxOf,
  totalsOf,
  withoutTax,
  withTax,
  type Carried,
} from "./money"

const runs = { numRuns: 10_000 }
const digits = fc.constantFrom(0, 2, 3)
const quantity = fc.integer({ min: 1, max: 9_999_999_999_999 })
const line = fc.record({
  quantity: fc.integer({ min: 1, max: 100_000_000 }),
  rate: fc.integer({ min: 0, max: 100_000_000 }),
  discount: fc.integer({ min: 0, max: 1_000_000 }),
  taxRate: fc.constantFrom(0, 70_000, 190_000, 200_000, 33_333),
  taxCategory: fc.constantFrom("S" as const, "AE" as const, null),
})
const lines = fc.array(line, { minLength: 1, maxLength: 20 })

/** The lines of a document whose prices include tax, or do not. */
const counted = (given: { quantity: number; rate: number; discount: number }[], d: number, gross: boolean) =>
  given.map((each) => {
    const amounts = lineAmounts(each, d)
    return { ...each, ...amounts, documentDiscount: 0, grossAmount: gross ? amounts.amount : null }
  }) as (typeof line extends fc.Arbitrary<infer L>
    ? L & { amount: number; discountAmount: number; documentDiscount: number; grossAmount: number | null }
    : never)[]

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

  test("of small numbers without a discount is computed exactly, too", () => {
    const small = fc.integer({ min: 0, max: 3_000_000_000 })
    fc.assert(
      fc.property(small, small, digits, (q, rate, d) => {
        const exact = roundedByHand(BigInt(q) * BigInt(rate) * 10n ** BigInt(d), 8)
        expect(lineAmounts({ quantity: q, rate, discount: 0 }, d)).toEqual({
          amount: Number(exact),
          discountAmount: 0,
        })
        expect(taxOf(q, rate % 1_000_000)).toBe(
          Number(roundedByHand(BigInt(q) * BigInt(rate % 1_000_000), 6)),
        )
      }),
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
  test("adds up: Σ amount = subtotal, subtotal + taxTotal = total, tax rounded once per category and rate", () => {
    fc.assert(
      fc.property(lines, digits, (given, d) => {
        const before = counted(given, d, false)
        const { lines: after, taxes } = applyTax(before, false)
        expect(after).toBe(before)
        const { subtotal, taxTotal, total, discountTotal } = totalsOf(after, taxes)
        expect(subtotal).toBe(after.reduce((sum, { amount }) => sum + amount, 0))
        expect(total).toBe(subtotal + taxTotal)
        expect(discountTotal).toBe(after.reduce((sum, { discountAmount }) => sum + discountAmount, 0))
        for (const { category, rate, base, tax } of taxes) {
          const own = after.filter((each) => each.taxRate === rate && each.taxCategory === category)
          expect(base).toBe(own.reduce((sum, { amount }) => sum + amount, 0))
          expect(tax).toBe(Number(roundedByHand(BigInt(base) * BigInt(rate), 6)))
        }
      }),
      runs,
    )
  })

  test("with tax in its prices has the typed prices as its total, and net + tax = gross per category and rate", () => {
    fc.assert(
      fc.property(lines, digits, (given, d) => {
        const { lines: after, taxes } = applyTax(counted(given, d, true), true)
        const { total } = totalsOf(after, taxes)
        expect(total).toBe(after.reduce((sum, { grossAmount }) => sum + (grossAmount ?? 0), 0))
        for (const { category, rate, base, tax } of taxes) {
          const own = after.filter((each) => each.taxRate === rate && each.taxCategory === category)
          const gross = own.reduce((sum, { grossAmount }) => sum + (grossAmount ?? 0), 0)
          expect(base + tax).toBe(gross)
          expect(base).toBe(own.reduce((sum, { amount }) => sum + amount, 0))
          // The tax is gross × rate ÷ (100 + rate), to the nearest minor unit.
          const twice = 2n * (BigInt(gross) * BigInt(rate) - BigInt(tax) * BigInt(1_000_000 + rate))
          expect(twice < BigInt(1_000_000 + rate) && twice >= -BigInt(1_000_000 + rate)).toBe(true)
          for (const { amount, grossAmount } of own) {
            expect(amount).toBeGreaterThanOrEqual(0)
            expect(amount).toBeLessThanOrEqual(grossAmount ?? 0)
            if (gross > 0) expect(Math.abs(amount - ((grossAmount ?? 0) * base) / gross)).toBeLessThan(1)
          }
        }
      }),
      runs,
    )
  })

  test("of three lines of 19.99 with 19 % in them is 59.97, and equal remainders go to the first lines", () => {
    const one = { quantity: 10_000, rate: 199_900, discount: 0, taxRate: 190_000, taxCategory: "S" as const }
    const { lines: after, taxes } = applyTax(counted([one, one, one], 2, true), true)
    expect(after.map(({ amount }) => amount)).toEqual([1_680, 1_680, 1_679])
    expect(taxes).toEqual([{ category: "S", rate: 190_000, base: 5_039, tax: 958 }])
    expect(totalsOf(after, taxes).total).toBe(5_997)
  })
})

describe("a price", () => {
  test("with tax and without it convert into each other", () => {
    expect(withoutTax(199_900, 190_000)).toBe(167_983)
    expect(withTax(167_983, 190_000)).toBe(199_900)
    expect(withTax(100_000, 0)).toBe(100_000)
  })
})

describe("an amount that is spread", () => {
  const weights = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 }), fc.maxSafeNat()), {
    minLength: 1,
    maxLength: 500,
  })
  const sumOf = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

  test("adds up, each part is its proportion to less than one unit, and none is larger than its weight", () => {
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (given, part) => {
        const all = sumOf(given)
        fc.pre(isExact(all))
        const amount = Math.floor(all * part)
        const parts = spread(amount, given)
        expect(sumOf(parts)).toBe(amount)
        parts.forEach((each, i) => {
          const weight = BigInt(given[i] ?? 0)
          const apart = BigInt(each) * BigInt(all) - BigInt(amount) * weight
          expect(apart > -BigInt(all) || all === 0).toBe(true)
          expect(apart < BigInt(all) || all === 0).toBe(true)
          expect(each >= 0 && BigInt(each) <= weight).toBe(true)
        })
      }),
      { numRuns: 500 },
    )
  })

  test("gives what rounding leaves to the largest remainders, of equal ones to the first", () => {
    expect(spread(10, [1, 1, 1])).toEqual([4, 3, 3])
    expect(spread(100, [1, 1, 1])).toEqual([34, 33, 33])
    expect(spread(5, [10, 0, 25, 15])).toEqual([1, 0, 3, 1])
    expect(spread(3, [3, 3, 5])).toEqual([1, 1, 1])
    expect(spread(2, [1, 2, 4])).toEqual([0, 1, 1])
    expect(spread(0, [0, 0])).toEqual([0, 0])
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

  const order = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    isGross: fc.boolean(),
    cuts: fc.array(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }), {
      maxLength: 8,
    }),
  })

  test("of a whole order add up to it in gross, net and tax, in any order and size", () => {
    fc.assert(
      fc.property(order, digits, ({ lines: ordered, isGross, cuts }, d) => {
        const before = counted(ordered, d, isGross)
        const whole = applyTax(before, isGross)
        const done = before.map(() => 0)
        const charged = before.map(() => 0)
        const carried = new Map<string, Carried>()
        const sums = { subtotal: 0, taxTotal: 0, total: 0 }
        // The last part is everything that is left.
        for (const cut of [...cuts, before.map(() => 1)]) {
          const part = before.map((each, i) => {
            const left = each.quantity - (done[i] ?? 0)
            done[i] = (done[i] ?? 0) + Math.floor(left * (cut[i] ?? 0))
            const everything = lineAmounts({ ...each, quantity: done[i] ?? 0 }, d).amount
            const amount = partOf(everything, charged[i] ?? 0)
            charged[i] = (charged[i] ?? 0) + amount
            return { ...each, amount, grossAmount: isGross ? amount : null }
          })
          const billed = applyTax(part, isGross, carried)
          for (const { category, rate, base, tax } of billed.taxes) {
            const key = taxKeyOf({ taxCategory: category, taxRate: rate })
            const had = carried.get(key) ?? { charged: 0, tax: 0 }
            carried.set(key, { charged: had.charged + base + (isGross ? tax : 0), tax: had.tax + tax })
            expect(Math.min(base, tax)).toBeGreaterThanOrEqual(0)
          }
          const totals = totalsOf(billed.lines, billed.taxes)
          sums.subtotal += totals.subtotal
          sums.taxTotal += totals.taxTotal
          sums.total += totals.total
        }
        const { subtotal, taxTotal, total } = totalsOf(whole.lines, whole.taxes)
        expect(sums).toEqual({ subtotal, taxTotal, total })
      }),
      { numRuns: 2_000 },
    )
  })

  test("of a discount given as an amount add up to it", () => {
    expect([1, 2, 3].map((part) => shareOf(100, part, 3))).toEqual([33, 67, 100])
  })
})
