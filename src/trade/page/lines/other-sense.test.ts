import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { freeLine, type LineValues } from "./line-values"
import { converted, inOtherSense } from "./other-sense"

const line = (over: Partial<LineValues>): LineValues => ({ ...freeLine(), ...over })
const priced = { taxRate: 19, usualRate: undefined, before: undefined }

describe("A price in the other sense", () => {
  test("has the tax of its line, rounded to four decimals.", () => {
    expect(converted(100, { addsTax: true, taxRate: 19 }, 4)).toBe(119)
    expect(converted(0.01, { addsTax: true, taxRate: 19 }, 4)).toBe(0.0119)
    expect(converted(19.99, { addsTax: false, taxRate: 19 }, 4)).toBe(16.7983)
    expect(converted(100, { addsTax: true, taxRate: 0 }, 4)).toBe(100)
    for (const typed of ["", "abc"]) expect(converted(typed, { addsTax: true, taxRate: 19 }, 4)).toBe(typed)
  })

  test("is the typed one again after two conversions, at any rate, without knowing it if it has three decimals.", () => {
    const given = fc.record({
      price: fc.integer({ min: 0, max: 99_999_999 }),
      decimals: fc.constantFrom(0, 2, 3, 4),
      taxRate: fc.constantFrom(0, 2.1, 5.5, 7, 8.1, 19, 25),
      addsTax: fc.boolean(),
    })
    fc.assert(
      fc.property(given, ({ price, decimals, taxRate, addsTax }) => {
        const typed = price / 10 ** decimals
        const other = converted(typed, { addsTax, taxRate }, 4)
        const known = decimals === 4 ? [typed] : []
        expect(converted(other, { addsTax: !addsTax, taxRate }, 4, known)).toBe(typed)
      }),
      { numRuns: 2_000 },
    )
  })

  test("is not a known one that is another price at the tax rate that the line has by now.", () => {
    expect(converted(100, { addsTax: true, taxRate: 7 }, 4, [119])).toBe(107)
  })
})

describe("A line in the other sense", () => {
  test("has its discount amount converted, and a percentage as it was.", () => {
    const net = inOtherSense(line({ rate: 119, discount: 11.9, isAmount: true }), false, priced, 2)
    expect(net).toMatchObject({ rate: 100, discount: 10 })
    expect(inOtherSense(line({ rate: 119, discount: 10 }), false, priced, 2)).toMatchObject({
      rate: 100,
      discount: 10,
    })
  })

  test("has a discount that is at most its price, also after rounding.", () => {
    const free = line({ rate: 0.02, quantity: 3, discount: 0.06, isAmount: true })
    const { rate, discount } = inOtherSense(free, false, priced, 2)
    expect({ rate, discount }).toEqual({ rate: 0.0168, discount: 0.05 })
  })

  test("gets back the prices that it had before, also a discount that rounding would change.", () => {
    const typed = line({ rate: 12.3456, discount: 0.04, isAmount: true })
    const net = inOtherSense(typed, false, priced, 2)
    expect(inOtherSense(net, true, { ...priced, before: typed }, 2)).toEqual(typed)
  })
})
