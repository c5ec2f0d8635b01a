// The writes of a scenario that move money: credit notes, payments over several invoices, refunds and their removal.
import type { Found } from "./client"
import type { Random } from "./random"
import { becomes, part, post, remove, type Steps } from "./scenario-step"

/** The customer, and all its invoices so far: a payment can pay any of them. */
export type Account = { customer: Found; customerPath: string; invoices: string[] }

const cents = (amount: unknown): number => Math.round(Number(amount) * 100)
const half = (amount: number): number => Math.floor(amount / 2) / 100

/** Issues an invoice without an order. */
export function* invoiceOf({ customer, customerPath, invoices }: Account, rate: number): Steps<Found> {
  const items = [{ description: "Delivery", quantity: 2, rate }]
  const body = { customer: customer.id, status: "unpaid", items }
  const invoice = yield post("/invoices", body, [customerPath])
  invoices.push(`/invoices/${invoice.id}`)
  return invoice
}

/** Pays an invoice, or not, and credits it. What is left of the credit note is refunded and applied. */
export function* credit(random: Random, account: Account, invoice: Found, touches: readonly string[]): Steps {
  const invoicePath = `/invoices/${invoice.id}`
  const touched = [invoicePath, account.customerPath]
  if (random.chance(0.6)) yield pay(account, invoice, Number(invoice.total))
  const lines = invoice.items as { id: string; quantity: number; amount: number }[]
  const line = lines.toSorted((a, b) => b.amount - a.amount)[0]
  const items = random.pick([
    [{ invoiceLine: line?.id, quantity: line?.quantity }],
    [{ invoiceLine: line?.id, amount: 0.01 }],
    null,
  ])
  const note = yield post(
    `${invoicePath}/credit-notes`,
    { reason: "Returned", restock: random.chance(0.5), ...(items ? { items } : {}) },
    [...touches, ...touched],
    "/credit-notes",
  )
  yield* useNote(random, account, note)
}

function* useNote(random: Random, account: Account, note: Found): Steps {
  const path = `/credit-notes/${note.id}`
  const left = cents(note.unapplied)
  if (left < 2) return
  const touched = [path, account.customerPath]
  const refund = yield part(`${path}/refunds`, { amount: half(left) }, touched)
  if (random.chance(0.5)) yield remove(`${path}/refunds/${refund.id}`, touched)
  const { id } = yield* invoiceOf(account, 50_000)
  const invoicePath = `/invoices/${id}`
  const body = { invoice: id, amount: (left - cents(half(left))) / 100 }
  const application = yield part(`${path}/applications`, body, [...touched, invoicePath])
  if (random.chance(0.5)) yield remove(`${path}/applications/${application.id}`, [...touched, invoicePath])
}

/** A payment of a customer for several invoices, and what is done with it after that. */
export function* receipt(random: Random, account: Account): Steps {
  const { customer, customerPath, invoices } = account
  const [one, other] = [yield* invoiceOf(account, 10), yield* invoiceOf(account, 20)]
  const allocations = random.pick([
    [],
    [one, other].map(({ id, total }) => ({ invoice: id, amount: half(cents(total)) })),
    null,
  ])
  const body = { customer: customer.id, amount: random.between(5_000, 500_000) / 100 }
  const touched = [customerPath, ...invoices]
  const payment = yield post("/payments", { ...body, ...(allocations ? { allocations } : {}) }, touched)
  const path = `/payments/${payment.id}`
  if (allocations?.length === 0) {
    const target = { invoice: one.id, amount: 10 }
    yield part(`${path}/allocations`, target, [path, ...touched])
    yield part(`${path}/allocations`, { ...target, amount: 5 }, [path, ...touched])
  }
  const [paid] = payment.allocations as { id: string; invoice: string }[]
  if (paid && random.chance(0.5)) {
    const places = [`${path}/allocations/${paid.id}`, `/invoices/${paid.invoice}/payments/${payment.id}`]
    const place = random.pick(places)
    yield remove(place, [path, ...touched])
    // Through its only invoice, a payment of which nothing is left is voided as a whole.
    if (place === places[1] && payment.invoice !== null && payment.unallocated === 0) return
  }
  if (cents(payment.unallocated) > 2_000 && random.chance(0.5)) {
    const refund = yield part(`${path}/refunds`, { amount: 1.23 }, [path, customerPath])
    if (random.chance(0.5)) yield remove(`${path}/refunds/${refund.id}`, [path, customerPath])
  }
  if (random.chance(0.4)) yield remove(path, touched)
}

/** Pays an invoice. The payment is a record of its own. */
export const pay = ({ customerPath }: Account, { id }: Found, amount: number) => ({
  ...part(`/invoices/${id}/payments`, { amount, method: "cash" }, [`/invoices/${id}`, customerPath]),
  names: (payment: Found) => [`/payments/${payment.id}`],
})

/** Cancels an invoice. If the settings say so, the response names a new credit note. */
export const cancelInvoice = (path: string, touches: string[]) => ({
  ...becomes(path, "cancelled", touches),
  names: ({ creditNotes }: Found) => (creditNotes as string[]).map((id) => `/credit-notes/${id}`),
})
