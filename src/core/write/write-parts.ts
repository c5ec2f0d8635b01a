import type { Database } from "../engine/engine"
import { Refusal } from "../lib/refusal"
import { endTurn } from "../engine/change-token"
import { savepoints } from "../engine/parts"
import { newTx, runAfterUndo, type Actor, type Tx } from "./writer"

/**
 * Runs work in a transaction that is always rolled back, to find out what it would do. Nothing is written to disk, so it
 * takes less time than a write.
 */
export async function rehearse<T>(db: Database, now: string, by: Actor, work: (tx: Tx) => T): Promise<T> {
  const tx = newTx(db, now, by)
  endTurn(db)
  return db.engine.write(() => {
    endTurn(db)
    try {
      return work(tx)
    } finally {
      if (db.inTransaction) db.run("ROLLBACK")
      endTurn(db)
      runAfterUndo(tx)
    }
  })
}

/** The outcome of a part of a write. */
export type PartOutcome<T> = { value: T } | { refusal: Refusal }

/** Runs a part of a write, and undoes it alone if it is refused. */
export function tryPart<T>(db: Database, tx: Tx, work: () => T): PartOutcome<T> {
  const lists = [tx.warnings, tx.numbers, tx.auditEntries, tx.events, tx.searchMarks, tx.afterCommit]
  const lengths = lists.map((list) => list.length)
  const undoFrom = tx.afterUndo.length
  const part = savepoints(db, "part")
  part.begin()
  try {
    const value = work()
    part.keep()
    return { value }
  } catch (error) {
    if (!db.inTransaction || !(error instanceof Refusal) || error.status >= 500) throw error
    part.undo()
    lists.forEach((list, i) => void (list.length = lengths[i] ?? 0))
    for (const run of tx.afterUndo.splice(undoFrom)) run()
    return { refusal: error }
  }
}
