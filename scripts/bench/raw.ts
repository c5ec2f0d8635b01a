// The physical limit: Bun.serve on prepared statements, with no credential, no checks and no headers of ours.
import { Database } from "bun:sqlite"

const [file = "", port = "0"] = process.argv.slice(2)
const db = new Database(file)
db.run("PRAGMA journal_mode = WAL")
db.run("PRAGMA synchronous = NORMAL")
db.run("PRAGMA busy_timeout = 5000")
const get = db.prepare("SELECT * FROM items WHERE id = ?")
const list = db.prepare("SELECT * FROM items WHERE category = ? ORDER BY created_at DESC, id DESC LIMIT 20")
const count = db.prepare("SELECT count(*) AS n FROM items WHERE category = ?")
const insert = db.prepare("INSERT INTO raw_items (id, code, name, price, created_at) VALUES (?, ?, ?, ?, ?)")
let made = 0

const server = Bun.serve({
  port: Number(port),
  hostname: "127.0.0.1",
  development: false,
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method === "POST") {
      const { itemCode, itemName, sellingPrice } = (await request.json()) as Record<string, string | number>
      const id = `raw_${++made}_${Math.random()}`
      insert.run(id, String(itemCode), String(itemName), Number(sellingPrice), new Date().toISOString())
      return Response.json({ id, itemCode, itemName }, { status: 201 })
    }
    const id = pathname.split("/")[2]
    if (id) return Response.json(get.get(id))
    const category = searchParams.get("category") ?? ""
    return Response.json({ data: list.all(category), total: (count.get(category) as { n: number }).n })
  },
})
console.log(server.port)
