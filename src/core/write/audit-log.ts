import type { Database, Value } from "../engine/engine"
import { newId } from "../lib/id"
import { digestOf } from "../lib/secret"
import { isAheadOf, setBack } from "./clock-jumps"
import { system, type Actor, type AuditEntry, type Tx } from "./writer"

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

/** The columns that a hash covers too, if the entry has them. Entries of earlier versions have none. */
const coveredIfGiven = ["via", "tool", "client"] as const

const columns = [...covered, ...coveredIfGiven]

const hashOf = (before: string, values: readonly unknown[]) => {
  const isOlder = values.slice(covered.length).every((value) => value === null)
  const hashed = isOlder ? values.slice(0, covered.length) : values
  return digestOf(`${before}\n${JSON.stringify(hashed)}`)
}

/**
 * Returns a function that writes the audit entries of a commit, each chained to the previous one. An entry of its own
 * marks where the clock was set back by more than a day.
 */
export function feedAudit(db: Database): (writes: Tx[]) => void {
  // The number is given, because PostgreSQL's own numbers have gaps after a rollback.
  const insert = `INSERT INTO audit_logs (${columns.join(", ")}, hash, seq) VALUES (${"?, ".repeat(columns.length)}?, ?)`
  return (writes) => {
    const first = writes.find(({ auditEntries, events }) => auditEntries.length > 0 || events.length > 0)
    if (!first) return
    let end = newestOf(db)
    const rows: Value[][] = []
    const add = (entry: AuditEntry, by: Actor, now: string): void => {
      const values = valuesOf(entry, by, now)
      end = { head: hashOf(end.head, values), length: end.length + 1, at: now }
      rows.push([...values, end.head, end.length])
    }
    if (isAheadOf(end.at, first.now)) add(setBack(db, end.at ?? "", first.now), system, first.now)
    for (const { auditEntries, by, now } of writes) for (const entry of auditEntries) add(entry, by, now)
    if (rows.length > 0) db.engine.runEach(insert, rows)
  }
}

/** The values of the columns. */
const valuesOf = ({ action, kind, recordId, outcome, changes }: AuditEntry, by: Actor, now: string) => [
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
  by.via?.via ?? null,
  by.via?.tool ?? null,
  by.via?.client ?? null,
]

/** The time of the newest entry. */
export const newestEntryAt = (db: Database): string | null => newestOf(db).at

export function hasEntries(db: Database, kind: string, recordId: string): boolean {
  return (
    db.query("SELECT 1 FROM audit_logs WHERE record_id = ? AND kind = ? LIMIT 1").get(recordId, kind) !== null
  )
}

/** The end of the chain. If you store it elsewhere, you can later detect whether an earlier entry was changed. */
export type ChainEnd = { head: string; length: number }

type Newest = ChainEnd & { at: string | null }

/** Returns the end of the chain in constant time: entry numbers have no gaps, so the last number is the length. */
const newestOf = (db: Database): Newest =>
  db
    .query<Newest, []>(
      "SELECT hash AS head, seq AS length, created_at AS at FROM audit_logs ORDER BY seq DESC LIMIT 1",
    )
    .get() ?? { head: chainStart, length: 0, at: null }

export function chainEndOf(db: Database): ChainEnd {
  const { head, length } = newestOf(db)
  return { head, length }
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
  const rows = db.query<Record<(typeof columns)[number] | "hash", string | null> & { seq: number }, []>(
    `SELECT seq, ${columns.join(", ")}, hash FROM audit_logs ORDER BY seq`,
  )
  for (const row of rows.iterate()) {
    position++
    if (row.seq !== last + 1) gap ??= { before: last, after: row.seq }
    last = row.seq
    // Entries after a broken link cannot be verified.
    if (broken) continue
    const hash = hashOf(
      before,
      columns.map((column) => row[column]),
    )
    if (hash !== row.hash) broken = { id: row.id ?? "", position }
    else lost.delete(hash)
    before = hash
  }
  return { broken, gap, lost: heads.filter((head) => lost.has(head)) }
}
