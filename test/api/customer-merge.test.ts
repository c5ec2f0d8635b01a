import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { isPostgres } from "../support/engine"
import { feedOf } from "../support/events"
import { inFile } from "../support/file"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { importOpening } from "../support/opening"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let item: string

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  item = (await shop.item({ sellingPrice: 100 })).id
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
})

const lines = { items: [{ item: "", quantity: 1 }] }
const order = (customer: string, over: object = {}) =>
  shop.order({ customer, items: [{ ...lines.items[0], item }], ...over })
const merge = (into: string, from: string, query = "") =>
  api.post(`/customers/${into}/merge${query}`, { from })
const customerOf = async (path: string) => (await api.get(path)).body.data.customer

/** Two customers that are the same one; the second has a record of each kind. */
async function twice() {
  const survivor = await shop.customer({ name: "Petersen" })
  const from = await shop.customer({ name: "Petersen doubled", externalId: `erp-${Math.random()}` })
  const draft = await order(from.id)
  const open = await order(from.id, { status: "submitted" })
  const billed = await order(from.id, { status: "submitted" })
  const invoice = (await shop.bill(billed.id)).body.data
  const note = (
    await api.post(`/invoices/${invoice.id}/credit-notes`, {
      reason: "Scratched",
      items: [{ invoiceLine: invoice.items[0].id, amount: 10 }],
    })
  ).body.data
  const payment = await api.create("/payments", { customer: from.id, amount: 120, allocations: [] })
  await shop.pay(invoice.id, 30)
  const paths = [
    `/sales-orders/${draft.id}`,
    `/sales-orders/${open.id}`,
    `/sales-orders/${billed.id}`,
    `/invoices/${invoice.id}`,
    `/credit-notes/${note.id}`,
    `/payments/${payment.id}`,
  ]
  return { survivor, from, draft, invoice, payment, paths }
}

