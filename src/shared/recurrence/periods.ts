// The dates of what recurs: used by the server, and by the console while a person types.
import { dayAt, daysLater } from "../dates"

export const recurrenceUnits = ["week", "month", "year"] as const
export type RecurrenceUnit = (typeof recurrenceUnits)[number]

export type Every = { unit: RecurrenceUnit; count: number }

/** When periods begin: the first on `startsOn`, and after that at equal intervals, until one of the ends. */
export type Schedule = {
  every: Every
  startsOn: string
  /** No period begins after this day. */
  endsOn: string | null
  /** There are at most so many periods. */
  occurrences: number | null
}

/** The first and the last day of a period. */
export type Span = { from: string; to: string }

const lastDate = "9999-12-31"

/** Adds months to a date. In a month that is too short for the day, it is the last day of the month. */
function monthsLater(date: string, months: number): string | null {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number)
  const index = year * 12 + month - 1 + months
  const [inYear, inMonth] = [Math.floor(index / 12), (index % 12) + 1]
  if (inYear > 9999) return null
  const last = Number(dayAt(inYear, inMonth + 1, 0).slice(8))
  return dayAt(inYear, inMonth, Math.min(day, last))
}

/** The day on which a period begins, counted from 1, without regard to the ends; null after the last date there is. */
function beginOf({ every: { unit, count }, startsOn }: Schedule, period: number): string | null {
  const steps = (period - 1) * count
  if (unit !== "week") return monthsLater(startsOn, unit === "year" ? steps * 12 : steps)
  const date = daysLater(startsOn, steps * 7)
  // The year 10000 is written with a sign.
  return date.startsWith("+") ? null : date
}

/** The day on which a period begins, counted from 1; null if the schedule has ended before. */
export function periodStart(schedule: Schedule, period: number): string | null {
  const { endsOn, occurrences } = schedule
  const date = occurrences !== null && period > occurrences ? null : beginOf(schedule, period)
  return date !== null && date <= (endsOn ?? lastDate) ? date : null
}

/** The days of a period. It lasts until the day before the next one, also if that is never. */
export function periodSpan(schedule: Schedule, period: number): Span | null {
  const from = periodStart(schedule, period)
  const next = beginOf(schedule, period + 1)
  return from === null ? null : { from, to: next === null ? lastDate : daysLater(next, -1) }
}

/** The first period from a given one on that begins on a day or later; null if none does. */
export function firstPeriodFrom(schedule: Schedule, period: number, day: string): number | null {
  for (let each = period; ; each++) {
    const begin = periodStart(schedule, each)
    if (begin === null) return null
    if (begin >= day) return each
  }
}

/** The days on which the next periods begin, from a given one on. */
export function nextStarts(schedule: Schedule, period: number, many: number): string[] {
  const starts: string[] = []
  for (let each = period; starts.length < many; each++) {
    const begin = periodStart(schedule, each)
    if (begin === null) break
    starts.push(begin)
  }
  return starts
}
