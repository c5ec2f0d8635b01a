import type { Parts } from "./parts"
import type { Database as Sqlite, SQLQueryBindings, Statement } from "bun:sqlite"
import type { Log } from "../lib/process/log"
import type { BackgroundBackup } from "./backup/background-backup"
import type { Row, Table } from "./transfer/table"

export type { Statement }

/** A value that a statement takes. */
export type Value = SQLQueryBindings

/**
 * A database as the stores use it, with the signatures of bun:sqlite. Its SQL is the part of SQLite's language that
 * PostgreSQL has too, or that its schema adds; `engine` has what the engines do differently.
 */
export type Database = Pick<
  Sqlite,
  "query" | "prepare" | "run" | "transaction" | "inTransaction" | "close"
> & { readonly engine: Engine }

/** What the engines do differently with an open database. No other folder needs to know which engine it is. */
export type Engine = {
  /** True if several servers can use the database at the same time. */
  isShared: boolean
  /** What others on the network can do to the connection, for the log; null if nothing. `db` has no password. */
  weakness: { message: string; db: string } | null
  /** What the clock of another machine that has the database says, in milliseconds; null if there is none. */
  otherClock(): number | null
  /**
   * Runs work in a transaction, which the work ends. It waits for the writes of other processes, and does not block
   * meanwhile if another program has the database.
   */
  write<T>(work: () => T | Promise<T>, options?: WriteOptions): T | Promise<T>
  /**
   * Runs the end of a write, commits it, and runs `committed`. PostgreSQL gets the statements of `runEach` in it together with
   * COMMIT, and requests can read until it answers.
   */
  endWrite(work: () => void, committed: () => void): void | Promise<void>
  /** False if the server of the database does not answer within some milliseconds. It does not block meanwhile. */
  answers(within: number): Promise<boolean>
  /** The parts of a transaction that has just begun. */
  parts(): Parts
  /** Runs reads in one transaction, which sees the database at one moment. */
  atOneMoment<T>(work: () => T): T
  /**
   * Runs a statement that writes once for each list of values. PostgreSQL gets all of them in one message, because
   * waiting for each answer takes longer than the write.
   */
  runEach(sql: string, lists: readonly Value[][]): void
  /**
   * Runs an update once for each list of values, of which the last one is that of `key`, and returns columns of the rows.
   * PostgreSQL gets all of them in one message.
   */
  updateEach<T>(update: Update, lists: readonly Value[][]): T[]
  insert(prepared: (sql: string) => Statement): Insert
  /** Returns the next number of a series; null if it has none yet. */
  count(series: string): number | null
  /**
   * True in a write in which a value that another row has already, and must be unique, lets the whole write be done again
   * with false. So such a value need not be looked for before.
   */
  checksLater(): boolean
  /** Frees the memory of cached pages. */
  shrinkCache(): void
  /** Prepares the database to be closed. */
  beforeClose(): void
  changes: Changes
  lock: Lock
  /** Runs work in one of the servers that share the database. */
  lead(work: LeaderWork, deps: LeaderDeps): Leadership
  search: SearchTables
  sql: Sql
  schema: Schema
  transfer: Transfer
  /** How much space the database takes. It is quick. */
  size(): Size
  /** What takes the space. It reads the whole file of SQLite. */
  space(): TableSpace[]
}

/**
 * How a write runs. `mayWait`: PostgreSQL gets a statement of `runEach` with the next one. If it fails, `isLate` is true for the
 * error, and the whole transaction must be done again without that. `reads` are queries that the write is going to send:
 * PostgreSQL gets them with the lock. They are asked for when the write begins, and again when it has the lock.
 */
export type WriteOptions = { mayWait?: boolean; reads?: () => readonly Read[] }

/** A query with its values. */
export type Read = { sql: string; values: readonly Value[] }

/** In bytes. `unused` is what was freed and is used again, and `walBytes` the write-ahead log; null if it is not known. */
export type Size = { bytes: number; unused: number | null; walBytes: number | null }

/** A table, without its indexes, and the indexes of it. `isDated` is true if it has the columns `seq` and `created_at`. */
export type TableSpace = { name: string; bytes: number; indexBytes: number; isDated: boolean }

/**
 * Columns of a new row to return, and the query that reads them by its number; both are empty if there are none. `values` are
 * those of the columns.
 */
export type Returned = {
  columns: string
  values: readonly Value[]
  query: string
  /** The columns by the values of a new row; null if they need the database. */
  ofNew: ((values: readonly Value[]) => Record<string, unknown>) | null
}

type Inserted = Record<string, unknown> & { seq: number }

/** Inserts one row with the values of a statement, and returns its number and further columns. */
export type Insert = (sql: string, values: Value[], returned: Returned) => Inserted

/** An update of one row, which a value of the column `key` names, and the columns to return. */
export type Update = { table: string; set: string; key: string; columns: string }

/** What an error of a database means. `unavailable`: the database could not be read or written now. */
export type Failure = "unavailable" | "taken" | "inUse" | "unstorable" | "damaged"

/** How a process learns that something was written. */
export type Changes = {
  /** True if the reads of a turn of the event loop take less time in one transaction. */
  sharesReads: boolean
  /** A number that changes when another process has written. */
  others(): number
  /** How many rows this process has changed, or how many statements may have changed some. */
  own(): number
  /** True while a commit of this process may be seen already, before its `afterCommit`. */
  areUncertain(): boolean
  /** True if the connection is not lost, as far as that is known without asking the server. */
  isConnected(): boolean
}

export type Lock = {
  /** Locks the database for this process alone, until it exits or the database is closed. */
  alone(): void
  /**
   * Locks the database for a server, and runs `prepare` before others can use it, unless it `isReady`. The tables are not
   * changed while other servers use them.
   */
  forServer(work: { isReady: () => boolean; prepare: () => Promise<void> }): Promise<void>
  /** True if no other server uses the database. */
  isOnlyServer(): boolean
}

