import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { newId } from "../../core/lib/id"
import { assertNoErrors, fieldError, missingReference, type FieldError } from "../../core/lib/refusal"
import type { Draft } from "../../core/kind/read"
import { takenErrors } from "../../core/store/crud"
import { amountText, fromUnits } from "../../shared/decimal"
import type { DocumentCustomer } from "../../trade/needs"
import { warnOfMerge } from "../../trade/documents/customer"
import { assertOpenPeriod, warnOfDate } from "../../trade/documents/dates"
import type { InvoiceHead } from "../invoices/model"
import { assertPayable, isFull, readAmount } from "../../trade/settlements/money"
import { type GivenPayment, payments, type StoredPayment, type WantedPart } from "./model"
import { allocate, recount, type PaymentDeps } from "./parts"
import { findOpenInvoices } from "./store"

/** The number of invoices that a payment without allocations can pay. */
const mostInvoices = 500

/** A part of a payment for an invoice; the amount is in the minor unit. */
type Wanted = { invoice: InvoiceHead; amount: number }

/** Records a payment of a customer, and pays the invoices that the body names, or else the oldest ones. */
export function createPayment(
  deps: PaymentDeps,
  tx: Tx,
  { values: drafted, extras, errors }: Draft,
  caller: Caller,
): StoredPayment {
  const money = deps.moneyContext(tx.now)
  const given = drafted as GivenPayment
  const customer = findPayer(deps, tx, given.customer, errors)
  const values = { ...given, customer: customer?.id ?? given.customer }
  const amount = readAmount(values.amount, money, "amount", errors)
  const parts = (extras.allocations ?? null) as readonly Partial<WantedPart>[] | null
  const wanted = customer === null ? [] : readAllocations(deps, tx, parts, amount, errors)
  errors.push(...takenErrors(payments, deps.store, values, null))
  assertNoErrors(errors, "The payment has invalid values.")
  const paymentDate = values.paymentDate ?? money.today
  assertOpenPeriod(deps.settings(), paymentDate, "paymentDate")
  warnOfDate(tx.warnings, "paymentDate", paymentDate, money.today)
  wanted?.forEach(({ invoice, amount: part }, i) =>
    assertPayable(
      deps.db,
      invoice,
      { amount: part, field: `allocations[${i}].amount`, customer: values.customer },
      money,
    ),
  )
  const customerName = customer?.name ?? ""
  const payment = insertPayment(deps, tx, { ...values, customerName, amount, paymentDate }, caller)
  const paid = wanted ?? oldestFirst(deps, values.customer, amount)
  const made = { date: paymentDate, by: caller.userId }
  allocate(
    deps,
    tx,
    payment.id,
    paid.map((part) => ({ ...part, ...made })),
  )
  return recount(deps, tx, payment, null)
}

/** Finds the customer of a payment, who may be inactive. */
export function findPayer(
  { customers }: PaymentDeps,
  { warnings }: Tx,
  id: unknown,
  errors: FieldError[],
): DocumentCustomer | null {
  const customer = typeof id === "string" ? customers.forDocument(id) : null
  if (customer) warnOfMerge(warnings, customer)
  else if (typeof id === "string") errors.push(missingReference("customer", id))
  return customer
}

/** Stores a payment of which nothing is allocated yet. It must be recounted after that. The amount is in the minor unit. */
export function insertPayment(
  deps: PaymentDeps,
  tx: Tx,
  given: GivenPayment & { customerName: string },
  caller: Caller,
): StoredPayment {
  const { customer, amount } = given
  const payment: StoredPayment = {
    ...given,
    id: newId(payments.idPrefix, tx.now),
    invoice: null,
    allocated: 0,
    refunded: 0,
    unallocated: amount,
    createdBy: caller.userId,
    version: 0,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  deps.store.insert(tx, payment)
  tx.audit("payments.create", payment.id, {
    customer: { from: null, to: customer },
    amount: { from: null, to: fromUnits(amount, deps.moneyContext(tx.now).digits) },
  })
  return payment
}

/** Returns the parts that a body names; null if it leaves that to the server. */
function readAllocations(
  { invoices, moneyContext }: PaymentDeps,
  tx: Tx,
  allocations: readonly Partial<WantedPart>[] | null,
  amount: number,
  errors: FieldError[],
): Wanted[] | null {
  if (allocations === null) return null
  const money = moneyContext(tx.now)
  const seen = new Set<string>()
  const wanted = allocations.flatMap(({ invoice: id, amount: given }, i): Wanted[] => {
    if (typeof id !== "string") return []
    const invoice = invoices.findHead(id)
    const field = `allocations[${i}].invoice`
    if (!invoice) errors.push(missingReference(field, id))
    else if (seen.has(id))
      errors.push(fieldError(field, "RULE", "is given more than once", { rule: "REPEATED" }))
    seen.add(id)
    const part = readAmount(given, money, `allocations[${i}].amount`, errors)
    return invoice ? [{ invoice, amount: part }] : []
  })
  const sum = wanted.reduce((all, part) => all + part.amount, 0)
  if (sum > amount) {
    const max = fromUnits(amount, money.digits)
    const message = `must add up to at most ${amountText(max, money)}`
    errors.push(fieldError("allocations", "TOO_LARGE", message, { max, currency: money.currency }))
  }
  return wanted
}

/** Divides an amount over the open invoices of a customer: those that are due first are paid first. */
function oldestFirst({ db, invoices }: PaymentDeps, customer: string, amount: number): Wanted[] {
  let left = amount
  const parts: Wanted[] = []
  for (const { id } of findOpenInvoices(db, customer, mostInvoices)) {
    if (left === 0) break
    if (isFull(db, id)) continue
    const invoice = invoices.loadHead(id)
    const part = Math.min(left, invoice.balance)
    left -= part
    parts.push({ invoice, amount: part })
  }
  return parts
}
