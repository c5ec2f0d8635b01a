// A generated shop of any size, the same in every run, with its search tables filled as the server fills them.
import type { Database } from "../../src/core/engine/engine"
import { migrate } from "../../src/core/engine/schema/migrate"
import { openDatabase } from "../../src/core/engine/place"
import { fold } from "../../src/core/lib/text"
import "../../src/kinds"
import { customers } from "../../src/shop/customers/model"
import { items } from "../../src/shop/items/model"
import { salesOrders } from "../../src/shop/sales-orders/model"
import type { Resource } from "../../src/core/kind/define"
import { writeText, type SearchText } from "../../src/core/search/search-tables"
import { mergeFilled } from "../../src/core/search/reindex"
import { searchText } from "../../src/core/search/search"

export type Size = { items: number; customers: number; orders: number }

let state = 7
/**
 * Returns the next random number from 0 to 1; the sequence is the same in every run. The state counts up, so that the
 * sequence repeats only after 2^32 numbers, and its bits are mixed by multiplications of 32 bits.
 */
export const random = (): number => {
  state = (state + 0x9e3779b9) | 0
  let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

const syllables =
  "ba ko ri sen tal mor ve lin du far gel hin jo ka lum nor pel qui ras sto tri ul wen zor".split(" ")
const word = () =>
  Array.from(
    { length: 2 + Math.floor(random() * 3) },
    () => syllables[Math.floor(random() * syllables.length)],
  ).join("")
export const lexicon = Array.from({ length: 8_000 }, word)
/** Returns a word. The first words of the list are the most frequent. */
export const pick = (): string => lexicon[Math.floor(lexicon.length * random() ** 3)] ?? ""
export const categories = lexicon.slice(0, 20)

export const numbered = (prefix: string, i: number) => `${prefix}_${String(i).padStart(26, "0")}`
export const itemId = (i: number): string => numbered("itm", i)
export const itemCode = (i: number): string => `ITM-${String(i).padStart(7, "0")}`
export const customerId = (i: number): string => numbered("cus", i)

/** Creates the database of a shop. A file is not synced, because an incomplete one is created again. */
export function makeShop(file: string, size: Size): void {
  const db = openDatabase(file)
  migrate(db)
  const isFile = !db.engine.isShared
  if (isFile) db.run("PRAGMA synchronous = OFF")
  db.run("BEGIN")
  db.engine.search.whileFilling("items", () => fillItems(db, size.items))
  db.engine.search.whileFilling("customers", () => fillCustomers(db, size.customers))
  fillOrders(db, size)
  db.run("COMMIT")
  if (isFile) db.run("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)")
  else db.run("ANALYZE")
  db.close()
}

/** Records are created every hundred seconds, beginning in 2020, so a million records take three years. */
const createdAt = (i: number) => new Date(1_600_000_000_000 + i * 100_000).toISOString()

const rowsPerCommit = 50_000

function fillItems(db: Database, count: number): void {
  const item = groups(db, "items", {
    item_type: "Product",
    uom: "Nos",
    uom_sort: "nos",
    cost_price: 10_000,
    tax_rate: 190_000,
    reorder_level: 0,
    reorder_qty: 0,
    images: "[]",
    is_active: 1,
    version: 1,
  })
  const search = searchFeed(db, items)
  for (let i = 1; i <= count; i++) {
    const code = itemCode(i)
    const name = Array.from({ length: 2 + Math.floor(random() * 3) }, pick).join(" ")
    const category = categories[i % 20] ?? ""
    const description = Array.from({ length: 8 }, pick).join(" ")
    item.add({
      id: itemId(i),
      item_code: code,
      item_code_key: code.toLowerCase(),
      item_code_sort: code.toLowerCase(),
      item_name: name,
      item_name_sort: fold(name),
      category,
      category_sort: category,
      selling_price: priceOf(i),
      description,
      created_at: createdAt(i),
      updated_at: createdAt(i),
    })
    search.add(i, { itemCode: code, itemName: name, category, description })
    // One transaction for millions of items would write most pages many times.
    if (i % rowsPerCommit > 0) continue
    db.run("COMMIT")
    db.run("BEGIN")
  }
  item.flush()
  search.flush()
}

function fillCustomers(db: Database, count: number): void {
  const customer = groups(db, "customers", {
    type: "Company",
    type_sort: "company",
    is_active: 1,
    version: 1,
  })
  const search = searchFeed(db, customers)
  for (let i = 1; i <= count; i++) {
    const name = `${pick()} ${pick()}`
    const number = `CUST-${String(i).padStart(5, "0")}`
    const email = `office${i}@${pick()}.example`
    customer.add({
      id: customerId(i),
      customer_number: number,
      name,
      name_sort: fold(name),
      email,
      email_sort: email,
      created_at: createdAt(i),
      updated_at: createdAt(i),
    })
    search.add(i, { name, customerNumber: number, email })
  }
  customer.flush()
  search.flush()
}

/** Creates drafts with two lines, so that they affect no stock and no balance. */
function fillOrders(db: Database, size: Size): void {
  const order = groups(db, "sales_orders", {
    status: "draft",
    invoice_status: "not_invoiced",
    currency: "USD",
    discount_total: 0,
    tax_total: 0,
    invoiced_total: 0,
    version: 1,
  })
  const line = groups(db, "sales_order_lines", {
    uom: "Nos",
    quantity: 10_000,
    discount: 0,
    discount_amount: 0,
    tax_rate: 0,
    is_discount_amount: 0,
    has_own_tax_code: 0,
    invoiced_quantity: 0,
  })
  const search = searchFeed(db, salesOrders)
  for (let i = 1; i <= size.orders; i++) {
    const id = numbered("so", i)
    const sold = [1 + (i % size.items), 1 + ((i * 7) % size.items)]
    const total = sold.reduce((sum, n) => sum + priceOf(n) / 100, 0)
    const number = `SO-2026-${String(i).padStart(6, "0")}`
    const customerName = `Customer ${i % size.customers}`
    order.add({
      id,
      order_number: number,
      customer: customerId(1 + (i % size.customers)),
      customer_name: customerName,
      order_date: createdAt(i).slice(0, 10),
      subtotal: total,
      total,
      created_at: createdAt(i),
      updated_at: createdAt(i),
    })
    for (const [position, n] of sold.entries())
      line.add({
        id: numbered("sol", i * 2 + position),
        sales_order: id,
        position,
        item: itemId(n),
        item_code: itemCode(n),
        item_name: `Item ${n}`,
        rate: priceOf(n),
        amount: priceOf(n) / 100,
      })
    search.add(i, { orderNumber: number, customerName })
    // The lines refer to the orders, so the orders come first.
    if (i % rowsAtOnce > 0 && i < size.orders) continue
    order.flush()
    line.flush()
  }
  search.flush()
}

/** In 1/10000, whole cents. */
const priceOf = (i: number) => (1 + (i % 900)) * 10_000

export type Row = Record<string, string | number | null>

/** Inserts rows into a table. `same` has the columns that are equal in all rows. */
export function inserter(db: Database, table: string, same: Row): (row: Row) => void {
  let statement: ReturnType<Database["prepare"]> | null = null
  return (row) => {
    const whole = { ...same, ...row }
    const columns = Object.keys(whole)
    statement ??= db.prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    )
    statement.run(...Object.values(whole))
  }
}

