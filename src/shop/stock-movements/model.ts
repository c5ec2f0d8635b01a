import { type Check, defineLedger, type RecordOf } from "../../core/kind/define"
import { choice, decimal, readOnly, readOnlyNullable, reference, required, sum } from "../../core/kind/field"
import { code, text } from "../../core/kind/text-field"
import { externalFields } from "../../core/kind/tag"
import { rightsOf } from "../../shared/rights"
import { givenReasons, reasons } from "../../shared/suggestions"

/**
 * The stock movements must match the issued invoices and the restocked credit notes, and each balance must follow from the
 * previous one. Of orders with deliveries, the checks of deliveries tell.
 */
const movementChecks: readonly Check[] = [
  {
    says: ({ name }) => `The stock movements of invoice ${name} do not match its lines.`,
    sql: `SELECT invoice_number AS name FROM invoices JOIN (
        SELECT invoice, item, sum(invoice_lines.quantity) AS billed FROM invoice_lines JOIN items ON items.id = item
        WHERE item_type <> 'Service' GROUP BY 1, 2) AS line ON line.invoice = invoices.id
      LEFT JOIN (SELECT source_id, item, sum(quantity) AS moved FROM stock_movements GROUP BY 1, 2) AS ledger
        ON ledger.source_id = invoices.id AND ledger.item = line.item
      WHERE invoice_number IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.sales_order = invoices.sales_order)
        AND coalesce(moved, 0) <> CASE status WHEN 'cancelled' THEN 0 ELSE -billed END`,
  },
  {
    says: ({ name }) => `The stock movements of credit note ${name} do not match its lines.`,
    sql: `SELECT DISTINCT coalesce(max(credit_note_number), credit_note) AS name FROM (
        SELECT credit_note, item, credit_note_lines.quantity FROM credit_note_lines
        JOIN credit_notes ON credit_notes.id = credit_note JOIN items ON items.id = item
        WHERE restock = 1 AND is_amount = 0 AND item_type <> 'Service'
        UNION ALL SELECT source_id, item, -quantity FROM stock_movements WHERE source_type = 'credit-note') AS moved
      LEFT JOIN credit_notes ON credit_notes.id = credit_note GROUP BY credit_note, item HAVING sum(quantity) <> 0`,
  },
  {
    says: ({ name }) => `The balances in the stock ledger of item ${name} are inconsistent.`,
    sql: `SELECT DISTINCT item_code AS name FROM (
        SELECT item, balance_after, sum(quantity) OVER (PARTITION BY item ORDER BY seq) AS running FROM stock_movements) AS ledger
      JOIN items ON items.id = item WHERE balance_after <> running`,
  },
]

/** A change of an item's stock. Rows are only added. */
export const stockMovements = defineLedger({
  name: "stock-movements",
  table: "stock_movements",
  idPrefix: "stk",
  noun: "stock movement",
  title: "StockMovement",
  about: "The stock ledger: receipts, adjustments, returns, and the movements of invoices and deliveries.",
  menu: { group: "stock", place: 2, path: "/stock", icon: "packages" },
  names: {
    en: {
      title: "Stock",
      one: "stock movement",
      many: "stock movements",
      the: "the stock movement",
      searched: "stock ledger",
    },
    de: {
      title: "Bestand",
      one: "Lagerbewegung",
      many: "Lagerbewegungen",
      the: "die Lagerbewegung",
      searched: "Lagerbewegungen",
      audited: "Bestand",
    },
  },
  variable: "MOVEMENT",
  rights: rightsOf("stock"),
  search: [],
  scan: ["note", "reason"],
  indexed: { sort: ["createdAt"], group: ["item"], unique: ["externalId"] },
  bulky: { fields: ["note", "metadata"], from: 26 },
  expands: ["item"],
  inTable: { item: ["itemCode", "itemName"] },
  checks: movementChecks,
  fields: {
    item: required(reference("itm")),
    quantity: required(decimal({ example: 25 })),
    reason: {
      ...required(choice(reasons)),
      read: choice(givenReasons).read,
      givenSchema: () => choice(givenReasons).schema,
    },
    note: text({ max: 500, multiline: true, examples: ["Delivery of March 1"] }),
    ...externalFields,
    balanceAfter: readOnly(sum()),
    sourceType: readOnlyNullable(code("invoice")),
    sourceId: readOnlyNullable(code("inv_01kb2qk3dvb6r8h5m9x4w7z2nc")),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

export type StockMovement = RecordOf<typeof stockMovements>
