import { expect, test } from "bun:test"
import { statementPeriods } from "./statement-periods"

const periodsOn = (today: string) =>
  Object.fromEntries(
    statementPeriods(today).map(({ name, period: { from, to } }) => [name, `${from ?? "…"} ${to}`]),
  )

test("the usual periods of a statement end today, or with the last year", () => {
  expect(periodsOn("2026-11-19")).toEqual({
    thisYear: "2026-01-01 2026-11-19",
    lastYear: "2025-01-01 2025-12-31",
    thisQuarter: "2026-10-01 2026-11-19",
    everything: "… 2026-11-19",
  })
  expect(periodsOn("2026-03-31")["thisQuarter"]).toBe("2026-01-01 2026-03-31")
})
