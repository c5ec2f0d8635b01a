import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import { externalFields } from "../../core/kind/tag"
import {
  boolean,
  choice,
  decimal,
  derived,
  list,
  price,
  readOnly,
  reference,
  required,
  status,
  sum,
  unique,
  withDefault,
  withoutExample,
} from "../../core/kind/field"
import { text } from "../../core/kind/text-field"
import { isShortened, plainBarcode } from "../../shared/barcode"
import { itemTypes } from "../../shared/suggestions"
import { rightsOf } from "../../shared/rights"

/**
 * An item's stock must match its stock movements, its reserved stock the submitted orders, and its tax rate its tax
 * code.
 */
const itemChecks: readonly Check[] = [
  {
    says: ({ name, is, should }) => `The stock of item ${name} is ${is}; its movements add up to ${should}.`,
    sql: `SELECT item_code AS name, current_stock / 10000.0 AS "is", coalesce(sum(quantity), 0) / 10000.0 AS should
      FROM items LEFT JOIN stock_movements ON item = items.id GROUP BY items.id
      HAVING current_stock <> coalesce(sum(quantity), 0)`,
  },
  {
    says: ({ name, is, should }) =>
      `The reserved stock of item ${name} is ${is}; submitted orders reserve ${should}.`,
    sql: `SELECT item_code AS name, reserved_stock / 10000.0 AS "is", coalesce(promised, 0) / 10000.0 AS should
      FROM items LEFT JOIN (
        SELECT item, sum(quantity - CASE WHEN delivered_quantity > invoiced_quantity
          THEN delivered_quantity ELSE invoiced_quantity END) AS promised FROM sales_order_lines
        JOIN sales_orders ON sales_orders.id = sales_order WHERE status = 'submitted' GROUP BY item
      ) AS promises ON item = items.id
      WHERE reserved_stock <> CASE item_type WHEN 'Service' THEN 0 ELSE coalesce(promised, 0) END`,
  },
  {
    says: ({ name, is, should }) =>
      `The tax rate of item ${name} is ${is}; the rate of its tax code is ${should}.`,
    sql: `SELECT item_code AS name, items.tax_rate / 10000.0 AS "is", tax_codes.rate / 10000.0 AS should
      FROM items JOIN tax_codes ON tax_codes.id = items.tax_code WHERE items.tax_rate <> tax_codes.rate`,
  },
]

const webAddress = text({
  max: 2048,
  format: "uri",
  examples: ["https://example.com/desk.jpg"],
  check: (value) =>
    /^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value)
      ? { value }
      : { error: "must be an http or https URL", format: "uri" },
})

const barcode = text({
  max: 64,
  isCode: true,
  examples: ["4006381333931"],
  description: "The code that a scanner reads, such as an EAN. Unique",
  check: (value) =>
    isShortened(value)
      ? { error: "must have all its digits: a spreadsheet has shortened this number", format: "barcode" }
      : { value: plainBarcode(value) },
})

/** The same as the expression of `isLowStock`. */
function isLowWhenNew(column: (name: string) => unknown): 0 | 1 {
  const [stock, reserved, level] = ["current_stock", "reserved_stock", "reorder_level"].map((name) =>
    Number(column(name)),
  ) as [number, number, number]
  const isLow = stock < reserved || (level > 0 && stock - reserved <= level)
  return column("item_type") !== "Service" && isLow ? 1 : 0
}

/** A product, service or consumable that is bought and sold. */
export const items = defineResource({
  name: "items",
  table: "items",
  idPrefix: "itm",
  noun: "item",
  title: "Item",
  about: "The products, services and consumables that are bought and sold.",
  menu: { group: "stock", place: 1, path: "/items", recordPath: "/items/:id", icon: "box" },
  names: {
    en: {
      title: "Items",
      one: "item",
      many: "items",
      the: "the item",
      new: "New item",
      events: { "low-stock": "Low stock" },
    },
    de: {
      title: "Artikel",
      one: "Artikel",
      many: "Artikel",
      the: "den Artikel",
      new: "Neuer Artikel",
      events: { "low-stock": "Bestand niedrig" },
    },
  },
  rights: rightsOf("items"),
  hasHistory: true,
  events: { "low-stock": null },
  search: ["itemCode", "itemName", "category", "barcode"],
  searchMore: ["description"],
  found: { code: "itemCode", title: "itemName", keys: ["barcode"] },
  indexed: {
    sort: ["createdAt", "updatedAt", "itemName"],
    group: ["category"],
    unique: ["itemCode", "barcode", "externalId"],
  },
  countsChanges: true,
  bulky: { fields: ["description", "images", "metadata"], from: 26 },
  checks: itemChecks,
  expands: ["taxCode"],
  fields: {
    itemCode: unique(required(text({ max: 64, isCode: true, examples: ["DESK-120"] }))),
    itemName: required(text({ examples: ["Standing desk 120 cm"] })),
    barcode: unique(barcode),
    category: text({ max: 100, examples: ["Furniture"] }),
    itemType: withDefault(choice(itemTypes), "Product"),
    uom: withDefault(text({ max: 20, examples: ["Nos"], description: "Unit of measure" }), "Nos"),
    sellingPrice: withDefault(price(449.9), 0),
    costPrice: withDefault(price(280), 0),
    taxCode: withoutExample(reference("tax")),
    taxRate: withDefault(decimal({ min: 0, max: 100, example: 20 }), 0),
    currentStock: readOnly(sum(), 0),
    reservedStock: readOnly(sum(), 0),
    availableStock: derived(
      readOnly(sum()),
      () => "current_stock - reserved_stock",
      (column) => Number(column("current_stock")) - Number(column("reserved_stock")),
    ),
    reorderLevel: withDefault(decimal({ min: 0, example: 5 }), 0),
    reorderQty: withDefault(decimal({ min: 0, example: 20 }), 0),
    isLowStock: derived(
      readOnly(boolean()),
      () =>
        "item_type <> 'Service' AND (current_stock < reserved_stock OR (reorder_level > 0 AND current_stock - reserved_stock <= reorder_level))",
      isLowWhenNew,
    ),
    description: text({ max: 10_000, multiline: true, examples: ["Height 70 to 120 cm."] }),
    images: withDefault(list(webAddress, { max: 20 }), []),
    ...externalFields,
    isActive: withDefault(boolean(), true),
    status: derived(
      readOnly(status(["active", "inactive"])),
      () => "CASE is_active WHEN 1 THEN 'active' ELSE 'inactive' END",
      (column) => (column("is_active") === 1 ? "active" : "inactive"),
    ),
  },
})

export type Item = RecordOf<typeof items>
