import type { Database } from "../../core/engine/engine"
import type { Tx } from "../../core/write/writer"
import { newId } from "../../core/lib/id"
import { Refusal } from "../../core/lib/refusal"
import { findSettlement, type Settlement } from "./store"

/** Returns a part of a payment or of a credit note, or refuses an id that it does not have. */
export function partOf(
  db: Database,
  owner: { table: "payment" | "credit_note"; id: string; noun: string },
  kind: Settlement["kind"],
  id: string,
): Settlement {
  const found = findSettlement(db, owner.table, owner.id, id)
  if (found?.kind === kind) return found
  const shown = id.slice(0, 64)
  throw new Refusal("NOT_FOUND", `There is no ${kind} ${JSON.stringify(shown)} of this ${owner.noun}.`, {
    params: { kind: `${kind}s`, id: shown },
  })
}

const prefixes = { allocation: "alc", application: "app", refund: "rfd" }
const nothing = { payment: null, creditNote: null, invoice: null, method: null, reference: null }

/** Returns a new part of a payment or of a credit note. */
export const newPart = (
  tx: Tx,
  part: Pick<Settlement, "kind" | "amount" | "date" | "createdBy"> & Partial<Settlement>,
): Settlement => ({ ...nothing, ...part, id: newId(prefixes[part.kind], tx.now), createdAt: tx.now })

/** Adds up the parts of one kind. */
export const sumOf = (parts: readonly Settlement[], kind: Settlement["kind"]): number =>
  parts.reduce((sum, part) => (part.kind === kind ? sum + part.amount : sum), 0)
