import type { Database } from "bun:sqlite"

/** The customer data that a document needs. The credit limit is in 1/10000, the other amounts in the minor unit. */
export type Buyer = {
  id: string
  name: string
  isActive: boolean
  paymentTerms: string | null
  address: string | null
  taxId: string | null
  creditLimit: number | null
  outstandingBalance: number
  openOrdersValue: number
}

export function findBuyer(db: Database, id: string): Buyer | null {
  const row = db
    .query<Omit<Buyer, "isActive"> & { isActive: number }, [string]>(
      `SELECT id, name, is_active AS isActive, payment_terms AS paymentTerms, address, tax_id AS taxId,
         credit_limit AS creditLimit, outstanding_balance AS outstandingBalance, open_orders_value AS openOrdersValue
       FROM customers WHERE id = ?`,
    )
    .get(id)
  return row && { ...row, isActive: row.isActive === 1 }
}

type Figures = { outstanding: number; openOrders: number }

/** Adds to a customer's outstanding balance and open orders, and returns the new figures. */
export function addFigures(db: Database, id: string, { outstanding, openOrders }: Figures): Figures | null {
  if (outstanding === 0 && openOrders === 0) return null
  return db
    .query<Figures, [number, number, string]>(
      `UPDATE customers SET outstanding_balance = outstanding_balance + ?, open_orders_value = open_orders_value + ?
       WHERE id = ? RETURNING outstanding_balance AS outstanding, open_orders_value AS openOrders`,
    )
    .get(outstanding, openOrders, id)
}
