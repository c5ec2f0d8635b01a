import type { Database } from "../../../core/engine/engine"
import { integerIn, listOf, rowsOf, textIn } from "../../../core/engine/sql"
import { fromUnits, priceDigits } from "../../../shared/decimal"
import type { TaxSum } from "../../../shared/money"
import type { DeductedDeposit } from "./model"

/** What an invoice takes off for a deposit: the amount with tax, and its parts per category and rate. */
export type Deduction = { deposit: string; amount: number; taxes: TaxSum[] }

/** The same with the number and the date of the deposit invoice. */
export type ShownDeduction = Deduction & { invoice: string; number: string; date: string }

export function insertDeductions(db: Database, invoice: string, deductions: readonly Deduction[]): void {
  db.engine.runEach(
    "INSERT INTO invoice_deposits (invoice, position, deposit, amount, taxes) VALUES (?, ?, ?, ?, ?)",
    deductions.map(({ deposit, amount, taxes }, i) => [invoice, i, deposit, amount, JSON.stringify(taxes)]),
  )
}

/** Finds what several invoices take off for deposits, in the order in which it was taken off. */
export function findDeductions(db: Database, invoices: readonly string[]): Map<string, ShownDeduction[]> {
  const rows = db
    .query<Omit<ShownDeduction, "taxes"> & { taxes: string }, [string]>(
      `SELECT invoice, deposit, amount, invoice_deposits.taxes, invoice_number AS number, invoice_date AS date
       FROM invoice_deposits JOIN invoices ON invoices.id = deposit
       WHERE invoice IN ${listOf("?")} ORDER BY invoice, position`,
    )
    .all(JSON.stringify(invoices))
  return Map.groupBy(
    rows.map((row) => ({ ...row, taxes: JSON.parse(row.taxes) as TaxSum[] })),
    ({ invoice }) => invoice,
  )
}

/** What an invoice takes off for deposits, in the form of a response. */
export const shownDeductions = (deductions: readonly ShownDeduction[], digits: number): DeductedDeposit[] =>
  deductions.map(({ deposit, number, date, amount, taxes }) => {
    const tax = taxes.reduce((sum, each) => sum + each.tax, 0)
    return {
      invoice: deposit,
      number,
      date,
      net: fromUnits(amount - tax, digits),
      tax: fromUnits(tax, digits),
      taxes: taxes.map((each) => ({
        category: each.category,
        rate: fromUnits(each.rate, priceDigits),
        base: fromUnits(each.base, digits),
        tax: fromUnits(each.tax, digits),
      })),
    }
  })

/** Counts what several invoices take off for deposits. */
export function countDeductions(db: Database, invoices: readonly string[]): Map<string, number> {
  const rows = db
    .query<{ invoice: string; n: number }, [string]>(
      `SELECT invoice, count(*) AS n FROM invoice_deposits WHERE invoice IN ${listOf("?")} GROUP BY invoice`,
    )
    .all(JSON.stringify(invoices))
  return new Map(rows.map(({ invoice, n }) => [invoice, n]))
}

/** Finds the deposit invoices of an order that are neither cancelled nor credited completely, the oldest first. */
export const findOpenDeposits = (db: Database, order: string): string[] =>
  db
    .query<{ id: string }, [string]>(
      `SELECT id FROM invoices WHERE sales_order = ? AND invoice_type = 'deposit'
         AND status NOT IN ('cancelled', 'credited') ORDER BY id`,
    )
    .all(order)
    .map(({ id }) => id)

/** The columns of a tax in the column `taxes` of a table, as a summand. */
const taxesOf = (table: string, sign: "+" | "-") =>
  `SELECT ${textIn("value", "category")} AS category, ${integerIn("value", "rate")} AS rate,
     ${sign}${integerIn("value", "base")} AS base, ${sign}${integerIn("value", "tax")} AS tax`.concat(
    ` FROM ${table}`,
  )

const sumsOf = (parts: readonly string[]) =>
  `SELECT category, rate, sum(base) AS base, sum(tax) AS tax FROM (${parts.join(" UNION ALL ")}) AS parts
   GROUP BY category, rate`

/**
 * Adds up what of an order is invoiced or asked for with deposits, per category and rate. What invoices have deducted of
 * deposits, and what is credited of these, is left again.
 */
export const findTaken = (db: Database, order: string): TaxSum[] =>
  db
    .query<TaxSum, [string]>(
      sumsOf([
        `${taxesOf("invoices", "+")}, ${rowsOf("invoices.taxes")}
         WHERE sales_order = ?1 AND status <> 'cancelled'`,
        `${taxesOf("credit_notes JOIN invoices ON invoices.id = credit_notes.invoice", "-")}, ${rowsOf("credit_notes.taxes")}
         WHERE sales_order = ?1 AND invoice_type = 'deposit' AND invoices.status <> 'cancelled'`,
        `${taxesOf("invoice_deposits JOIN invoices ON invoices.id = invoice_deposits.invoice", "-")}, ${rowsOf("invoice_deposits.taxes")}
         WHERE sales_order = ?1 AND invoices.status <> 'cancelled'`,
      ]),
    )
    .all(order)

/** Adds up what of a deposit invoice is credited and deducted, per category and rate. */
export const findUsed = (db: Database, deposit: string): TaxSum[] =>
  db
    .query<TaxSum, [string]>(
      sumsOf([
        `${taxesOf("credit_notes", "+")}, ${rowsOf("credit_notes.taxes")} WHERE invoice = ?1`,
        `${taxesOf("invoice_deposits JOIN invoices ON invoices.id = invoice_deposits.invoice", "+")}, ${rowsOf("invoice_deposits.taxes")}
         WHERE deposit = ?1 AND invoices.status <> 'cancelled'`,
      ]),
    )
    .all(deposit)
