import { Unusable } from "../../lib/refusal"
import type { Transfer } from "../engine"
import { listed, nameOf, quoted, type Cell, type Row, type Table } from "../transfer/table"
import type { PostgresDatabase } from "./driver/database"

export const postgresTransfer = (db: PostgresDatabase): Transfer => ({
  allowIdle: () => void db.run("SET idle_in_transaction_session_timeout = 0"),
  write: (table, rows) => writeTogether(db, table, rows),
  complete() {
    continueNumbers(db)
    // Without the figures of the planner, queries could take very long at first.
    db.run("ANALYZE")
  },
})

/** One statement for all rows, because each takes a round trip to the server. */
function writeTogether(db: PostgresDatabase, table: Table, rows: readonly Row[]): void {
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

/** Lets the numbers of new rows begin after those of the copied rows. */
function continueNumbers(db: PostgresDatabase): void {
  const numbered = db
    .query<{ table: string; column: string }, []>(
      `SELECT relname AS table, attname AS column FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       WHERE relnamespace = current_schema()::regnamespace AND attidentity <> ''`,
    )
    .all()
  for (const { table, column } of numbered)
    db.run(
      `SELECT setval(pg_get_serial_sequence('${quoted(table)}', '${column}'), max(${quoted(column)})) FROM ${quoted(table)}`,
    )
}
