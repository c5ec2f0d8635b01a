// A handwritten server: CRUD with Fastify and better-sqlite3 on Node, with schemas for requests and the same headers;
// NORMAL sync, no credential, no audit log, no search.
import { randomUUID } from "node:crypto"
import Database from "better-sqlite3"
import Fastify from "fastify"
import { insertItem, itemRow } from "./rows.mjs"

const [, , file] = process.argv
const db = new Database(file)
db.pragma("journal_mode = WAL")
db.pragma("synchronous = NORMAL")
const get = db.prepare("SELECT * FROM items WHERE id = ?")
const first = db.prepare("SELECT * FROM items WHERE category = ? ORDER BY created_at DESC, id DESC LIMIT 20")
const count = db.prepare("SELECT count(*) AS n FROM items WHERE category = ?")
const insert = db.prepare(insertItem)

const fromRow = (row) => ({
  id: row.id,
  itemCode: row.item_code,
  itemName: row.item_name,
  category: row.category,
  itemType: row.item_type,
  uom: row.uom,
  sellingPrice: row.selling_price / 10_000,
  costPrice: row.cost_price / 10_000,
  taxRate: row.tax_rate / 10_000,
  currentStock: row.current_stock / 10_000,
  reservedStock: row.reserved_stock / 10_000,
  reorderLevel: row.reorder_level / 10_000,
  reorderQty: row.reorder_qty / 10_000,
  description: row.description,
  images: JSON.parse(row.images),
  isActive: row.is_active === 1,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const app = Fastify({ logger: false })
app.addHook("onRequest", async (request, reply) => {
  reply.headers({
    "x-request-id": request.headers["x-request-id"] ?? randomUUID(),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": "999",
    "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000)),
  })
})
app.get("/items/:id", async (request, reply) => {
  const row = get.get(request.params.id)
  if (!row) return reply.code(404).send({ success: false })
  reply.header("etag", `"${row.version}"`)
  return { success: true, data: fromRow(row) }
})
app.get("/items", async (request) => {
  const { category } = request.query
  const total = count.get(category).n
  return { success: true, data: first.all(category).map(fromRow), meta: { page: 1, perPage: 20, total } }
})
const body = {
  type: "object",
  required: ["itemCode", "itemName"],
  additionalProperties: false,
  properties: {
    itemCode: { type: "string", maxLength: 64 },
    itemName: { type: "string", maxLength: 255 },
    sellingPrice: { type: "number", minimum: 0 },
  },
}
app.post("/items", { schema: { body } }, async (request, reply) => {
  const row = itemRow(request.body)
  insert.run(...row)
  reply.code(201).headers({ location: `/items/${row[0]}`, etag: '"1"' })
  return { success: true, data: fromRow(get.get(row[0])) }
})
const address = await app.listen({ port: 0, host: "127.0.0.1" })
console.log(address)
