// A shop with extreme sizes: long texts, long documents, long histories. Filled while no server uses the file.
import { SqliteDatabase } from "../../src/core/engine/sqlite/database"
import { customers } from "../../src/shop/customers/model"
import { items } from "../../src/shop/items/model"
import { customerId, itemCode, itemId, numbered, searchFeed } from "../bench/data"
import { mixedText, createdAt, filler, longestProse, prose, stamps } from "./cost-rows"
import { fillDocuments } from "./cost-shop-documents"
import { fillMoney, largestPayment } from "./cost-shop-money"
import type { Size } from "./cost-shop-size"
import { textOf } from "./cost-text"

/** The record with the most data of each kind, by the prefix of its ID. */
export const heaviest: Readonly<Record<string, string>> = {
  itm: itemId(1),
  cus: customerId(1),
  so: numbered("so", 1),
  inv: numbered("inv", 1),
  pay: largestPayment,
  stk: numbered("stk", 1),
  aud: numbered("aud", 1),
}

/** Fills a file that a server has created, without syncs. */
export function fillShop(file: string, size: Size): void {
  const db = new SqliteDatabase(file)
  db.run("PRAGMA synchronous = OFF")
  db.transaction(() => {
    fillItems(db, size)
    fillCustomers(db, size)
    fillDocuments(db, size)
    fillMoney(db, size)
    fillMovements(db, size)
    fillEntries(db, size)
  })()
  db.run("PRAGMA optimize")
  db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
}

function fillItems(db: SqliteDatabase, { items: count, pictured }: Size): void {
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

function fillCustomers(db: SqliteDatabase, { customers: count }: Size): void {
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

function fillMovements(db: SqliteDatabase, { movements, items: count }: Size): void {
  const insert = filler(db, "stock_movements", { quantity: 10_000, reason: "receipt", balance_after: 10_000 })
  for (let i = 1; i <= movements; i++)
    insert({
      id: numbered("stk", i),
      // Half of them belong to one item.
      item: itemId(i % 2 === 0 ? 1 : 1 + (i % count)),
      note: mixedText(i, 100 + (i % 401)),
      created_at: createdAt(i),
    })
}

/** Audit log entries without valid hashes. */
function fillEntries(db: SqliteDatabase, { entries, longEntries }: Size): void {
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
