import type { Answer } from "../answer"
import { Counters, lastNumber, lastRow, nameIn } from "./counters"
import { encodeOnce } from "../parameters"
import { type Names, Prefetched, type Read } from "./prefetched"
import type { Row } from "../rows"
import type { Step } from "../session"
import type { PostgresStatement } from "../statement"
import type { Translation } from "../translate"

/** What planned writes need of a database. */
type Host = {
  statementOf(sql: string): PostgresStatement
  /** Sends a statement once for each list of values, with the next one that is asked. */
  deferEach(statement: Translation, lists: readonly (readonly unknown[])[]): void
  names(): Names
}

/** What a query needs to be sent, and how its rows are kept. */
type Sending = { steps: Step[]; keep(answers: readonly Answer[]): void }

/**
 * The planned write that runs now, which can be done again: its statements without an answer wait for the next one that has
 * one, it counts in memory, and what it has read is not asked again.
 */
export class PlannedWrite {
  /** False in other writes, and between writes. */
  isOn = false
  readonly #host: Host
  readonly #known: Prefetched
  /** The last rows of tables, and the last numbers of series. */
  readonly #rows = new Counters()
  readonly #series = new Counters()

  constructor(host: Host) {
    this.#host = host
    this.#known = new Prefetched(() => host.names())
  }

  /** Begins a write. Returns what it asks with the lock. */
  begin(reads: readonly Read[]): Sending {
    return this.#sending(this.#known.begin(reads.map((read) => this.#translated(read))))
  }

  /** Returns what it asks for the writes that have come while it waited for the lock. */
  later(reads: readonly Read[]): Sending {
    return this.#sending(this.#known.later(reads.map((read) => this.#translated(read))))
  }

  end(): void {
    this.isOn = false
    this.#known.clear()
    for (const counters of [this.#rows, this.#series]) counters.clear()
  }

  /** The rows of a query that was asked before; null if they are not known. */
  find(read: Read): Row[] | null {
    return this.isOn ? this.#known.find(read) : null
  }

  /** Keeps the rows of a query. */
  keep(read: Read, rows: readonly Row[]): void {
    if (this.isOn) this.#known.keepAsked(read, rows)
  }

  /** Runs a statement with the next one, once for each list of values. */
  runEach(sql: string, lists: readonly (readonly unknown[])[]): void {
    this.beforeWrite(this.#host.statementOf(sql).translation.sql)
    this.#defer(sql, lists)
  }

  /** Inserts a row with the next statement, and returns its number; null if that is not possible. */
  insert(sql: string, values: readonly unknown[]): number | null {
    const [, table, columns] = /^INSERT INTO (\w+) \(([^()]+)\) VALUES/.exec(sql) ?? []
    if (table === undefined) return null
    const seq = this.#rows.next(table) ?? this.#rows.nextAfter(table, this.#lastOf(lastRow(table)) ?? 0)
    const places = "?, ".repeat(values.length)
    this.#defer(`INSERT INTO ${table} (${columns}, seq) VALUES (${places}?)`, [[...values, seq]])
    return seq
  }

  /** The next number of a series that has one already; null for others. */
  count(name: string): number | null {
    const known = this.#series.next(name)
    if (known !== null) return known
    const last = this.#lastOf(lastNumber(name))
    return last === null ? null : this.#series.nextAfter(name, last)
  }

  /** Others read the series. */
  beforeRead(): void {
    const found = this.#series.takeUnstored().map(([name, last]) => [last, name])
    if (found.length > 0) this.#defer("UPDATE number_series SET last = ? WHERE name = ?", found)
  }

  /** Forgets what a statement that writes is going to change. What was counted is stored before. */
  beforeWrite(written: string): void {
    this.#known.forget(written)
    const [, verb, table] = /^(INSERT INTO|UPDATE|DELETE FROM) (\w+)/.exec(written) ?? []
    if (table === undefined || table === "number_series") {
      this.beforeRead()
      this.#series.forgetAll()
    }
    const isCounted = verb === "INSERT INTO" && this.#rows.has(table ?? "")
    if (table === undefined || isCounted) {
      this.#storeRows()
      this.#rows.forgetAll()
    }
  }

  beforeCommit(): void {
    this.beforeRead()
    this.#storeRows()
  }

  /** Follows the savepoints of the transaction. */
  mark(statement: Translation): void {
    const { effect } = statement
    // Something may have been read after it was written.
    if (effect === "rollbackTo") this.#known.clear()
    for (const counters of [this.#series, this.#rows]) {
      if (effect === "savepoint") counters.savepoint(nameIn(statement))
      else if (effect === "release") counters.release(nameIn(statement))
      else counters.undoTo(nameIn(statement))
    }
  }

  #storeRows(): void {
    const found = this.#rows.takeUnstored()
    if (found.length > 0) this.#defer("SELECT setval(pg_get_serial_sequence(?, 'seq'), ?)", found)
  }

  #defer(sql: string, lists: readonly (readonly unknown[])[]): void {
    const { translation } = this.#host.statementOf(sql)
    this.#known.forget(translation.sql)
    this.#host.deferEach(translation, lists)
  }

  #lastOf({ sql, values }: Read): number | null {
    const row = this.#host.statementOf(sql).get(...values) as { last: number | null } | null
    return row?.last ?? null
  }

  #translated({ sql, values }: Read): Read {
    return { sql: this.#host.statementOf(sql).translation.sql, values }
  }

  #sending(reads: readonly Read[]): Sending {
    return {
      steps: reads.map(({ sql, values }) => ({ sql, values: encodeOnce(values) })),
      keep: (answers) => reads.forEach((read, i) => this.#known.keep(read, answers[i]?.rows() ?? [])),
    }
  }
}
