import type { Database } from "../../core/engine/engine"
import type { MoneyContext } from "../../core/kind/field"
import { invalid, Refusal } from "../../core/lib/refusal"
import { restsBetween } from "../../core/lib/turns"
import { fromUnits } from "../../shared/decimal"
import type { Customers } from "../../trade/needs"
import { mostMovements, type Movement, type Statement } from "./model"
import { allSources, type Row, sliceOf, stateOf } from "./store"

/** The number of rows that one query may read, so that no query takes long. */
const sliceSize = 500
/** The maximum number of milliseconds that other requests wait, unless a single query takes longer. */
const longestStep = 4
/** A statement is read again if something was written for the customer meanwhile, but not for ever. */
const mostAttempts = 5

export type Period = { from: string; to: string }

type Needs = {
  db: Database
  moneyContext: () => MoneyContext
  customers: Customers
}

/** Statements of customers. They are computed from the documents, so that they say what is known today. */
export const statementService = ({ db, moneyContext, customers }: Needs) => ({
  /** Adds up all that a customer has owed until the end of a period. It reads in slices, between which others run. */
  async of(customer: string, period: Period, signal: AbortSignal | null): Promise<Statement> {
    customers.get(customer)
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const before = stateOf(db, customer)
      const sums = await addUp(db, customer, period, signal)
      if (stateOf(db, customer) === before) return shown(customer, period, sums, moneyContext())
    }
    throw new Refusal("SERVICE_UNAVAILABLE", "The customer's documents change too often. Try again.", {
      headers: { "retry-after": "1" },
    })
  },
})

export type StatementService = ReturnType<typeof statementService>

/** The sum before the first day, and the rows of the period. */
type Sums = { opening: number; rows: Row[] }

async function addUp(
  db: Database,
  customer: string,
  { from, to }: Period,
  signal: AbortSignal | null,
): Promise<Sums> {
  const rest = restsBetween(longestStep, signal)
  const sums: Sums = { opening: 0, rows: [] }
  for (const source of allSources)
    for (let after: { at: string; id: string } | null = { at: "", id: "" }; after; await rest()) {
      const { rows, last } = sliceOf(db, source, customer, after, sliceSize)
      for (const row of rows)
        if (row.date < from) sums.opening += row.amount
        else if (row.date <= to) sums.rows.push(row)
      if (sums.rows.length > mostMovements) throw tooLong()
      after = last
    }
  return sums
}

const tooLong = (): Refusal =>
  invalid("from", "TOO_LONG", `must be later: a statement has at most ${mostMovements} movements`, {
    max: mostMovements,
  })

function shown(customer: string, period: Period, { opening, rows }: Sums, money: MoneyContext): Statement {
  const { currency, digits } = money
  let balance = opening
  const movements = rows.toSorted(byTime).map(({ date, kind, id, number, amount }): Movement => {
    balance += amount
    return {
      date,
      kind,
      record: id,
      number,
      amount: fromUnits(amount, digits),
      balance: fromUnits(balance, digits),
    }
  })
  return {
    customer,
    currency,
    ...period,
    opening: fromUnits(opening, digits),
    movements,
    closing: fromUnits(balance, digits),
  }
}

const byTime = (a: Row, b: Row): number =>
  compare(a.date, b.date) || compare(a.at, b.at) || compare(a.id, b.id)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
