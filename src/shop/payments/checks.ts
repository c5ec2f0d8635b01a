import type { Check } from "../../core/kind/define"

/** What is allocated and refunded of a payment must match its parts, and its customer must be that of its invoices. */
export const paymentChecks: readonly Check[] = [
  {
    says: ({ name, is, should }) => `Of payment ${name}, ${is} is left; its parts leave ${should}.`,
    sql: `SELECT id AS name, unallocated AS "is", amount - allocated - refunded AS should
      FROM live_payments WHERE unallocated <> amount - allocated - refunded`,
  },
  {
    says: ({ name, is, should }) =>
      `Of payment ${name}, ${is} is allocated; its allocations add up to ${should}.`,
    sql: `SELECT live_payments.id AS name, allocated AS "is", coalesce(sum(settlements.amount), 0) AS should
      FROM live_payments LEFT JOIN settlements ON payment = live_payments.id AND kind = 'allocation'
        AND settlements.voided_at IS NULL
      GROUP BY live_payments.id, allocated HAVING allocated <> coalesce(sum(settlements.amount), 0)`,
  },
  {
    says: ({ name, is, should }) => `Of payment ${name}, ${is} is refunded; its refunds add up to ${should}.`,
    sql: `SELECT live_payments.id AS name, live_payments.refunded AS "is", coalesce(sum(settlements.amount), 0) AS should
      FROM live_payments LEFT JOIN settlements ON payment = live_payments.id AND kind = 'refund'
        AND settlements.voided_at IS NULL
      GROUP BY live_payments.id, live_payments.refunded HAVING live_payments.refunded <> coalesce(sum(settlements.amount), 0)`,
  },
  {
    says: ({ name }) => `Payment ${name} is voided, but a part of it is not.`,
    sql: `SELECT DISTINCT payments.id AS name FROM payments JOIN settlements ON payment = payments.id
      WHERE payments.voided_at IS NOT NULL AND settlements.voided_at IS NULL`,
  },
  {
    says: ({ name }) => `Payment ${name} is allocated to an invoice of another customer.`,
    sql: `SELECT DISTINCT live_payments.id AS name FROM live_payments
      JOIN settlements ON payment = live_payments.id AND settlements.voided_at IS NULL
      JOIN invoices ON invoices.id = settlements.invoice WHERE invoices.customer <> live_payments.customer`,
  },
  {
    says: ({ name }) => `Payment ${name} names another invoice than its allocations.`,
    sql: `SELECT live_payments.id AS name FROM live_payments
      LEFT JOIN settlements ON payment = live_payments.id AND kind = 'allocation' AND settlements.voided_at IS NULL
      GROUP BY live_payments.id, live_payments.invoice
      HAVING live_payments.invoice IS DISTINCT FROM CASE count(DISTINCT settlements.invoice) WHEN 1 THEN max(settlements.invoice) END`,
  },
]
