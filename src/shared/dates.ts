/**
 * Arithmetic with dates, which are texts such as 2026-03-05, and with timestamps, which are in UTC with milliseconds.
 * Nothing here reads the clock: `src/core/lib/clock.ts` does, and in the browser `src/console/clock.ts`.
 */

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timestampPattern =
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/
const dayLength = 86_400_000

/** The milliseconds since 1970 of a timestamp, or of the beginning of a date in UTC. */
export const millisOf = (value: string): number => Date.parse(value)

export const timestampOf = (millis: number): string => new Date(millis).toISOString()

/** For libraries that need a Date. */
export const asDate = (value: string | number): Date => new Date(value)

/** True for an existing date: 2028-02-29 exists, 2026-02-30 does not. */
export function isDate(value: string): boolean {
  if (!datePattern.test(value)) return false
  const millis = millisOf(value)
  return !Number.isNaN(millis) && timestampOf(millis).slice(0, 10) === value
}

/** Converts an RFC 3339 timestamp to our format (UTC, milliseconds). Returns null when it is invalid. */
export function toTimestamp(value: string): string | null {
  if (!timestampPattern.test(value) || !isDate(value.slice(0, 10))) return null
  const shown = timestampOf(millisOf(value))
  // With an offset, the UTC year can have more or fewer than four digits, and would not sort correctly as text.
  return shown.length === 24 ? shown : null
}

export const startOfDay = (date: string) => `${date}T00:00:00.000Z`
export const endOfDay = (date: string) => `${date}T23:59:59.999Z`

/** Adds milliseconds to a timestamp; negative values subtract. */
export const later = (timestamp: string, millis: number): string => timestampOf(millisOf(timestamp) + millis)

/** Returns a date. Day 0 is the last day of the month before, and month 0 is the last month of the year before. */
export const dayAt = (year: number, month: number, day: number): string =>
  // Date.UTC would take the years before 100 as those of the 20th century.
  timestampOf(new Date(0).setUTCFullYear(year, month - 1, day)).slice(0, 10)

/** The date a number of days later. */
export const daysLater = (date: string, days: number): string => utcDateOf(millisOf(date) + days * dayLength)

const durationPattern =
  /^P(?=\d|T)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/

/**
 * Adds an ISO 8601 duration such as P1M to a timestamp: first its years and months, and if the month is too short for the
 * day, that is the last one of the month. Returns null when it is no duration, or when the result has no four-digit year.
 */
export function addDuration(timestamp: string, duration: string): string | null {
  const found = durationPattern.exec(duration)
  if (!found) return null
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0))
  const [year, month, day] = [timestamp.slice(0, 4), timestamp.slice(5, 7), timestamp.slice(8, 10)].map(
    Number,
  )
  const index = (year ?? 0) * 12 + (month ?? 1) - 1 + years * 12 + months
  const [inYear, inMonth] = [Math.floor(index / 12), (index % 12) + 1]
  if (inYear > 9_999) return null
  const last = Number(dayAt(inYear, inMonth + 1, 0).slice(8))
  const date = dayAt(inYear, inMonth, Math.min(day ?? 1, last))
  const rest = ((weeks * 7 + days) * 24 + hours) * 3_600_000 + minutes * 60_000 + seconds * 1_000
  const shown = timestampOf(millisOf(`${date}${timestamp.slice(10)}`) + rest)
  return shown.length === 24 ? shown : null
}

/** The number of days from one date to a later one. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((millisOf(to) - millisOf(from)) / dayLength)

/** What a date without a year is near to, and the last date that it can be. */
export type Near = { today: string; latest?: string }

/** Returns a day and a month in the year that is nearest to today; null if they do not exist or are too late. */
export function nearestDate(
  month: number,
  day: number,
  { today, latest = "9999-12-31" }: Near,
): string | null {
  const year = Number(today.slice(0, 4))
  const two = (value: number) => String(value).padStart(2, "0")
  const distance = (date: string) => Math.abs(daysBetween(today, date))
  const [nearest] = [year - 1, year, year + 1]
    .map((each) => `${each}-${two(month)}-${two(day)}`)
    .filter((date) => isDate(date) && date <= latest)
    .toSorted((a, b) => distance(a) - distance(b))
  return nearest ?? null
}

/** Formatters by time zone, because creating one takes longer than most requests. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** The date in a time zone at a timestamp, or at a time in milliseconds. */
export function dateIn(timeZone: string, moment: string | number): string {
  if (timeZone === "UTC") return typeof moment === "string" ? moment.slice(0, 10) : utcDateOf(moment)
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" })
  formats.set(timeZone, format)
  return format.format(typeof moment === "string" ? millisOf(moment) : moment)
}

/** The last date that was formatted. Every request needs the date of today, and formatting takes 2 % of its time. */
let formatted = { day: -1, text: "" }

function utcDateOf(millis: number): string {
  const day = Math.floor(millis / dayLength)
  if (day !== formatted.day) formatted = { day, text: timestampOf(millis).slice(0, 10) }
  return formatted.text
}

/** Returns the moment when a date has ended in a time zone: the first one of the next date there. */
export function endIn(timeZone: string, date: string): string {
  const hour = 3_600_000
  // Time zones are at most 14 hours ahead of UTC and 12 behind it.
  let before = millisOf(date) - 15 * hour
  let after = millisOf(date) + 39 * hour
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dateIn(timeZone, middle) > date) after = middle
    else before = middle
  }
  return timestampOf(after)
}
