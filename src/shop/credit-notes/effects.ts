import { fieldError, Refusal } from "../../core/lib/refusal"
import type { Doc, Effects } from "../../trade/documents/kind"
import { applicationsIn, refundsIn } from "../../trade/settlements/shown"
import { countSettlementsOf, findSettlements } from "../../trade/settlements/store"
import type { CreditNoteDeps } from "./issue"
import type { CreditNoteHead, CreditNoteLine } from "./model"
import { nameOf } from "./rules"

/** The effects of credit notes: what is left of them is credit of their customers. */
export const creditNoteEffects = (deps: CreditNoteDeps): Effects<CreditNoteHead, CreditNoteLine> => ({
  beside(heads) {
    const ids = heads.map(({ id }) => id)
    const parts = Map.groupBy(findSettlements(deps.db, "credit_note", ids), ({ creditNote }) => creditNote)
    const { digits } = deps.moneyContext()
    return ({ id }) => {
      const own = parts.get(id) ?? []
      return {
        applications: applicationsIn(own, digits),
        refunds: refundsIn(own, digits),
      }
    }
  },
  countBeside: (heads) =>
    countSettlementsOf(
      deps.db,
      "credit_note",
      heads.map(({ id }) => id),
    ),
  fill: () => undefined,
  settle: () => [],
  partyOf: () => ({}),
  retotal: () => ({}),
  book(tx, before, after) {
    const share = ({ head: { customer, unapplied } }: Doc<CreditNoteHead, CreditNoteLine>) => ({
      customer,
      amount: unapplied,
    })
    deps.customers.moveFigure(tx, "credit_balance", before && share(before), share(after))
  },
  become: {},
  assertDeletable: (head) => {
    throw new Refusal("DOCUMENT_LOCKED", `${nameOf(head)} is issued and cannot be deleted.`, {
      params: { number: head.creditNoteNumber, status: head.status },
      details: [fieldError("status", "RULE", "is issued", { rule: "STATUS", status: head.status })],
    })
  },
})
