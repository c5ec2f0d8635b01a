import type { Database } from "./engine"
import { systemClock, type Clock } from "../lib/clock"
import { feedAudit, newestEntryAt } from "./audit-log"
import { feedEvents } from "./events"
import { groupWriter, type Tx, type Writer } from "./writer"

/** Calls a listener after each commit that wrote events. Returns the function that ends it. */
export type Subscribe = (listener: () => void) => () => void

/** Creates the writer of a file. Its clock starts no earlier than the newest audit entry. */
export function openWriter(
  db: Database,
  onFailure?: (error: unknown) => void,
): { writer: Writer; clock: Clock; subscribe: Subscribe } {
  const clock = systemClock(newestEntryAt(db))
  const listeners = new Set<() => void>()
  const tell = () => [...listeners].forEach((listener) => listener())
  const subscribe: Subscribe = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { clock, writer: groupWriter(db, clock, beforeCommit(db, tell), onFailure), subscribe }
}

/** Returns a function that writes the audit log and the events of a commit. `tell` runs after a commit with events. */
export function beforeCommit(db: Database, tell: () => void = () => {}): (writes: Tx[]) => void {
  const [audit, events] = [feedAudit(db), feedEvents(db)]
  return (writes) => {
    audit(writes)
    events(writes)
    writes.findLast((tx) => tx.events.length > 0)?.afterCommit.push(tell)
  }
}
