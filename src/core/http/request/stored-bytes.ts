import { Refusal } from "../../lib/refusal"
import { steadyMillis } from "../../lib/clock"

/** The bytes that the responses of one user may take in a day, in all credentials of the user. */
const mostBytes = 512 * 1024 ** 2

const hour = 60 * 60_000
const hoursKept = 24

/**
 * Counts the bytes that are stored for Idempotency-Keys, by user and hour, as long as they are kept. A restart forgets the
 * counts, so this limits how fast a file can be filled, and not what is in it.
 */
export function storedBytes(most = mostBytes, now: () => number = steadyMillis) {
  const counts = new Map<string, Map<number, number>>()
  return (user: string, bytes: number): void => {
    const current = Math.floor(now() / hour)
    const hours = counts.get(user) ?? new Map<number, number>()
    counts.set(user, hours)
    for (const each of hours.keys()) if (each <= current - hoursKept) hours.delete(each)
    const stored = hours.values().reduce((sum, each) => sum + each, 0)
    if (stored + bytes > most)
      throw new Refusal(
        "RATE_LIMIT_EXCEEDED",
        "The responses that are stored for the Idempotency-Keys of your last 24 hours are too large. Repeat the request later, or without a key.",
        { headers: { "retry-after": "3600" } },
      )
    hours.set(current, (hours.get(current) ?? 0) + bytes)
  }
}
