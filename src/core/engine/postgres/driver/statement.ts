import type { Changes } from "bun:sqlite"
import type { Answer } from "./answer"
import type { Read } from "./planned/prefetched"
import type { Cell, Row as AnyRow } from "./rows"
import { translate, type Translation } from "./translate"

type Rows = AnyRow[]

export function assertCount({ paramsCount }: Translation, values: readonly unknown[]): void {
  if (values.length !== paramsCount)
    throw new RangeError(`A statement needs ${paramsCount} values, but got ${values.length}.`)
}

/** A statement with the interface of bun:sqlite's `Statement`. The server prepares it at its first use. */
export class PostgresStatement<Row = unknown, Params extends unknown[] = unknown[]> {
  readonly #db: Executor
  readonly translation: Translation

  constructor(db: Executor, sql: string) {
    this.#db = db
    this.translation = translate(sql)
  }

  get paramsCount(): number {
    return this.translation.paramsCount
  }

  get(...params: Params): Row | null {
    const [row] = this.#db.keepsRows ? this.#read(params) : (this.#execute(params)?.rows(1) ?? [])
    return row === undefined ? null : (row as Row)
  }

  all(...params: Params): Row[] {
    return this.#read(params) as Row[]
  }

  values(...params: Params): Cell[][] {
    return this.#execute(params)?.values() ?? []
  }

  run(...params: Params): Changes {
    const answer = this.#execute(params)
    const count = answer?.count() ?? 0
    return { changes: this.translation.effect === "read" ? 0 : count, lastInsertRowid: 0 }
  }

  /** Runs the statement once for each list of values, with one message to the server. Its rows are ignored. */
  runEach(lists: readonly Params[]): void {
    for (const answer of this.#db.executeEach(this.translation, lists)) answer.clear()
  }

  /** The same, but returns the rows. */
  allEach(lists: readonly Params[]): Row[] {
    return this.#db.executeEach(this.translation, lists).flatMap((answer) => answer.rows() as Row[])
  }

  *iterate(...params: Params): IterableIterator<Row> {
    if (this.translation.effect === "read")
      yield* scan(this.#db, this.translation, params) as Iterable<unknown> as Iterable<Row>
    else yield* this.all(...params)
  }

  /** The server closes statements that are not used for long. */
  finalize(): void {}

  #read(params: readonly unknown[]): Rows {
    const read = { sql: this.translation.sql, values: params }
    const known = this.#db.known(read)
    if (known) return known
    const rows = this.#execute(params)?.rows() ?? []
    if (this.translation.effect === "read") this.#db.keep(read, rows)
    return rows
  }

  #execute(params: readonly unknown[]): Answer | null {
    return this.#db.execute(this.translation, params)
  }
}

/** What statements and cursors need of a database. */
export type Executor = {
  /** True in a write that keeps the rows of its queries. */
  readonly keepsRows: boolean
  /** The rows of a query of this write; null if they are not known. */
  known(read: Read): Rows | null
  keep(read: Read, rows: readonly AnyRow[]): void
  /** Runs a statement. Those that only control the transaction have no answer. */
  execute(statement: Translation, values: readonly unknown[]): Answer | null
  /** Runs a statement once for each list of values, with one message to the server. */
  executeEach(statement: Translation, lists: readonly (readonly unknown[])[]): Answer[]
  /** Runs statements without parameters that write nothing. */
  readSimple(sql: string): Answer
  readonly cursors: Set<number>
  /** Changes when a transaction is rolled back or the connection is lost, which may close cursors. */
  readonly undone: number
}

const atOnce = 500

/**
 * Reads the rows of a query in parts, so that they need not fit in memory. Other statements may run in between, and the
 * transaction may be committed: WITH HOLD keeps the cursor.
 */
function* scan(db: Executor, query: Translation, values: readonly unknown[]): Generator<AnyRow> {
  const number = freeNumber(db.cursors)
  const name = `c${number}`
  const sql = `DECLARE ${name} NO SCROLL CURSOR WITH HOLD FOR ${query.sql}`
  db.execute({ ...query, sql }, values)?.clear()
  db.cursors.add(number)
  const { undone } = db
  try {
    for (;;) {
      const rows = db.readSimple(`FETCH ${atOnce} FROM ${name}`).rows()
      yield* rows
      if (rows.length < atOnce) return
    }
  } finally {
    if (db.undone === undone) close(db, number)
  }
}

/** After a rollback it is not known whether a cursor is still open. Then it is not closed and its name not used again. */
function close(db: Executor, number: number): void {
  try {
    db.readSimple(`CLOSE c${number}`).clear()
    db.cursors.delete(number)
  } catch {
    // The connection is lost or the transaction has failed. The next statement reports that.
  }
}

function freeNumber(taken: ReadonlySet<number>): number {
  let number = 1
  while (taken.has(number)) number++
  return number
}
