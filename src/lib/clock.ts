/** The present instant as a UTC timestamp with milliseconds. */
export type Clock = () => string

/** A clock that never runs backwards, not even across a restart: `floor` is the newest timestamp on file. */
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

/** The wall clock, which may step: what expires is judged by it, and never by a clock that a wrong date has pushed on. */
export const wallClock: Clock = () => new Date().toISOString()

export const unixMillis = (): number => Date.now()

/** Seconds since 1970, for tokens and headers. */
export const unixSeconds = (): number => Math.floor(Date.now() / 1000)

/** The present day in UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10)

/** Milliseconds of a steady clock, for durations; a step of the wall clock does not touch it. */
export const steadyMillis = (): number => performance.now()

/** A timestamp that many milliseconds later, or earlier when negative. */
export const later = (timestamp: string, millis: number): string =>
  new Date(Date.parse(timestamp) + millis).toISOString()

const formats = new Map<string, Intl.DateTimeFormat>()

/** What day it is in a time zone, now or at a given timestamp. */
export function dateIn(timeZone: string, timestamp?: string): string {
  const moment = timestamp === undefined ? new Date() : new Date(timestamp)
  if (timeZone === "UTC") return moment.toISOString().slice(0, 10)
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" })
  formats.set(timeZone, format)
  return format.format(moment)
}
