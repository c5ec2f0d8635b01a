import { describe, expect, test } from "bun:test"
import type { NumberUnit } from "../model"
import { convert } from "./cells"
import { isTotal } from "./shape/totals"
import { withoutSign } from "./signs"

const format = {
  type: "csv",
  encoding: "utf-8",
  delimiter: ";",
  dateOrder: "dmy",
  isDateOrderGuessed: false,
  headingRow: 1,
} as const

function read(text: string, decimal: "." | ",", unit: NumberUnit | null): unknown {
  const form = { decimal, isDecimalGuessed: false, unit }
  const found = convert(text, "number", { ...format, ...form }, form)
  return "value" in found ? found.value : found.fault.message
}

describe("The sign of a number", () => {
  const euro = { currency: "EUR" }

  test("It is left out where the column is money of this currency.", () => {
    const texts = ["1.234,50 €", "€ 1.234,50", "1 234,50 EUR", "-1.234,50€", "€ -1.234,50", "eur 1234,50"]
    expect(texts.map((text) => read(text, ",", euro))).toEqual([
      1234.5, 1234.5, 1234.5, -1234.5, -1234.5, 1234.5,
    ])
    const francs = ["CHF 1'234.50", "Fr. 1’234.50", "1234.50 SFr.", "CHF 12.-", "12.–"]
    expect(francs.map((text) => read(text, ".", { currency: "CHF" }))).toEqual([
      1234.5, 1234.5, 1234.5, 12, 12,
    ])
    expect(["$12.50", "US$12.50", "12,- €"].map((text) => read(text, ".", { currency: "USD" }))).toEqual([
      12.5,
      12.5,
      '"12,- €" is in another currency: € is not USD, the currency of the company.',
    ])
  })

  test("Another currency is a fault, and so is percent in money or money in percent.", () => {
    expect(read("$12,50", ",", euro)).toBe(
      '"$12,50" is in another currency: $ is not EUR, the currency of the company.',
    )
    expect(read("19 %", ",", euro)).toBe('"19 %" has a percent sign: write the number alone.')
    expect(read("19 €", ",", "percent")).toBe('"19 €" has a currency: write the number alone.')
    expect(read("19 €", ",", null)).toBe('"19 €" has a currency: write the number alone.')
    expect(["19 %", "19%", "7,7 %", "19"].map((text) => read(text, ",", "percent"))).toEqual([
      19, 19, 7.7, 19,
    ])
  })

  test("It is no other word, and none in a long text.", () => {
    for (const text of ["5 kg", "5 Stk", "12 e", "abc", "€", `${"1".repeat(60)} €`])
      expect(withoutSign(text)).toMatchObject({ text, means: null })
    expect(read("5 kg", ",", euro)).toBe('"5 kg" is not a number.')
  })

  test("A percentage of a spreadsheet is a hundredfold where the field is percent.", () => {
    const form = { decimal: ".", isDecimalGuessed: false } as const
    const percentOf = (share: number, unit: NumberUnit | null) =>
      convert({ percent: share }, "number", { ...format, ...form }, { ...form, unit })
    expect(percentOf(0.19, "percent")).toEqual({ value: 19 })
    expect(percentOf(0.077, "percent")).toEqual({ value: 7.7 })
    expect(percentOf(0.5, null)).toEqual({ value: 0.5 })
    expect(convert({ percent: 0.07 }, "text", { ...format, ...form })).toEqual({ value: "7 %" })
    expect(percentOf(0.19, euro)).toMatchObject({ fault: { code: "NOT_A_NUMBER" } })
  })
})

describe("A row of sums", () => {
  test("It has one text that says so, and numbers.", () => {
    for (const text of [
      "Summe",
      "Gesamt:",
      "TOTAL",
      "Summe netto (EUR)",
      "Total général",
      "Totaal",
      "zzgl. 19 % MwSt",
    ])
      expect([text, isTotal([text, null, "1.234,50 €", 3])]).toEqual([text, !text.startsWith("zzgl")])
    expect(isTotal(["", "Summe", "12"])).toBeTrue()
  })

  test("It is no record whose name begins so.", () => {
    expect(isTotal(["Total Energies GmbH", "5000"])).toBeFalse()
    expect(isTotal(["TOTAL", "Motor oil", 12])).toBeFalse()
    expect(isTotal(["Summe"])).toBeFalse()
    expect(isTotal(["Summe", "x".repeat(30_000), 5])).toBeFalse()
    expect(isTotal(["1", 2])).toBeFalse()
  })
})
