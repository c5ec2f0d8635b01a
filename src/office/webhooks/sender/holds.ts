import { steadyMillis } from "../../../core/lib/clock"
import type { Log } from "../../../core/lib/process/log"
import type { Active } from "../store"

/** The webhooks that are paused, each of which is logged once. */
export function openPauses(log: () => Log | null) {
  const told = new Set<string>()
  return {
    /** Tells that the events of a webhook wait, unless that was told. */
    tell({ id, owner, isPaused }: Active): void {
      if (!isPaused) return void told.delete(id)
      if (told.has(id)) return
      told.add(id)
      log()?.warn(
        "A webhook is paused: its owner is disabled, or the key or app that has set it up is gone.",
        { webhook: id, owner },
      )
    },
  }
}

export type Pauses = ReturnType<typeof openPauses>

/** The time before a full webhook is tried again, in milliseconds. It doubles with each failure. */
const [shortestHold, longestHold] = [5_000, 60_000]

/** The webhooks that are not called for a while, because they failed when they had no room for another failure. */
export function openHolds(now: () => number = steadyMillis) {
  const holds = new Map<string, { until: number | null; wait: number }>()
  return {
    hold(webhook: string): void {
      const wait = Math.min((holds.get(webhook)?.wait ?? shortestHold / 2) * 2, longestHold)
      holds.set(webhook, { until: now() + wait, wait })
    },
    end: (webhook: string): void => void holds.delete(webhook),
    /**
     * Releases the webhooks whose time is over. Until then they are held, so that a timer is always set for one that was
     * not tried yet.
     */
    release(): void {
      const at = now()
      for (const hold of holds.values()) if (hold.until !== null && hold.until <= at) hold.until = null
    },
    isHeld: (webhook: string): boolean => (holds.get(webhook)?.until ?? null) !== null,
    /** The time until the next one is tried again, in milliseconds; infinite without any. */
    left: (): number => Math.min(...[...holds.values()].map(({ until }) => until ?? Infinity)) - now(),
  }
}

export type Holds = ReturnType<typeof openHolds>
