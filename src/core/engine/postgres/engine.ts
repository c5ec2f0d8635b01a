import type { Database, Engine, Insert, Statement, Transfer, Update, Value } from "../engine"
import type { PostgresDatabase } from "./driver/database"
import { LateFailure, PostgresError, uniqueViolation } from "./driver/errors"
import { clockOf } from "./clock"
import { type Parts, savepoints } from "../parts"
import { leadership } from "./leader"
import { serverLock, othersWrites, writePostgres } from "./lock"
import { postgresTables } from "./schema/tables"
import { searchTablesOf } from "./search"
import { databaseSize, databaseSpace } from "./space"
import { Unusable } from "../../lib/refusal"
import { listed, nameOf, quoted, type Cell, type Row, type Table } from "../transfer/table"

/** A connection as the stores use it. The types differ only in what no store uses, such as `lastInsertRowid`. */
export const asDatabase = (db: PostgresDatabase): Database =>
  Object.assign(db, { engine: postgresEngine(db) }) as unknown as Database

/** PostgreSQL. Several servers share a database. */
function postgresEngine(db: PostgresDatabase): Engine {
  /** How many notifications of writes of other processes have arrived. */
  let notified = 0
  return {
    isShared: true,
    weakness:
      db.weakness === null
        ? null
        : {
            message: `The connection to the database is weaker than with sslmode=verify-full. ${db.weakness}`,
            db: db.filename,
          },
    otherClock: () => clockOf(db),
    write: (work, options) => writePostgres(db, work, options),
    endWrite: (work, committed) => db.endWrite(work, committed),
    answers: (within) => db.answers(within),
    parts: () => partsOf(db),
    atOneMoment(work) {
      db.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
      try {
        // The work may take long between two statements.
        db.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        return work()
      } finally {
        db.run("ROLLBACK")
      }
    },
    runEach: (sql, lists) => db.runEach(sql, lists),
    updateEach: <T>({ table, set, key, columns }: Update, lists: readonly Value[][]) =>
      db.query<T, Value[]>(`UPDATE ${table} SET ${set} WHERE ${key} = ? RETURNING ${columns}`).allEach(lists),
    insert: (prepared) => insertRow(db, prepared),
    count: (series) => db.count(series),
    checksLater: () => db.checksLater,
    // The pages are in the server.
    shrinkCache() {},
    beforeClose() {},
    changes: {
      sharesReads: false,
      others() {
        notified += db.notifications().filter(({ isOwn }) => !isOwn).length
        return notified + othersWrites(db)
      },
      own: () => db.changes,
      areUncertain: () => db.isCommitting,
      isConnected: () => db.look(),
    },
    lock: serverLock(db),
    lead: (work, deps) => leadership(db, work, deps),
    search: searchTablesOf(db),
    sql: {
      lines: (column) => `string_agg(${column}, chr(10))`,
      beginsWith: (column, text) =>
        `(lower(${column}) >= lower(${text} COLLATE "C") AND lower(${column}) < lower(${text} COLLATE "C") || chr(1114111))`,
    },
    schema: postgresTables(db),
    transfer: postgresTransfer(db),
    size: () => databaseSize(db),
    space: () => databaseSpace(db),
  }
}

/** The server gets what a part has written before the next one. */
function partsOf(db: PostgresDatabase): Parts {
  const parts = savepoints(db as unknown as Database, "one")
  const keep = () => {
    parts.keep()
    db.sendAhead()
  }
  return { ...parts, keep }
}

/**
 * An error would end the transaction, so that nothing could be read to explain it. So a value that another row has is no
 * error of the statement, which then returns no row. In a write whose statements may wait, the row is inserted later, and
 * such a value lets the write be done again.
 */
const insertRow =
  (db: PostgresDatabase, prepared: (sql: string) => Statement): Insert =>
  (sql, values, { columns, values: read, ofNew }) => {
    const seq = columns === "" || ofNew ? db.insertLater(sql, values) : null
    if (seq !== null) return { ...ofNew?.(values), seq }
    const all = columns === "" ? "seq" : `seq, ${columns}`
    const row = prepared(`${sql} ON CONFLICT DO NOTHING RETURNING ${all}`).get(...values, ...read)
    if (row === null) {
      const taken = new PostgresError(uniqueViolation, "Another row has a value that is unique.")
      throw db.checksLater ? new LateFailure(taken) : taken
    }
    return row as ReturnType<Insert>
  }

const postgresTransfer = (db: PostgresDatabase): Transfer => ({
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
       WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND attidentity <> ''`,
    )
    .all()
  for (const { table, column } of numbered)
    db.run(
      `SELECT setval(pg_get_serial_sequence('${quoted(table)}', '${column}'), max(${quoted(column)})) FROM ${quoted(table)}`,
    )
}
