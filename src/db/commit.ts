import type { Database } from "bun:sqlite"
import { systemClock, type Clock } from "../lib/clock"
import { feedAudit, newestEntryAt } from "./audit-log"
import { groupWriter, type Tx, type Writer } from "./writer"

/** Creates the writer of a file. Its clock starts no earlier than the newest audit entry. */
export function openWriter(
  db: Database,
  onFailure?: (error: unknown) => void,
): { writer: Writer; clock: Clock } {
  const clock = systemClock(newestEntryAt(db))
  return { clock, writer: groupWriter(db, clock, beforeCommit(db), onFailure) }
}

/** Returns a function that writes the audit log of a commit. */
export const beforeCommit = (db: Database): ((writes: Tx[]) => void) => feedAudit(db)
