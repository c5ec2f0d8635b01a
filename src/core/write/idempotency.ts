import type { Database, Read } from "../engine/engine"
import { business } from "../lib/clock"
import { later } from "../../shared/dates"

const lifetime = 24 * 60 * 60_000

export type StoredAnswer = {
  fingerprint: string
  status: number
  headers: Record<string, string>
  body: string
}
type Row = Omit<StoredAnswer, "headers"> & { headers: string; createdAt: string }

const finding =
  "SELECT fingerprint, status, headers, body, created_at AS createdAt FROM idempotency_keys WHERE caller = ? AND key = ?"

/** The query of `findAnswer`. */
export const answerRead = (caller: string, key: string): Read => ({ sql: finding, values: [caller, key] })

/**
 * Finds the stored response for this key. It expires by the wall clock, and a response dated in the future is ignored,
 * so that a response stored while the clock was wrong is not valid for more than a day.
 */
export function findAnswer(db: Database, caller: string, key: string): StoredAnswer | null {
  const row = db.query<Row, [string, string]>(finding).get(caller, key)
  if (!row || row.createdAt <= earliest() || row.createdAt > business.latest()) return null
  const { fingerprint, status, headers, body } = row
  return { fingerprint, status, headers: JSON.parse(headers) as Record<string, string>, body }
}

export function storeAnswer(db: Database, caller: string, key: string, answer: StoredAnswer): void {
  db.engine.runEach(
    `INSERT INTO idempotency_keys (caller, key, fingerprint, status, headers, body, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (caller, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
       headers = excluded.headers, body = excluded.body, created_at = excluded.created_at`,
    [
      [
        caller,
        key,
        answer.fingerprint,
        answer.status,
        JSON.stringify(answer.headers),
        answer.body,
        business.now(),
      ],
    ],
  )
}

/** Maintenance: deletes at most `most` expired responses, because they can be large. Returns the number deleted. */
export function deleteOldAnswers(db: Database, most: number): number {
  return db
    .query(
      `DELETE FROM idempotency_keys WHERE (caller, key) IN (
         SELECT caller, key FROM idempotency_keys WHERE created_at < ? OR created_at > ? LIMIT ?)`,
    )
    .run(earliest(), business.latest(), most).changes
}

const earliest = () => later(business.now(), -lifetime)