const rowsAtOnce = 1_000

/**
 * Inserts rows into a table, as `inserter` does. PostgreSQL gets many of them in one statement when `flush` is called, or
 * when there are enough of them, because that takes a third of the time.
 */
function groups(db: Database, table: string, same: Row): { add: (row: Row) => void; flush: () => void } {
  if (!db.engine.isShared) return { add: inserter(db, table, same), flush() {} }
  let waiting: Row[] = []
  const flush = () => {
    const columns = Object.keys(waiting[0] ?? {}).join(", ")
    const from = `json_populate_recordset(CAST(NULL AS ${table}), CAST(? AS json))`
    if (waiting.length > 0)
      db.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${from}`).run(
        JSON.stringify(waiting),
      )
    waiting = []
  }
  return {
    add(row) {
      waiting.push({ ...same, ...row })
      if (waiting.length > 2 * rowsAtOnce) flush()
    },
    flush,
  }
}

export function searchFeed(db: Database, resource: Resource) {
  let waiting: (SearchText & { seq: number })[] = []
  const flush = () => {
    if (waiting.length > 0) writeText(db, resource.table, waiting)
    mergeFilled(db, resource)
    waiting = []
  }
  const add = (seq: number, record: Record<string, unknown>) => {
    waiting.push({ seq, ...searchText(resource, record) })
    if (waiting.length === 1_000) flush()
  }
  return { add, flush }
}
