/** The first and the last day of a period, as in 2026-03-01. */
type Days = [string, string]

/** Periods that people often filter by, relative to today. Weeks begin on Monday, as in the calendar. */
export function datePresets(today: string): { label: string; value: Days }[] {
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number)
  const monday = day - ((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7)
  const quarter = month - ((month - 1) % 3)
  return [
    { label: "Today", value: [today, today] },
    { label: "This week", value: [dayAt(year, month, monday), dayAt(year, month, monday + 6)] },
    { label: "This month", value: monthsAt(year, month, 1) },
    { label: "Last month", value: monthsAt(year, month - 1, 1) },
    { label: "This quarter", value: monthsAt(year, quarter, 3) },
    { label: "This year", value: monthsAt(year, 1, 12) },
    { label: "Last year", value: monthsAt(year - 1, 1, 12) },
  ]
}

/** Day 0 is the last day of the month before, and month 0 is the last month of the year before. */
const dayAt = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

const monthsAt = (year: number, month: number, count: number): Days => [
  dayAt(year, month, 1),
  dayAt(year, month + count, 0),
]
