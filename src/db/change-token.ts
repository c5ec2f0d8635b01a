import type { Database } from "bun:sqlite"

/** What the file is for the present turn of the event loop: what others have written, and a read that is under way. */
type Turn = { version: number; isReading: boolean }
const turns = new WeakMap<Database, Turn>()

/**
 * Another number after another process has written to the file. SQLite is asked once in a turn of the event loop: a
 * request that was sent after the other process was done is taken up in a later one. What is read in the same turn is
 * read in one transaction, so that SQLite takes and gives back its lock once for all of it.
 */
export const otherProcessVersion = (db: Database): number => (turns.get(db) ?? beginTurn(db)).version

function beginTurn(db: Database): Turn {
  const turn = { version: 0, isReading: !db.inTransaction }
  if (turn.isReading) db.query("BEGIN").run()
  try {
    turn.version = db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0
  } catch (error) {
    endRead(db, turn)
    throw error
  }
  turns.set(db, turn)
  setImmediate(() => {
    if (turns.get(db) === turn) turns.delete(db)
    endRead(db, turn)
  })
  return turn
}

/**
 * Ends the turn here and now, with its read. Whoever begins a transaction must, because there is no second within a
 * first, and because it may have to wait for another process: what was known before is then no longer true.
 */
export function endTurn(db: Database): void {
  const turn = turns.get(db)
  if (!turn) return
  turns.delete(db)
  endRead(db, turn)
}

function endRead(db: Database, turn: Turn): void {
  if (!turn.isReading) return
  turn.isReading = false
  try {
    if (db.inTransaction) db.query("COMMIT").run()
  } catch {
    // It was closed meanwhile, which ends everything.
  }
}

/** Another text after anything in the file has changed, whoever has changed it. */
export const changeToken = (db: Database): string =>
  `${otherProcessVersion(db)}.${db.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n}`
