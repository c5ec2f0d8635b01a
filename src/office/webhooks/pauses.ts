import type { Log } from "../../core/lib/log"
import type { Active } from "./store"

/** The webhooks that are paused, each of which is logged once. */
export function openPauses(log: () => Log | null) {
  const told = new Set<string>()
  return {
    /** Tells that the events of a webhook wait, unless that was told. */
    tell({ id, owner, isPaused }: Active): void {
      if (!isPaused) return void told.delete(id)
      if (told.has(id)) return
      told.add(id)
      log()?.warn("A webhook is paused: its owner is disabled or no longer an admin.", { webhook: id, owner })
    },
  }
}
