import { expect, test } from "bun:test"
import {
  canCollide,
  collidingKinds,
  errorOfFormat,
  formatNumber,
  numberPattern,
  readNumber,
  seriesOf,
  tidyFormat,
} from "./number-format"

const day = "2026-03-01"
const formats = {
  customers: "CUST-{#####}",
  salesOrders: "SO-{YYYY}-{#####}",
  invoices: "INV-{YYYY}-{#####}",
}

test.each([
  ["INV-{YYYY}-{#####}", 42, "INV-2026-00042"],
  ["RE{YY}{MM}/{###}", 7, "RE2603/007"],
  ["{#}", 10_001, "10001"],
  ["A {##}", 123, "A 123"],
  ["{####}.{YYYY}", 5, "0005.2026"],
])("%s with the counter %i is %s", (format, counter, number) => {
  expect(errorOfFormat(format)).toBeNull()
  expect(formatNumber(format, { date: day, counter })).toBe(number)
})

test("the counter belongs to the kind and the year if the format has the year, else to the kind alone", () => {
  expect(seriesOf("INV", "INV-{YYYY}-{#####}", day)).toBe("INV-2026")
  expect(seriesOf("INV", "R{YY}-{##}", day)).toBe("INV-2026")
  expect(seriesOf("INV", "INV-{MM}-{#####}", day)).toBe("INV")
  expect(seriesOf("CUST", "{#####}", day)).toBe("CUST")
})

test.each([
  ["", "must consist of"],
  ["INV-", "exactly one counter"],
  ["{##}-{##}", "exactly one counter"],
  ["{###########}", "must consist of"],
  ["INV-{YYY}-{#}", "must consist of"],
  ["{}{#}", "must consist of"],
  ["{YYYY}#", "must consist of"],
  ["RÉ-{#}", "must consist of"],
  ["<b>{#}", "must consist of"],
  ["inv-{#}", "must consist of"],
  [`${"A".repeat(38)}{#}`, "at most 40 characters"],
])("%p is refused", (format, error) => {
  expect(errorOfFormat(format)).toContain(error)
})

test("a format is stored in upper case and without spaces around it", () => {
  expect(tidyFormat(" re-{yyyy}-{##} ")).toBe("RE-{YYYY}-{##}")
})

test.each([
  ["INV-{#####}", "INV-{###}", true],
  ["{YYYY}-{#####}", "{YYYY}-{#}", true],
  ["2{#}", "{####}", true],
  ["A{YYYY}{#}", "A{YY}{#}", true],
  ["A{YY}{#}", "A{MM}{#}", true],
  ["{#}1", "{#}2", false],
  ["A{#}", "B{#}", false],
  ["A-{#}", "A{#}", false],
  ["{YYYY}-{#}", "{YY}-{#}", false],
  ["A{YYYY}-{#}", "A{#}", false],
  ["{##}", "{#}A", false],
])("%s and %s: can both produce the same number? %p", (a, b, expected) => {
  expect(canCollide(a, b)).toBe(expected)
  expect(canCollide(b, a)).toBe(expected)
})

test("the kinds that share a format are named", () => {
  expect(collidingKinds(formats)).toEqual([])
  expect(collidingKinds({ ...formats, invoices: "SO-{YYYY}-{##}" })).toEqual([
    { kind: "invoices", other: "salesOrders" },
  ])
})

test("A format produces the numbers of its pattern, in any case, and no others.", () => {
  const matches = (format: string, numbers: string[]) =>
    numbers.filter((number) => numberPattern(format).test(number))
  expect(matches("INV-{YYYY}-{###}", ["INV-2026-001", "inv-1999-1000", "INV-2026-1001"])).toHaveLength(3)
  const others = [
    "INV-2026-000",
    "INV-2026-01",
    "INV-2026-0123",
    "INV-26-001",
    "INV-2026-001 ",
    "XINV-2026-001",
  ]
  expect(matches("INV-{YYYY}-{###}", others)).toEqual([])
  expect(
    matches("{YY}{MM}.{#}", ["2612.1", "2601.10", "2600.1", "2613.1", "2612.0", "2612x1", "2612.01"]),
  ).toEqual(["2612.1", "2601.10"])
  expect(matches("A{##}7", ["A017", "A007", "A1237", "A0127", "A17"])).toEqual(["A017", "A1237"])
  expect(numberPattern("R{##}").exec("Q01\nR1\nr12\nR13")?.[0]).toBe("r12")
})

test("Every number that a format gives matches its pattern.", () => {
  for (const format of ["{YYYY}/{MM}-{####}", "B{#}", "{##}.{YY}", "X {MM}{YY}{###}/A"])
    for (const counter of [1, 9, 10, 99, 100, 1_234, 100_000])
      expect(formatNumber(format, { date: "2026-11-16", counter })).toMatch(numberPattern(format))
})

test("The year and the counter of a number are read by its format.", () => {
  expect(readNumber("CUST-{#####}", "CUST-00042")).toEqual({ year: null, counter: 42 })
  expect(readNumber("K{YYYY}.{MM}/{###}", "K2026.11/1000")).toEqual({ year: "2026", counter: 1000 })
  expect(readNumber("{YY}{#}", "2612")).toEqual({ year: "2026", counter: 12 })
  for (const number of ["CUST-42", "CUST-00000", "10042", "CUST-00042\nCUST-00043"])
    expect(readNumber("CUST-{#####}", number)).toBeNull()
})
