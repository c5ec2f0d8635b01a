import { expect, test } from "bun:test"
import fc from "fast-check"
import { paperOf } from "../../../../test/support/papers"
import { papers } from "../../../../test/support/random-papers"
import type { PaperLine } from "../model"
import { linePriceOf } from "./content"
import { amountText, decimalText } from "./text"

const lineOf = (more: Partial<PaperLine>): PaperLine =>
  ({ ...paperOf([{ quantity: 1, rate: 1 }]).lines[0], ...more }) as PaperLine

test("a net line has its own rate, and its discount as an allowance", () => {
  const line = lineOf({ quantity: 3, rate: 9.9999, discountAmount: 1.5, amount: 28.5 })
  expect(linePriceOf(line)).toEqual({ quantity: 3, price: 9.9999, base: null, allowance: 1.5 })
})

test("a line with tax in its rate has the price without tax", () => {
  const line = lineOf({ quantity: 3, rate: 9.99, amount: 25.18, grossAmount: 29.97 })
  expect(linePriceOf(line)).toEqual({ quantity: 3, price: 8.39333333, base: null, allowance: 0 })
})

test("a part whose cents were carried has the price that gives its amount", () => {
  const line = lineOf({ quantity: 4, rate: 3.3333, amount: 13.34 })
  expect(linePriceOf(line)).toEqual({ quantity: 4, price: 3.335, base: null, allowance: 0 })
})

test("a price that eight decimals cannot express is given for the whole quantity", () => {
  const line = lineOf({ quantity: 12_345_678.9, rate: 0.0001, amount: 1_037.45, grossAmount: 1_234.57 })
  expect(linePriceOf(line)).toEqual({
    quantity: 12_345_678.9,
    price: 1_037.45,
    base: 12_345_678.9,
    allowance: 0,
  })
})

test("a credited amount has the quantity 1", () => {
  const line = lineOf({ quantity: 7, rate: 5, amount: 12.34, isAmount: true })
  expect(linePriceOf(line)).toEqual({ quantity: 1, price: 12.34, base: null, allowance: 0 })
})

test("quantity × price / base − allowance is the amount of any line, as both are written", () => {
  fc.assert(
    fc.property(papers({ isHostile: false, isSparse: false }), ({ lines, digits }) => {
      for (const line of lines) {
        const { quantity, price, base, allowance } = linePriceOf(line)
        const [times, each, per] = [quantity, price, base ?? 1].map((value) => Number(decimalText(value)))
        const amount = ((times ?? 0) * (each ?? 0)) / (per ?? 1) - Number(amountText(allowance, digits))
        expect(Math.abs(amount - line.amount)).toBeLessThan(0.02)
      }
    }),
    { numRuns: 200 },
  )
})

test("amounts have the decimals of the currency, at most two", () => {
  expect([amountText(1_234.5, 2), amountText(1_234, 0), amountText(1.25, 3), amountText(0, 2)]).toEqual([
    "1234.50",
    "1234",
    "1.25",
    "0.00",
  ])
  expect(amountText(90_071_992_547_409.91, 2)).toBe("90071992547409.91")
})

test("decimals are written without exponents and without zeros at the end", () => {
  expect([0.0001, 1e-8, 2, 5.5, 8.39333333, 999_999_999.9999].map(decimalText)).toEqual([
    "0.0001",
    "0.00000001",
    "2",
    "5.5",
    "8.39333333",
    "999999999.9999",
  ])
})
