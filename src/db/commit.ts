import type { Database } from "bun:sqlite"
import { systemClock, type Clock } from "../lib/clock"
import { feedAudit, newestEntryAt } from "./audit-log"
import { feedEvents } from "./events"
import { groupWriter, type Tx, type Writer } from "./writer"

/** Creates the writer of a file. Its clock starts no earlier than the newest audit entry. */
export function openWriter(
  db: Database,
  onFailure?: (error: unknown) => void,
): { writer: Writer; clock: Clock } {
  const clock = systemClock(newestEntryAt(db))
  return { clock, writer: groupWriter(db, clock, beforeCommit(db), onFailure) }
}

/** Returns a function that writes the audit log and the events of a commit. */
export function beforeCommit(db: Database): (writes: Tx[]) => void {
  const [audit, events] = [feedAudit(db), feedEvents(db)]
  return (writes) => {
    audit(writes)
    events(writes)
  }
}
