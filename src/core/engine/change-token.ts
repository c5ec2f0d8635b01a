import type { Database } from "./engine"

/** The state of one turn of the event loop: the file's version and whether a read transaction is open. */
type Turn = { version: number; isReading: boolean }
const turns = new WeakMap<Connection, Turn>()

/** What ending a turn needs of a database. */
type Connection = Pick<Database, "query" | "inTransaction">

/**
 * Returns a number that changes when another process has written to the database. It is read once per turn of the event
 * loop, which is enough: a request that was sent after the other process finished is handled in a later turn. All reads
 * of a turn share one transaction, so that SQLite locks and unlocks the file once for all of them. PostgreSQL notifies
 * this process of writes, and its reads need no transaction.
 */
export const otherProcessVersion = (db: Database): number => (turns.get(db) ?? beginTurn(db)).version

function beginTurn(db: Database): Turn {
  const { changes } = db.engine
  const turn = { version: 0, isReading: changes.sharesReads && !db.inTransaction }
  if (turn.isReading) db.query("BEGIN").run()
  try {
    turn.version = changes.others()
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
 * Ends the turn and its read transaction immediately. Required before a new transaction, for two reasons: transactions
 * do not nest, and a new transaction may wait for another process, after which the cached version is out of date.
 */
export function endTurn(db: Connection): void {
  const turn = turns.get(db)
  if (!turn) return
  turns.delete(db)
  endRead(db, turn)
}

function endRead(db: Connection, turn: Turn): void {
  if (!turn.isReading) return
  turn.isReading = false
  try {
    if (db.inTransaction) db.query("COMMIT").run()
  } catch {
    // The database was closed in the meantime, which ends the transaction.
  }
}

/** A text that changes when anything in the database has changed, by this or another process. */
export const changeToken = (db: Database): string => `${otherProcessVersion(db)}.${db.engine.changes.own()}`
