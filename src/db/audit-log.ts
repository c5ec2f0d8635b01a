import type { Database } from "bun:sqlite"
import { newId } from "../lib/id"
import { digestOf } from "../lib/secret"
import type { Tx } from "./writer"

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
      for (const { action, kind, recordId, outcome, changes } of auditEntries) {
        const values = [
          newId("aud", now),
          by.requestId,
          by.type,
          by.id,
          by.name,
          action,
          kind,
          recordId,
          by.ip,
          by.userAgent,
          outcome,
          JSON.stringify(changes),
          now,
        ]
        head = hashOf(head ?? chainEndOf(db).head, values)
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

/** The end of the chain. A copy of it that is kept elsewhere shows later whether an entry before it was changed. */
export type ChainEnd = { head: string; length: number }

/** Cheap however long the log is: the length is the number of the newest entry, for there are no gaps. */
export function chainEndOf(db: Database): ChainEnd {
  const newest = db.query<ChainEnd, []>(
    "SELECT hash AS head, seq AS length FROM audit_logs ORDER BY seq DESC LIMIT 1",
  )
  return newest.get() ?? { head: chainStart, length: 0 }
}

export type ChainFaults = {
  /** The first entry that does not follow from the one before. */
  broken: { id: string; position: number } | null
  /** The first place where numbers are missing. */
  gap: { before: number; after: number } | null
  /** Those of the earlier heads that no entry up to the break has. */
  lost: string[]
}

/** Walks the chain from its start, and looks for the heads that it had earlier. */
export function walkChain(db: Database, heads: readonly string[] = []): ChainFaults {
  const lost = new Set(heads)
  lost.delete(chainStart)
  let [broken, gap]: [ChainFaults["broken"], ChainFaults["gap"]] = [null, null]
  let [before, position, last] = [chainStart, 0, 0]
  const rows = db.query<Record<(typeof covered)[number] | "hash", string | null> & { seq: number }, []>(
    `SELECT seq, ${covered.join(", ")}, hash FROM audit_logs ORDER BY seq`,
  )
  for (const row of rows.iterate()) {
    position++
    if (row.seq !== last + 1) gap ??= { before: last, after: row.seq }
    last = row.seq
    // What follows a broken link is linked to nothing that could be trusted.
    if (broken) continue
    const hash = hashOf(
      before,
      covered.map((column) => row[column]),
    )
    if (hash !== row.hash) broken = { id: row.id ?? "", position }
    else lost.delete(hash)
    before = hash
  }
  return { broken, gap, lost: heads.filter((head) => lost.has(head)) }
}
