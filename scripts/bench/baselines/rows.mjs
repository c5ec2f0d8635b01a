// The rows that the baselines store in Kontor's tables, created with as little work as possible.
import { randomUUID } from "node:crypto"

const insertInto = (table, columns) =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`

export const insertItem = insertInto("items", [
  "id",
  "item_code",
  "item_code_key",
  "item_code_sort",
  "item_name",
  "item_name_sort",
  "item_type",
  "uom",
  "uom_sort",
  "selling_price",
  "cost_price",
  "tax_rate",
  "reorder_level",
  "reorder_qty",
  "images",
  "is_active",
  "version",
  "created_at",
  "updated_at",
])

export function itemRow({ itemCode, itemName, sellingPrice }) {
  const now = new Date().toISOString()
  const code = itemCode.toLowerCase()
  const price = Math.round(sellingPrice * 10_000)
  return [
    newId("itm"),
    itemCode,
    code,
    code,
    itemName,
    itemName.toLowerCase(),
    "Product",
    "Nos",
    "nos",
    price,
    0,
    0,
    0,
    0,
    "[]",
    1,
    1,
    now,
    now,
  ]
}

export const selectSold =
  "SELECT id, item_code, item_name, uom, selling_price, tax_rate FROM items WHERE id = ?"

export const insertOrder = insertInto("sales_orders", [
  "id",
  "order_number",
  "customer",
  "customer_name",
  "order_date",
  "status",
  "invoice_status",
  "currency",
  "subtotal",
  "discount_total",
  "tax_total",
  "total",
  "invoiced_total",
  "version",
  "created_at",
  "updated_at",
])

export function orderRow({ customer }) {
  const now = new Date().toISOString()
  const id = newId("so")
  const status = ["draft", "not_invoiced"]
  return [
    id,
    `RAW-${id}`,
    customer,
    "A customer",
    now.slice(0, 10),
    ...status,
    "USD",
    0,
    0,
    0,
    0,
    0,
    1,
    now,
    now,
  ]
}

export const insertLine = insertInto("sales_order_lines", [
  "id",
  "sales_order",
  "position",
  "item",
  "item_code",
  "item_name",
  "uom",
  "quantity",
  "rate",
  "discount",
  "amount",
  "discount_amount",
  "tax_rate",
  "invoiced_quantity",
  "is_discount_amount",
  "has_own_tax_code",
])

export function lineRow(order, position, { quantity }, item) {
  const amount = Math.round((quantity * item.selling_price) / 100)
  const what = [item.id, item.item_code, item.item_name, item.uom]
  return [
    newId("sol"),
    order,
    position,
    ...what,
    quantity * 10_000,
    item.selling_price,
    0,
    amount,
    0,
    item.tax_rate,
    0,
    0,
    0,
  ]
}

/** Sorted by time, as IDs usually are. */
const newId = (prefix) => `${prefix}_${Date.now().toString(36)}${randomUUID().slice(0, 18)}`
