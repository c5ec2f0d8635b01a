// A shop that has rows in every table, for tests that must not forget one.
import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { apiWith, send, signIn, type Api } from "./api"
import { png } from "./images"
import { importer } from "./imports"
import { adminEmail, type Kontor } from "./kontor"
import { setMail, settled, tried } from "./mail"
import { mailServer } from "./mail-server"
import { clientOf, connect } from "./oauth"
import { allowLoopback, receiver } from "./receiver"
import { trade } from "./trade"
import { until } from "./until"
import { serve } from "./kontor"
import type { Resource } from "../../src/core/kind/define"
import { exampleOf } from "../../src/core/http/openapi/kind-schemas"
import { shop } from "../../src/kinds"

export type WholeShop = { file: string; key: string; invoice: string }

/** Serves a new file, fills its tables, and stops the server. */
export async function wholeShop(): Promise<WholeShop> {
  const kontor = await serve({ args: [...allowLoopback, "--public-url", "https://shop.example"] })
  const api = await signIn(kontor)
  await fillTables(kontor, api)
  await fillItems(api)
  const invoice = await fillDocuments(api)
  await fillMail(kontor, api, invoice)
  await fillOthers(api)
  const { key } = await api.create("/api-keys", { name: "Till", scopes: ["read", "write"] })
  await apiWith(kontor, { "x-api-key": key }).get("/items")
  await send(`${kontor.url}/ready`)
  expect(await kontor.stop()).toBe(0)
  fillRest(kontor.file)
  return { file: kontor.file, key, invoice }
}

/** More items than are copied at a time. */
async function fillItems(api: Api): Promise<void> {
  const operations = Array.from({ length: 1_000 }, (_, i) => ({
    op: "create",
    body: { itemCode: `MANY-${i}`, itemName: `One of many ${i}`, description: "Long. ".repeat(1 + (i % 50)) },
  }))
  const { results } = (await api.post("/items/batch", { mode: "each", operations })).body.data
  expect(results.filter(({ data }: { data?: unknown }) => !data)).toEqual([])
}

/** Users, apps, webhooks, jobs and settings. */
async function fillTables(kontor: Kontor, api: Api): Promise<void> {
  const { url, hits } = receiver()
  await api.create("/webhooks", { url, types: ["items.*"] })
  const { key } = await api.create("/api-keys", { name: "Hooks", scopes: ["read", "webhooks"] })
  await apiWith(kontor, { "x-api-key": key }).create("/webhooks", { url, types: ["customers.*"] })
  await connect(kontor, await clientOf(api))
  await api.put("/settings/logo", png(), { "content-type": "image/png" })
  await api.create("/tax-codes", { code: "DE19", name: "Standard", category: "S", rate: 19 })
  const files = importer(api)
  await files.run("kind=items", "Item code;Item name\nIMP-1;Löffel\n;without a code\n")
  await api.create("/views", { name: "All", list: "items" })
  await api.post("/items/reprice", { filter: {}, change: { percent: 10 } })
  await api.post("/items", { itemCode: "ONCE", itemName: "Once" }, { "idempotency-key": "once-1" })
  while (hits.length === 0) await Bun.sleep(20)
}

/** A record of each kind that has none yet, as the API document creates it, with the records that there are. */
async function fillOthers(api: Api): Promise<void> {
  const ids = new Map<string, string>()
  const empty: Resource[] = []
  for (const { kind } of Object.values(shop)) {
    const [first] = (await api.get(`/${kind.name}?perPage=1`)).body.data
    if (first) ids.set(kind.idPrefix, first.id)
    else empty.push(kind)
  }
  for (const kind of empty) await api.create(`/${kind.name}`, withIds(exampleOf(kind), ids))
}

/** An example that names existing records, by the prefixes of its ids. */
const withIds = (example: object, ids: ReadonlyMap<string, string>): object =>
  JSON.parse(
    JSON.stringify(example).replaceAll(
      /(?<=")([a-z]+)_[0-9a-z]{26}(?=")/g,
      (id, prefix) => ids.get(prefix) ?? id,
    ),
  )

