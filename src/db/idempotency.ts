import type { Database } from "bun:sqlite"
import { later, latestCredible, wallClock } from "../lib/clock"

const keptFor = 24 * 60 * 60_000

export type KeptAnswer = {
  fingerprint: string
  status: number
  headers: Record<string, string>
  body: string
}
type Row = Omit<KeptAnswer, "headers"> & { headers: string }

/** The answer that was given under this key, as long as it is kept: by the wall clock, which no wrong date stretches. */
export function findAnswer(db: Database, caller: string, key: string): KeptAnswer | null {
  const row = db
    .query<Row, [string, string, string, string]>(
      `SELECT fingerprint, status, headers, body FROM idempotency_keys
       WHERE caller = ? AND key = ? AND created_at > ? AND created_at <= ?`,
    )
    .get(caller, key, earliest(), latestCredible())
  return row && { ...row, headers: JSON.parse(row.headers) as Record<string, string> }
}

export function keepAnswer(db: Database, caller: string, key: string, answer: KeptAnswer): void {
  db.query(
    `INSERT OR REPLACE INTO idempotency_keys (caller, key, fingerprint, status, headers, body, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    caller,
    key,
    answer.fingerprint,
    answer.status,
    JSON.stringify(answer.headers),
    answer.body,
    wallClock(),
  )
}

/** Upkeep: forgets so many answers that are not given again, for they can be large. Returns how many there were. */
export function deleteOldAnswers(db: Database, most: number): number {
  return db
    .query(
      `DELETE FROM idempotency_keys WHERE (caller, key) IN (
         SELECT caller, key FROM idempotency_keys WHERE created_at < ? OR created_at > ? LIMIT ?)`,
    )
    .run(earliest(), latestCredible(), most).changes
}

const earliest = () => later(wallClock(), -keptFor)
