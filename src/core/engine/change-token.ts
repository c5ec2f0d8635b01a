import { postgresOf, type Database } from "./engine"
import type { PostgresDatabase } from "./postgres/driver/database"
import { othersWrites } from "./postgres/write-lock"

/** The state of one turn of the event loop: the file's version and whether a read transaction is open. */
type Turn = { version: number; isReading: boolean }
const turns = new WeakMap<Database, Turn>()
/** How many notifications of writes of other processes have arrived. */
const notified = new WeakMap<PostgresDatabase, number>()

/**
 * Returns a number that changes when another process has written to the database. It is read once per turn of the event
 * loop, which is enough: a request that was sent after the other process finished is handled in a later turn. All reads
 * of a turn share one transaction, so that SQLite locks and unlocks the file once for all of them. PostgreSQL notifies
 * this process of writes, and its reads need no transaction.
 */
export const otherProcessVersion = (db: Database): number => (turns.get(db) ?? beginTurn(db)).version

function beginTurn(db: Database): Turn {
  const postgres = postgresOf(db)
  const turn = { version: 0, isReading: !postgres && !db.inTransaction }
  if (turn.isReading) db.query("BEGIN").run()
  try {
    turn.version = postgres ? notifiedVersion(postgres) : fileVersion(db)
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

const fileVersion = (db: Database): number =>
  db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0

function notifiedVersion(db: PostgresDatabase): number {
  const others = db.notifications().filter(({ isOwn }) => !isOwn).length
  if (others > 0) notified.set(db, (notified.get(db) ?? 0) + others)
  return (notified.get(db) ?? 0) + othersWrites(db)
}

/**
 * Ends the turn and its read transaction immediately. Required before a new transaction, for two reasons: transactions
 * do not nest, and a new transaction may wait for another process, after which the cached version is out of date.
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
    // The database was closed in the meantime, which ends the transaction.
  }
}

/** A text that changes when anything in the database has changed, by this or another process. */
export const changeToken = (db: Database): string => `${otherProcessVersion(db)}.${totalChanges(db)}`

/** How many rows this process has changed. For PostgreSQL it is the number of statements that may have changed some. */
const totalChanges = (db: Database): number | undefined =>
  (postgresOf(db) ?? db.query<{ changes: number }, []>("SELECT total_changes() AS changes").get())?.changes
