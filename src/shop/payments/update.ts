import type { Tx } from "../../core/write/writer"
import { assertNoErrors, fieldError, type FieldError, Refusal } from "../../core/lib/refusal"
import { changesOf } from "../../core/kind/changes"
import { type Input, readChange } from "../../core/kind/read"
import { isObject } from "../../core/kind/object"
import { takenErrors } from "../../core/store/crud"
import { fromUnits, toUnits } from "../../shared/decimal"
import { findPayer } from "./create"
import { editable, type Payment, payments, wantedParts } from "./model"
import type { PaymentDeps } from "./parts"
import { loadPayment } from "./void"

/**
 * Updates what the books do not depend on, so also in a closed period. Returns false if nothing differs. An invoice shows
 * its payments, so each one that the payment pays has changed too.
 */
export function updatePayment(deps: PaymentDeps, tx: Tx, shown: Payment, input: Input): boolean {
  const { store, invoices } = deps
  const errors: FieldError[] = []
  const change = readChange(payments, shown, input, errors, tx.warnings)
  asStored(deps, tx, change, errors)
  if (!isShown(input.allocations)) wantedParts.read(input.allocations, "allocations", errors, "update")
  const differing = Object.keys(change).filter(
    (name) => !Bun.deepEquals(change[name], shown[name as keyof Payment]),
  )
  assertUnlocked(differing)
  errors.push(...takenErrors(payments, store, change, shown.id))
  assertNoErrors(errors, "The payment has invalid values.")
  if (differing.length === 0) return false
  const before = loadPayment(deps, shown.id)
  const values = Object.fromEntries(differing.map((name) => [name, change[name]]))
  store.replace(tx, { ...before, ...values, version: before.version + 1, updatedAt: tx.now }, before)
  tx.audit("payments.update", shown.id, changesOf(payments, shown, { ...shown, ...values }))
  const paid = new Set(shown.allocations.map(({ invoice }) => invoice))
  invoices.noteShown(tx, [...paid], ["payments"])
  return true
}

/** True for allocations as a response shows them, which may be sent back. Others are for a new payment only. */
const isShown = (given: unknown): boolean =>
  given == null || (Array.isArray(given) && given.every((each) => isObject(each) && "id" in each))

/** Brings the customer and the amount into the form in which they are stored, so that what is meant is compared. */
function asStored(deps: PaymentDeps, tx: Tx, change: Record<string, unknown>, errors: FieldError[]): void {
  const customer = "customer" in change ? findPayer(deps, tx, change.customer, errors) : null
  if (customer) change.customer = customer.id
  const { digits } = deps.moneyContext(tx.now)
  const units = typeof change.amount === "number" ? toUnits(change.amount, digits) : null
  if (units !== null) change.amount = fromUnits(units, digits)
}

/** A new value of a locked field is refused as such, even if the value is invalid. */
function assertUnlocked(differing: readonly string[]): void {
  const locked = differing.filter((name) => !editable.includes(name))
  if (locked.length === 0) return
  throw new Refusal(
    "DOCUMENT_LOCKED",
    "The payment is recorded; these fields can no longer be updated. Void it and record it again.",
    {
      params: { number: null, status: "recorded" },
      details: locked.map((name) =>
        fieldError(name, "READ_ONLY", "cannot be updated after the payment was recorded"),
      ),
    },
  )
}
