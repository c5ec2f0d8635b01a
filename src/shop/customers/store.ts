import type { Database } from "../../core/engine/engine"
import type { DocumentCustomer } from "../../trade/needs"

export function findDocumentCustomer(db: Database, id: string): DocumentCustomer | null {
  const row = db
    .query<Omit<DocumentCustomer, "isActive"> & { isActive: number }, [string]>(
      `SELECT id, customer_number AS customerNumber, name, contact_name AS contactName, email, phone,
         is_active AS isActive, payment_terms AS paymentTerms, address, shipping_address AS shippingAddress, language,
         tax_id AS taxId, tax_treatment AS taxTreatment, tax_reason AS taxReason, credit_limit AS creditLimit, outstanding_balance AS outstandingBalance, open_orders_value AS openOrdersValue,
         credit_balance AS creditBalance
       FROM customers WHERE id = ?`,
    )
    .get(id)
  return row && { ...row, isActive: row.isActive === 1 }
}

/** A figure of a customer that is computed from the documents. */
export type Figure = "outstanding_balance" | "open_orders_value" | "credit_balance"

/** Adds to a figure and returns its new value, and the version of the customer. */
export function addTo(
  db: Database,
  figure: Figure,
  { id, amount, now }: { id: string; amount: number; now: string },
): { amount: number; version: number } | null {
  return db
    .query<{ amount: number; version: number }, [number, string, string]>(
      `UPDATE customers SET ${figure} = ${figure} + ?, change_count = change_count + 1, updated_at = ?
       WHERE id = ? RETURNING ${figure} AS amount, version`,
    )
    .get(amount, now, id)
}
