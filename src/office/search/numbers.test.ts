import { expect, test } from "bun:test"
import { numbersOf } from "./numbers"

const years = ["INV-2025", "INV-2026"]
const of = (typed: string, formats: string[], series = years) =>
  numbersOf(typed, "INV", formats, () => series)

test.each([
  ["42", ["INV-2025-00042", "INV-2026-00042"]],
  ["#42", ["INV-2025-00042", "INV-2026-00042"]],
  ["INV-42", ["INV-2025-00042", "INV-2026-00042"]],
  ["inv42", ["INV-2025-00042", "INV-2026-00042"]],
  ["inv 2026 42", ["INV-2026-00042"]],
  ["2026-42", ["INV-2026-00042"]],
  ["INV-2026-00042", ["INV-2026-00042"]],
  ["so-42", []],
  ["desk 42", []],
  ["42 cm", []],
  ["", []],
  ["12345678901", []],
])("%s in the default format", (typed, numbers) => {
  expect(of(typed, ["INV-{YYYY}-{#####}"])).toEqual(numbers)
})

test.each([
  ["RE/{YY}/{####}", "re 42", ["RE/25/0042", "RE/26/0042"]],
  ["RE/{YY}/{####}", "inv 42", []],
  ["A1-{YYYY}-{##}", "a1 2026 7", ["A1-2026-07"]],
  ["A1-{YYYY}-{##}", "7", ["A1-2025-07", "A1-2026-07"]],
  ["{YYYY}{##}", "7", ["202507", "202607"]],
])("%s finds %s", (format, typed, numbers) => {
  expect(of(typed, [format])).toEqual(numbers)
})

test("a format with a month has a number for each month", () => {
  const found = of("2026 7", ["R{YY}{MM}-{##}"])
  expect(found).toHaveLength(12)
  expect(found).toContain("R2603-07")
})

test("a format without a year has numbers in the series without a year only", () => {
  expect(of("7", ["R-{##}"], ["INV", "INV-2026"])).toEqual(["R-07"])
  expect(of("2026 7", ["R-{##}"], ["INV", "INV-2026"])).toEqual([])
})

test("the formats of before count too", () => {
  expect(of("2026 7", ["RE-{YYYY}-{##}", "INV-{YYYY}-{#####}"])).toEqual(["RE-2026-07", "INV-2026-00007"])
})
