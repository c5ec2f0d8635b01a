import { integerIn, rowsOf, textIn } from "../../../core/engine/sql"
import type { Check } from "../../../core/kind/define"

const name = "coalesce(invoices.invoice_number, invoices.id) AS name"
const paid = "amount_paid + credit_applied - (credited_total - credit_taken)"

const taxParts = `${textIn("value", "category")} AS category, ${integerIn("value", "rate")} AS rate,
  ${integerIn("value", "tax")} AS tax, ${integerIn("value", "base")} AS base`

const grossAsked = `${integerIn("asked.value", "base")} + ${integerIn("asked.value", "tax")}`

/** What is deducted must match the deposits, what is paid of them, and their orders. */
export const depositChecks: readonly Check[] = [
  {
    says: ({ name: of, is, should }) =>
      `Invoice ${of} deducts deposits of ${is}; its list of them adds up to ${should}.`,
    sql: `SELECT ${name}, deposit_total AS "is", coalesce(sum(amount), 0) AS should
      FROM invoices LEFT JOIN invoice_deposits ON invoice = invoices.id
      WHERE deposit_total > 0 OR invoice IS NOT NULL
      GROUP BY invoices.id HAVING deposit_total <> coalesce(sum(amount), 0)`,
  },
  {
    says: ({ name: of, is, should }) =>
      `Of the deposit ${of}, ${is} is deducted; the invoices that deduct it add up to ${should}.`,
    sql: `SELECT ${name}, deducted_total AS "is", coalesce(sum(deduction.amount), 0) AS should
      FROM invoices LEFT JOIN (SELECT deposit, amount FROM invoice_deposits JOIN invoices ON invoices.id = invoice
        WHERE status <> 'cancelled') AS deduction ON deposit = invoices.id
      WHERE deducted_total > 0 OR deposit IS NOT NULL
      GROUP BY invoices.id HAVING deducted_total <> coalesce(sum(deduction.amount), 0)`,
  },
  {
    says: ({ name: of, is, should }) =>
      `Of the deposit ${of}, ${is} is deducted, but only ${should} is paid.`,
    sql: `SELECT ${name}, deducted_total AS "is", ${paid} AS should FROM invoices
      WHERE deducted_total > 0 AND deducted_total > ${paid}`,
  },
  {
    says: ({ name: of }) =>
      `Invoice ${of} asks for a deposit, but without an order, or with lines of it, deposits of its own or items.`,
    sql: `SELECT DISTINCT ${name} FROM invoices LEFT JOIN invoice_lines ON invoice = invoices.id
      WHERE invoice_type = 'deposit'
        AND (sales_order IS NULL OR issued_at IS NULL OR order_line IS NOT NULL OR item IS NOT NULL OR deposit_total > 0)
        OR invoice_type <> 'deposit' AND deducted_total > 0`,
  },
  {
    says: ({ name: of }) => `Invoice ${of} deducts a deposit of another order, or one that is no deposit.`,
    sql: `SELECT DISTINCT ${name} FROM invoice_deposits JOIN invoices ON invoices.id = invoice
      JOIN invoices AS asked ON asked.id = deposit
      WHERE invoices.sales_order IS DISTINCT FROM asked.sales_order OR asked.invoice_type <> 'deposit'`,
  },
  {
    says: ({ name: of, is, should }) =>
      `The amount of a deposit that invoice ${of} deducts is ${is}; its parts per tax rate add up to ${should}.`,
    sql: `SELECT ${name}, amount AS "is", sum(${integerIn("value", "base")} + ${integerIn("value", "tax")}) AS should
      FROM invoice_deposits JOIN invoices ON invoices.id = invoice, ${rowsOf("invoice_deposits.taxes")}
      GROUP BY invoices.id, invoices.invoice_number, position, amount
      HAVING amount <> sum(${integerIn("value", "base")} + ${integerIn("value", "tax")})
        OR min(${integerIn("value", "base")}) < 0 OR min(${integerIn("value", "tax")}) < 0`,
  },
  {
    says: ({ name: of, is, should }) =>
      `Deductions and credit notes of the deposit ${of} add up to ${is} in one tax category and rate, of ${should}.`,
    sql: `SELECT deposit.invoice_number AS name, deducted.tax + base AS "is", ${grossAsked} AS should
      FROM (SELECT id, category, rate, sum(tax) AS tax, sum(base) AS base FROM (
          SELECT deposit AS id, ${taxParts}
            FROM invoice_deposits JOIN invoices ON invoices.id = invoice, ${rowsOf("invoice_deposits.taxes")}
            WHERE status <> 'cancelled'
          UNION ALL SELECT invoice, ${taxParts} FROM credit_notes, ${rowsOf("credit_notes.taxes")}
            WHERE invoice IN (SELECT deposit FROM invoice_deposits)) AS parts
        GROUP BY 1, 2, 3) AS deducted
      JOIN invoices AS deposit ON deposit.id = deducted.id, ${rowsOf("deposit.taxes")} AS asked
      WHERE ${textIn("asked.value", "category")} IS NOT DISTINCT FROM deducted.category
        AND ${integerIn("asked.value", "rate")} = deducted.rate
        AND (deducted.tax + base > ${grossAsked}
          OR (deducted_total = total AND deducted.tax <> ${integerIn("asked.value", "tax")}))`,
  },
]
