import type { Changes, SQLQueryBindings } from "bun:sqlite"
import { isDoneWithin } from "../../../lib/turns"
import { Unusable } from "../../../lib/refusal"
import { type Address, addressOf } from "./address"
import type { Answer } from "./answer"
import { connectionLost, PostgresError } from "./errors"
import { libpq } from "./libpq"
import { Link, mayComeUp } from "./link"
import { encodeOnce, encoder } from "./parameters"
import { PlannedWrite } from "./planned/planned"
import type { Names, Read } from "./planned/prefetched"
import type { Notification } from "./session"
import { Transactions } from "./transactions"
import { assertCount, type Executor, PostgresStatement } from "./statement"
import { translate, type Translation } from "./translate"
import type { Row } from "./rows"

type Listed<P> = P extends unknown[] ? P : [P]

/** How many statements `query` keeps, as in bun:sqlite. */
const mostStatements = 500

/** The first number of writes after which plans are made again. */
const firstReplan = 32

export type PostgresOptions = {
  /** In milliseconds: how long a COMMIT without an answer may block until the server says what became of it. */
  outcomeTime?: number
  /**
   * In milliseconds: how long a statement waits for data before the connection counts as lost; 0 for any time. Statements
   * of `run` without parameters wait for any time, because changes of the schema can take long.
   */
  answerTime?: number
}

/** A database that could not be connected to. `mayComeUp` asks its server whether that may change by itself. */
export class Unreachable extends Unusable {
  constructor(
    message: string,
    readonly mayComeUp: () => boolean,
  ) {
    super(message)
  }
}

/** `mayWait`: statements without an answer wait for the next one. `reads` are sent with the query that begins. */
export type WriteOptions = { mayWait?: boolean; reads?: () => readonly Read[] }

/** A notification of a channel. `isOwn` if this database has sent it. */
type Noticed = Omit<Notification, "from"> & { isOwn: boolean }

/** The locks of the schema `public` have no space, as those of a database with one shop. */
const spaceOf = (schema: string | null): number =>
  schema === null || schema === "public" ? 0 : Bun.hash.crc32(schema)

/**
 * A PostgreSQL database with the interface of bun:sqlite's `Database`. Every call blocks until the server has answered. The
 * work of `write` has a connection of its own, so that others can read while it waits for the lock of writes.
 */
