import { readDraft } from "../core/kind/read"
import type { Tx } from "../core/write/writer"
import { kinds } from "../kinds"
import { applicationBody, credit, type CreditNote } from "../shop/credit-notes/model"
import type { Payment } from "../shop/payments/model"
import { refundBody, writeOffBody } from "../trade/settlements/model"
import type { Sale } from "./sales"
import type { Shop } from "./shop"

/** Something that people correct. It removes the sales from the list that it has corrected. */
type Correction = (shop: Shop, tx: Tx, sales: Sale[]) => void

const isPaid = ({ balance }: Sale): boolean => balance === 0
const isOpen = ({ balance }: Sale): boolean => balance > 0
const hasSeveral = ({ invoice }: Sale): boolean => (invoice.items[0]?.quantity ?? 0) > 1

const corrections: readonly Correction[] = [
  returnGoods,
  reducePaid,
  paySeveral,
  creditOpen,
  payAhead,
  applyCredit,
  reduceOpen,
  payByMistake,
  writeOffRest,
]

/** Corrects some of the latest sales: another kind of correction on each turn. */
export function correct(shop: Shop, tx: Tx, turn: number, sales: Sale[]): void {
  corrections[turn % corrections.length]?.(shop, tx, sales)
}

/** A customer sends one piece back and gets the money back. */
function returnGoods(shop: Shop, tx: Tx, sales: Sale[]): void {
  const sale = take(sales, (each) => isPaid(each) && hasSeveral(each))
  if (!sale) return
  const { id, unapplied } = creditOne(shop, tx, sale, { reason: "Returned", restock: true, quantity: 1 })
  shop.creditNotes.refund(
    tx,
    id,
    refundBody.read({ amount: unapplied, method: "Bank transfer" }),
    shop.caller,
  )
}

/** A customer who has paid gets a part of the price back with the next invoice. */
function reducePaid(shop: Shop, tx: Tx, sales: Sale[]): void {
  const sale = take(sales, isPaid)
  if (sale) creditOne(shop, tx, sale, { reason: "Scratched", amount: tenthOf(sale) })
}

/** A part of the price of an open invoice is not charged. */
function reduceOpen(shop: Shop, tx: Tx, sales: Sale[]): void {
  const sale = take(sales, isOpen)
  if (sale) creditOne(shop, tx, sale, { reason: "Delivered late", amount: tenthOf(sale) })
}

/** An open invoice is credited completely, and the goods come back. */
function creditOpen({ creditNotes, caller }: Shop, tx: Tx, sales: Sale[]): void {
  const sale = take(sales, isOpen)
  if (!sale) return
  const all = credit.read({ reason: "Not accepted by the customer", restock: true })
  creditNotes.credit(tx, sale.invoice.id, all, caller)
}

/** The credit of one invoice pays a part of another. */
function applyCredit(shop: Shop, tx: Tx, sales: Sale[]): void {
  const isMatch = (paid: Sale) => (open: Sale) => isOpen(open) && isSameCustomer(paid, open)
  const paid = take(sales, (each) => isPaid(each) && sales.some(isMatch(each)))
  const open = paid && take(sales, isMatch(paid))
  if (!open) return
  const { id, unapplied } = creditOne(shop, tx, paid, { reason: "Wrong colour", amount: tenthOf(paid) })
  const part = { invoice: open.invoice.id, amount: Math.min(unapplied, open.balance) }
  shop.creditNotes.apply(tx, id, applicationBody.read(part), shop.caller)
}

/** One transfer pays two invoices. */
function paySeveral(shop: Shop, tx: Tx, sales: Sale[]): void {
  const isMatch = (one: Sale) => (other: Sale) => other !== one && isOpen(other) && isSameCustomer(one, other)
  const first = take(sales, (each) => isOpen(each) && sales.some(isMatch(each)))
  const second = first && take(sales, isMatch(first))
  if (second) pay(shop, tx, [first, second], 0)
}

/** A customer pays more than the invoice. */
function payAhead(shop: Shop, tx: Tx, sales: Sale[]): void {
  const sale = take(sales, isOpen)
  if (sale) pay(shop, tx, [sale], 150)
}

/** A transfer arrives less the charges of the bank, which are written off. */
function writeOffRest(shop: Shop, tx: Tx, sales: Sale[]): void {
  const charges = 2.5
  const sale = take(sales, (each) => each.balance > charges)
  if (!sale) return
  pay(shop, tx, [{ ...sale, balance: Math.round((sale.balance - charges) * 100) / 100 }], 0)
  const body = writeOffBody.read({ amount: charges, reason: "Bank charges" })
  shop.invoices.writeOffs.create(tx, sale.invoice.id, body, shop.caller)
}

/** A payment is recorded for the wrong invoice, and voided. */
function payByMistake(shop: Shop, tx: Tx, sales: Sale[]): void {
  const sale = sales.findLast(isOpen)
  if (sale) shop.payments.remove(tx, pay(shop, tx, [sale], 0).id, null, shop.caller)
}

/** Returns the latest sale of a kind, which is then no longer corrected. */
function take(sales: Sale[], isWanted: (sale: Sale) => boolean): Sale | undefined {
  const index = sales.findLastIndex(isWanted)
  return index < 0 ? undefined : sales.splice(index, 1)[0]
}

const isSameCustomer = (one: Sale, other: Sale): boolean => one.invoice.customer === other.invoice.customer

/** A tenth of what the first line of an invoice costs. */
function tenthOf({ invoice: { items } }: Sale): number {
  const [line] = items
  return Math.max(0.01, Math.round((line?.grossAmount ?? line?.amount ?? 0) * 10) / 100)
}

type Part = { reason: string; restock?: boolean } & ({ quantity: number } | { amount: number })

/** Credits a part of the first line of an invoice. */
function creditOne(
  { creditNotes, caller }: Shop,
  tx: Tx,
  { invoice }: Sale,
  { reason, restock = false, ...part }: Part,
): CreditNote {
  const items = [{ invoiceLine: invoice.items[0]?.id, ...part }]
  return creditNotes.credit(tx, invoice.id, credit.read({ reason, restock, items }), caller)
}

/** Records one payment for what is left to pay of some invoices, and `more`. */
function pay({ payments, caller }: Shop, tx: Tx, sales: readonly Sale[], more: number): Payment {
  const allocations = sales.map(({ invoice, balance }) => ({ invoice: invoice.id, amount: balance }))
  const cents = sales.reduce((sum, { balance }) => sum + Math.round(balance * 100), more * 100)
  const customer = sales[0]?.invoice.customer
  const body = { customer, amount: cents / 100, method: "Bank transfer", allocations }
  return payments.create(tx, readDraft(kinds.payments, body), caller)
}
