import type { Database } from "../../core/engine/engine"
import type { Core } from "../../core/folder"
import { nextNumber } from "../../core/write/numbers"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { creditLimitRoles } from "../../shared/rights"
import { isExact } from "../../shared/money"
import { fieldError, invalid, Refusal } from "../../core/lib/refusal"
import { tableCrud } from "../../core/store/crud"
import { readChange, type Draft, type Input } from "../../core/kind/read"
import { noteFigures } from "../../core/kind/record-events"
import type { Expected } from "../../core/kind/tag"
import { related } from "../../core/http/answer/expand"
import type { Settings } from "../../office/settings/model"
import type { DocumentCustomer } from "../../trade/needs"
import { assertCredit, warnOfCredit } from "./credit"
import { customers, type Customer } from "./model"
import { treatmentErrors } from "./rules"
import { addTo, findDocumentCustomer, type Figure } from "./store"

type Needs = Core & { settings: () => Settings }

/** Customers are one table; each gets the next number of its series. */
export function customerService(the: Needs) {
  const { db, storeOf } = the
  const crud = tableCrud(customers, storeOf(customers))
  return {
    ...crud,
    create(tx: Tx, draft: Draft) {
      const errors = [...draft.errors, ...treatmentErrors(draft.values as Customer)]
      return crud.make(tx, { ...draft, errors }, () => ({ customerNumber: numberOf(the, tx) }))
    },

    update(tx: Tx, id: string, input: Input, expected: Expected, caller: Caller) {
      const before = crud.get(id)
      const changed: Customer = { ...before, ...readChange(customers, before, input, [], []) }
      const after = crud.revise(tx, id, input, expected, treatmentErrors(changed))
      if (after.creditLimit !== before.creditLimit && !creditLimitRoles.includes(caller.role))
        throw limitForbidden(caller)
      return after
    },

    /** For `expand`. */
    asRelated: related(customers, crud),

    /** Returns the customer data that documents need. */
    forDocument: (id: string): DocumentCustomer | null => findDocumentCustomer(db, id),

    assertCredit,

    /** Warns when the customer of a document is over its limit. */
    warnOfCredit(tx: Tx, id: string, policy: Parameters<typeof warnOfCredit>[2]): void {
      const customer = findDocumentCustomer(db, id)
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

function numberOf({ db, settings, moneyContext }: Needs, tx: Tx): string {
  const format = settings().numberFormats.customers
  return nextNumber(db, tx, { kind: "customers", format, date: moneyContext(tx.now).today }).number
}

const limitForbidden = ({ role }: Caller): Refusal =>
  new Refusal("FORBIDDEN", `The role ${role} may not update a credit limit.`, {
    params: { role },
    details: [
      fieldError("creditLimit", "RULE", `may be updated by ${creditLimitRoles.join(", ")}`, {
        rule: "ROLE",
        allowed: creditLimitRoles,
      }),
    ],
  })

/** The part that a document has in a figure of its customer. */
type Share = { customer: string; amount: number }

/** The fields that show the figures. */
const figureFields: Record<Figure, string> = {
  outstanding_balance: "outstandingBalance",
  open_orders_value: "openOrdersValue",
  credit_balance: "creditBalance",
}

function add(db: Database, tx: Tx, figure: Figure, { customer: id, amount }: Share): void {
  const added = amount === 0 ? null : addTo(db, figure, { id, amount, now: tx.now })
  if (!added) return
  noteFigures(tx, customers, { id, version: added.version }, [figureFields[figure]])
  if (!isExact(added.amount))
    throw invalid("customer", "RULE", "would have a balance or open orders too large to count exactly", {
      rule: "TOO_LARGE_TO_COUNT",
    })
}

export type CustomerService = ReturnType<typeof customerService>
