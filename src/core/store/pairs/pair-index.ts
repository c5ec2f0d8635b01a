import type { Database } from "../../engine/engine"
import { listOf, rowsOf } from "../../engine/sql"
import { cacheOf } from "../../write/cache"
import type { Tx, Writer } from "../../write/writer"
import type { SqlValue } from "../filter"

/** A key of metadata whose values have an index in a table of their own. */
type IndexedKey = { number: number; key: string; isReady: boolean }

/** A record as far as the index needs it. */
type Paired = { id?: unknown; createdAt?: unknown; metadata?: unknown }

/** The rows of a table that have a value of a key, in the order of their creation. */
export type PairRows = { table: string; conditions: string[]; values: SqlValue[] }

const rowsAtOnce = 200

/**
 * The values of those keys of metadata that the settings name, in the table metadata_values. The store writes them with
 * their records. A key that is named later is filled in slices, and used when it is complete.
 */
export function pairIndex(db: Database, writer: Writer) {
  const cached = cacheOf(db, (source) =>
    db
      .query<{ number: number; key: string; status: string }, [string]>(
        "SELECT number, key, status FROM metadata_keys WHERE source = ? AND status <> 'removing' ORDER BY number",
      )
      .all(source)
      .map(({ number, key, status }): IndexedKey => ({ number, key, isReady: status === "ready" })),
  )
  const keysOf = (table: string): readonly IndexedKey[] => cached.get(table) ?? []
  let running: Promise<void> | null = null

  /** Fills the index of new keys and empties that of keys that are named no longer, until nothing is left to do. */
  const settle = (): Promise<void> =>
    (running ??= (async () => {
      while (isUnsettled(db)) await writer((tx) => step(db, tx, cached.forget))
    })().finally(() => (running = null)))

  return {
    /** Where the rows with one of some values of a key are; null if the key has no complete index. */
    rows(table: string, key: string, words: readonly string[]): PairRows | null {
      const found = keysOf(table).find((each) => each.key === key && each.isReady)
      if (!found) return null
      const [first = "", ...more] = words
      return {
        table: "metadata_values",
        conditions: ["number = ?", more.length > 0 ? `value IN ${listOf("?")}` : "value = ?"],
        values: [found.number, more.length > 0 ? JSON.stringify(words) : first],
      }
    },

    /** Notes a record that is written. `before` is null for a new one, and `after` for one that is deleted. */
    write(table: string, seq: number | null, before: Paired | null, after: Paired | null): void {
      for (const { number, key } of keysOf(table)) {
        const [old, value] = [valueOf(before, key), valueOf(after, key)]
        if (old === value) continue
        if (old !== null)
          db.query(
            "DELETE FROM metadata_values WHERE number = ? AND value = ? AND created_at = ? AND id = ?",
          ).run(number, old, String(before?.createdAt), String(before?.id))
        if (value !== null)
          db.query(
            `INSERT INTO metadata_values (number, value, created_at, id, seq)
             VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          ).run(number, value, String(after?.createdAt), String(after?.id), seq)
      }
    },

    /** Sets the keys of a table that have an index. */
    name(tx: Tx, table: string, keys: readonly string[]): void {
      const known = keysOf(table)
      const gone = known.filter(({ key }) => !keys.includes(key))
      const added = [...new Set(keys)].filter((key) => !known.some((each) => each.key === key))
      for (const { number } of gone)
        db.query("UPDATE metadata_keys SET status = 'removing' WHERE number = ?").run(number)
      for (const key of added)
        db.query("INSERT INTO metadata_keys (source, key, filled, status) VALUES (?, ?, 0, 'filling')").run(
          table,
          key,
        )
      if (gone.length + added.length === 0) return
      cached.forget(tx)
      tx.afterCommit.push(() => void settle().catch(() => {}))
    },

    settle,
  }
}

export type PairIndex = ReturnType<typeof pairIndex>

function valueOf(record: Paired | null, key: string): string | null {
  const { metadata } = record ?? {}
  if (typeof metadata !== "object" || metadata === null || !Object.hasOwn(metadata, key)) return null
  const value = (metadata as Record<string, unknown>)[key]
  return typeof value === "string" ? value : null
}

type Unsettled = { number: number; source: string; key: string; filled: number; status: string }

const nextUnsettled = (db: Database): Unsettled | null =>
  db.query<Unsettled, []>("SELECT * FROM metadata_keys WHERE status <> 'ready' ORDER BY number LIMIT 1").get()

const isUnsettled = (db: Database): boolean => nextUnsettled(db) !== null

/** Does a part of the work that is left. */
function step(db: Database, tx: Tx, forget: (tx: Tx) => void): void {
  const next = nextUnsettled(db)
  if (next?.status === "removing") empty(db, next)
  else if (next) fill(db, tx, next, forget)
}

function empty(db: Database, { number }: Unsettled): void {
  db.query(
    `DELETE FROM metadata_values WHERE number = ?1 AND (value, created_at, id) IN
       (SELECT value, created_at, id FROM metadata_values WHERE number = ?1 ORDER BY value, created_at, id LIMIT ${rowsAtOnce})`,
  ).run(number)
  if (db.query("SELECT 1 FROM metadata_values WHERE number = ? LIMIT 1").get(number) === null)
    db.query("DELETE FROM metadata_keys WHERE number = ?").run(number)
}

function fill(
  db: Database,
  tx: Tx,
  { number, source, key, filled }: Unsettled,
  forget: (tx: Tx) => void,
): void {
  const slice = `SELECT * FROM ${source} WHERE seq > ? ORDER BY seq LIMIT ${rowsAtOnce}`
  const last = db
    .query<{ last: number | null; n: number }, [number]>(
      `SELECT max(seq) AS last, count(*) AS n FROM (${slice}) AS slice`,
    )
    .get(filled)
  db.query(
    `INSERT INTO metadata_values (number, value, created_at, id, seq)
     SELECT CAST(? AS BIGINT), pair.value, slice.created_at, slice.id, slice.seq
     FROM (${slice}) AS slice, ${rowsOf("slice.metadata")} AS pair WHERE pair.key = ? ON CONFLICT DO NOTHING`,
  ).run(number, filled, key)
  const isReady = Number(last?.n ?? 0) < rowsAtOnce
  db.query("UPDATE metadata_keys SET filled = ?, status = ? WHERE number = ?").run(
    last?.last ?? filled,
    isReady ? "ready" : "filling",
    number,
  )
  if (isReady) forget(tx)
}

/** Returns one sentence for each key whose index differs from its records. */
export function findPairFaults(db: Database): string[] {
  const ready = db
    .query<Unsettled, []>("SELECT * FROM metadata_keys WHERE status = 'ready' ORDER BY number")
    .all()
  return ready.flatMap(({ number, source, key }) => {
    const stored = `SELECT id, value, created_at, seq FROM metadata_values WHERE number = ?`
    const right = `SELECT record.id, pair.value, record.created_at, record.seq FROM ${source} AS record, ${rowsOf("record.metadata")} AS pair WHERE pair.key = ?`
    const count = (sql: string, ...values: SqlValue[]) =>
      Number(
        db.query<{ n: number }, SqlValue[]>(`SELECT count(*) AS n FROM (${sql}) AS found`).get(...values)?.n,
      )
    const missing = count(`${right} EXCEPT ${stored}`, key, number)
    const extra = count(`${stored} EXCEPT ${right}`, number, key)
    return missing + extra === 0
      ? []
      : [
          `The index of metadata ${JSON.stringify(key)} of ${source} lacks ${missing} values and has ${extra} wrong ones.`,
        ]
  })
}
