import type { Database } from "bun:sqlite"
import type { Tx } from "../../db/writer"
import { newId } from "../../lib/id"
import { digestOf } from "../../lib/secret"

/** The columns that a hash covers, in its order. */
const covered = [
  "id",
  "request_id",
  "actor_type",
  "actor",
  "actor_name",
  "action",
  "kind",
  "record_id",
  "ip",
  "user_agent",
  "outcome",
  "changes",
  "created_at",
] as const

/** What the first row is chained to. */
export const chainStart = "0".repeat(64)

const hashOf = (before: string, values: unknown[]) => digestOf(`${before}\n${JSON.stringify(values)}`)

/** Writes the audit rows of a commit, each chained to the row before it. */
export function feedAudit(db: Database): (kept: Tx[]) => void {
  const insert = `INSERT INTO audit_logs (${covered.join(", ")}, hash) VALUES (${"?, ".repeat(covered.length)}?)`
  return (kept) => {
    let head: string | null = null
    for (const { auditEntries, by, now } of kept)
      for (const { action, kind, recordId, outcome = "success", changes = {} } of auditEntries) {
        const values = [
          newId("aud", now),
          by.requestId,
          by.type,
          by.id,
          by.name,
          action,
          kind ?? null,
          recordId ?? null,
          by.ip,
          by.userAgent,
          outcome,
          JSON.stringify(changes),
          now,
        ]
        head = hashOf(head ?? headOf(db), values)
        db.query(insert).run(...values, head)
      }
  }
}

/** When the newest entry was written: no clock may start before it. */
export function newestEntryAt(db: Database): string | null {
  const row = db
    .query<{ at: string }, []>("SELECT created_at AS at FROM audit_logs ORDER BY seq DESC LIMIT 1")
    .get()
  return row?.at ?? null
}

export function hasEntries(db: Database, kind: string, recordId: string): boolean {
  return (
    db.query("SELECT 1 FROM audit_logs WHERE record_id = ? AND kind = ? LIMIT 1").get(recordId, kind) !== null
  )
}

/** The newest hash: whoever notes it down can tell later whether anything before it was touched. */
export function headOf(db: Database): string {
  return (
    db.query<{ hash: string }, []>("SELECT hash FROM audit_logs ORDER BY seq DESC LIMIT 1").get()?.hash ??
    chainStart
  )
}

/** Walks the chain from its start. Returns the first row that does not follow from the one before, if any. */
export function findBrokenLink(db: Database): { id: string; position: number } | null {
  let before = chainStart
  let position = 0
  const rows = db.query<Record<(typeof covered)[number] | "hash", string | null>, []>(
    `SELECT ${covered.join(", ")}, hash FROM audit_logs ORDER BY seq`,
  )
  for (const row of rows.iterate()) {
    position++
    const hash = hashOf(
      before,
      covered.map((column) => row[column]),
    )
    if (hash !== row.hash) return { id: row.id ?? "", position }
    before = hash
  }
  return null
}
