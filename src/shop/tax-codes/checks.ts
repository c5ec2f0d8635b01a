import type { Check } from "../../core/kind/define"

/** A tax code that a record names must be marked as used, so that its category and rate do not change. */
export const taxCodeChecks: readonly Check[] = [
  {
    says: ({ name }) => `Tax code ${name} is used by other records, but is not marked as used.`,
    sql: `SELECT code AS name FROM tax_codes WHERE is_used = 0 AND (
        id IN (SELECT tax_code FROM items WHERE tax_code IS NOT NULL)
        OR id IN (SELECT tax_code FROM sales_order_lines WHERE tax_code IS NOT NULL)
        OR id IN (SELECT tax_code FROM invoice_lines WHERE tax_code IS NOT NULL)
        OR id = (SELECT body ->> 'defaultTaxCode' FROM settings))`,
  },
]
