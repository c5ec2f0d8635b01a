import { expect, test } from "bun:test"
import type { Warning } from "../../core/lib/warning"
import { warnOfDate } from "./dates"

const isWarned = (date: string, today: string) => {
  const warnings: Warning[] = []
  warnOfDate(warnings, "invoiceDate", date, today)
  return warnings.length > 0
}

test.each([
  ["2026-11-16", "2025-11-16", false],
  ["2026-11-16", "2025-11-15", true],
  ["2026-11-16", "2026-12-16", false],
  ["2026-11-16", "2026-12-17", true],
  ["2026-12-20", "2027-01-20", false],
  ["2026-12-20", "2027-01-21", true],
  ["2027-01-31", "2027-02-28", false],
  ["2027-01-31", "2027-03-01", true],
  ["2028-02-29", "2027-02-28", false],
  ["2028-02-29", "2027-02-27", true],
  ["2026-11-16", "0001-01-01", true],
  ["2026-11-16", "9999-12-31", true],
])("on %s the date %s is unusual: %p", (today, date, expected) => {
  expect(isWarned(date, today)).toBe(expected)
})
