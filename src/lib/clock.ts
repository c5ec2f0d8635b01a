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

/** Seconds since 1970, for tokens and headers. */
export const unixSeconds = (): number => Math.floor(Date.now() / 1000)

/** Milliseconds of a steady clock, for durations and windows; a step of the wall clock does not touch it. */
export const steadyMillis = (): number => performance.now()