/** The work of the leader. `start` may be called again after `stop`. */
export type LeaderWork = { start(): void; stop(): Promise<void> }

export type LeaderDeps = { log: Log; mostMissed?: number }

export type Leadership = {
  stop(): Promise<void>
  /** Why the work of the leader has not been done for some time, as a sentence; null if it is done. */
  problem(): string | null
}

export type SqlPart = { sql: string; values: string[] }

/** How an engine searches. `query` is in the language of FTS5; `rest` are further conditions, an order and a limit. */
export type Matching = {
  /** A query of the row numbers that a search table finds. The values are those of its first parameters. */
  rows(searchTable: string, query: string, rest?: string): SqlPart
  /** True if a search takes less time in slices of the table. */
  isSliced: boolean
  /** True if a slice of a table takes less time as a query of its own than as a join with its row numbers. */
  hasNestedSlices: boolean
  /** A condition that is faster than `has_words`: a text without case and accents contains each of the words. */
  hasWords: ((text: string, words: readonly string[]) => SqlPart) | null
}

/** What the search tables store of a record: `text` and `fragments` in the one, `words` and `more` in the other. */
export type StoredText = { seq: number; text: string; fragments: string; words: string; more: string }

/** The search tables `<table>_search` and `<table>_words` of a table. */
export type SearchTables = Matching & {
  add(table: string, rows: readonly StoredText[]): void
  /** Empties a search table, even if it is damaged. */
  empty(searchTable: string): void
  /** Runs `fill`, which fills the search tables. The caller opens the transaction. */
  whileFilling<T>(table: string, fill: () => T): T
  /**
   * Merges segments of a search table until about `pages` pages are written. Returns false when there are too few
   * segments for it.
   */
  merge(searchTable: string, pages: number): boolean
  /** Returns the numbers of the records whose text in the search tables differs from the given one of all records. */
  differing(table: string, parts: Iterable<readonly StoredText[]>): number[]
}

/** Parts of SQL that the engines write differently. */
export type Sql = {
  /** All values of a column in one text, one per line. */
  lines(column: string): string
  /** True when a text begins with another one. The case of ASCII letters is ignored. It can use an index. */
  beginsWith(column: string, text: string): string
}

export type Schema = {
  hasTable(name: string): boolean
  isEmpty(): boolean
  /** The version; 0 if the database has no tables of ours. */
  version(): number
  /** Creates or migrates the tables in one transaction. */
  migrate(recipe: Recipe, onCreate: string): { from: number; to: number }
  /** Returns one sentence for each difference between these tables and ours. `version` is that of the tables. */
  faults(version: number): string[]
  /** Returns one sentence for each damage that the engine itself finds. */
  damage(): string[]
}

/** The migration from one version to the next. */
export type Migration = {
  /** SQL in the language of schema.sql. */
  sql: string
  /** The same for PostgreSQL, if the translation of `sql` does not fit: a table must not be rebuilt there. */
  postgres?: string
  /**
   * True when the step rebuilds a table: CREATE under another name, INSERT … SELECT, DROP the old one, RENAME. Foreign
   * keys are off during the step, so that nothing is deleted by a cascade. No table that exists before and after may
   * lose rows.
   */
  rebuilds?: true
}

/**
 * How a database is created, and how one of the version `first` or a later one is migrated. Of the tables in `searched`,
 * those that have no search tables after the steps get them.
 */
export type Recipe = {
  readonly schema: string
  readonly searched?: readonly string[]
  readonly first?: number
  readonly steps: readonly Migration[]
}

/** What a copy to another database needs. */
export type Transfer = {
  /** Lets the connection be idle for any time, also inside a transaction. */
  allowIdle(): void
  /** Writes rows to a table. The caller opens the transaction. */
  write(table: Table, rows: readonly Row[]): void
  /** Completes a database whose rows were copied. */
  complete(): void
}

/** A database that is open. `file` is where it is read, which may be a copy that `close` deletes. */
export type Opened = { db: Database; file: string; close: () => void }

/** Where a database is, before it is opened. */
export type Place = {
  /** The name for messages: without the password. */
  shown: string
  /** True if another name is the same database. */
  is(other: string): boolean
  /** Refuses a file that does not exist: only a server creates one. */
  assertExists(): void
  /** What to say of a database without tables; null if that is an old version like others. */
  emptySentence: string | null
  /** Opens or creates the database. One of another program is not changed. */
  open(): Database
  /** The same, but waits for a server of databases that is not there yet, unless the waiting `isOver`. */
  openWhenUp(waiting: { log: Log; isOver: () => boolean }): Promise<Database>
  /** Opens the database for a command that only reads it. The place of a file may be read-only. */
  openToRead(): Opened
  /** Opens the database for long reads in another thread. Each query sees what was committed before it. */
  openReader(): Database
  /** Opens the database for reading in its current state: the connection does not see later writes. */
  openSnapshot(): Database
  /** Opens the database for a copy to it. `check` refuses what is in it before it is opened for writing. */
  openTarget(check: (db: Database) => void): Database
  /** Locks a file for this process before it is opened. */
  hold(): void
  /** Releases the lock of `hold`. */
  release(): void
  /** Null if Kontor makes no backups of the database. */
  backups: Backups | null
}

export type Backups = {
  /** Creates backups in a background thread, one at a time, without blocking the server. */
  inBackground(db: Database): BackgroundBackup
  /** Creates a backup next to the database before a migration, and returns its name; null for a database in memory. */
  beforeMigration(db: Database, version: number, now: string): Promise<string | null>
}
