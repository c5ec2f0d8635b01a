import { expect, test } from "bun:test"
import type { PriceChange } from "./model"
import { newPrice } from "./price"

const change = (given: Partial<PriceChange>): PriceChange => ({
  by: "percent",
  value: 0,
  step: 100,
  ending: null,
  ...given,
})

test("a price changes by a percentage and is rounded half up", () => {
  const tenPercent = change({ value: 100_000 })
  expect(newPrice(100_000, tenPercent)).toBe(110_000)
  expect(newPrice(10_500, tenPercent)).toBe(11_600)
  expect(newPrice(10_400, tenPercent)).toBe(11_400)
  expect(newPrice(4_499_000, change({ value: -125_000 }))).toBe(3_936_600)
})

test("a price is rounded once, not first to 1/10000 and then to the step", () => {
  // 1.00495 is nearer to 1.00 than to 1.01, although it is 1.0050 in 1/10000.
  expect(newPrice(10_000, change({ value: 4_950 }))).toBe(10_000)
  expect(newPrice(10_000, change({ value: 5_000 }))).toBe(10_100)
})

test("a price changes by an amount", () => {
  expect(newPrice(100_000, change({ by: "amount", value: -25_000 }))).toBe(75_000)
  expect(newPrice(0, change({ by: "amount", value: 12_345 }))).toBe(1_2300)
})

test("a price is rounded to multiples of the step", () => {
  const to = (step: number) => newPrice(123_700, change({ step }))
  expect([100, 500, 1_000, 10_000].map(to)).toEqual([123_700, 123_500, 124_000, 120_000])
  expect(newPrice(123_750, change({ step: 500 }))).toBe(124_000)
})

test("a price gets the nearest ending, the higher one of two that are equally near", () => {
  const to = (price: number, ending: number) => newPrice(price, change({ ending }))
  expect(to(123_000, 9_900)).toBe(119_900)
  expect(to(125_000, 9_900)).toBe(129_900)
  expect(to(124_900, 9_900)).toBe(129_900)
  expect(to(123_000, 5_000)).toBe(125_000)
  expect(to(124_900, 0)).toBe(120_000)
})

test("the smallest price with an ending is the ending itself", () => {
  expect(newPrice(2_000, change({ ending: 9_900 }))).toBe(9_900)
  expect(newPrice(100, change({ ending: 9_900 }))).toBe(9_900)
  expect(newPrice(100, change({ ending: 0 }))).toBe(0)
})

test("a price of 0 has no ending", () => {
  expect(newPrice(0, change({ value: 100_000, ending: 9_900 }))).toBe(0)
  expect(newPrice(50_000, change({ value: -1_000_000, ending: 9_900 }))).toBe(0)
})

test("a price cannot be negative or larger than the largest", () => {
  expect(newPrice(10_000, change({ by: "amount", value: -10_001 }))).toBe("negative")
  expect(newPrice(10_000, change({ by: "amount", value: -10_000 }))).toBe(0)
  expect(newPrice(9_999_999_999_999, change({ value: 1, step: 1 }))).toBe("too-large")
  expect(newPrice(9_999_999_999_999, change({ step: 1 }))).toBe(9_999_999_999_999)
})
