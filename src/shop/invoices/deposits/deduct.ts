import type { Tx } from "../../../core/write/writer"
import type { Warning } from "../../../core/lib/warning"
import { amountText, fromUnits } from "../../../shared/decimal"
import { takeGross, taxKeyOf, type TaxSum } from "../../../shared/money"
import type { OrderHead } from "../../sales-orders/model"
import type { InvoiceDeps } from "../invoices"
import type { InvoiceHead } from "../model"
import { assertTaxesLeft, paidOf } from "../rules"
import { settleAll } from "../settle"
import { type Deduction, findDeductions, findOpenDeposits, findUsed, insertDeductions } from "./store"

/** What an invoice takes off for a deposit, before it is stored. */
export type Deducted = Omit<Deduction, "deposit"> & { deposit: InvoiceHead }

/**
 * Returns what a new invoice of an order takes off for its deposits: what is paid of them and not deducted yet, the oldest
 * first, at most the total of the invoice. Warns of deposits that are not paid.
 */
export function deductedFrom(deps: InvoiceDeps, tx: Tx, order: OrderHead, total: number): Deducted[] {
  if (order.depositTotal === order.deductedTotal) return []
  let left = total
  return findOpenDeposits(deps.db, order.id).flatMap((id): Deducted[] => {
    const deposit = deps.store.load(id)
    if (!deposit) return []
    if (deposit.balance + deposit.writtenOff > 0)
      warnOfOpen(tx.warnings, deposit, deps.moneyContext(tx.now).digits)
    const amount = Math.min(left, paidOf(deposit) - deposit.deductedTotal)
    if (amount <= 0) return []
    left -= amount
    return [{ deposit, amount, taxes: takeGross(amount, withoutUsed(deposit.taxes, findUsed(deps.db, id))) }]
  })
}

const keyOf = ({ category, rate }: TaxSum): string => taxKeyOf({ taxCategory: category, taxRate: rate })

/** Refuses a credit note that takes of a deposit, at one tax rate, what other invoices deduct. It is stored already. */
export function assertNotDeducted(
  { db }: Pick<InvoiceDeps, "db">,
  deposit: InvoiceHead,
  credited: readonly TaxSum[],
): void {
  if (deposit.deductedTotal > 0)
    assertTaxesLeft(deposit, credited, withoutUsed(deposit.taxes, findUsed(db, deposit.id)))
}

/** Returns taxes without what is used of them. */
export function withoutUsed(taxes: readonly TaxSum[], used: readonly TaxSum[]): TaxSum[] {
  const byKey = new Map(used.map((each) => [keyOf(each), each]))
  return taxes.map(({ category, rate, base, tax }) => {
    const taken = byKey.get(keyOf({ category, rate, base, tax })) ?? { base: 0, tax: 0 }
    return { category, rate, base: base - taken.base, tax: tax - taken.tax }
  })
}

/** What is written off of a deposit is not paid either. */
function warnOfOpen(
  warnings: Warning[],
  { invoiceNumber: number, balance, writtenOff, currency }: InvoiceHead,
  digits: number,
) {
  const open = fromUnits(balance + writtenOff, digits)
  warnings.push({
    code: "DEPOSIT_OPEN",
    field: "salesOrder",
    message: `Of the deposit ${number}, ${amountText(open, { digits, currency })} is not paid. Only what is paid is deducted.`,
    params: { number, open, currency },
  })
}

export const sumOfDeducted = (deducted: readonly Deducted[]): number =>
  deducted.reduce((sum, { amount }) => sum + amount, 0)

/** Stores what an invoice takes off for deposits. */
export function storeDeductions(
  deps: InvoiceDeps,
  tx: Tx,
  invoice: string,
  deducted: readonly Deducted[],
): void {
  if (deducted.length === 0) return
  insertDeductions(
    deps.db,
    invoice,
    deducted.map((each) => ({ ...each, deposit: each.deposit.id })),
  )
  settleAll(
    deps,
    tx,
    deducted.map(({ deposit, amount }) => ({
      before: deposit,
      change: { deductedTotal: deposit.deductedTotal + amount },
    })),
  )
  for (const { deposit, amount } of deducted)
    tell(deps, tx, "deduction", { deposit: deposit.id, invoice, amount })
}

/** Gives back what a cancelled invoice had taken off for deposits. Its paper still shows it. */
export function releaseDeductions(deps: InvoiceDeps, tx: Tx, { id, depositTotal }: InvoiceHead): void {
  if (depositTotal === 0) return
  const deductions = findDeductions(deps.db, [id]).get(id) ?? []
  const released = deductions.flatMap(({ deposit, amount }) => {
    const before = deps.store.load(deposit)
    return before ? [{ before, change: { deductedTotal: before.deductedTotal - amount } }] : []
  })
  settleAll(deps, tx, released)
  for (const { deposit, amount } of deductions)
    tell(deps, tx, "deduction-removed", { deposit, invoice: id, amount })
}

/** Adds an entry to the history of a deposit. */
function tell(
  { moneyContext }: InvoiceDeps,
  tx: Tx,
  what: "deduction" | "deduction-removed",
  { deposit, invoice, amount }: { deposit: string; invoice: string; amount: number },
): void {
  const change = (value: string | number) =>
    what === "deduction" ? { from: null, to: value } : { from: value, to: null }
  tx.audit(`invoices.${what}`, deposit, {
    invoice: change(invoice),
    amount: change(fromUnits(amount, moneyContext(tx.now).digits)),
  })
}
