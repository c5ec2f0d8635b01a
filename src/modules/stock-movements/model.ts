import { defineLedger, type Kept } from "../../resource/define"
import { choice, decimal, reference, required, served, servedOrNull, sum } from "../../resource/field"
import { code, text } from "../../resource/text-field"
import { givenReasons, reasons } from "../../shared/stock-reasons"

/** One change of an item's stock. Rows are only ever added. */
export const stockMovements = defineLedger({
  name: "stock-movements",
  table: "stock_movements",
  idPrefix: "stk",
  noun: "stock movement",
  title: "StockMovement",
  search: [],
  scan: ["note", "reason"],
  indexed: { sort: ["createdAt"], group: ["item"] },
  fields: {
    item: required(reference("itm")),
    quantity: required(decimal({ example: 25 })),
    reason: {
      ...required(choice(reasons)),
      read: choice(givenReasons).read,
      givenSchema: choice(givenReasons).schema,
    },
    note: text({ max: 500, multiline: true, examples: ["Delivery of March 1"] }),
    balanceAfter: served(sum()),
    sourceType: servedOrNull(code("invoice")),
    sourceId: servedOrNull(code("inv_01kb2qk3dvb6r8h5m9x4w7z2nc")),
    createdBy: servedOrNull(reference("usr")),
  },
})

export type StockMovement = Kept<typeof stockMovements>
