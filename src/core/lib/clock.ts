import { dateIn, timestampOf } from "../../shared/dates"

/** What business time follows; null while it is the wall clock. */
let followed: (() => number) | null = null

/**
 * The two times, in milliseconds since 1970. In a server both are the wall clock. Business time is when something
 * happens in the shop; a demo stops it and moves it forward. Real time is for what programs and files outside agree
 * on, and for protection: signatures of webhooks, tokens and sessions, throttles, rate limits, backups and their names,
 * times of files, and log lines. docs/architecture.md lists which part uses which.
 */
export const clock = {
  business: (): number => (followed ? followed() : Date.now()),
  real: (): number => Date.now(),
}

/** Lets business time follow another clock, that of a demo. Returns a function that ends it. */
export function followClock(read: () => number): () => void {
  followed = read
  return () => {
    if (followed === read) followed = null
  }
}

/** Returns the current time as a UTC timestamp with milliseconds. */
export type Clock = () => string

/** The accepted difference between correct clocks, in milliseconds. */
export const leeway = 60_000

const timesOf = (read: () => number) => ({
  /** A timestamp. It follows adjustments of the clock, so expiry uses it. */
  now: (): string => shown(read()),
  /** Seconds since 1970, for tokens and headers. */
  seconds: (): number => Math.floor(read() / 1000),
  today: (timeZone = "UTC"): string => dateIn(timeZone, read()),
  /** The latest valid timestamp. A later one was written while the clock was wrong, and would not expire for too long. */
  latest: (): string => timestampOf(read() + leeway),
  /** The same limit in milliseconds. */
  latestMillis: (): number => read() + leeway,
})

export const business = timesOf(() => clock.business())
export const real = timesOf(() => clock.real())

/** The last time that was formatted. Every request needs the time, and formatting takes 2 % of its time. */
let moment = { at: 0, text: "" }

function shown(millis: number): string {
  if (millis !== moment.at) moment = { at: millis, text: timestampOf(millis) }
  return moment.text
}

/**
 * The time of writes: business time, which stands still when the clock is set back by up to a minute, as it is adjusted
 * now and then, so that records are in the order of their times. A clock that is set back further was wrong before, and
 * what it says now counts. `floor` is the time of the newest entry of the audit log.
 */
export function systemClock(floor: string | null = null): Clock {
  let latest = floor ?? ""
  return () => {
    const now = business.now()
    if (now >= latest || latest > business.latest()) latest = now
    return latest
  }
}

/** A monotonic clock in milliseconds, for durations. Adjustments of the wall clock do not affect it. */
export const steadyMillis = (): number => performance.now()