describe("POST /customers/{id}/merge", () => {
  test("moves documents, payments and balances, and leaves what was printed as it is", async () => {
    const { survivor, from, invoice, paths } = await twice()
    await order(survivor.id, { status: "submitted" })
    const pdf = async () => (await api.get(`/invoices/${invoice.id}/pdf`)).text
    const before = { pdf: await pdf(), invoice: (await api.get(`/invoices/${invoice.id}`)).body.data }
    const owed = (await api.get(`/customers/${from.id}`)).body.data
    expect(owed).toMatchObject({ outstandingBalance: 60, openOrdersValue: 100, creditBalance: 120 })

    const answer = await merge(survivor.id, from.id)
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { id: survivor.id, outstandingBalance: 60, openOrdersValue: 200, creditBalance: 120 } },
    })
    expect(answer.headers.get("etag")).toBe((await api.get(`/customers/${survivor.id}`)).headers.get("etag"))
    for (const path of paths) expect([path, await customerOf(path)]).toEqual([path, survivor.id])
    expect((await api.get(`/customers/${from.id}`)).body.data).toEqual({
      ...owed,
      outstandingBalance: 0,
      openOrdersValue: 0,
      creditBalance: 0,
      isActive: false,
      status: "inactive",
      mergedInto: survivor.id,
      version: owed.version + 1,
      updatedAt: expect.any(String),
    })
    const { data } = (await api.get(`/invoices/${invoice.id}`)).body
    expect(data).toMatchObject({ customerName: "Petersen doubled", buyer: before.invoice.buyer })
    expect(data.version).toBe(before.invoice.version + 1)
    expect(await pdf()).toBe(before.pdf)
    expect((await api.get(`/invoices?customer=${from.id}`)).body.data).toEqual([])
  })

  test("tells it in the feed, in the audit log and in the history of every record", async () => {
    const { survivor, from, paths } = await twice()
    const feed = feedOf(api)
    const at = await feed.latest()
    await merge(survivor.id, from.id)
    const { events } = await feed.readAll(at)
    const of = (id: string) => events.filter(({ recordId }) => recordId === id).map(({ type }) => type)
    expect(of(from.id).toSorted()).toEqual(["customers.merged", "customers.updated"])
    expect(of(survivor.id)).toEqual(["customers.updated"])
    for (const path of paths) {
      expect(events).toContainEqual(
        expect.objectContaining({ recordId: path.split("/")[2], changed: ["customer"] }),
      )
      expect((await api.get(`${path}/history`)).body.data[0].changes).toEqual({
        customer: { from: from.id, to: survivor.id },
      })
    }
    const historyOf = async (id: string) => (await api.get(`/customers/${id}/history`)).body.data[0]
    expect(await historyOf(survivor.id)).toMatchObject({
      action: "customers.merge",
      changes: { from: { to: from.id }, "sales-orders": { to: 3 }, invoices: { to: 1 } },
    })
    expect(await historyOf(from.id)).toMatchObject({
      changes: { mergedInto: { from: null, to: survivor.id } },
    })
  })

  test("a dry run shows the result and changes nothing", async () => {
    const { survivor, from, paths } = await twice()
    const answer = await merge(survivor.id, from.id, "?dryRun=true")
    expect(answer).toMatchObject({ status: 200, body: { data: { outstandingBalance: 60 } } })
    for (const path of paths) expect(await customerOf(path)).toBe(from.id)
    expect((await api.get(`/customers/${from.id}`)).body.data).toEqual({
      ...from,
      outstandingBalance: 60,
      openOrdersValue: 100,
      creditBalance: 120,
      updatedAt: expect.any(String),
    })
  })

  test("is refused for the same, an unknown, an inactive and an already merged customer", async () => {
    const [a, b, c, sleeping] = await Promise.all([
      shop.customer(),
      shop.customer(),
      shop.customer(),
      shop.customer({ isActive: false }),
    ])
    const refused = async (into: string, from: string, query = "") => {
      const { status, body } = await merge(into, from, query)
      return [
        status,
        ...body.error.details.map(({ field, code, params }: any) => [field, params.rule ?? code]),
      ]
    }
    expect(await refused(a.id, a.id)).toEqual([422, ["from", "SAME"]])
    expect(await refused(a.id, "cus_none")).toEqual([422, ["from", "NOT_FOUND"]])
    expect(await refused(sleeping.id, a.id)).toEqual([422, ["id", "INACTIVE"]])
    expect((await merge("cus_none", a.id)).status).toBe(404)
    expect(refusalOf(await api.post(`/customers/${a.id}/merge`, {}))).toMatchObject({ fields: ["from"] })
    const stale = await api.post(`/customers/${a.id}/merge`, { from: b.id }, { "if-match": '"99"' })
    expect(stale.status).toBe(412)

    expect((await merge(a.id, b.id)).status).toBe(200)
    expect(await refused(a.id, b.id)).toEqual([422, ["from", "MERGED"]])
    expect(await refused(b.id, c.id)).toEqual([422, ["id", "MERGED"]])
    expect((await merge(a.id, sleeping.id)).status).toBe(200)
  })

  test.each(["sales", "shop", "accountant"])("the role %s may not merge", async (role) => {
    const [into, from] = [await shop.customer(), await shop.customer()]
    await api.create("/users", {
      email: `${role}@merge.example.com`,
      name: role,
      role,
      password: "a fine password",
    })
    const person = await signIn(kontor, `${role}@merge.example.com`, "a fine password")
    const answer = await person.post(`/customers/${into.id}/merge`, { from: from.id })
    expect(refusalOf(answer)).toMatchObject({ status: 403, code: "FORBIDDEN" })
    expect((await api.get(`/customers/${from.id}`)).body.data.mergedInto).toBeNull()
  })

  test.skipIf(isPostgres)("is refused with more than 2,000 documents, and possible with 2,000", async () => {
    const [into, from] = [await shop.customer(), await shop.customer()]
    const seed = await order(from.id)
    const copies = (first: number, count: number) =>
      inFile(kontor, (db) => {
        const names = db
          .query<{ name: string }, []>(
            "SELECT name FROM pragma_table_info('sales_orders') WHERE name <> 'seq'",
          )
          .all()
          .map(({ name }) => name)
        const values = names.map((name) =>
          name === "id" || name === "order_number"
            ? `${name} || '-' || n`
            : name === "number_series"
              ? "'COPY'"
              : name,
        )
        db.run(`WITH RECURSIVE counter(n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM counter WHERE n < ${first + count - 1})
          INSERT INTO sales_orders (${names.join(", ")}) SELECT ${values.join(", ")} FROM sales_orders, counter WHERE id = '${seed.id}'`)
      })
    copies(1, 2_000)
    expect(refusalOf(await merge(into.id, from.id))).toEqual({
      status: 422,
      code: "MERGE_TOO_LARGE",
      fields: ["from"],
    })
    inFile(kontor, (db) => db.run("DELETE FROM sales_orders WHERE id = ?", [`${seed.id}-2000`]))
    expect((await merge(into.id, from.id)).status).toBe(200)
    expect((await api.get(`/sales-orders?customer=${into.id}&perPage=1`)).body.meta.total).toBe(2_000)
    inFile(kontor, (db) => db.run("DELETE FROM sales_orders WHERE number_series = 'COPY'"))
  })

  test.skipIf(isPostgres)("moves the customers merged earlier, which count as payments do", async () => {
    const [into, from, earlier] = [await shop.customer(), await shop.customer(), await shop.customer()]
    await merge(from.id, earlier.id)
    await api.create("/payments", { customer: from.id, amount: 5 })
    const copies = (first: number, last: number) =>
      inFile(kontor, (db) =>
        db.run(`WITH RECURSIVE counter(n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM counter WHERE n < ${last})
          INSERT INTO customers (id, customer_number, name, name_sort, type, type_sort, is_active, merged_into, version, created_at, updated_at)
          SELECT 'cus_copy' || n, 'COPY-' || n, name, name_sort, type, type_sort, 0, merged_into, 1, created_at, updated_at
          FROM customers, counter WHERE id = '${earlier.id}'`),
      )
    copies(1, 1_999)
    expect(refusalOf(await merge(into.id, from.id))).toMatchObject({ code: "MERGE_TOO_LARGE" })
    inFile(kontor, (db) => db.run("DELETE FROM customers WHERE id = 'cus_copy1'"))
    const events = await feedOf(api).during(async () =>
      expect((await merge(into.id, from.id)).status).toBe(200),
    )
    expect((await api.get(`/customers?mergedInto=${into.id}&perPage=1`)).body.meta.total).toBe(2_000)
    const { version } = (await api.get(`/customers/${earlier.id}`)).body.data
    expect(version).toBe(earlier.version + 2)
    const own = events.filter(({ recordId }) => recordId === earlier.id)
    expect(own).toMatchObject([{ type: "customers.updated", version, changed: ["mergedInto"] }])
    inFile(kontor, (db) => db.run("DELETE FROM customers WHERE customer_number LIKE 'COPY-%'"))
  })
})

