// The physical limit: Bun.serve with prepared statements. No credential, no validation, no extra headers, no audit log,
// no search; NORMAL sync and one transaction per write. It stores the same rows in the same tables.
import { Database } from "bun:sqlite"
import {
  insertItem,
  insertLine,
  insertOrder,
  itemRow,
  lineRow,
  orderRow,
  selectSold,
  type Sold,
} from "./rows.mjs"

const [file = ""] = process.argv.slice(2)
const db = new Database(file)
db.run("PRAGMA journal_mode = WAL")
db.run("PRAGMA synchronous = NORMAL")
const get = db.prepare("SELECT * FROM items WHERE id = ?")
const first = db.prepare("SELECT * FROM items WHERE category = ? ORDER BY created_at DESC, id DESC LIMIT 20")
const count = db.prepare("SELECT count(*) AS n FROM items WHERE category = ?")
const next = db.prepare(
  "SELECT * FROM items WHERE (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT 20",
)
const item = db.prepare(insertItem)
const sold = db.prepare<Sold, [string]>(selectSold)
const order = db.prepare(insertOrder)
const line = db.prepare(insertLine)

const sell = db.transaction((input) => {
  const row = orderRow(input)
  order.run(...row)
  for (const [i, wanted] of input.items.entries())
    line.run(...lineRow(row[0], i, wanted, sold.get(wanted.item)))
  return { id: row[0] }
})

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  development: false,
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method === "POST") {
      const input = await request.json()
      if (pathname === "/sales-orders") return Response.json(sell(input), { status: 201 })
      const row = itemRow(input)
      item.run(...row)
      return Response.json(get.get(row[0]), { status: 201 })
    }
    const id = pathname.split("/")[2]
    if (id) return Response.json(get.get(id))
    const category = searchParams.get("category")
    if (category === null)
      return Response.json({ data: next.all(searchParams.get("at"), searchParams.get("id")) })
    return Response.json({ data: first.all(category), total: count.get(category) })
  },
})
console.log(`http://127.0.0.1:${server.port}`)
