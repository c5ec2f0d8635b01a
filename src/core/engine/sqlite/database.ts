import { Database, type SQLQueryBindings } from "bun:sqlite"
import type { Engine, Insert, Leadership, LeaderWork, Transfer, Update, Value } from "../engine"
import { partsFromBegin } from "../parts"
import { fileLock } from "./lock"
import { fileSchema } from "./schema"
import { findSchemaFaults } from "./schema-check"
import { fts5Tables } from "./search"
import { fileSize, fileSpace } from "./space"
import { listed, quoted, type Cell } from "../transfer/table"

// The cache must have space for all statements, so that each is prepared only once. The default size is 20.
const mostStatements = 500
Database.MAX_QUERY_CACHE_SIZE = mostStatements

export class SqliteDatabase extends Database {
  readonly engine: Engine = sqliteEngine(this)
  readonly #known = new Map<string, ReturnType<Database["query"]>>()

  /** Finds the statement of a text by its hash. Bun compares the text with those of all statements, which takes longer. */
  override query<Row, Values extends SQLQueryBindings | SQLQueryBindings[]>(sql: string) {
    const known = this.#known.get(sql) ?? this.#add(sql)
    return known as ReturnType<typeof Database.prototype.query<Row, Values>>
  }

  /** Bun prepares a statement beyond the limit each time. */
  #add(sql: string) {
    const statement = super.query(sql)
    if (this.#known.size < mostStatements) this.#known.set(sql, statement)
    return statement
  }
}

/** SQLite. One server at a time uses a file. */
function sqliteEngine(db: Database): Engine {
  let [begin, commit]: ReturnType<typeof db.prepare>[] = []
  const beginWrite = () => void (begin ??= db.prepare("BEGIN IMMEDIATE")).run()
  return {
    isShared: false,
    weakness: null,
    otherClock: () => null,
    write(work) {
      beginWrite()
      return work()
    },
    endWrite(work, committed) {
      work()
      ;(commit ??= db.prepare("COMMIT")).run()
      committed()
    },
    answers: () => Promise.resolve(true),
    parts: () => partsFromBegin(db, beginWrite),
    atOneMoment: (work) => db.transaction(work)(),
    runEach(sql, lists) {
      const statement = db.query(sql)
      for (const values of lists) statement.run(...values)
    },
    // RETURNING takes several times as long: SQLite copies the pages that such a statement changes, to be able to undo it
    // alone, and when it ends, it walks over all pages that were copied since the savepoint of the write.
    updateEach<T>({ table, set, key, columns }: Update, lists: readonly Value[][]) {
      const update = db.query(`UPDATE ${table} SET ${set} WHERE ${key} = ?`)
      const read = db.query<T, Value[]>(`SELECT ${columns} FROM ${table} WHERE ${key} = ?`)
      return lists.flatMap((values) => {
        update.run(...values)
        return read.get(...values.slice(-1)) ?? []
      })
    },
    insert: insertRow,
    count(series) {
      const update = db.query("UPDATE number_series SET last = last + 1 WHERE name = ?")
      if (update.run(series).changes === 0) return null
      const read = db.query<{ last: number }, [string]>("SELECT last FROM number_series WHERE name = ?")
      return read.get(series)?.last ?? null
    },
    checksLater: () => false,
    shrinkCache: () => void db.run("PRAGMA shrink_memory"),
    // Writes the content of the write-ahead log to the file.
    beforeClose: () => void db.run("PRAGMA wal_checkpoint(TRUNCATE)"),
    changes: {
      sharesReads: true,
      others: () => db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0,
      own: () => db.query<{ changes: number }, []>("SELECT total_changes() AS changes").get()?.changes ?? 0,
      areUncertain: () => false,
      isConnected: () => true,
    },
    lock: fileLock(db),
    lead,
    search: fts5Tables(db),
    sql: {
      lines: (column) => `group_concat(${column}, char(10))`,
      beginsWith: (column, text) =>
        `(${column} >= ${text} COLLATE NOCASE AND ${column} < (${text} || char(0x10ffff)) COLLATE NOCASE)`,
    },
    schema: { ...fileSchema(db), faults: (version) => findSchemaFaults(db, version) },
    transfer: fileTransfer(db),
    size: () => fileSize(db),
    space: () => fileSpace(db),
  }
}

/** RETURNING takes longer than a query of its own. */
const insertRow =
  (prepared: (sql: string) => ReturnType<Database["prepare"]>): Insert =>
  (sql, values, { query, values: read, ofNew }) => {
    const seq = Number(prepared(sql).run(...values).lastInsertRowid)
    if (query === "") return { seq }
    if (ofNew) return { ...ofNew(values), seq }
    const row = prepared(query).get(...read, seq) as ReturnType<Insert>
    row.seq = seq
    return row
  }

/** The server of a file is always the leader. */
function lead(work: LeaderWork): Leadership {
  work.start()
  return { stop: work.stop, problem: () => null }
}

/** New rows get the number after the largest one, and the planner needs no figures, so there is nothing to complete. */
const fileTransfer = (db: Database): Transfer => ({
  allowIdle() {},
  write(table, rows) {
    const places = table.columns.map(() => "?").join(", ")
    const insert = db.query<unknown, Cell[]>(
      `INSERT INTO ${quoted(table.name)} (${listed(table.columns)}) VALUES (${places})`,
    )
    for (const row of rows) insert.run(...row)
  },
  complete() {},
})
