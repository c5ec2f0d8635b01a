import { CString } from "bun:ffi"
import { oneLine } from "./address"
import { connectionLost, isConnectionFailure, PostgresError } from "./errors"
import type { Handle, Libpq } from "./libpq"
import { fieldsOf, rowsOf, valuesOf, type Cell, type Field, type Row } from "./rows"

/** The result of a statement. Reading it, or `clear`, releases its memory. */
export class Answer {
  constructor(
    readonly pq: Libpq,
    readonly at: Handle,
    /** The columns, if they are known from an earlier result of the same statement. */
    public fields: Field[] = fieldsOf(pq, at),
  ) {}

  rows(most?: number): Row[] {
    const rows = rowsOf(this.pq, this.at, this.fields, most)
    this.clear()
    return rows
  }

  values(): Cell[][] {
    const values = valuesOf(this.pq, this.at, this.fields)
    this.clear()
    return values
  }

  /** How many rows were written or read. */
  count(): number {
    const count = Number(String(this.pq.PQcmdTuples(this.at)))
    this.clear()
    return count
  }

  /** The name of what was done. A COMMIT of a failed transaction is answered by ROLLBACK. */
  tag(): string {
    const tag = String(this.pq.PQcmdStatus(this.at))
    this.clear()
    return tag
  }

  clear(): void {
    this.pq.PQclear(this.at)
  }
}

/** Values of ExecStatusType. */
export const resultStatus = { empty: 0, command: 1, rows: 2, sync: 10 }

/** Letters of the fields of an error in the protocol. */
const field = { code: "C", message: "M", detail: "D", constraint: "n" }

const successes = [resultStatus.empty, resultStatus.command, resultStatus.rows, resultStatus.sync]

export const isSuccess = (status: number): boolean => successes.includes(status)

/** The error of a result. If the connection is lost, the code says so, whatever the server has said before. */
export function errorOf(pq: Libpq, connection: Handle, result: Handle | null): PostgresError {
  const said = (name: keyof typeof field): string | null => {
    const at = result && pq.PQresultErrorField(result, field[name].charCodeAt(0))
    return at ? new CString(at).toString() : null
  }
  const whole = result ? String(pq.PQresultErrorMessage(result)) : String(pq.PQerrorMessage(connection))
  const message = said("message") ?? oneLine(whole)
  const error = new PostgresError(said("code") ?? connectionLost, message, {
    constraint: said("constraint"),
    detail: said("detail"),
  })
  const isAlive = pq.PQstatus(connection) === 0
  return isAlive || isConnectionFailure(error) ? error : new PostgresError(connectionLost, message)
}
