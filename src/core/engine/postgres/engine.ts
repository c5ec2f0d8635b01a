import type { Database, Engine, Insert, Statement } from "../engine"
import type { PostgresDatabase } from "./driver/database"
import { PostgresError, uniqueViolation } from "./driver/errors"
import { leadership } from "./leader"
import { serverLock, beginPostgresWrite, othersWrites } from "./lock"
import { postgresTables } from "./schema/tables"
import { searchTablesOf } from "./search"
import { postgresTransfer } from "./transfer"

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
    begin: () => beginPostgresWrite(db),
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
    runEach: (sql, lists) => db.query(sql).runEach(lists),
    insert: insertRow,
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
  }
}

/**
 * An error would end the transaction, so that nothing could be read to explain it. So a value that another row has is no
 * error of the statement, which then returns no row.
 */
const insertRow =
  (prepared: (sql: string) => Statement): Insert =>
  (sql, values, { columns }) => {
    const all = columns === "" ? "seq" : `seq, ${columns}`
    const row = prepared(`${sql} ON CONFLICT DO NOTHING RETURNING ${all}`).get(...values)
    if (row === null) throw new PostgresError(uniqueViolation, "Another row has a value that is unique.")
    return row as ReturnType<Insert>
  }
