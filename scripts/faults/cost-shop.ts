// A shop of awkward sizes: long texts, long documents, long histories. Filled while no server runs on the file.
import { Database } from "bun:sqlite"
import { fold } from "../../src/lib/text"
import { customers } from "../../src/modules/customers/model"
import { invoices } from "../../src/modules/invoices/model"
import { items } from "../../src/modules/items/model"
import { salesOrders } from "../../src/modules/sales-orders/model"
import { customerId, inserter, itemCode, itemId, numbered, searchFeed, type Row } from "../bench/data"
import { textOf } from "./cost-text"

export type Size = {
  items: number
  /** How many of the items have 20 images with long addresses. */
  pictured: number
  customers: number
  /** Orders with long notes, most of them of one customer; the invoices have the same. */
  orders: number
  /** Orders, and as many invoices, that have as many lines as a document may have. */
  largest: number
  movements: number
  entries: number
  /** How many of the entries of the audit log tell a change of 300 kB. */
  longEntries: number
}

export const mostLines = 500
const longestProse = 10_000

/** Of each kind of record the one that has the most to tell, by the prefix of its id. */
export const heaviest: Readonly<Record<string, string>> = {
  itm: itemId(1),
  cus: customerId(1),
  so: numbered("so", 1),
  inv: numbered("inv", 1),
  stk: numbered("stk", 1),
  aud: numbered("aud", 1),
}
export const largestOrder = (i: number): string => numbered("so", 1_000_000 + i)
export const largestInvoice = (i: number): string => numbered("inv", 1_000_000 + i)

/** Fills a file that a server has made. Nothing is synced on the way. */
export function fillShop(file: string, size: Size): void {
  const db = new Database(file)
  db.run("PRAGMA synchronous = OFF")
  db.transaction(() => {
    fillItems(db, size)
    fillCustomers(db, size)
    fillDocuments(db, size)
    fillMovements(db, size)
    fillEntries(db, size)
  })()
  db.run("PRAGMA optimize")
  db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
}

/** One every minute; what is made last stands on the first page of a list. */
const createdAt = (i: number) => new Date(1_700_000_000_000 + i * 60_000).toISOString()
const stamps = (i: number) => ({ created_at: createdAt(i), updated_at: createdAt(i) })

const words = textOf("words", 120_000)
/** Words from somewhere, so that no two texts begin alike. */
const prose = (i: number, length: number): string => words.slice((i * 7) % 100_000).slice(0, length)
/** Of twenty texts one is a run of marks, as older releases have let in, one astral, and one a single letter. */
function awkward(i: number, length: number): string {
  const kind = ({ 3: "marks", 7: "astral", 11: "letters" } as const)[i % 20]
  return kind ? textOf(kind, length) : prose(i, length)
}

function fillItems(db: Database, { items: count, pictured }: Size): void {
  const insert = filler(db, "items", {
    item_type: "Product",
    uom: "Nos",
    selling_price: 10_000,
    cost_price: 10_000,
    tax_rate: 190_000,
    current_stock: 10_000_000_000,
    reorder_level: 0,
    reorder_qty: 0,
    is_active: 1,
    version: 1,
  })
  const search = searchFeed(db, items)
  const images = (n: number, length: number): string =>
    JSON.stringify(
      Array.from({ length: n }, (_, i) => `https://example.com/${i}/`.padEnd(length, "a").slice(0, length)),
    )
  const [many, few] = [images(20, 2048), images(3, 100)]
  for (let i = 1; i <= count; i++) {
    const name = `${prose(i * 3, 12).trim()} ${i}`
    const category = `Category ${i % 20}`
    const description = i % 20 === 11 ? textOf("letters", longestProse) : prose(i, longestProse)
    insert({
      id: itemId(i),
      item_code: itemCode(i),
      item_name: name,
      category,
      description,
      images: i > count - pictured ? many : few,
      ...stamps(i),
    })
    search.add(i, { itemCode: itemCode(i), itemName: name, category, description: description.slice(0, 60) })
  }
  search.flush()
}

function fillCustomers(db: Database, { customers: count }: Size): void {
  const insert = filler(db, "customers", {
    type: "Company",
    payment_terms: "Net 30",
    is_active: 1,
    version: 1,
  })
  const search = searchFeed(db, customers)
  for (let i = 1; i <= count; i++) {
    const name = `${prose(i * 5, 20).trim()} ${i}`
    const customerNumber = `OLD-${i}`
    const email = `office${i}@example.com`
    insert({ id: customerId(i), customer_number: customerNumber, name, email, ...stamps(i) })
    search.add(i, { name, customerNumber, email })
  }
  search.flush()
}

type Document = { id: string; i: number; lines: number; customer: number }

function fillDocuments(db: Database, size: Size): void {
  const order = orderFiller(db)
  const invoice = invoiceFiller(db)
  // Nine of ten are of one customer.
  const customerOf = (i: number) => (i % 10 === 0 ? 1 + (i % size.customers) : 1)
  for (let i = 1; i <= size.orders; i++) {
    order.add({ id: numbered("so", i), i, lines: 1, customer: customerOf(i) })
    invoice.add({ id: numbered("inv", i), i, lines: 1, customer: customerOf(i) })
  }
  for (let i = 1; i <= size.largest; i++) {
    const common = { i: size.orders + i, lines: Math.min(mostLines, size.items), customer: customerOf(i) }
    order.add({ id: largestOrder(i), ...common })
    invoice.add({ id: largestInvoice(i), ...common })
  }
  order.flush()
  invoice.flush()
}

