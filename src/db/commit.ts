import type { Database } from "bun:sqlite"
import { systemClock, type Clock } from "../lib/clock"
import { feedAudit, newestEntryAt } from "./audit-log"
import { feedSearch } from "./search-tables"
import { groupWriter, type Tx, type Writer } from "./writer"

/** The writer of a file. The clock starts no earlier than the newest audit entry. */
export function openWriter(
  db: Database,
  onFailure?: (error: unknown) => void,
): { writer: Writer; clock: Clock } {
  const clock = systemClock(newestEntryAt(db))
  return { clock, writer: groupWriter(db, clock, beforeCommit(db), onFailure) }
}

/** What is written once per commit for all that it holds: the words that search knows, and the audit log. */
export function beforeCommit(db: Database): (kept: Tx[]) => void {
  const [search, audit] = [feedSearch(db), feedAudit(db)]
  return (kept) => {
    search(kept)
    audit(kept)
  }
}
