import type { Database } from "bun:sqlite"
import { systemClock, type Clock } from "../lib/clock"
import { feedAudit, newestEntryAt } from "./audit-log"
import { feedSearch } from "./search-tables"
import { groupWriter, type Tx, type Writer } from "./writer"

/** Creates the writer of a file. Its clock starts no earlier than the newest audit entry. */
export function openWriter(
  db: Database,
  onFailure?: (error: unknown) => void,
): { writer: Writer; clock: Clock } {
  const clock = systemClock(newestEntryAt(db))
  return { clock, writer: groupWriter(db, clock, beforeCommit(db), onFailure) }
}

/** Returns a function that updates the search tables and the audit log, once per commit. */
export function beforeCommit(db: Database): (writes: Tx[]) => void {
  const [search, audit] = [feedSearch(db), feedAudit(db)]
  return (writes) => {
    search(writes)
    audit(writes)
  }
}