describe("a customer that was merged", () => {
  const warning = (number: string) => ({
    warnings: [{ code: "CUSTOMER_MERGED", params: { customerNumber: number } }],
  })

  test("means the survivor in bodies, by its id, number and external id, also after a chain of merges", async () => {
    const [first, second, last] = [
      await shop.customer({ externalId: "chain-1" }),
      await shop.customer(),
      await shop.customer(),
    ]
    await merge(second.id, first.id)
    await merge(last.id, second.id)
    expect((await api.get(`/customers/${first.id}`)).body.data.mergedInto).toBe(last.id)

    const given = { items: [{ item, quantity: 1 }] }
    const meant = { status: 201, body: { data: { customer: last.id }, ...warning(first.customerNumber) } }
    expect(await api.post("/sales-orders", { customer: first.id, ...given })).toMatchObject(meant)
    expect(await api.post("/invoices", { customerExternalId: "chain-1", ...given })).toMatchObject(meant)
    const both = { customer: last.id, customerExternalId: "chain-1", ...given }
    expect(await api.post("/sales-orders", both)).toMatchObject({ status: 201 })
    expect(await api.post("/payments", { customer: first.id, amount: 5 })).toMatchObject(meant)
    const row = { invoiceNumber: "OLD-1", invoiceDate: "2020-01-31", balance: "12.50" }
    expect(await importOpening(api, [{ customerNumber: first.customerNumber, ...row }])).toEqual([])
    expect((await api.get("/invoices/by/invoiceNumber/OLD-1")).body.data.customer).toBe(last.id)
  })

  test("may be sent back in an older copy of a draft, which changes nothing", async () => {
    const { survivor, from, draft } = await twice()
    await merge(survivor.id, from.id)
    const answer = await api.put(`/sales-orders/${draft.id}`, { customer: from.id })
    expect(answer).toMatchObject({ status: 200, body: warning(from.customerNumber) })
    expect(answer.body.data).toMatchObject({ customer: survivor.id, version: draft.version + 1 })
  })

  test("stays inactive, and neither it nor the survivor can be deleted", async () => {
    const { survivor, from } = await twice()
    await merge(survivor.id, from.id)
    const active = await api.put(`/customers/${from.id}`, { isActive: true })
    expect(active.body.error.details).toMatchObject([{ field: "isActive", params: { rule: "MERGED" } }])
    expect((await api.put(`/customers/${from.id}`, { notes: "Doubled" })).status).toBe(200)
    expect(refusalOf(await api.delete(`/customers/${from.id}`))).toMatchObject({ code: "RECORD_IN_USE" })
    expect(refusalOf(await api.delete(`/customers/${survivor.id}`))).toMatchObject({ code: "RECORD_IN_USE" })
  })

  test("is found by the check of the file if a document names it", async () => {
    const { survivor, from, draft } = await twice()
    await merge(survivor.id, from.id)
    const nameIn = (id: string) =>
      inFile(kontor, (db) => db.run("UPDATE sales_orders SET customer = ? WHERE id = ?", [id, draft.id]))
    nameIn(from.id)
    const { code, stdout } = await run(["check"], { cwd: kontor.cwd })
    expect(code).toBe(1)
    expect(stdout).toContain(`${draft.orderNumber} belongs to a customer that was merged into another one.`)
    nameIn(survivor.id)
  })
})
