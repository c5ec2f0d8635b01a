import type { Database } from "../../core/engine/engine"
import { creditNotes } from "../credit-notes/model"
import { customers } from "../customers/model"
import { invoices } from "../invoices/model"
import { payments } from "../payments/model"
import type { MovementKind } from "./model"

/** A row that changes what a customer owes, with its amount in the minor unit. `at` is when it was created. */
export type Row = {
  kind: MovementKind
  id: string
  date: string
  number: string | null
  amount: number
  at: string
}

/** A position in the index of a customer's rows. */
type After = { at: string; id: string }

/** A slice of a table: its rows, and the position of the last row that was read; null at the end. */
type Slice = { rows: Row[]; last: After | null }

/** A row, and an amount of which the parts must be read, such as what of a payment was given back. */
type Found = Omit<Row, "kind"> & { parts: number }

/**
 * The tables of what a customer owes, each with the rows of its parts. A cancelled invoice counts if a credit note cancelled
 * it, because that counts too.
 */
const sources = [
  {
    kind: invoices.name,
    sign: 1,
    sql: `SELECT created_at AS at, id, invoice_date AS date, invoice_number AS number, total - deposit_total AS amount, written_off AS parts
      FROM ${invoices.table} WHERE customer = ? AND (created_at, id) > (?, ?) AND coalesce(status, '') <> 'draft'
        AND (coalesce(status, '') <> 'cancelled' OR credited_total > 0)`,
    part: {
      kind: "write-offs",
      sign: -1,
      sql: `SELECT created_at AS at, id, write_off_date AS date, amount FROM live_write_offs WHERE invoice = ?`,
    },
  },
  {
    kind: creditNotes.name,
    sign: -1,
    sql: `SELECT created_at AS at, id, credit_note_date AS date, credit_note_number AS number, total - deposit_total AS amount,
        refunded AS parts
      FROM ${creditNotes.table} WHERE customer = ? AND (created_at, id) > (?, ?)`,
    part: {
      kind: "refunds",
      sign: 1,
      sql: `SELECT created_at AS at, id, date, amount, reference FROM settlements
        WHERE credit_note = ? AND kind = 'refund' AND voided_at IS NULL`,
    },
  },
  {
    kind: payments.name,
    sign: -1,
    sql: `SELECT created_at AS at, id, payment_date AS date, reference AS number, amount, refunded AS parts
      FROM live_payments WHERE customer = ? AND (created_at, id) > (?, ?)`,
    part: {
      kind: "refunds",
      sign: 1,
      sql: `SELECT created_at AS at, id, date, amount, reference FROM settlements
        WHERE payment = ? AND kind = 'refund' AND voided_at IS NULL`,
    },
  },
] as const

export type Source = (typeof sources)[number]
export const allSources: readonly Source[] = sources

/** Returns the rows of a customer in one table after a position, and their parts, at most `size` of the table. */
export function sliceOf(
  db: Database,
  { kind, sign, sql, part }: Source,
  customer: string,
  after: After,
  size: number,
): Slice {
  const found = db
    .query<Found, [string, string, string, number]>(`${sql} ORDER BY created_at, id LIMIT ?`)
    .all(customer, after.at, after.id, size)
  const rows = found.flatMap(({ parts, ...row }): Row[] => {
    const whole: Row = { ...row, kind, amount: sign * row.amount }
    if (parts === 0) return [whole]
    const own = db
      .query<Omit<Row, "kind" | "number"> & { reference?: string | null }, [string]>(part.sql)
      .all(row.id)
    return [
      whole,
      ...own.map(({ reference = row.number, ...each }) => ({
        ...each,
        kind: part.kind,
        number: reference,
        amount: part.sign * each.amount,
      })),
    ]
  })
  return { rows, last: found.length < size ? null : (found.at(-1) ?? null) }
}

/** A value that changes when anything changes what a customer owes, or its documents. */
export const stateOf = (db: Database, customer: string): string =>
  JSON.stringify(
    db
      .query<object, [string]>(
        `SELECT version, change_count, outstanding_balance, credit_balance FROM ${customers.table} WHERE id = ?`,
      )
      .get(customer),
  )
