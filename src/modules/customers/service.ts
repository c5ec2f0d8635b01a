import type { Database } from "bun:sqlite"
import { nextNumber } from "../../db/numbers"
import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { creditLimitRoles } from "../../shared/rights"
import { isExact } from "../../shared/money"
import { fieldError, invalid, Refusal } from "../../lib/refusal"
import { tableCrud } from "../../resource/crud"
import type { Draft, Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import type { Expected } from "../../resource/tag"
import { assertCredit, warnOfCredit } from "./credit"
import { customers } from "./model"
import { addTo, findBuyer, type Figure } from "./store"

/** Customers are one table; each gets the next number of the series CUST. */
export function customerService(db: Database, store: TableStore<typeof customers>) {
  const crud = tableCrud(customers, store)
  return {
    ...crud,
    create: (tx: Tx, draft: Draft) =>
      crud.make(tx, draft, () => ({ customerNumber: nextNumber(db, tx, "CUST") })),

    update(tx: Tx, id: string, input: Input, expected: Expected, caller: Caller) {
      const before = crud.get(id)
      const after = crud.update(tx, id, input, expected)
      if (after.creditLimit !== before.creditLimit && !creditLimitRoles.includes(caller.role))
        throw new Refusal("FORBIDDEN", `The role ${caller.role} may not update a credit limit.`, {
          params: { role: caller.role },
          details: [
            fieldError("creditLimit", "RULE", `may be updated by ${creditLimitRoles.join(", ")}`, {
              rule: "ROLE",
              allowed: creditLimitRoles,
            }),
          ],
        })
      return after
    },

    /** Returns the customer data that documents need. */
    forDocument: (id: string) => findBuyer(db, id),

    assertCredit,

    /** Warns when the customer of a document is over its limit. */
    warnOfCredit(tx: Tx, id: string, policy: Parameters<typeof warnOfCredit>[2]): void {
      const customer = findBuyer(db, id)
      if (customer) warnOfCredit(tx, customer, policy)
    },

    /** Changes a figure by the difference between two states of a document, which may have different customers. */
    moveFigure(tx: Tx, figure: Figure, before: Share | null, after: Share): void {
      if (before && before.customer !== after.customer) {
        add(db, tx, figure, { customer: before.customer, amount: -before.amount })
        add(db, tx, figure, after)
      } else add(db, tx, figure, { ...after, amount: after.amount - (before?.amount ?? 0) })
    },
  }
}

/** The part that a document has in a figure of its customer. */
type Share = { customer: string; amount: number }

function add(db: Database, { now }: Tx, figure: Figure, { customer: id, amount }: Share): void {
  if (amount !== 0 && !isExact(addTo(db, figure, { id, amount, now })))
    throw invalid("customer", "RULE", "would have a balance or open orders too large to count exactly", {
      rule: "TOO_LARGE_TO_COUNT",
    })
}

export type CustomerService = ReturnType<typeof customerService>
