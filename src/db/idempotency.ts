import type { Database } from "bun:sqlite"

export type KeptAnswer = {
  fingerprint: string
  status: number
  headers: Record<string, string>
  body: string
}
type Row = Omit<KeptAnswer, "headers"> & { headers: string }

/** The answer that was given under this key since `since`. */
export function findAnswer(db: Database, caller: string, key: string, since: string): KeptAnswer | null {
  const row = db
    .query<Row, [string, string, string]>(
      "SELECT fingerprint, status, headers, body FROM idempotency_keys WHERE caller = ? AND key = ? AND created_at > ?",
    )
    .get(caller, key, since)
  return row && { ...row, headers: JSON.parse(row.headers) as Record<string, string> }
}

export function keepAnswer(db: Database, caller: string, key: string, answer: KeptAnswer, now: string): void {
  db.query(
    `INSERT OR REPLACE INTO idempotency_keys (caller, key, fingerprint, status, headers, body, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(caller, key, answer.fingerprint, answer.status, JSON.stringify(answer.headers), answer.body, now)
}

export function deleteAnswersBefore(db: Database, time: string): void {
  db.query("DELETE FROM idempotency_keys WHERE created_at < ?").run(time)
}