/** Orders, invoices, credit notes, payments and their papers. Returns an invoice. */
async function fillDocuments(api: Api): Promise<string> {
  const shop = trade(api)
  await api.patch("/settings", { indexedMetadata: { items: ["a'b"] } })
  const item = await shop.item({ itemName: "Käse 漢字 🧀", taxRate: 20, metadata: { "a'b": 'c"\\d\n' } })
  await shop.receive(item.id, 50)
  const invoice = await shop.invoice({ items: [{ item: item.id, quantity: 3 }] })
  await shop.pay(invoice.id, 5)
  const order = await shop.submitted({ items: [{ item: item.id, quantity: 1 }] })
  expect((await api.post(`/sales-orders/${order.id}/amend`)).body.data.amendedFrom).toBe(order.id)
  const sale = await shop.submitted({ items: [{ item: item.id, quantity: 2 }] })
  await api.create("/deliveries/from-order", { salesOrder: sale.id })
  const deposit = await api.create(`/sales-orders/${sale.id}/deposit-invoices`, { percent: 50 })
  await shop.pay(deposit.id, deposit.total)
  await shop.bill(sale.id)
  const credit = { reason: "Broken", items: [{ invoiceLine: invoice.items[0].id, quantity: 1 }] }
  await api.create(`/invoices/${invoice.id}/credit-notes`, credit)
  await api.create(`/invoices/${invoice.id}/write-offs`, { amount: 1, reason: "Rounding" })
  await api.create(`/invoices/${invoice.id}/reminders`, { override: true })
  expect((await api.get(`/invoices/${invoice.id}/pdf`)).status).toBe(200)
  await api.patch("/settings", { publicPages: true })
  const offer = { customer: order.customer, items: [{ item: item.id, quantity: 1 }], status: "sent" }
  const { id } = await api.create("/quotations", offer)
  await api.create(`/quotations/${id}/link`, {})
  await api.create(`/quotations/${id}/order`, {})
  return invoice.id
}

/** Messages that were sent, a link for a new password, and a message that waits for its server. */
async function fillMail(kontor: Kontor, api: Api, invoice: string): Promise<void> {
  const server = await mailServer()
  await setMail(api, server.port)
  const message = { to: "office@customer.example" }
  await settled(api, (await api.post(`/invoices/${invoice}/send`, message)).body.data.id)
  await send(`${kontor.url}/api/v1/auth/forgot`, { body: { email: adminEmail } })
  await until(() => server.taken.length === 2)
  await server.stop()
  await setMail(api, server.port, { auth: "password", user: "shop", password: "a secret of the shop" })
  await tried(api, (await api.post(`/invoices/${invoice}/send`, message)).body.data.id, 1)
}

/** Rows that a server deletes soon, or that another server is needed for. */
function fillRest(file: string): void {
  const db = new Database(file)
  db.run("INSERT INTO uploads SELECT id, 0, x'00ff5c78275c00' FROM jobs LIMIT 1")
  db.run("INSERT INTO job_targets SELECT id, 1, 'itm_1', '{}' FROM jobs LIMIT 1 ON CONFLICT DO NOTHING")
  db.run("INSERT INTO rate_days VALUES ('key_1', '2026-01-01', 7)")
  db.run("INSERT INTO sign_in_tries VALUES ('wide', 'a digest', 3, 1, 1760000000000, 1760000000000)")
  const at = "2026-01-01T00:00:00.000Z"
  const issuer = "https://login.example.com"
  db.run("INSERT INTO oidc_identities SELECT ?, 'somebody', id, ?, ? FROM users LIMIT 1", [issuer, at, at])
  db.run("INSERT INTO oidc_sessions SELECT id, 'key', 'somebody', 'a token', ? FROM sessions LIMIT 1", [at])
  db.run(
    // It is not confirmed, so that the user signs in without it.
    `INSERT INTO factors (id, user, type, name, secret, last_step, created_at)
     SELECT 'fac_1', id, 'totp', 'Phone', 'a secret', 7, ? FROM users LIMIT 1`,
    [at],
  )
  db.run("INSERT INTO recovery_codes SELECT id, 'a digest' FROM users LIMIT 1")
  db.run("INSERT INTO used_challenges VALUES ('a digest', ?)", [at])
  db.close()
}

/** The rows of every table of a file, except the search tables, in the order of their text. */
export function rowsOfFile(file: string): Record<string, string[]> {
  const db = new Database(file, { readonly: true })
  const names = db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> 'search_waiting' ORDER BY name",
    )
    .all()
  const rows = names.map(({ name }) => [name, textsOf(db.query(`SELECT * FROM "${name}"`).all())] as const)
  db.close()
  return Object.fromEntries(rows)
}

/** Each row as text, with its columns in alphabetical order. */
export const textsOf = (rows: unknown[]): string[] => rows.map(textOf).toSorted()

function textOf(row: unknown): string {
  const columns = Object.entries(row as Record<string, unknown>).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(
    columns.map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
    ]),
  )
}
