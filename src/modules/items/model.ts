import { defineResource, type Kept } from "../../resource/define"
import {
  boolean,
  byDefault,
  choice,
  decimal,
  derived,
  list,
  required,
  served,
  status,
  sum,
  unique,
} from "../../resource/field"
import { text } from "../../resource/text-field"
import { itemTypes } from "../../shared/item-types"
import { activeStatuses } from "../../shared/statuses"

const webAddress = text({
  max: 2048,
  format: "uri",
  examples: ["https://example.com/desk.jpg"],
  check: (value) =>
    /^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value)
      ? { value }
      : { fault: "must be an http or https address" },
})

/** What is bought and sold. */
export const items = defineResource({
  name: "items",
  table: "items",
  idPrefix: "itm",
  noun: "item",
  title: "Item",
  search: ["itemCode", "itemName"],
  searchMore: ["category", "description"],
  indexed: { sort: ["createdAt", "itemName"], group: ["category"], unique: ["itemCode"] },
  bulky: { fields: ["description", "images"], from: 26 },
  fields: {
    itemCode: unique(required(text({ max: 64, isCode: true, examples: ["DESK-120"] }))),
    itemName: required(text({ examples: ["Standing desk 120 cm"] })),
    category: text({ max: 100, examples: ["Furniture"] }),
    itemType: byDefault(choice(itemTypes), "Product"),
    uom: byDefault(text({ max: 20, examples: ["Nos"], description: "Unit of measure" }), "Nos"),
    sellingPrice: byDefault(decimal({ min: 0, example: 449.9 }), 0),
    costPrice: byDefault(decimal({ min: 0, example: 280 }), 0),
    taxRate: byDefault(decimal({ min: 0, max: 100, example: 20 }), 0),
    currentStock: served(sum(), 0),
    reservedStock: served(sum(), 0),
    availableStock: derived(served(sum()), () => "current_stock - reserved_stock"),
    reorderLevel: byDefault(decimal({ min: 0, example: 5 }), 0),
    reorderQty: byDefault(decimal({ min: 0, example: 20 }), 0),
    isLowStock: derived(
      served(boolean()),
      () =>
        "CASE WHEN reorder_level > 0 THEN item_type <> 'Service' AND current_stock - reserved_stock <= reorder_level ELSE 0 END",
    ),
    description: text({ max: 10_000, multiline: true, examples: ["Height 70 to 120 cm."] }),
    images: byDefault(list(webAddress, { max: 20 }), []),
    isActive: byDefault(boolean(), true),
    status: derived(
      served(status(activeStatuses)),
      () => "CASE is_active WHEN 1 THEN 'active' ELSE 'inactive' END",
    ),
  },
})

export type Item = Kept<typeof items>
