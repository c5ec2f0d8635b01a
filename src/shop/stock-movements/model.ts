import { defineLedger, type RecordOf } from "../../core/kind/define"
import { choice, decimal, reference, required, readOnly, readOnlyNullable, sum } from "../../core/kind/field"
import { code, text } from "../../core/kind/text-field"
import { rightsOf } from "../../shared/rights"
import { givenReasons, reasons } from "../../shared/stock-reasons"
import { movementChecks } from "./checks"

/** A change of an item's stock. Rows are only added. */
export const stockMovements = defineLedger({
  name: "stock-movements",
  table: "stock_movements",
  idPrefix: "stk",
  noun: "stock movement",
  title: "StockMovement",
  about: "The stock ledger: receipts, adjustments, returns, and the movements of invoices.",
  rights: rightsOf("stock"),
  search: [],
  scan: ["note", "reason"],
  indexed: { sort: ["createdAt"], group: ["item"] },
  expands: ["item"],
  checks: movementChecks,
  fields: {
    item: required(reference("itm")),
    quantity: required(decimal({ example: 25 })),
    reason: {
      ...required(choice(reasons)),
      read: choice(givenReasons).read,
      givenSchema: choice(givenReasons).schema,
    },
    note: text({ max: 500, multiline: true, examples: ["Delivery of March 1"] }),
    balanceAfter: readOnly(sum()),
    sourceType: readOnlyNullable(code("invoice")),
    sourceId: readOnlyNullable(code("inv_01kb2qk3dvb6r8h5m9x4w7z2nc")),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

export type StockMovement = RecordOf<typeof stockMovements>