function orderFiller(db: Database) {
  const insert = filler(db, "sales_orders", {
    status: "draft",
    invoice_status: "not_invoiced",
    payment_terms: "Net 30",
    currency: "USD",
    discount_total: 0,
    tax_total: 0,
    invoiced_total: 0,
    version: 1,
  })
  const line = lineFiller(db, "sales_order_lines", { invoiced_quantity: 0 })
  const search = searchFeed(db, salesOrders)
  const add = ({ id, i, lines, customer }: Document): void => {
    const number = `SO-2020-${String(i).padStart(5, "0")}`
    insert({
      id,
      order_number: number,
      customer: customerId(customer),
      customer_name: `Customer ${customer}`,
      order_date: createdAt(i).slice(0, 10),
      notes: awkward(i, longestProse),
      cancel_reason: prose(i, 500),
      subtotal: 100 * lines,
      total: 100 * lines,
      ...stamps(i),
    })
    line("sol", { sales_order: id }, i, lines)
    search.add(i, { orderNumber: number, customerName: `Customer ${customer}` })
  }
  return { add, flush: search.flush }
}

function invoiceFiller(db: Database) {
  const insert = filler(db, "invoices", {
    status: "draft",
    payment_terms: "Net 30",
    currency: "USD",
    discount_total: 0,
    tax_total: 0,
    amount_paid: 0,
    version: 1,
  })
  const line = lineFiller(db, "invoice_lines", {})
  const search = searchFeed(db, invoices)
  const add = ({ id, i, lines, customer }: Document): void => {
    insert({
      id,
      customer: customerId(customer),
      customer_name: `Customer ${customer}`,
      invoice_date: createdAt(i).slice(0, 10),
      due_date: createdAt(i).slice(0, 10),
      notes: awkward(i, longestProse),
      cancel_reason: prose(i, 500),
      subtotal: 100 * lines,
      total: 100 * lines,
      balance: 100 * lines,
      ...stamps(i),
    })
    line("inl", { invoice: id }, i, lines)
    search.add(i, { customerName: `Customer ${customer}` })
  }
  return { add, flush: search.flush }
}

function lineFiller(db: Database, table: string, same: Row) {
  const insert = inserter(db, table, {
    uom: "Nos",
    quantity: 10_000,
    rate: 10_000,
    discount: 0,
    amount: 100,
    discount_amount: 0,
    tax_rate: 0,
    ...same,
  })
  return (prefix: string, of: Row, document: number, lines: number): void => {
    for (let position = 0; position < lines; position++)
      insert({
        ...of,
        id: numbered(prefix, document * 1_000 + position),
        position,
        item: itemId(position + 1),
        item_code: itemCode(position + 1),
        item_name: `Item ${position + 1}`,
      })
  }
}

function fillMovements(db: Database, { movements, items: count }: Size): void {
  const insert = filler(db, "stock_movements", { quantity: 10_000, reason: "receipt", balance_after: 10_000 })
  for (let i = 1; i <= movements; i++)
    insert({
      id: numbered("stk", i),
      // Half of them are of one item.
      item: itemId(i % 2 === 0 ? 1 : 1 + (i % count)),
      note: awkward(i, 100 + (i % 401)),
      created_at: createdAt(i),
    })
}

/** The entries of the log as an older server might have left them; their hashes are none. */
function fillEntries(db: Database, { entries, longEntries }: Size): void {
  const insert = filler(db, "audit_logs", {
    actor_type: "user",
    actor_name: "Somebody",
    outcome: "success",
    ip: "127.0.0.1",
    user_agent: "a browser",
  })
  const last = db.query<{ seq: number }, []>("SELECT coalesce(max(seq), 0) AS seq FROM audit_logs").get()
  const long = JSON.stringify({ images: { from: textOf("words", 150_000), to: textOf("letters", 150_000) } })
  const kinds = Object.entries({ items: "itm", customers: "cus", "sales-orders": "so", invoices: "inv" })
  for (let i = 1; i <= entries; i++) {
    const isLong = i > entries - longEntries
    const [kind = "", prefix = ""] = (isLong ? kinds[0] : kinds[i % kinds.length]) ?? []
    insert({
      seq: (last?.seq ?? 0) + i,
      id: numbered("aud", i),
      request_id: `request-${i}`,
      action: `${kind}.update`,
      kind,
      record_id: heaviest[prefix] ?? null,
      changes: isLong ? long : `{"itemName":{"from":"Desk","to":"Desk ${i}"}}`,
      hash: "0".repeat(64),
      created_at: createdAt(i),
    })
  }
}

/** Inserts rows, each with the columns that hold a text a second time: folded to sort by, in lower case to be unique by. */
function filler(db: Database, table: string, same: Row): (row: Row) => void {
  const insert = inserter(db, table, same)
  const columns = db.query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)").all(table)
  const shadows = columns.flatMap(({ name }) => {
    const of = /^(.+)_(?:sort|key)$/.exec(name)?.[1]
    return of === undefined ? [] : [{ name, of }]
  })
  // To fold a run of marks takes long, and the same text comes again and again.
  const folded = new Map<string, string>()
  const shadow = (text: Row[string] | undefined): string | null => {
    if (typeof text !== "string") return null
    const known = folded.get(text) ?? fold(text)
    if (text.length > 1_000) folded.set(text, known)
    return known
  }
  return (row) => {
    const whole = { ...same, ...row }
    insert({ ...row, ...Object.fromEntries(shadows.map(({ name, of }) => [name, shadow(whole[of])])) })
  }
}
