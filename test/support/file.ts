import type { SqliteDatabase } from "../../src/core/engine/sqlite/database"
import { beginWrite, isPostgres, openTested, tellServer } from "./engine"
import type { Kontor } from "./kontor"
import { heard, until } from "./until"

/** Reads or changes the file while the server runs, to simulate elapsed time or an attacker. */
export function inFile<T>(kontor: Pick<Kontor, "file">, work: (db: SqliteDatabase) => T): T {
  const db = openTested(kontor.file)
  try {
    const result = work(db)
    tellServer(db)
    return result
  } finally {
    db.close()
  }
}

/**
 * Changes the file like another process while a request waits: the request begins before the change is committed, and
 * writes after it.
 */
export async function changeAhead<T>(
  kontor: Pick<Kontor, "file" | "output" | "url">,
  change: (db: SqliteDatabase) => unknown,
  request: () => Promise<T>,
): Promise<T> {
  // A tenth of a second after its start, a server writes, and would wait for the change before it hears of the request.
  await until(() => kontor.output.stderr.includes("The end of the audit log."))
  await heard(kontor)
  const db = openTested(kontor.file)
  try {
    if (!isPostgres) db.run("PRAGMA foreign_keys = ON")
    beginWrite(db)
    change(db)
    const answer = request()
    if (isPostgres) {
      let hasEnded = false
      const end = () => {
        hasEnded = true
      }
      answer.then(end, end)
      await until(() => hasEnded || isWaitedFor(db))
    } else await Bun.sleep(300)
    db.run("COMMIT")
    return await answer
  } finally {
    db.close()
  }
}

/** True when a write of the server waits for the lock of this transaction. */
function isWaitedFor(db: SqliteDatabase): boolean {
  // A transaction sees the same activity until it forgets it.
  db.query("SELECT pg_stat_clear_snapshot()").get()
  const waiting = db.query<{ n: number }, []>(
    `SELECT CAST(count(*) AS INTEGER) AS n FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return (waiting.get()?.n ?? 0) > 0
}

/** Lets the statements of a connection break references between tables, as SQLite does for a connection by default. */
export function withoutReferences(db: SqliteDatabase): void {
  db.run(isPostgres ? "SET session_replication_role = replica" : "PRAGMA foreign_keys = OFF")
}

const units = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

/** Moves all timestamps of a column by an interval such as `-2 hours`. */
export function shiftTimes(db: SqliteDatabase, table: string, column: string, by: string): void {
  const [count, unit] = by.split(" ")
  const millis = Number(count) * units[unit as keyof typeof units]
  const found = db.query<{ at: string | null }, []>(`SELECT DISTINCT ${column} AS at FROM ${table}`).all()
  const times = found.flatMap(({ at }) => at ?? []).toSorted()
  // In this order, no time becomes one that is moved later.
  for (const at of millis < 0 ? times : times.toReversed())
    db.query(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(
      new Date(Date.parse(at) + millis).toISOString(),
      at,
    )
}
