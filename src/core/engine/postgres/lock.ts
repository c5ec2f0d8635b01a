import { steadyMillis } from "../../lib/clock"
import { Unusable } from "../../lib/refusal"
import type { Lock } from "../engine"
import type { PostgresDatabase, WriteOptions } from "./driver/database"

/** The key of the lock that the servers of a database share. Who changes the tables has it alone. */
export const serversLock = 0x4b4e5453

/** In milliseconds: how long a server waits for another one that is creating or upgrading the tables. */
const [patience, pause] = [5_000, 50]

/** The locks of a database, which servers share. They are held until the connection is closed. */
export const serverLock = (db: PostgresDatabase): Lock => ({
  alone() {
    if (!db.lock(serversLock)) throw inUse(db)
  },
  async forServer({ isReady, prepare }) {
    for (const began = steadyMillis(); steadyMillis() - began < patience; await Bun.sleep(pause)) {
      // The second look is for a newer server, which may have upgraded the tables before the lock was taken.
      if (isReady() && db.share(serversLock) && isReady()) return
      if (isReady() || !db.lock(serversLock)) continue
      await prepare()
      // Taken before the other one is released, so that nothing comes between.
      db.share(serversLock)
      return db.unlock(serversLock)
    }
    throw inUse(db)
  },
  isOnlyServer() {
    const found = db
      .query<{ n: number }, [number]>(
        `SELECT count(DISTINCT pid) AS n FROM pg_locks WHERE locktype = 'advisory' AND objid::bigint = ?
         AND classid = ${db.space} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
      .get(serversLock)
    return (found?.n ?? 0) <= 1
  },
})

const inUse = ({ filename }: PostgresDatabase) =>
  new Unusable(
    `Another Kontor process is using ${filename}. Stop it first, or choose another database with --db.`,
  )

/** The channel on which a commit tells other processes that something has changed: that of a shop in the schema public. */
export const changesChannel = "kontor_changes"

/** The channel of a shop in any schema. */
export const changesChannelOf = ({ space }: PostgresDatabase): string =>
  space === 0 ? changesChannel : `${changesChannel}_${space}`

/** The number of a connection among all writers, and how often it found that another one has written. */
type Writer = { id: number; others: number }
const writers = new WeakMap<PostgresDatabase, Writer>()

/** How often a write found that another process has written since the one before. */
export const othersWrites = (db: PostgresDatabase): number => writers.get(db)?.others ?? 0

const lockQuery = (db: PostgresDatabase) => `SELECT writer, pg_notify('${changesChannelOf(db)}', '')
  FROM (SELECT writer FROM write_lock WHERE id = 1 FOR UPDATE) AS locked`

/**
 * Runs a write. Writes of all processes run one after the other, because each locks the same row first. The row says who
 * wrote last, because a notification of that write does not arrive inside a transaction. Others are notified when this
 * write is committed.
 */
export function writePostgres<T>(
  db: PostgresDatabase,
  work: () => T | Promise<T>,
  options?: WriteOptions,
): Promise<T> {
  const writer = writers.get(db) ?? { id: Math.floor(Math.random() * Number.MAX_SAFE_INTEGER), others: 0 }
  writers.set(db, writer)
  return db.write(
    lockQuery(db),
    (found) => {
      if (found?.writer !== writer.id) {
        writer.others++
        db.defer(`UPDATE write_lock SET writer = ${writer.id} WHERE id = 1`)
      }
      return work()
    },
    options,
  )
}
