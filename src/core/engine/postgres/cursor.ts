import type { Answer } from "./answer"
import type { Row } from "./rows"
import type { Translation } from "./translate"

/** What statements and cursors need of a database. */
export type Executor = {
  /** Runs a statement. Those that only control the transaction have no answer. */
  execute(statement: Translation, values: readonly unknown[]): Answer | null
  /** Runs a statement once for each list of values, with one message to the server. */
  executeEach(statement: Translation, lists: readonly (readonly unknown[])[]): void
  /** Runs statements without parameters that write nothing. */
  readSimple(sql: string): Answer
  /** The numbers of the open cursors. */
  readonly cursors: Set<number>
  /** Changes when a transaction is rolled back or the connection is lost, which may close cursors. */
  readonly undone: number
}

const atOnce = 500

/**
 * Reads the rows of a query in parts, so that they need not fit in memory. Other statements may run in between, and the
 * transaction may be committed: WITH HOLD keeps the cursor.
 */
export function* scan(db: Executor, query: Translation, values: readonly unknown[]): Generator<Row> {
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
