import { describe, expect, test } from "bun:test"
import type { CellType, SheetFormat } from "../model"
import { convert, type Cell } from "./cells"
import { columnLetters, rowConverter } from "./records"

const format: SheetFormat = {
  type: "csv",
  encoding: "utf-8",
  delimiter: ";",
  decimal: ",",
  isDecimalGuessed: false,
  dateOrder: "dmy",
  isDateOrderGuessed: false,
  headingRow: 1,
}

/** The value of a cell, or the sentence that tells why it has none. */
function converted(cell: Cell, type: CellType): unknown {
  const result = convert(cell, type, format)
  return "value" in result ? result.value : result.fault.message
}

describe("A cell", () => {
  test("One of text stays as it is, but for the apostrophe before a formula.", () => {
    expect(converted(" 00123 ", "text")).toBe(" 00123 ")
    expect(converted("'=1+1", "text")).toBe("=1+1")
    expect(converted("'t Hof", "text")).toBe("'t Hof")
    expect(converted("''t Hof", "text")).toBe("'t Hof")
    expect(converted(true, "text")).toBe("true")
    expect(converted({ date: "2026-03-01" }, "text")).toBe("2026-03-01")
  })

  test("One of a number is read by the decimal sign.", () => {
    expect(converted("1.234,56", "number")).toBe(1234.56)
    expect(converted(12.5, "number")).toBe(12.5)
    expect(converted("12,5O", "number")).toBe('"12,5O" is not a number.')
    expect(converted(true, "number")).toBe('"true" is not a number.')
    expect(converted({ date: "2026-03-01" }, "number")).toBe('"2026-03-01" is not a number.')
  })

  test("One of yes or no is read in several languages.", () => {
    for (const word of ["true", "YES", "Ja", "oui", "WAHR", "vrai", "1", "x", " X "])
      expect(converted(word, "boolean")).toBe(true)
    for (const word of ["false", "no", "nein", "non", "FALSCH", "faux", "0"])
      expect(converted(word, "boolean")).toBe(false)
    expect([true, false, 1, 0].map((cell) => converted(cell, "boolean"))).toEqual([true, false, true, false])
    expect(converted("maybe", "boolean")).toBe('"maybe" is neither yes nor no.')
    expect(converted(2, "boolean")).toBe('"2" is neither yes nor no.')
  })

  test("One of a date is read by the order of the file.", () => {
    expect(converted("01.03.2026", "date")).toBe("2026-03-01")
    expect(converted({ date: "2026-03-01" }, "date")).toBe("2026-03-01")
    expect(converted(46_082, "date")).toBe("2026-03-01")
    expect(converted("46082", "date")).toBe('"46082" is not a date.')
    expect(converted(-1, "date")).toBe('"-1" is not a date.')
  })

  test("One of a list is JSON, or has line breaks or bars between its values.", () => {
    expect(converted('["a", "b|c"]', "list")).toEqual(["a", "b|c"])
    expect(converted("a| b |\r\nc\n", "list")).toEqual(["a", "b", "c"])
    expect(converted("a", "list")).toEqual(["a"])
    expect(converted(5, "list")).toEqual(["5"])
    expect(converted('["a"', "list")).toBe('"["a"" is not a list.')
  })

  test("One of an object is JSON, without `__proto__`.", () => {
    expect(converted('{"a": {"b": 1}}', "json")).toEqual({ a: { b: 1 } })
    const value = converted('{"__proto__": {"polluted": true}, "a": 1}', "json")
    expect(Object.keys(value as object)).toEqual(["a"])
    for (const text of ["{", "[1]", "null", "5", `${'{"a":'.repeat(30)}1${"}".repeat(30)}`])
      expect(converted(text, "json")).toEndWith(" is not a JSON object.")
    expect(converted("[".repeat(50_000), "list")).toEndWith(" is not a list.")
  })

  test("A number that can be read in two ways is a fault if no other number tells the decimal sign.", () => {
    const unsure = { ...format, isDecimalGuessed: true }
    for (const text of ["1.234", "-1,234", "999.000"])
      expect(convert(text, "number", unsure)).toEqual({
        fault: {
          code: "AMBIGUOUS_NUMBER",
          params: { value: text },
          message: `"${text}" can be read in two ways: set the decimal sign of the file.`,
        },
      })
    expect(convert("1234", "number", unsure)).toEqual({ value: 1234 })
    expect(convert("'1.234", "number", format)).toEqual({ value: 1234 })
  })

  test("One with the error of a formula has a fault, unless the field is a text.", () => {
    expect(converted("#REF!", "number")).toBe('"#REF!" is the error of a formula.')
    expect(converted("#REF!", "text")).toBe("#REF!")
    expect(converted({ error: "It is wrong." }, "text")).toBe("It is wrong.")
    expect(converted("#1", "text")).toBe("#1")
  })

  test("One that is quoted in a fault is cut to 60 characters in one line.", () => {
    expect(converted("a\nb", "number")).toBe('"a b" is not a number.')
    expect(converted("ab".repeat(100), "boolean")).toBe(`"${"ab".repeat(29)}a…" is neither yes nor no.`)
  })
})

describe("A row", () => {
  test("It has no field for an empty cell.", () => {
    const convertRow = rowConverter(
      ["a", "b"],
      [
        { index: 0, field: "a", type: "number" },
        { index: 1, field: "b.c", type: "text" },
      ],
      format,
    )
    expect(convertRow({ row: 2, cells: ["", "  "] })).toEqual({ row: 2, input: {}, faults: [] })
    expect(convertRow({ row: 3, cells: [null] })).toEqual({ row: 3, input: {}, faults: [] })
  })

  test("It keeps both when a field is an object and has a part of its own.", () => {
    const convertRow = rowConverter(
      ["a", "b"],
      [
        { index: 0, field: "values", type: "json" },
        { index: 1, field: "values.b", type: "text" },
      ],
      format,
    )
    expect(convertRow({ row: 2, cells: ['{"a": 1}', "x"] }).input).toEqual({ values: { a: 1, b: "x" } })
  })
})

test("Columns have the letters of a spreadsheet.", () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual(["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"])
})
