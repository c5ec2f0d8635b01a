import { describe, expect, test } from "bun:test"
import { firstPeriodFrom, nextStarts, periodSpan, periodStart, type Schedule } from "./periods"

const schedule = (startsOn: string, unit: Schedule["every"]["unit"], more: object = {}): Schedule => ({
  every: { unit, count: 1 },
  startsOn,
  endsOn: null,
  occurrences: null,
  ...more,
})

describe("the dates of periods", () => {
  const cases: [string, Schedule, string[]][] = [
    [
      "keep the last day of months without drifting",
      schedule("2027-01-31", "month"),
      ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"],
    ],
    [
      "know leap years",
      schedule("2028-02-29", "year"),
      ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"],
    ],
    [
      "count several months across years",
      schedule("2026-11-30", "month", { every: { unit: "month", count: 3 } }),
      ["2026-11-30", "2027-02-28", "2027-05-30", "2027-08-30", "2027-11-30"],
    ],
    [
      "count weeks across the end of a year",
      schedule("2026-12-21", "week", { every: { unit: "week", count: 2 } }),
      ["2026-12-21", "2027-01-04", "2027-01-18", "2027-02-01", "2027-02-15"],
    ],
    [
      "end with the last day",
      schedule("2027-01-15", "month", { endsOn: "2027-03-15" }),
      ["2027-01-15", "2027-02-15", "2027-03-15"],
    ],
    [
      "end with the number of periods",
      schedule("2027-01-15", "week", { occurrences: 2 }),
      ["2027-01-15", "2027-01-22"],
    ],
    ["end with the last year there is", schedule("9998-06-30", "year"), ["9998-06-30", "9999-06-30"]],
    ["end with the last week there is", schedule("9999-12-28", "week"), ["9999-12-28"]],
  ]
  test.each(cases)("%s", (_, given, expected) => {
    expect(nextStarts(given, 1, 5)).toEqual(expected)
  })
})

test("periods follow each other without a gap, also where a month is too short", () => {
  const monthly = schedule("2027-12-31", "month")
  for (let period = 1; period < 60; period++)
    expect(new Date(`${periodSpan(monthly, period)?.to}T24:00:00Z`).toISOString().slice(0, 10)).toBe(
      periodStart(monthly, period + 1) ?? "",
    )
  // The last one lasts as long as the others.
  expect(periodSpan(schedule("2027-01-01", "month", { occurrences: 1 }), 1)).toEqual({
    from: "2027-01-01",
    to: "2027-01-31",
  })
  expect(periodSpan(schedule("2027-01-01", "month", { occurrences: 1 }), 2)).toBeNull()
})

test("the first period from a day on is the one that begins then or next", () => {
  const monthly = schedule("2027-01-31", "month", { endsOn: "2027-06-30" })
  expect(firstPeriodFrom(monthly, 1, "2027-02-28")).toBe(2)
  expect(firstPeriodFrom(monthly, 1, "2027-03-01")).toBe(3)
  expect(firstPeriodFrom(monthly, 4, "2027-03-01")).toBe(4)
  expect(firstPeriodFrom(monthly, 1, "2027-07-01")).toBeNull()
})
