import { Unusable } from "../../lib/unusable"
import { postgresOf, type Database } from "../engine"
import { nameOf, type Cell, type Row } from "./read"
import { listed, quoted, type Table } from "./tables"

/** Writes rows to a table. The caller opens the transaction. */
export function writeRows(db: Database, table: Table, rows: readonly Row[]): void {
  if (postgresOf(db)) return writeTogether(db, table, rows)
  const places = table.columns.map(() => "?").join(", ")
  const insert = db.query<unknown, Cell[]>(
    `INSERT INTO ${quoted(table.name)} (${listed(table.columns)}) VALUES (${places})`,
  )
  for (const row of rows) insert.run(...row)
}

/** One statement for all rows, because each takes a round trip to the server. */
function writeTogether(db: Database, table: Table, rows: readonly Row[]): void {
  for (const row of rows) refuseNul(table, row)
  const [name, columns] = [quoted(table.name), listed(table.columns)]
  db.query<unknown, [string]>(
    `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM json_populate_recordset(CAST(NULL AS ${name}), CAST(? AS json))`,
  ).run(asJson(table, rows))
}

/** PostgreSQL cannot store the character. It must not be lost. */
function refuseNul(table: Table, row: Row): void {
  const place = row.findIndex((cell) => typeof cell === "string" && cell.includes("\0"))
  if (place < 0) return
  throw new Unusable(
    `The column ${table.columns[place]?.name} of ${nameOf(table, row)} contains a NUL character, which PostgreSQL cannot store. Change the text, and run the command again.`,
  )
}

function asJson({ columns }: Table, rows: readonly Row[]): string {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`)
  const memberOf = (cell: Cell, place: number) =>
    `${names[place]}${cell instanceof Uint8Array ? `"\\\\x${cell.toHex()}"` : JSON.stringify(cell)}`
  return `[${rows.map((row) => `{${row.map(memberOf).join(",")}}`).join(",")}]`
}

/**
 * Lets the numbers that PostgreSQL gives to new rows begin after those of the copied rows. SQLite always uses the number
 * after the largest one.
 */
export function continueNumbers(db: Database): void {
  const postgres = postgresOf(db)
  if (!postgres) return
  const numbered = postgres
    .query<{ table: string; column: string }, []>(
      `SELECT relname AS table, attname AS column FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       WHERE relnamespace = current_schema()::regnamespace AND attidentity <> ''`,
    )
    .all()
  for (const { table, column } of numbered)
    postgres.run(
      `SELECT setval(pg_get_serial_sequence('${quoted(table)}', '${column}'), max(${quoted(column)})) FROM ${quoted(table)}`,
    )
}

/** Collects what the planner of PostgreSQL must know about the rows. Without it, queries could take very long at first. */
export function analyze(db: Database): void {
  if (postgresOf(db)) db.run("ANALYZE")
}
