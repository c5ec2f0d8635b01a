import type { Database } from "../engine"
import { keyOf, listed, quoted, type Cell, type Key, type Row, type Table } from "./table"

/** How much is read at a time, so that any database fits in memory. */
const [mostRows, mostBytes] = [2_000, 4_000_000]
const fewRows = 16

/** Reads the rows of a table in the order of its key, after a key or from the first row on, in parts of limited size. */
export function* partsOf(db: Database, table: Table, after: Key | null): Generator<Row[]> {
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
