import type { Database } from "../../core/engine/engine"
import type { Deleted, EventService } from "../events/service"
import { findPositions, savePosition } from "./store"
import { matchedTypes } from "./types"

type Deps = { db: Database; events: Pick<EventService, "kinds"> }

/**
 * Moves each webhook past the events that are deleted, unless one of them was to be sent to it. So a webhook is behind
 * the oldest event only if it has lost an event, however long nothing happened that it gets.
 */
export function passDeleted({ db, events }: Deps, { first, last, types }: Deleted): void {
  for (const { webhook, position, patterns } of findPositions(db)) {
    if (position < first - 1 || position >= last) continue
    const matched = new Set(matchedTypes(patterns, events.kinds))
    const isLost = types.some(({ type, newest }) => newest > position && matched.has(type))
    if (!isLost) savePosition(db, webhook, last)
  }
}
