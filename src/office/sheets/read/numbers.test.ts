import { describe, expect, test } from "bun:test"
import { numberFault, parseNumber } from "./numbers"

describe("A number", () => {
  test("It can have a decimal point.", () => {
    expect(
      ["12", "-12.5", "+0.5", ".5", "1,234.56", "1,234,567", "1'234.50", "1 234", "1e3"].map(point),
    ).toEqual([12, -12.5, 0.5, 0.5, 1234.56, 1234567, 1234.5, 1234, 1000])
  })

  test("It can have a decimal comma.", () => {
    expect(["12", "-12,5", ",5", "1.234,56", "1.234", "1 234,5", "1\u202f234,5"].map(comma)).toEqual([
      12, -12.5, 0.5, 1234.56, 1234, 1234.5, 1234.5,
    ])
  })

  test("It can be grouped as in India.", () => {
    expect(point("12,34,567.5")).toBe(1234567.5)
  })

  test("It is not a text of which a part is a number.", () => {
    const texts = [
      "",
      "-",
      ".",
      "12,5O",
      "1,23",
      "12,34",
      "1.2.3",
      "1,234,56",
      "0x10",
      "Infinity",
      "NaN",
      "1 2",
      "12 345 6",
      "5-",
    ]
    for (const text of [...texts, "1".repeat(100), "1e999"]) expect(point(text)).toBeNull()
    for (const text of ["1.23", "1.5", "1.234.56", "1,234,567", "1.23.456"]) expect(comma(text)).toBeNull()
  })

  test("One that is wrong is told with the reason.", () => {
    expect(numberFault("12,5O", ",")).toBe('"12,5O" is not a number.')
    expect(numberFault("12,50", ".")).toBe('"12,50" is not a number: the decimal sign of this file is ".".')
    expect(numberFault("19 %", ".")).toBe('"19 %" has a percent sign: write the number alone.')
    expect(numberFault("12,50 €", ",")).toBe('"12,50 €" has a currency: write the number alone.')
    expect(numberFault("$12.50", ".")).toBe('"$12.50" has a currency: write the number alone.')
    expect(numberFault("CHF 1'200.00", ".")).toBe('"CHF 1\'200.00" has a currency: write the number alone.')
    expect(numberFault("5 kg", ".")).toBe('"5 kg" is not a number.')
    expect(numberFault("on request", ".")).toBe('"on request" is not a number.')
    expect(numberFault("x".repeat(1000), ".")).toBe(`"${"x".repeat(59)}…" is not a number.`)
  })
})

const point = (text: string) => parseNumber(text, ".")
const comma = (text: string) => parseNumber(text, ",")
