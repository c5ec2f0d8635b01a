import { describe, expect, test } from "bun:test"
import type { Area } from "../../shared/rights"
import type { Summary } from "./model"
import { ageLimits, periodUpTo, visibleTo } from "./rules"

describe("the period", () => {
  test("is twelve months that end with the current one, across a new year", () => {
    const { months, from, until } = periodUpTo("2026-02-28")
    expect([months.length, months[0], months[9], months[10], months[11]]).toEqual([
      12,
      "2025-03",
      "2025-12",
      "2026-01",
      "2026-02",
    ])
    expect([from, until]).toEqual(["2025-03-01", "2026-03-01"])
  })

  test("ends with the year in December", () => {
    expect(periodUpTo("2026-12-31")).toMatchObject({ from: "2026-01-01", until: "2027-01-01" })
  })
})

test("the age limits are computed in days, across leap days and months of any length", () => {
  expect(ageLimits("2028-03-30")).toEqual(["2028-03-30", "2028-02-29", "2028-01-30", "2027-12-31"])
})

const all = {
  items: 1,
  customers: 2,
  openOrders: 3,
  openInvoices: 4,
  failedMessages: 5,
  uncertainMessages: 6,
  dueReminders: 7,
  recurringProblems: 8,
  recurringSkipped: 9,
}

describe("a caller who may not read an area", () => {
  const summary: Summary = {
    currency: "EUR",
    today: "2026-03-01",
    at: null,
    salesByMonth: [],
    receivables: { total: 1, overdue: 0, buckets: [] },
    lowStock: { count: 0, items: [] },
    latestOrders: [],
    counts: all,
  }
  const cases: [Area, hidden: string[], counts: object][] = [
    ["items", ["lowStock"], { ...all, items: null }],
    ["customers", [], { ...all, customers: null }],
    ["sales-orders", ["salesByMonth", "latestOrders"], { ...all, openOrders: null }],
    [
      "invoices",
      ["salesByMonth", "receivables"],
      {
        ...all,
        openInvoices: null,
        failedMessages: null,
        uncertainMessages: null,
        dueReminders: null,
        recurringProblems: null,
        recurringSkipped: null,
      },
    ],
  ]
  test.each(cases)("%s: sees no part that is computed from it", (closed, hidden, counts) => {
    const seen = visibleTo(summary, (area) => area !== closed)
    const nulls = Object.entries(seen).filter(([name, value]) => value === null && name !== "at")
    expect(nulls.map(([name]) => name)).toEqual(hidden)
    expect(seen.counts).toEqual(counts as Summary["counts"])
    expect(Object.keys(seen)).toEqual(Object.keys(summary))
  })
})
