import { dayAt, daysBetween } from "../../shared/dates"
import type { Texts } from "../texts/texts"

type Period = keyof Texts["lists"]["period"]

/** The first and the last day of a period, as in 2026-03-01. */
type Days = [string, string]

const aMonday = "0001-01-01"

/** Periods that people often filter by, relative to today. Weeks begin on Monday, as in the calendar. */
export function datePresets(today: string): { period: Period; value: Days }[] {
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number)
  const monday = day - (daysBetween(aMonday, today) % 7)
  const quarter = month - ((month - 1) % 3)
  return [
    { period: "today", value: [today, today] },
    { period: "thisWeek", value: [dayAt(year, month, monday), dayAt(year, month, monday + 6)] },
    { period: "thisMonth", value: monthsAt(year, month, 1) },
    { period: "lastMonth", value: monthsAt(year, month - 1, 1) },
    { period: "thisQuarter", value: monthsAt(year, quarter, 3) },
    { period: "thisYear", value: monthsAt(year, 1, 12) },
    { period: "lastYear", value: monthsAt(year - 1, 1, 12) },
  ]
}

const monthsAt = (year: number, month: number, count: number): Days => [
  dayAt(year, month, 1),
  dayAt(year, month + count, 0),
]
