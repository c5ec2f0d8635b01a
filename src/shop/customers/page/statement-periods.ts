import { dayAt } from "../../../shared/dates"

/** A period of a statement. Without a first day it begins with the first document. */
export type Period = { from: string | null; to: string }

export type PeriodName = "thisYear" | "lastYear" | "thisQuarter" | "everything"

/** The day from which a statement shows everything, because the API begins with the year if it gets no first day. */
export const beginning = "1900-01-01"

/** The periods that people ask for most. Those that are not over end today. */
export function statementPeriods(today: string): { name: PeriodName; period: Period }[] {
  const [year = 0, month = 1] = today.split("-").map(Number)
  return [
    { name: "thisYear", period: { from: dayAt(year, 1, 1), to: today } },
    { name: "lastYear", period: { from: dayAt(year - 1, 1, 1), to: dayAt(year - 1, 12, 31) } },
    { name: "thisQuarter", period: { from: dayAt(year, month - ((month - 1) % 3), 1), to: today } },
    { name: "everything", period: { from: null, to: today } },
  ]
}
