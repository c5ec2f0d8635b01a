import { expect, test } from "bun:test"
import { amountsOf } from "./amount"

const euro = { currency: "EUR", digits: 2 }

test.each([
  "4413.97",
  "4413,97",
  "4,413.97",
  "4.413,97",
  "4 413,97",
  "4'413.97",
  "4’413.97",
  "€4,413.97",
  "€ 4.413,97",
  "4.413,97 €",
  "4.413,97\u00a0€",
  "EUR 4413.97",
  "4413.97 eur",
])("reads %p as an amount", (typed) => {
  expect(amountsOf(typed, euro)).toEqual([441_397])
})

test("reads a number without decimals, and a number that can have two meanings, by the decimals of the currency", () => {
  expect(amountsOf("500", euro)).toEqual([50_000])
  expect(amountsOf("1,234,567", euro)).toEqual([123_456_700])
  expect(amountsOf("1,234", euro)).toEqual([123_400])
  expect(amountsOf("1,234", { currency: "KWD", digits: 3 })).toEqual([1_234, 1_234_000])
  expect(amountsOf("1,234", { currency: "JPY", digits: 0 })).toEqual([1_234])
})

test.each([
  "",
  "0",
  "0.00",
  "€",
  "042",
  "4413.975",
  "1,2,3",
  "12.34.56",
  "USD 5",
  "inv 42",
  "-5",
  "9".repeat(200),
])("does not read %p as an amount", (typed) => {
  expect(amountsOf(typed, euro)).toEqual([])
})
