import { describe, expect, test } from "bun:test"
import { plainTotals } from "./totals"

const line = (quantity: number, rate: number, discount = 0, taxRate = 0) => ({
  quantity,
  rate,
  discount,
  taxRate,
})

describe("The amounts of lines in plain numbers", () => {
  test("An amount is quantity times rate less the discount.", () => {
    expect(plainTotals([line(3, 19.99, 10)], { digits: 2 })).toMatchObject({
      amounts: [53.97],
      discountTotal: 6,
      subtotal: 53.97,
      total: 53.97,
    })
  })

  test("Half a cent is rounded up, even where the binary fraction is slightly below it.", () => {
    expect(plainTotals([line(1, 1.005)], { digits: 2 }).total).toBe(1.01)
    expect(plainTotals([line(1, 8.325)], { digits: 2 }).total).toBe(8.33)
    expect(plainTotals([line(0.5, 0.01)], { digits: 2 }).total).toBe(0.01)
  })

  test("A line is rounded once, after its discount.", () => {
    // Half of 1.005 is 0.5025. If the rate were rounded first, it would be half of 1.01.
    expect(plainTotals([line(1, 1.005, 50)], { digits: 2 })).toMatchObject({
      amounts: [0.5],
      discountTotal: 0.51,
    })
  })
})

describe("The totals of a document in plain numbers", () => {
  test("Tax is rounded once for each rate, and not once for each line.", () => {
    const lines = [line(1, 0.33, 0, 19), line(1, 0.33, 0, 19), line(1, 0.33, 0, 19)]
    expect(plainTotals(lines, { digits: 2 })).toMatchObject({ subtotal: 0.99, taxTotal: 0.19, total: 1.18 })
  })

  test("Each tax rate is listed once with its tax, the highest first.", () => {
    const lines = [line(1, 100, 0, 19), line(2, 50, 0, 7), line(1, 10, 0, 19), line(1, 5)]
    expect(plainTotals(lines, { digits: 2 }).taxes).toEqual([
      { category: "S", rate: 19, base: 110, tax: 20.9 },
      { category: "S", rate: 7, base: 100, tax: 7 },
      { category: null, rate: 0, base: 5, tax: 0 },
    ])
  })

  test("Amounts have the decimals of the currency.", () => {
    expect(plainTotals([line(3, 33.5, 0, 10)], { digits: 0 })).toMatchObject({
      subtotal: 101,
      taxTotal: 10,
      total: 111,
    })
    expect(plainTotals([line(1, 0.0015)], { digits: 3 }).total).toBe(0.002)
  })

  test("Large numbers stay exact.", () => {
    expect(plainTotals([line(99_999_999.9999, 9.9999)], { digits: 2 }).total).toBe(999_990_000)
  })

  test("A value that is not a number counts as zero.", () => {
    expect(plainTotals([line(Number.NaN, 5), line(1, 2)], { digits: 2 })).toMatchObject({
      amounts: [0, 2],
      total: 2,
    })
  })

  test("A document without lines has totals of zero.", () => {
    expect(plainTotals([], { digits: 2 })).toEqual({
      amounts: [],
      subtotal: 0,
      discountTotal: 0,
      discount: 0,
      discountAmount: 0,
      shares: [],
      taxes: [],
      taxTotal: 0,
      total: 0,
    })
  })
})
