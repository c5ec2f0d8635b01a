import type { Database } from "../engine/engine"
import { systemClock, type Clock } from "../lib/clock"
import { feedAudit, newestEntryAt } from "./audit-log"
import { feedEvents } from "./events"
import { listeners, othersWrites, type Subscribe } from "../engine/others-writes"
import { feedWaiting } from "./search-waiting"
import { writeMeter, type WriteMeter } from "./meter"
import { groupWriter, type Tx, type Writer } from "./writer"

export type OpenWriter = {
  writer: Writer
  meter: WriteMeter
  clock: Clock
  /** Calls a listener after each commit that wrote events, and after those of other processes that may have. */
  subscribe: Subscribe
  /** Calls a listener when another process has written. */
  onOthersWrite: Subscribe
}

type Options = { onFailure?: (error: unknown) => void; isTimed?: boolean }

/** Creates the writer of a database. Its clock goes on at the newest audit entry. */
export function openWriter(db: Database, { onFailure, isTimed = true }: Options = {}): OpenWriter {
  const clock = systemClock(newestEntryAt(db))
  const { tell, subscribe: onOwnEvents } = listeners()
  const onOthersWrite = othersWrites(db)
  const subscribe: Subscribe = (listener) => {
    const ends = [onOwnEvents(listener), onOthersWrite(listener)]
    return () => ends.forEach((end) => end())
  }
  const meter = writeMeter()
  const writer = groupWriter(db, clock, beforeCommit(db, tell), onFailure, { meter, isTimed })
  return { clock, writer, meter, subscribe, onOthersWrite }
}

/**
 * Returns a function that writes the audit log, the events and the marks for the search of a commit. `tell` runs after a
 * commit with events.
 */
export function beforeCommit(db: Database, tell: () => void = () => {}): (writes: Tx[]) => void {
  const [audit, events, waiting] = [feedAudit(db), feedEvents(db), feedWaiting(db)]
  return (writes) => {
    audit(writes)
    events(writes)
    waiting(writes)
    writes.findLast((tx) => tx.events.length > 0)?.afterCommit.push(tell)
  }
}
