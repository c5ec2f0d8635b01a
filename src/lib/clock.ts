/** Returns the current time as a UTC timestamp with milliseconds. */
export type Clock = () => string

/** A clock that never runs backwards, even across a restart: `floor` is the newest stored timestamp. */
export function systemClock(floor: string | null = null): Clock {
  let latest = floor ? Date.parse(floor) : 0
  let shown = new Date(latest).toISOString()
  return () => {
    const now = Date.now()
    if (now > latest) {
      latest = now
      shown = new Date(now).toISOString()
    }
    return shown
  }
}

/**
 * The wall clock, which can be adjusted. Expiry uses it, because `systemClock` stays ahead after the clock was wrong.
 */
export const wallClock: Clock = () => {
  const now = Date.now()
  if (now !== moment.at) moment = { at: now, text: new Date(now).toISOString() }
  return moment.text
}

/** The last time that was formatted. Every request needs the time and the date, and formatting them takes 3 % of it. */
let moment = { at: 0, text: "" }

/** The accepted difference between correct clocks, in milliseconds. */
const leeway = 60_000

/** The latest valid timestamp. A later one was written while the clock was wrong, and would not expire for too long. */
export const latestCredible: Clock = () => later(wallClock(), leeway)

/** The same limit in milliseconds. */
export const latestCredibleMillis = (): number => unixMillis() + leeway

/** The same limit in seconds. */
export const latestCredibleSecond = (): number => unixSeconds() + leeway / 1000

export const unixMillis = (): number => Date.now()

/** Seconds since 1970, for tokens and headers. */
export const unixSeconds = (): number => Math.floor(Date.now() / 1000)

/** The current date in UTC. */
export function today(): string {
  const day = Math.floor(Date.now() / dayLength)
  if (day !== date.day) date = { day, text: new Date(day * dayLength).toISOString().slice(0, 10) }
  return date.text
}

const dayLength = 24 * 60 * 60_000
let date = { day: -1, text: "" }

/** A monotonic clock in milliseconds, for durations. Adjustments of the wall clock do not affect it. */
export const steadyMillis = (): number => performance.now()

/** Adds milliseconds to a timestamp; negative values subtract. */
export const later = (timestamp: string, millis: number): string =>
  new Date(Date.parse(timestamp) + millis).toISOString()

/** Returns the moment when a date has ended in a time zone: the first one of the next date there. */
export function endIn(timeZone: string, date: string): string {
  const hour = 3_600_000
  // Time zones are at most 14 hours ahead of UTC and 12 behind it.
  let before = Date.parse(date) - 15 * hour
  let after = Date.parse(date) + 39 * hour
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dateIn(timeZone, new Date(middle).toISOString()) > date) after = middle
    else before = middle
  }
  return new Date(after).toISOString()
}

/** Formatters by time zone, because creating one takes longer than most requests. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** The date in a time zone, now or at a given timestamp. */
export function dateIn(timeZone: string, timestamp?: string): string {
  if (timeZone === "UTC") return timestamp?.slice(0, 10) ?? today()
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" })
  formats.set(timeZone, format)
  return format.format(timestamp === undefined ? Date.now() : new Date(timestamp))
}
