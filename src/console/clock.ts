/** What the clock of a demo said, and when; null with another server. */
let shop: { said: number; at: number; isRunning: boolean } | null = null

/**
 * The time of this computer, in milliseconds since 1970. `business` is compared with the times of records, and `real`
 * with everything else: the session, limits, and pauses between requests.
 */
export const clock = {
  business: (): number => (shop ? shop.said + (shop.isRunning ? Date.now() - shop.at : 0) : Date.now()),
  real: (): number => Date.now(),
}

/** Lets business time follow the clock of a demo. */
export function followTime({ now, isRunning }: { now: string; isRunning: boolean }): void {
  shop = { said: Date.parse(now), at: Date.now(), isRunning }
}

/** Returns the day of a moment in the user's time zone. */
export function localDay(moment: string | number): string {
  const at = new Date(moment)
  const two = (value: number) => String(value).padStart(2, "0")
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Returns the moment of a time of day in the user's time zone. */
export const localMoment = (day: string, time: string): string => new Date(`${day}T${time}`).toISOString()
