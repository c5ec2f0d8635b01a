import type { Changes } from "bun:sqlite"
import type { Answer } from "./answer"
import { scan, type Executor } from "./cursor"
import type { Cell } from "./rows"
import { translate, type Translation } from "./translate"

/** A statement with the interface of bun:sqlite's `Statement`. The server prepares it at its first use. */
export class PostgresStatement<Row = unknown, Params extends unknown[] = unknown[]> {
  readonly #db: Executor
  readonly #translation: Translation

  constructor(db: Executor, sql: string) {
    this.#db = db
    this.#translation = translate(sql)
  }

  get paramsCount(): number {
    return this.#translation.paramsCount
  }

  get(...params: Params): Row | null {
    const [row] = this.#execute(params)?.rows(1) ?? []
    return row === undefined ? null : (row as Row)
  }

  all(...params: Params): Row[] {
    return (this.#execute(params)?.rows() ?? []) as Row[]
  }

  values(...params: Params): Cell[][] {
    return this.#execute(params)?.values() ?? []
  }

  run(...params: Params): Changes {
    const answer = this.#execute(params)
    const count = answer?.count() ?? 0
    return { changes: this.#translation.effect === "read" ? 0 : count, lastInsertRowid: 0 }
  }

  /** Runs the statement once for each list of values, with one message to the server. Its rows are ignored. */
  runEach(lists: readonly Params[]): void {
    this.#db.executeEach(this.#translation, lists)
  }

  *iterate(...params: Params): IterableIterator<Row> {
    if (this.#translation.effect === "read")
      yield* scan(this.#db, this.#translation, params) as Iterable<unknown> as Iterable<Row>
    else yield* this.all(...params)
  }

  /** The server closes statements that are not used for long. */
  finalize(): void {}

  #execute(params: readonly unknown[]): Answer | null {
    return this.#db.execute(this.#translation, params)
  }
}
