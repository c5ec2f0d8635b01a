import type { Database } from "../engine/engine"
import { changeToken, otherProcessVersion } from "../engine/change-token"
import type { Tx } from "../write/writer"
import { sharedRuns } from "../lib/shared-runs"
import type { Resource } from "../kind/define"
import type { Term } from "./filter"
import { readOne, type Reader } from "./pages/reader"
import type { Prepared } from "../engine/sql"
import { valuesOf, whereOf } from "./pages/walk"

const mostTotals = 1_000

/**
 * The number of records of each list. It is counted once, and again after a write. Only the number of all records is
 * kept by the writer.
 */
export function listTotals(db: Database, resource: Resource, prepared: Prepared) {
  const { table } = resource
  const whole = wholeTotal(db, resource, prepared)
  const counting = sharedRuns<number>()
  const known = new Map<string, number>()
  let token = ""

  function of(where: readonly Term[]) {
    const kept = where.length === 0 ? whole.get() : null
    const current = changeToken(db)
    if (token !== current || known.size >= mostTotals) known.clear()
    token = current
    // Most lists are whole, and their total is kept.
    const key = kept === null ? JSON.stringify([whereOf(where), valuesOf(where)]) : ""
    return {
      key,
      total: kept ?? known.get(key),
      keep(total: number): number {
        // A total is not cached if there was a write while it was counted: it may or may not include the write.
        if (changeToken(db) === current) known.set(key, total)
        return total
      },
    }
  }

  async function countAll(reader: Reader, where: readonly Term[]): Promise<number> {
    const { total, keep } = of(where)
    if (total !== undefined) return total
    if (where.length === 0 && whole.isKept) return whole.count(reader)
    const counted = await readOne<{ n: number }>(reader, countQuery(table, where), valuesOf(where))
    return keep(counted?.n ?? 0)
  }

  return {
    of,

    /** Counts with one query on the event loop. */
    count(where: readonly Term[]): number {
      const { total, keep } = of(where)
      return total ?? keep((prepared(countQuery(table, where)).get(...valuesOf(where)) as { n: number }).n)
    },

    /** Counts with one query of a reader. */
    countBy: (reader: Reader, where: readonly Term[]): Promise<number> =>
      counting(of(where).key, () => countAll(reader, where)),

    noteAdded: whole.noteAdded,
    noteRemoved: whole.noteRemoved,
  }
}

const countQuery = (table: string, where: readonly Term[]): string =>
  `SELECT count(*) AS n FROM ${table} ${whereOf(where)}`

export type Totals = ReturnType<typeof listTotals>

/** The number of all records of a table, which writes keep up to date. */
function wholeTotal(db: Database, { table, view, isWrittenByModule }: Resource, prepared: Prepared) {
  let kept: { version: number; total: number } | null = null
  let [added, removed] = [0, 0]
  return {
    isKept: isWrittenByModule !== true && view === undefined,

    /** Returns null when it is not known, or when another process has written to the file. */
    get: (): number | null => (kept && kept.version === otherProcessVersion(db) ? kept.total : null),

    /**
     * Counts the rows up to the last number. Rows that are added meanwhile have higher numbers, so they are counted by
     * `noteAdded`. After a deletion they may have the number of a deleted row, so all rows are counted again, and once
     * more for the next list.
     */
    async count(reader: Reader): Promise<number> {
      const plain = async () => (await readOne<{ n: number }>(reader, countQuery(table, []), []))?.n ?? 0
      // Rows that are seen already would be counted by `noteAdded` too.
      if (db.engine.changes.areUncertain()) return plain()
      const version = otherProcessVersion(db)
      const before = { added, removed }
      const { last } = prepared(`SELECT max(seq) AS last FROM ${table}`).get() as { last: number | null }
      // The plus sign lets SQLite choose an index, which is smaller than the table.
      const sql = `SELECT count(*) AS n FROM ${table} WHERE +seq <= ?`
      const counted = await readOne<{ n: number }>(reader, sql, [last ?? 0])
      // A deletion may be seen before it is noted, too.
      const isOther = removed !== before.removed || version !== otherProcessVersion(db)
      if (isOther || db.engine.changes.areUncertain()) return plain()
      const total = (counted?.n ?? 0) + added - before.added
      kept = { version, total }
      return total
    },

    noteAdded(tx: Tx, rows: number): void {
      tx.afterCommit.push(() => {
        added += rows
        if (kept) kept.total += rows
      })
    },

    noteRemoved(tx: Tx): void {
      tx.afterCommit.push(() => {
        removed++
        if (kept) kept.total--
      })
    },
  }
}
