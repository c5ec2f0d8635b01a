import { expect } from "bun:test"
import fc from "fast-check"
import { importer } from "./imports"
import { importOpening } from "./opening"
import { step, type Real, type Step } from "./shop-story"
import { until } from "./until"

/**
 * Random operations on records of their own, in addition to those of shop-steps.ts: plain writes, batches, jobs, and
 * writes that change nothing.
 */
let made = 0
const newCode = (): string => `OWN-${++made}`

/** Records that only these operations use. */
const newItem = ({ api }: Real, over: object = {}) => {
  const itemCode = newCode()
  return api.create("/items", { itemCode, itemName: itemCode, sellingPrice: 10, ...over })
}
const newCustomer = ({ api }: Real) => api.create("/customers", { name: newCode() })

const own = (title: string, run: (real: Real, at: number) => Promise<unknown>): fc.Arbitrary<Step> =>
  step(title, async (_, real, at) => void (await run(real, at)))

/** Makes a record first, so that two steps together create and then change it. */
let item = ""
let customer = ""

const plain = [
  own("create an item", async (real) => (item = (await newItem(real)).id)),
  own("create a customer", async (real) => (customer = (await newCustomer(real)).id)),
  own("create a tax code", ({ api }) => {
    const code = newCode()
    return api.create("/tax-codes", { code, name: code, category: "S", rate: 5 })
  }),
  own("edit an item", ({ api }, at) => api.patch(`/items/${item}`, { itemName: `Name ${at % 3}` })),
  own("edit a customer", ({ api }, at) =>
    api.put(`/customers/${customer}`, { name: "Edited", isActive: at % 2 === 0, creditLimit: at }),
  ),
  own("delete an item", ({ api }) => api.delete(`/items/${item}`)),
  own("delete a customer", ({ api }) => api.delete(`/customers/${customer}`)),
  own("put an item by its code", ({ api }, at) =>
    api.put(`/items/by/itemCode/KEY-${at % 3}`, { itemName: `Put ${at % 4}`, metadata: { at: String(at) } }),
  ),
  own("count the stock", ({ api }, at) =>
    api.post("/stock-movements/count", { lines: [{ item, counted: at % 4 }] }),
  ),
]

const orders = [
  own("duplicate and amend an order", async ({ api, shop }) => {
    const { id } = await shop.submitted()
    expect((await api.post(`/sales-orders/${id}/amend`)).status).toBe(201)
    expect((await api.post(`/sales-orders/${id}/duplicate`)).status).toBe(201)
  }),
]

const batches = [
  own("a batch in which one record is changed several times", async (real, at) => {
    const [kept, gone] = [await newItem(real), await newItem(real)]
    const operations = [
      { op: "update", id: kept.id, body: { itemName: "Once" } },
      { op: "update", id: kept.id, body: { itemName: "Twice", sellingPrice: at } },
      { op: "update", id: gone.id, body: { itemName: "For a moment" } },
      { op: "delete", id: gone.id },
      { op: "create", body: { itemCode: newCode(), itemName: "Of a batch" } },
    ]
    expect((await real.api.post("/items/batch", { mode: "all", operations })).status).toBe(200)
  }),
  own("a batch in which some operations are refused", async (real) => {
    const { id } = await newItem(real)
    const operations = [
      { op: "update", id, body: { itemName: "Alone" } },
      { op: "update", id, body: { sellingPrice: -1 } },
      { op: "create", body: { itemCode: newCode(), itemName: "Alone too" } },
    ]
    expect((await real.api.post("/items/batch", { mode: "each", operations })).status).toBe(200)
  }),
  own("a batch that is refused", async ({ api }) => {
    const operations = [
      { op: "create", body: { itemCode: newCode(), itemName: "Never" } },
      { op: "delete", id: "itm_none" },
    ]
    const answer = await api.post("/items/batch", { mode: "all", operations })
    expect(answer.status).toBeGreaterThanOrEqual(400)
  }),
]

const jobs = [
  own("import items", async ({ api }, at) => {
    const rows = Array.from({ length: 4 }, (_, i) => `IMP-${(at + i) % 6},Imported ${at % 3},${i}`)
    const file = ["itemCode,itemName,sellingPrice", ...rows].join("\n")
    const { status } = await importer(api).run("kind=items&mode=upsert", file)
    expect(status).toBe("finished")
  }),
  own("check an import", ({ api }) =>
    importer(api).run("kind=items&dryRun=true", `itemCode,itemName\n${newCode()},Checked`),
  ),
  own("import and delete an opening invoice", async (real, at) => {
    const { customerNumber } = await newCustomer(real)
    const dates = { invoiceDate: "2026-01-01", dueDate: "2026-01-15" }
    const row = { invoiceNumber: newCode(), customerNumber, ...dates, total: 100, balance: 100 }
    expect(await importOpening(real.api, [row])).toEqual([])
    const { data } = (await real.api.get(`/invoices?invoiceNumber=${row.invoiceNumber}`)).body
    if (at % 2 === 0) expect((await real.api.delete(`/invoices/${data[0].id}`)).status).toBe(204)
  }),
  own("change prices", async (real, at) => {
    const category = newCode()
    for (let i = 0; i < 3; i++) await newItem(real, { category })
    const change = { percent: at }
    const answer = await real.api.post("/items/reprice", { filter: { category }, change })
    const path = `/jobs/${answer.body.data.id}`
    await until(async () => (await real.api.get(path)).body.data.finishedAt !== null)
  }),
]

/** Operations that change no record of the business. */
const without = [
  own("try writes", async ({ api, customers, items }) => {
    const [buyer, sold] = [customers[0]?.id, items[0]?.id]
    const body = { customer: buyer, items: [{ item: sold, quantity: 1 }], status: "submitted" }
    expect((await api.post("/sales-orders?dryRun=true", body)).status).toBe(201)
    expect((await api.put(`/customers/${buyer}?dryRun=true`, { name: "Tried" })).status).toBe(200)
  }),
  own("refused writes", async ({ api, items }) => {
    expect((await api.post("/items", { itemName: "No code" })).status).toBe(422)
    expect((await api.delete(`/items/${items[0]?.id}x`)).status).toBe(404)
    const stale = await api.put(`/items/${items[0]?.id}`, { itemName: "Late" }, { "if-match": '"0"' })
    expect(stale.status).toBe(412)
  }),
  own("update nothing", async ({ api, items, shop }) => {
    const { itemName } = await shop.get("items", items[0]?.id ?? "")
    expect((await api.put(`/items/${items[0]?.id}`, { itemName })).status).toBe(200)
  }),
  own("people, keys and settings", async ({ api }, at) => {
    const email = `${newCode()}@example.com`
    const user = { email, name: "Someone", role: "viewer", password: "correct horse battery" }
    await api.create("/users", user)
    const key = await api.create("/api-keys", { name: email, scopes: ["read"] })
    expect((await api.delete(`/api-keys/${key.id}`)).status).toBe(204)
    expect((await api.put("/settings", { companyName: `Company ${at}` })).status).toBe(200)
  }),
]

export const otherSteps = [...plain, ...orders, ...batches, ...jobs, ...without]
