import { steadyMillis } from "../../lib/clock"

/** The time before a full webhook is tried again, in milliseconds. It doubles with each failure. */
const [shortestHold, longestHold] = [5_000, 60_000]

/** The webhooks that are not called for a while, because they failed when they had no room for another failure. */
export function openHolds() {
  const holds = new Map<string, { until: number; wait: number }>()
  return {
    hold(webhook: string): void {
      const wait = Math.min((holds.get(webhook)?.wait ?? shortestHold / 2) * 2, longestHold)
      holds.set(webhook, { until: steadyMillis() + wait, wait })
    },
    end: (webhook: string): void => void holds.delete(webhook),
    isHeld: (webhook: string): boolean => (holds.get(webhook)?.until ?? 0) > steadyMillis(),
    /** The time until the next one is tried again, in milliseconds; infinite without any. */
    left(): number {
      const now = steadyMillis()
      const ends = [...holds.values()].map(({ until }) => until - now).filter((left) => left > 0)
      return Math.min(...ends)
    },
  }
}
