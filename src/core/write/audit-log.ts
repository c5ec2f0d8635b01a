import type { Database, Value } from "../engine/engine"
import { newId } from "../lib/id"
import { digestOf } from "../lib/secret"
import type { Tx } from "./writer"

/** The columns that a hash covers, in this order. */
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

/** The hash that the first entry is chained to. */
export const chainStart = "0".repeat(64)

const hashOf = (before: string, values: unknown[]) => digestOf(`${before}\n${JSON.stringify(values)}`)

/** Returns a function that writes the audit entries of a commit, each chained to the previous one. */
export function feedAudit(db: Database): (writes: Tx[]) => void {
  // The number is given, because PostgreSQL's own numbers have gaps after a rollback.
  const insert = `INSERT INTO audit_logs (${covered.join(", ")}, hash, seq) VALUES (${"?, ".repeat(covered.length)}?, ?)`
  return (writes) => {
    let end: ChainEnd | null = null
    const rows: Value[][] = []
    for (const { auditEntries, by, now } of writes)
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
        end ??= chainEndOf(db)
        end = { head: hashOf(end.head, values), length: end.length + 1 }
        rows.push([...values, end.head, end.length])
      }
    db.engine.runEach(insert, rows)
  }
}

/** The time of the newest entry; the clock must not start before it. */
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

/** The end of the chain. If you store it elsewhere, you can later detect whether an earlier entry was changed. */
export type ChainEnd = { head: string; length: number }

/** Returns the end of the chain in constant time: entry numbers have no gaps, so the last number is the length. */
export function chainEndOf(db: Database): ChainEnd {
  const newest = db.query<ChainEnd, []>(
    "SELECT hash AS head, seq AS length FROM audit_logs ORDER BY seq DESC LIMIT 1",
  )
  return newest.get() ?? { head: chainStart, length: 0 }
}

export type ChainProblems = {
  /** The first entry whose hash does not match the chain. */
  broken: { id: string; position: number } | null
  /** The first gap in the entry numbers. */
  gap: { before: number; after: number } | null
  /** The given heads that are not the hash of any entry before `broken`. */
  lost: string[]
}

/** Verifies the chain from its start. `heads` are earlier ends of the chain, which must still be in it. */
export function walkChain(db: Database, heads: readonly string[] = []): ChainProblems {
  const lost = new Set(heads)
  lost.delete(chainStart)
  let [broken, gap]: [ChainProblems["broken"], ChainProblems["gap"]] = [null, null]
  let [before, position, last] = [chainStart, 0, 0]
  const rows = db.query<Record<(typeof covered)[number] | "hash", string | null> & { seq: number }, []>(
    `SELECT seq, ${covered.join(", ")}, hash FROM audit_logs ORDER BY seq`,
  )
  for (const row of rows.iterate()) {
    position++
    if (row.seq !== last + 1) gap ??= { before: last, after: row.seq }
    last = row.seq
    // Entries after a broken link cannot be verified.
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
