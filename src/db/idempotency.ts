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

/** Upkeep: forgets what is not given again. */
export function deleteOldAnswers(db: Database): void {
  db.query("DELETE FROM idempotency_keys WHERE created_at < ? OR created_at > ?").run(
    earliest(),
    latestCredible(),
  )
}

const earliest = () => later(wallClock(), -keptFor)
