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

let moment = { at: 0, text: "" }

/** The wall clock, which may step: what expires is judged by it, and never by a clock that a wrong date has pushed on. */
export const wallClock: Clock = () => {
  const now = Date.now()
  if (now !== moment.at) moment = { at: now, text: new Date(now).toISOString() }
  return moment.text
}

/** In milliseconds: how far clocks that are right may be apart. */
const leeway = 60_000

/** What is dated after this was written while the clock was wrong, and would otherwise stay good until then. */
export const latestCredible: Clock = () => later(wallClock(), leeway)

/** The same for what counts in seconds. */
export const latestCredibleSecond = (): number => unixSeconds() + leeway / 1000

export const unixMillis = (): number => Date.now()

/** Seconds since 1970, for tokens and headers. */
export const unixSeconds = (): number => Math.floor(Date.now() / 1000)

const dayLength = 24 * 60 * 60_000
let present = { day: -1, text: "" }

/** The present day in UTC; written out once a day, because every request asks for it. */
export function today(): string {
  const day = Math.floor(Date.now() / dayLength)
  if (day !== present.day) present = { day, text: new Date(day * dayLength).toISOString().slice(0, 10) }
  return present.text
}

/** Milliseconds of a steady clock, for durations; a step of the wall clock does not touch it. */
export const steadyMillis = (): number => performance.now()

/** A timestamp that many milliseconds later, or earlier when negative. */
export const later = (timestamp: string, millis: number): string =>
  new Date(Date.parse(timestamp) + millis).toISOString()

type Zone = { format: Intl.DateTimeFormat; minute: number; text: string }
const zones = new Map<string, Zone>()

/** What day it is in a time zone, now or at a given timestamp. Days begin with a minute, wherever one is. */
export function dateIn(timeZone: string, timestamp?: string): string {
  if (timeZone === "UTC")
    return timestamp === undefined ? today() : new Date(timestamp).toISOString().slice(0, 10)
  const format = () => new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" })
  const zone = zones.get(timeZone) ?? { format: format(), minute: -1, text: "" }
  zones.set(timeZone, zone)
  if (timestamp !== undefined) return zone.format.format(new Date(timestamp))
  const minute = Math.floor(Date.now() / 60_000)
  if (minute !== zone.minute) Object.assign(zone, { minute, text: zone.format.format(minute * 60_000) })
  return zone.text
}