export class PostgresDatabase implements Executor {
  /** The address without the password. */
  readonly filename: string
  /** What others on the network can do to the connections; null if nothing. */
  readonly weakness: string | null
  /** The schema in which tables are created and looked for; null if there is none. */
  readonly schema: string | null
  /** Tells the locks and notifications of the shops in one database apart; 0 for the schema `public`. */
  readonly space: number
  readonly cursors = new Set<number>()
  /** Grows with each statement that may have written something, as total_changes() of SQLite does, and with each commit. */
  changes = 0
  /** The commit of this process that is not answered yet. It does not fail. */
  #commit: Promise<void> | null = null
  readonly #link: Link
  readonly #reads: Transactions
  /** The connection for `write`, from its first use on. */
  #writer: { link: Link; transactions: Transactions } | null = null
  /** The transactions of the connection that is used now. */
  #transactions: Transactions
  /** What the connection for `write` does one after the other, and how much of it there is. */
  #lastWrite: Promise<unknown> = Promise.resolve()
  #writes = 0
  /** The answer to the last question of `answers`, while it is awaited. */
  #asked: Promise<void> | null = null
  readonly #planned = new PlannedWrite({
    statementOf: (sql) => this.#query(sql),
    deferEach: (statement, lists) => this.#deferEach(statement, lists),
    names: () => this.#names(),
  })
  readonly #options: Required<PostgresOptions>
  readonly #address: Address
  readonly #encode = encoder()
  readonly #statements = new Map<string, PostgresStatement>()
  #replanAt = firstReplan

  constructor(conninfo: string, { outcomeTime = 10_000, answerTime = 60_000 }: PostgresOptions = {}) {
    const pq = libpq()
    const address = addressOf(pq, conninfo)
    this.filename = address.name
    this.weakness = address.protection.weakness
    try {
      this.#link = new Link(pq, address, answerTime)
    } catch (error) {
      if (!(error instanceof PostgresError)) throw error
      throw new Unreachable(error.message, () => mayComeUp(pq, address, error))
    }
    this.schema = this.#link.schema
    this.space = spaceOf(this.schema)
    this.#address = address
    this.#options = { outcomeTime, answerTime }
    this.#transactions = this.#reads = new Transactions(this.#link, outcomeTime)
  }

  /**
   * Runs work in a transaction that begins with a query, which may wait for a lock. Requests can read meanwhile. The work
   * gets the row of the query, and ends the transaction; what it does before that is synchronous.
   */
  write<T>(
    query: string,
    work: (row: Row | undefined) => T | Promise<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.#inTurn(() => this.#writeNext(query, work, options))
  }

  /**
   * Runs a statement once for each list of values. It has no answer, so within a write that lets statements wait it is sent
   * with the next one.
   */
  runEach(sql: string, lists: readonly (readonly unknown[])[]): void {
    if (this.#planned.isOn) this.#planned.runEach(sql, lists)
    else this.#query(sql).runEach(lists as never)
  }

  /** Lets the server work on what a write has written, while the next one is computed. */
  sendAhead(): void {
    if (this.#planned.isOn) this.#transactions.sendAhead()
  }

  /**
   * Runs the end of a write, commits it, and runs `committed`. The statements of the end are sent with COMMIT. Requests can read
   * before it is answered: they see what is stored then.
   */
  endWrite(work: () => void, committed: () => void): Promise<void> {
    const transactions = this.#transactions
    this.#planned.isOn = true
    work()
    this.#planned.beforeCommit()
    this.#planned.end()
    this.#transactions = this.#reads
    const ending = transactions
      .commitLater()
      .then(committed)
      .finally(() => {
        this.#commit = null
        // What was read while it was committed may be older.
        this.changes++
      })
    this.#commit = ending.catch(() => {})
    return ending
  }

  /** True while a commit of this process is not answered. */
  get isCommitting(): boolean {
    return this.#commit !== null
  }

  /**
   * False if the server does not answer, or has not committed, within some milliseconds. Others can read meanwhile. It is not
   * asked while a write waits, which may be for the lock.
   */
  answers(within: number): Promise<boolean> {
    if (this.#commit) return isDoneWithin(this.#commit, within)
    if (!this.#asked && this.#writes > 0) return Promise.resolve(true)
    this.#asked ??= this.#inTurn(() => this.#ask()).finally(() => (this.#asked = null))
    return isDoneWithin(this.#asked, within)
  }

  /** True in a write in which a value that must be unique, and is not, lets the whole transaction be done again. */
  get checksLater(): boolean {
    return this.#planned.isOn
  }

  /** Inserts a row with the next statement, and returns its number; null if that is not possible now. */
  insertLater(sql: string, values: readonly unknown[]): number | null {
    return this.#planned.isOn ? this.#planned.insert(sql, values) : null
  }

  /** The next number of a series that has one already; null for others. */
  count(name: string): number | null {
    if (this.#planned.isOn) return this.#planned.count(name)
    const update = "UPDATE number_series SET last = last + 1 WHERE name = ? RETURNING last"
    const row = this.#query(update).get(name) as { last: number } | null
    return row?.last ?? null
  }

  /** Returns the statement for a text of SQL, which is kept. */
  query<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(
    sql: string,
  ): PostgresStatement<Row, Listed<Params>> {
    return this.#query(sql) as unknown as PostgresStatement<Row, Listed<Params>>
  }

  prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(
    sql: string,
  ): PostgresStatement<Row, Listed<Params>> {
    return new PostgresStatement(this, sql)
  }

  /** Runs a statement, or several without parameters. COMMIT must be a statement of its own. */
  run<Params extends SQLQueryBindings[]>(sql: string, ...bindings: Params[]): Changes {
    const params = bindings.flat()
    const statement = translate(sql)
    const { effect, paramsCount } = statement
    const isSimple = paramsCount === 0 && params.length === 0 && (effect === "read" || effect === "write")
    if (effect === "write") this.changes++
    if (isSimple) this.#before(statement)
    const answer = isSimple
      ? this.#transactions.simple(statement.sql, effect)
      : this.execute(statement, params)
    const changes = answer?.count() ?? 0
    return { changes: effect === "read" ? 0 : changes, lastInsertRowid: 0 }
  }

  /**
   * Sends a statement of the transaction, without parameters, together with the next one, which reports its errors. Its
   * rows are ignored.
   */
  defer(sql: string): void {
    const statement = translate(sql)
    const { effect, paramsCount } = statement
    if (paramsCount > 0 || (effect !== "read" && effect !== "write"))
      throw new TypeError(
        "Only a statement without parameters that does not control the transaction can wait.",
      )
    this.#transactions.defer(statement)
  }

  get inTransaction(): boolean {
    return this.#transactions.isOpen
  }

  /** Returns a function that runs `work` in a transaction, or in a savepoint of the current one. */
  transaction<Args extends unknown[], T>(work: (...args: Args) => T) {
    const begun = (...args: Args): T =>
      this.inTransaction
        ? this.#within(
            ["SAVEPOINT nested"],
            ["RELEASE nested"],
            ["ROLLBACK TO nested", "RELEASE nested"],
            () => work(...args),
          )
        : this.#within(["BEGIN"], ["COMMIT"], ["ROLLBACK"], () => work(...args))
    return Object.assign(begun, { deferred: begun, immediate: begun, exclusive: begun })
  }

  /** Subscribes to a channel, and again after the connection was lost. */
  listen(channel: string): void {
    this.#link.listen(channel)
  }

  /**
   * Takes a lock that others can share, until this database is closed. Returns false if another connection has it alone. It
   * is taken again after the connection was lost.
   */
  share(key: number): boolean {
    return this.#link.share(this.keyOf(key))
  }

  /**
   * Takes a lock that no other connection has, until the connection ends. Returns null if another one has it, or a function
   * that tells whether it is still held.
   */
  lock(key: number): (() => boolean) | null {
    return this.#link.lock(this.keyOf(key))
  }

  /** Releases a lock of `lock`. */
  unlock(key: number): void {
    this.#link.unlock(this.keyOf(key))
  }

  /** A lock of this shop. Its key has the space in the upper half. */
  keyOf(lock: number): bigint {
    return BigInt.asIntN(64, (BigInt(this.space) << 32n) | BigInt(lock))
  }

  /** True if the connection is not lost, as far as that is known without asking the server. It is not opened again. */
  look(): boolean {
    return this.#link.look()
  }

  /**
   * The notifications that have arrived, without asking the server. After a lost connection each channel has one without a
   * payload, because some may be missing.
   */
  notifications(): Noticed[] {
    if (this.inTransaction && !this.#link.isAlive) return []
    const own = [this.#link.pid, this.#writer?.link.pid]
    return this.#link
      .notifications()
      .map(({ from, ...notification }) => ({ ...notification, isOwn: own.includes(from) }))
  }

  close(): void {
    this.#writer?.link.close()
    this.#writer?.transactions.end()
    this.#link.close()
    this.#reads.end()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  get undone(): number {
    return this.#transactions.undone
  }

  readSimple(sql: string): Answer {
    return this.#transactions.simple(sql, "read")
  }

  get keepsRows(): boolean {
    return this.#planned.isOn
  }

  known(read: Read): Row[] | null {
    return this.#planned.find(read)
  }

  keep(read: Read, rows: readonly Row[]): void {
    this.#planned.keep(read, rows)
  }

  execute(statement: Translation, params: readonly unknown[]): Answer | null {
    const [first] = params
    const values: readonly unknown[] = params.length === 1 && Array.isArray(first) ? first : params
    assertCount(statement, values)
    const { effect } = statement
    if (effect === "write") this.changes++
    this.#before(statement)
    if (effect === "read" || effect === "write")
      return this.#transactions.query(statement, this.#encode(values))
    this.#control(statement)
    return null
  }

  executeEach(statement: Translation, lists: readonly (readonly unknown[])[]): Answer[] {
    if (lists.length === 0) return []
    for (const values of lists) assertCount(statement, values)
    if (statement.effect === "write") this.changes += lists.length
    this.#before(statement)
    return this.#transactions.queryEach(statement, lists.map(encodeOnce))
  }

  /** Prepares a planned write for a statement that is sent now. */
  #before({ effect, sql }: Translation): void {
    if (!this.#planned.isOn) return
    if (effect === "write") this.#planned.beforeWrite(sql)
    if (effect === "read" || effect === "write") this.#planned.beforeRead()
  }

  #deferEach(statement: Translation, lists: readonly (readonly unknown[])[]): void {
    for (const values of lists) assertCount(statement, values)
    this.changes += lists.length
    this.#transactions.deferEach(statement, lists)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#writes++
    const done = this.#lastWrite.then(work).finally(() => this.#writes--)
    this.#lastWrite = done.catch(() => {})
    return done
  }

  /** True also if the connection is lost: what happens then is known at once. */
  async #ask(): Promise<void> {
    try {
      const { link } = (this.#writer ??= this.#openWriter())
      for (const answer of await link.session().exchangeLater([{ sql: "SELECT 1" }])) answer.clear()
    } catch (error) {
      if (!(error instanceof PostgresError)) throw error
    }
  }

  #query(sql: string): PostgresStatement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = new PostgresStatement(this, sql)
      if (this.#statements.size < mostStatements) this.#statements.set(sql, statement)
    }
    return statement
  }

  async #writeNext<T>(
    query: string,
    work: (row: Row | undefined) => T | Promise<T>,
    { mayWait = false, reads = () => [] }: WriteOptions,
  ): Promise<T> {
    // The locks that tell others that this server runs are those of the other connection.
    this.#link.checkedSession()
    const { link, transactions } = (this.#writer ??= this.#openWriter())
    const early = mayWait ? this.#planned.begin(reads()) : null
    const [answer, ...found] = await transactions.beginWith(query, early?.steps ?? [])
    this.#transactions = transactions
    this.#planned.isOn = mayWait
    try {
      const [row] = answer?.rows() ?? []
      early?.keep(found)
      this.#assertSameServer(link)
      // Other writes may have come while this one waited for the lock.
      const late = mayWait ? this.#planned.later(reads()) : null
      if (late && late.steps.length > 0) late.keep(transactions.readAll(late.steps))
      this.#replan()
      const done = work(row)
      // Nothing may run before the end of what is not awaited.
      return done instanceof Promise ? await done : done
    } finally {
      if (transactions.isOpen) transactions.rollback()
      this.#transactions = this.#reads
      this.#planned.end()
    }
  }

  /** After a failover, one of the connections may still be to the server before. */
  #assertSameServer(writing: Link): void {
    if (this.#link.origin === writing.origin) return
    this.#link.drop()
    this.#link.session()
    if (this.#link.origin === writing.origin) return
    writing.drop()
    throw new PostgresError(connectionLost, "The server has changed.")
  }

  #names(): Names {
    const found = (sql: string) =>
      new Set(
        this.#reads
          .simple(sql, "read")
          .rows()
          .map(({ name }) => String(name)),
      )
    return {
      views: found("SELECT viewname AS name FROM pg_views WHERE schemaname = current_schema()"),
      cascading: found(
        "SELECT confrelid::regclass::text AS name FROM pg_constraint WHERE confdeltype IN ('c', 'n', 'd')",
      ),
    }
  }

  #openWriter() {
    const link = new Link(this.#link.pq, this.#address, this.#options.answerTime)
    return { link, transactions: new Transactions(link, this.#options.outcomeTime) }
  }

  #control(statement: Translation): void {
    const transactions = this.#transactions
    switch (statement.effect) {
      case "begin":
        transactions.begin(statement)
        return this.#replan()
      case "commit":
        if (transactions.isOpen && this.#planned.isOn) this.#planned.beforeCommit()
        return transactions.commit()
      case "rollback":
        return transactions.rollback()
      case "rollbackTo":
        if (this.#planned.isOn) this.#planned.mark(statement)
        return transactions.rollbackTo(statement)
      default:
        if (this.#planned.isOn) this.#planned.mark(statement)
        return transactions.defer(statement)
    }
  }

  /**
   * The server keeps the plan of a statement. One that was made for a table of a few rows reads all of them, so plans are
   * made again each time the number of writes has doubled.
   */
  #replan(): void {
    if (this.changes < this.#replanAt) return
    this.#replanAt = 2 * this.changes
    const statement = translate("DISCARD PLANS")
    this.#transactions.defer(statement)
    if (this.#transactions !== this.#reads) this.#reads.simple(statement.sql, "read").clear()
  }

  #within<T>(begin: string[], end: string[], undo: string[], work: () => T): T {
    for (const sql of begin) this.run(sql)
    try {
      const value = work()
      for (const sql of end) this.run(sql)
      return value
    } catch (error) {
      if (this.inTransaction) for (const sql of undo) this.run(sql)
      throw error
    }
  }
}
