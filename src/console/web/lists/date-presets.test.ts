import { describe, expect, test } from "bun:test"
import { datePresets } from "./date-presets"

const of = (today: string) =>
  Object.fromEntries(datePresets(today).map(({ label, value }) => [label, value.join(" ")]))

describe("The periods of a date filter", () => {
  test("are whole weeks, months, quarters and years.", () => {
    expect(of("2026-11-16")).toEqual({
      Today: "2026-11-16 2026-11-16",
      "This week": "2026-11-16 2026-11-22",
      "This month": "2026-11-01 2026-11-30",
      "Last month": "2026-10-01 2026-10-31",
      "This quarter": "2026-10-01 2026-12-31",
      "This year": "2026-01-01 2026-12-31",
      "Last year": "2025-01-01 2025-12-31",
    })
  })

  test("cross the ends of months and years.", () => {
    expect(of("2024-03-31")).toMatchObject({
      "This week": "2024-03-25 2024-03-31",
      "Last month": "2024-02-01 2024-02-29",
      "This quarter": "2024-01-01 2024-03-31",
    })
    expect(of("2027-01-01")).toMatchObject({
      "This week": "2026-12-28 2027-01-03",
      "Last month": "2026-12-01 2026-12-31",
    })
  })
})
