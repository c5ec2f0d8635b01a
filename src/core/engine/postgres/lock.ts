import { steadyMillis } from "../../lib/clock"
import { Unusable } from "../../lib/refusal"
import type { Lock } from "../engine"
import type { PostgresDatabase } from "./driver/database"

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
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
      .get(serversLock)
    return (found?.n ?? 0) <= 1
  },
})

const inUse = ({ filename }: PostgresDatabase) =>
  new Unusable(
    `Another Kontor process is using ${filename}. Stop it first, or choose another database with --db.`,
  )
