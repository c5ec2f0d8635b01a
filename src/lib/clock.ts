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

let moment = { at: 0, text: "" }

/** The wall clock, which can be adjusted. Expiry uses it, never a clock that a wrong date has moved forward. */
export const wallClock: Clock = () => {
  const now = Date.now()
  if (now !== moment.at) moment = { at: now, text: new Date(now).toISOString() }
  return moment.text
}

/** The accepted difference between correct clocks, in milliseconds. */
const leeway = 60_000

/** A later timestamp was written while the clock was wrong. Without this limit it would be valid until then. */
export const latestCredible: Clock = () => later(wallClock(), leeway)

/** The same limit in seconds. */
export const latestCredibleSecond = (): number => unixSeconds() + leeway / 1000

export const unixMillis = (): number => Date.now()

/** Seconds since 1970, for tokens and headers. */
export const unixSeconds = (): number => Math.floor(Date.now() / 1000)

const dayLength = 24 * 60 * 60_000
let present = { day: -1, text: "" }

/** The current date in UTC, formatted once per day, because every request uses it. */
export function today(): string {
  const day = Math.floor(Date.now() / dayLength)
  if (day !== present.day) present = { day, text: new Date(day * dayLength).toISOString().slice(0, 10) }
  return present.text
}

/** A monotonic clock in milliseconds, for durations. Adjustments of the wall clock do not affect it. */
export const steadyMillis = (): number => performance.now()

/** Adds milliseconds to a timestamp; negative values subtract. */
export const later = (timestamp: string, millis: number): string =>
  new Date(Date.parse(timestamp) + millis).toISOString()

type Zone = { format: Intl.DateTimeFormat; minute: number; text: string }
const zones = new Map<string, Zone>()

/** The date in a time zone, now or at a given timestamp. In every time zone a day begins on a full minute. */
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
