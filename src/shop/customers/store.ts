import type { Database } from "../../core/engine/engine"
import type { Language } from "../../shared/languages"
import type { TaxTreatment } from "../../shared/tax"

/**
 * The customer data that a document needs. The credit limit is in 1/10000, the other amounts in the minor unit. The
 * addresses are JSON.
 */
export type Buyer = {
  id: string
  customerNumber: string
  name: string
  contactName: string | null
  email: string | null
  phone: string | null
  isActive: boolean
  paymentTerms: string | null
  address: string | null
  shippingAddress: string | null
  language: Language | null
  taxId: string | null
  taxTreatment: TaxTreatment
  taxReason: string | null
  creditLimit: number | null
  outstandingBalance: number
  openOrdersValue: number
  creditBalance: number
}

export function findBuyer(db: Database, id: string): Buyer | null {
  const row = db
    .query<Omit<Buyer, "isActive"> & { isActive: number }, [string]>(
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
