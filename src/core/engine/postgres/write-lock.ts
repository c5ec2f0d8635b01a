import type { PostgresDatabase } from "./driver/database"

/** The channel on which a commit tells other processes that something has changed. */
export const changesChannel = "kontor_changes"

/** The number of a connection among all writers, and how often it found that another one has written. */
type Writer = { id: number; others: number }
const writers = new WeakMap<PostgresDatabase, Writer>()

/** How often a write found that another process has written since the one before. */
export const othersWrites = (db: PostgresDatabase): number => writers.get(db)?.others ?? 0

const lock = `SELECT writer, pg_notify('${changesChannel}', '')
  FROM (SELECT writer FROM write_lock WHERE id = 1 FOR UPDATE) AS locked`

/**
 * Begins a write. Writes of all processes run one after the other, because each locks the same row first. The row says who
 * wrote last, because a notification of that write does not arrive inside a transaction. Others are notified when this
 * write is committed.
 */
export function beginPostgresWrite(db: PostgresDatabase): void {
  const writer = writers.get(db) ?? { id: Math.floor(Math.random() * Number.MAX_SAFE_INTEGER), others: 0 }
  writers.set(db, writer)
  db.run("BEGIN")
  try {
    const found = db.query<{ writer: number }, []>(lock).get()
    if (found?.writer === writer.id) return
    writer.others++
    db.defer(`UPDATE write_lock SET writer = ${writer.id} WHERE id = 1`)
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK")
    throw error
  }
}
