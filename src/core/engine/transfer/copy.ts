import { Unusable } from "../../lib/refusal"
import type { Database } from "../engine"
import { failureSentence, isStorageFailure, postgresSentence } from "../failures"
import { type Progress, storeProgress } from "./mark"
import { type Cell, type Key, keyOf, listed, nameOf, quoted, type Row, type Table } from "./table"

/** The two databases of a copy. `from` is a snapshot. */
export type Ends = { from: Database; to: Database; tables: readonly Table[] }

export const countOf = (db: Database, table: string): number =>
  db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${quoted(table)}`).get()?.n ?? 0

/**
 * Copies the rows after those that `progress` says. Each part is stored together with the progress, so that a copy can
 * be killed at any time. `report` is called after each table.
 */
export function copyRows(
  { from, to, tables }: Ends,
  progress: Progress,
  report: (table: string, rows: number) => void,
): void {
  const first = tables.findIndex(({ name }) => name === progress.table)
  for (const table of tables.slice(first)) {
    let rows = 0
    const after = table.name === progress.table ? progress.after : null
    for (const part of partsOf(from, table, after)) {
      const last = keyOf(table, part.at(-1) ?? [])
      storePart(to, table, part, { ...progress, table: table.name, after: last })
      rows += part.length
    }
    report(table.name, rows)
  }
}

function storePart(to: Database, table: Table, part: Row[], progress: Progress): void {
  to.transaction(() => {
    to.engine.transfer.write(table, part)
    storeProgress(to, progress)
  })()
}

/** Compares all rows. Returns a sentence for each table that differs, and the number of rows. */
export function compareRows(ends: Ends): { faults: string[]; rows: number } {
  const faults: string[] = []
  let rows = 0
  for (const table of ends.tables) {
    const { same, differing } = compareTable(ends, table)
    rows += same
    if (differing) faults.push(`The copy differs from the source: ${nameOf(table, differing)}.`)
  }
  return { faults, rows }
}

/** Both databases are read in the same order and in equal parts, as long as their rows are the same. */
function compareTable({ from, to }: Ends, table: Table): { same: number; differing: Row | null } {
  const others = partsOf(to, table, null)
  let same = 0
  for (const part of partsOf(from, table, null)) {
    const other = others.next().value ?? []
    const at = part.findIndex((row, i) => !isSame(row, other[i]))
    if (at >= 0) return { same, differing: part[at] ?? null }
    if (other.length > part.length) return { same, differing: other[part.length] ?? null }
    same += part.length
  }
  return { same, differing: others.next().value?.[0] ?? null }
}

const isSame = (row: Row, other: Row | undefined): boolean =>
  other !== undefined && row.every((cell, i) => isSameCell(cell, other[i]))

const isSameCell = (a: Cell, b: Cell | undefined): boolean =>
  a === b || (a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0)

/** The error of a copy as a sentence that says what to do. Errors of the program itself stay as they are. */
export function failureOfCopy(error: unknown): unknown {
  const known = failureSentence(error)
  if (known !== null)
    return new Unusable(
      isStorageFailure(error) ? `${known} Run the same command again to continue the copy.` : known,
    )
  const other = postgresSentence(error)
  return other === null ? error : new Unusable(other)
}

/** How much is read at a time, so that any database fits in memory. */
const [mostRows, mostBytes] = [2_000, 4_000_000]
const fewRows = 16

/** Reads the rows of a table in the order of its key, after a key or from the first row on, in parts of limited size. */
function* partsOf(db: Database, table: Table, after: Key | null): Generator<Row[]> {
  let [last, count] = [after, fewRows]
  for (;;) {
    const rows = read(db, table, last, count)
    if (rows.length > 0) yield rows
    if (rows.length < count) return
    last = keyOf(table, rows.at(-1) ?? [])
    count = nextCount(rows)
  }
}

function read(db: Database, table: Table, after: Key | null, count: number): Row[] {
  const key = table.key.map((place) => quoted(table.columns[place]?.name ?? ""))
  const where = after ? `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})` : ""
  const sql = `SELECT ${listed(table.columns)} FROM ${quoted(table.name)} ${where} ORDER BY ${key.join(", ")} LIMIT ?`
  return db.query<unknown, Key>(sql).values(...(after ?? []), count) as Row[]
}

/** As many rows as fit if they are as long as the longest of the last part. It grows slowly, because others may be longer. */
function nextCount(rows: readonly Row[]): number {
  const longest = Math.max(...rows.map((row) => row.reduce<number>((all, cell) => all + lengthOf(cell), 0)))
  return Math.max(1, Math.min(2 * rows.length, mostRows, Math.floor(mostBytes / longest)))
}

const lengthOf = (cell: Cell): number =>
  typeof cell === "string" || cell instanceof Uint8Array ? cell.length : 8
