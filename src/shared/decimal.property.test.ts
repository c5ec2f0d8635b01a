import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  fromUnits,
  largestPrice,
  nearestUnits,
  plainFromUnits,
  priceDigits,
  roundedTo,
  toUnits,
} from "./decimal"

const digits = fc.integer({ min: 0, max: priceDigits })
/** The largest stock of an item, in units. */
const most = 1e15
const units = fc.oneof(fc.integer({ min: -most, max: most }), fc.constantFrom(0, 1, -1, most, -most))

/** Units written out as a decimal, digit by digit and without any arithmetic. */
function written(count: number, decimals: number): string {
  const text = String(Math.abs(count)).padStart(decimals + 1, "0")
  const [whole, rest] = [text.slice(0, text.length - decimals), text.slice(text.length - decimals)]
  return `${count < 0 ? "-" : ""}${whole}${decimals > 0 ? `.${rest}` : ""}`
}

describe("Units and numbers", () => {
  test("The fast conversion returns the same number as the plain one, and never -0.", () => {
    fc.assert(
      fc.property(units, digits, (count, decimals) => {
        expect(fromUnits(count, decimals)).toBe(plainFromUnits(count, decimals))
      }),
    )
    for (const zero of [0, -0]) expect(fromUnits(zero, 2)).toBe(0)
  })

  test("Units become the number that a person would write, and come back unchanged.", () => {
    fc.assert(
      fc.property(units, digits, (count, d) => {
        const value = fromUnits(count, d)
        expect(value).toBe(Number(written(count, d)) || 0)
        expect(toUnits(value, d)).toBe(count || 0)
        expect(nearestUnits(value, d)).toBe(count || 0)
      }),
      { numRuns: 2_000 },
    )
  })

  test("A number with one decimal too many has no units.", () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 13), max: 10 ** 13 }), digits, (count, d) => {
        fc.pre(count % 10 !== 0)
        expect(toUnits(Number(written(count, d + 1)), d)).toBeNull()
      }),
      { numRuns: 2_000 },
    )
  })

  test("A sum of a few numbers has the units of the exact sum.", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10 ** 12), { minLength: 1, maxLength: 5 }), digits, (counts, d) => {
        const summed = counts.reduce((sum, count) => sum + fromUnits(count, d), 0)
        expect(toUnits(summed, d)).toBe(counts.reduce((sum, count) => sum + count, 0))
      }),
      { numRuns: 2_000 },
    )
  })

  test("A difference of prices below 100,000 has the units of the exact difference.", () => {
    const price = fc.nat(10 ** 9)
    fc.assert(
      fc.property(price, price, (a, b) => {
        expect(toUnits(fromUnits(a, 4) - fromUnits(b, 4), 4)).toBe(a - b)
      }),
      { numRuns: 2_000 },
    )
  })

  test("A price times a whole quantity has the units of the exact product.", () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.nat(10 ** 4), digits, (count, quantity, d) => {
        expect(toUnits(fromUnits(count, d) * quantity, d)).toBe(count * quantity)
      }),
      { numRuns: 2_000 },
    )
  })

  test("A number of up to 15 digits and 10 decimals is never changed.", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(10 ** 15) + 1, max: 10 ** 15 - 1 }),
        fc.integer({ min: 0, max: 10 }),
        digits,
        (count, decimals, d) => {
          const step = 10 ** Math.max(0, decimals - d)
          const units = count % step === 0 ? (count / step) * 10 ** Math.max(0, d - decimals) || 0 : null
          fc.pre(units === null || Math.abs(units) <= most)
          expect(toUnits(Number(written(count, decimals)), d)).toBe(units)
        },
      ),
      { numRuns: 5_000 },
    )
  })

  test("A sum of numbers is rounded to the sum of their units.", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), { maxLength: 20 }),
        digits,
        (counts, d) => {
          const exact = counts.reduce((sum, count) => sum + BigInt(count), 0n)
          const summed = counts.reduce((sum, count) => sum + fromUnits(count, d), 0)
          expect(BigInt(nearestUnits(summed, d))).toBe(exact)
          expect(roundedTo(summed, d)).toBe(fromUnits(Number(exact), d))
        },
      ),
    )
  })

  test("The largest price is exact, and half a unit more has too many decimals.", () => {
    expect(toUnits(largestPrice, priceDigits)).toBe(10 ** 13 - 1)
    expect(toUnits(largestPrice + 0.00005, priceDigits)).toBeNull()
  })

  test("Zero has no sign.", () => {
    for (const zero of [0, -0]) expect(Object.is(fromUnits(zero, 2), 0)).toBeTrue()
    expect(Object.is(roundedTo(-0.001, 2), 0)).toBeTrue()
  })

  test("NaN and infinity have no units.", () => {
    for (const value of [Number.NaN, Infinity, -Infinity]) expect(toUnits(value, 4)).toBeNull()
  })

  test("Whole numbers above 32 bits are not truncated.", () => {
    for (const count of [2 ** 31, 2 ** 32, 2 ** 33 + 1, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER])
      expect(fromUnits(count, 0)).toBe(count)
    expect(fromUnits(2 ** 32 * 100, 2)).toBe(2 ** 32)
  })
})
