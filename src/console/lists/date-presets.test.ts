import { describe, expect, test } from "bun:test"
import { datePresets } from "./date-presets"

const of = (today: string) =>
  Object.fromEntries(datePresets(today).map(({ period, value }) => [period, value.join(" ")]))

describe("The periods of a date filter", () => {
  test("are whole weeks, months, quarters and years.", () => {
    expect(of("2026-11-16")).toEqual({
      today: "2026-11-16 2026-11-16",
      thisWeek: "2026-11-16 2026-11-22",
      thisMonth: "2026-11-01 2026-11-30",
      lastMonth: "2026-10-01 2026-10-31",
      thisQuarter: "2026-10-01 2026-12-31",
      thisYear: "2026-01-01 2026-12-31",
      lastYear: "2025-01-01 2025-12-31",
    })
  })

  test("cross the ends of months and years.", () => {
    expect(of("2024-03-31")).toMatchObject({
      thisWeek: "2024-03-25 2024-03-31",
      lastMonth: "2024-02-01 2024-02-29",
      thisQuarter: "2024-01-01 2024-03-31",
    })
    expect(of("2027-01-01")).toMatchObject({
      thisWeek: "2026-12-28 2027-01-03",
      lastMonth: "2026-12-01 2026-12-31",
    })
  })
})
