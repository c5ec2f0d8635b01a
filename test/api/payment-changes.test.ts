// What can be changed of a payment, by its id or by the id of another system, and many payments at once.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { feedOf } from "../support/events"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

type Named = Record<string, any>

let kontor: Kontor
let api: Api
let shop: Trade
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(async () => {
  expect(await run(["check"], { cwd: kontor.cwd })).toMatchObject({ code: 0 })
  await cleanUp()
})

const newCustomer = async (over: object = {}): Promise<string> => (await shop.customer(over)).id
const issued = (customer: string, rate = 100): Promise<Named> =>
  api.create("/invoices", {
    customer,
    items: [{ description: "Work", quantity: 1, rate }],
    status: "unpaid",
  })
const paid = (customer: string, amount: number, over: object = {}): Promise<Named> =>
  api.create("/payments", { customer, amount, ...over })
const paymentOf = (id: string): Promise<Named> => shop.get("payments", id)
const batch = (mode: string, operations: unknown, headers?: Record<string, string>, as = api) =>
  as.post("/payments/batch", { mode, operations }, headers)
const statusesOf = (results: Named[]) => results.map(({ status }) => status)

async function memberOf(role: string): Promise<Api> {
  const [email, password] = [`${role}.changes@example.com`, "a fine password"]
  await api.create("/users", { email, name: role, role, password })
  return signIn(kontor, email, password)
}

describe("PUT /payments/{id}", () => {
  test("takes allocations back as they are shown, and refuses what are none", async () => {
    const { id, allocations } = await paid(await newCustomer(), 10)
    expect((await api.put(`/payments/${id}`, { notes: "Seen.", allocations })).status).toBe(200)
    const answer = await api.put(`/payments/${id}`, { notes: "Again.", allocations: true })
    expect(refusalOf(answer)).toMatchObject({ status: 422, fields: ["allocations"] })
    expect(await paymentOf(id)).toMatchObject({ notes: "Seen." })
  })

  test("changes what the books do not depend on: the invoices, the events and the history tell it", async () => {
    const customer = await newCustomer()
    const invoices = [await issued(customer), await issued(customer)]
    const before = await paid(customer, 250, { method: "Cash", metadata: { kept: "1", gone: "2" } })
    const shown = await Promise.all(invoices.map(({ id }) => api.get(`/invoices/${id}`)))
    const feed = feedOf(api)
    const from = await feed.latest()
    const change = {
      method: "Card",
      reference: "RF18",
      notes: "Paid by a relative.\nAsked twice.",
      externalId: "psp-edit",
      metadata: { gone: null, added: "3" },
    }
    const answer = await api.put(`/payments/${before.id}`, change)
    expect([answer.status, answer.body.warnings]).toEqual([200, undefined])
    const after = answer.body.data
    expect(after).toEqual({
      ...before,
      ...change,
      metadata: { kept: "1", added: "3" },
      version: 2,
      updatedAt: after.updatedAt,
    })
    expect(answer.headers.get("etag")).toBe('"2.0"')
    expect(await paymentOf(before.id)).toEqual(after)
    for (const { headers, body } of shown) {
      const now = await api.get(`/invoices/${body.data.id}`)
      expect(now.body.data.payments[0]).toMatchObject({ ...change, metadata: after.metadata })
      expect(now.body.data).toEqual({
        ...body.data,
        payments: now.body.data.payments,
        updatedAt: after.updatedAt,
      })
      expect(now.headers.get("etag")).not.toBe(headers.get("etag"))
    }
    const { events } = await feed.readAll(from)
    expect(events.map(({ type, recordId, changed }) => [type, recordId, changed])).toEqual([
      ["payments.updated", before.id, ["method", "reference", "notes", "externalId", "metadata"]],
      ...invoices.map(({ id }) => ["invoices.updated", id, ["payments"]]),
    ])
    const [entry] = (await api.get(`/payments/${before.id}/history`)).body.data
    expect(entry).toMatchObject({
      action: "payments.update",
      changes: { method: { from: "Cash", to: "Card" }, notes: { from: null, to: change.notes } },
    })
    expect(Object.keys(entry.changes)).toEqual(["method", "reference", "notes", "externalId", "metadata"])
  })

  test("with what is stored changes nothing, and ignores figures that only the server sets", async () => {
    const customer = await newCustomer()
    await issued(customer)
    const payment = await paid(customer, 130.1, { notes: "As it is" })
    const path = `/payments/${payment.id}`
    const back = await api.put(path, payment)
    expect([back.status, back.body]).toEqual([200, { success: true, data: payment }])
    // The error of a binary fraction is no other amount.
    expect((await api.patch(path, { amount: 130.10000000000002 })).body.data).toEqual(payment)
    const wrong = await api.put(path, { allocated: 1, allocations: [], notes: "New" })
    expect(wrong.body.warnings.map(({ field }: Named) => field)).toEqual(["allocated", "allocations"])
    expect(wrong.body.data).toEqual({ ...payment, notes: "New", version: 2, updatedAt: expect.any(String) })
  })

  test("refuses every other field that differs as locked, and stores nothing", async () => {
    const payment = await paid(await newCustomer(), 10)
    const path = `/payments/${payment.id}`
    const change = { customer: await newCustomer(), amount: 11, paymentDate: "2020-01-01", method: "Card" }
    const answer = await api.put(path, change)
    expect(refusalOf(answer)).toEqual({
      status: 422,
      code: "DOCUMENT_LOCKED",
      fields: ["customer", "amount", "paymentDate"],
    })
    expect(answer.body.error.details[1]).toEqual({
      field: "amount",
      code: "READ_ONLY",
      message: "cannot be updated after the payment was recorded",
    })
    for (const value of [null, "ten", -1, 10.001])
      expect(refusalOf(await api.patch(path, { amount: value }))).toMatchObject({
        code: "DOCUMENT_LOCKED",
        fields: ["amount"],
      })
    expect(refusalOf(await api.put(path, { notes: 5, colour: "red" }))).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields: ["colour", "notes"],
    })
    expect(await paymentOf(payment.id)).toEqual(payment)
  })

  test("takes a customer that was merged into that of the payment as the same", async () => {
    const [from, survivor] = [await newCustomer(), await newCustomer()]
    const { id } = await paid(from, 10)
    expect((await api.post(`/customers/${survivor}/merge`, { from })).status).toBe(200)
    const answer = await api.put(`/payments/${id}`, { customer: from, amount: 10 })
    expect(answer).toMatchObject({ status: 200, body: { data: { customer: survivor, version: 2 } } })
    expect(answer.body.warnings).toMatchObject([{ code: "CUSTOMER_MERGED", field: "customer" }])
  })

  test("compares the version, and changes no payment that was voided", async () => {
    const { id } = await paid(await newCustomer(), 10, { externalId: "voided-1" })
    const path = `/payments/${id}`
    expect((await api.put(path, { notes: "A" }, { "if-match": '"1.0"' })).status).toBe(200)
    expect((await api.put(path, { notes: "B" }, { "if-match": '"1.0"' })).status).toBe(412)
    const dry = await api.put(`${path}?dryRun=true`, { notes: "C" })
    expect(dry).toMatchObject({ status: 200, body: { data: { notes: "C", version: 3 } } })
    expect(await paymentOf(id)).toMatchObject({ notes: "A", version: 2 })
    await api.delete(path)
    expect((await api.put(path, { notes: "D" })).status).toBe(404)
    expect((await api.patch(path, { notes: "D" })).status).toBe(404)
  })

  test("is allowed in a closed period, because it does not change the books", async () => {
    const customer = await newCustomer()
    const { id } = await paid(customer, 10)
    const { today } = (await api.get("/auth/me")).body.data.company
    await api.put("/settings", { lockedUntil: today })
    expect((await api.put(`/payments/${id}`, { notes: "Found on the statement" })).status).toBe(200)
    expect(refusalOf(await api.delete(`/payments/${id}`)).code).toBe("PERIOD_LOCKED")
    await api.put("/settings", { lockedUntil: null })
  })

  test("refuses an externalId of another payment, and names that payment", async () => {
    const customer = await newCustomer()
    const taken = await paid(customer, 1, { externalId: "taken" })
    const { id } = await paid(customer, 1)
    const answer = await api.put(`/payments/${id}`, { externalId: "taken" })
    expect(answer.body.error.details).toMatchObject([
      { field: "externalId", code: "DUPLICATE", existing: taken.id },
    ])
  })

  test("needs the right to record payments; who may not read gets the short answer", async () => {
    const { id } = await paid(await newCustomer(), 10)
    const tries = async (role: string) =>
      (await (await memberOf(role)).put(`/payments/${id}`, { notes: role })).status
    expect(await Promise.all(["viewer", "sales", "shop", "accountant"].map(tries))).toEqual([
      403, 403, 200, 200,
    ])
    const { key } = await api.create("/api-keys", { name: "Blind", scopes: ["write"] })
    const blind = await apiWith(kontor, { "x-api-key": key }).put(`/payments/${id}`, { notes: "Blind" })
    expect(Object.keys(blind.body.data)).toEqual(["id", "version", "updatedAt"])
  })
})

describe("PUT /payments/by/externalId/{value}", () => {
  const path = (value: string) => `/payments/by/externalId/${value}`

  test("records a payment that does not exist, and merges into one that does", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer)
    const body = { customer, amount: 60, allocations: [{ invoice: invoice.id, amount: 40 }] }
    const made = await api.put(path("bank-1"), body)
    expect(made).toMatchObject({ status: 201, body: { data: { externalId: "bank-1", unallocated: 20 } } })
    expect(made.headers.get("location")).toBe(`/api/v1/payments/${made.body.data.id}`)
    const again = await api.put(path("bank-1"), { customer, amount: 60, notes: "Again" })
    expect(again).toMatchObject({ status: 200, body: { data: { id: made.body.data.id, notes: "Again" } } })
    expect(refusalOf(await api.put(path("bank-1"), { customer, amount: 61 }))).toMatchObject({
      code: "DOCUMENT_LOCKED",
      fields: ["amount"],
    })
    expect((await api.put(path("bank-1"), body, { "if-none-match": "*" })).status).toBe(412)
    expect(refusalOf(await api.put(path("bank-2"), { amount: 5 }))).toMatchObject({ fields: ["customer"] })
    await api.delete(`/payments/${made.body.data.id}`)
    expect((await api.put(path("bank-1"), { customer, amount: 61 })).status).toBe(201)
  })
})

describe("POST /payments/batch", () => {
  const create = (body: object) => ({ op: "create", body })
  const by = (value: string) => ({ field: "externalId", value })

  test("records, changes and voids payments, each by itself", async () => {
    const customer = await newCustomer()
    const invoice = await issued(customer)
    const [changed, gone] = [await paid(customer, 10, { externalId: "b-1" }), await paid(customer, 20)]
    const operations = [
      create({ customer, amount: 30, allocations: [{ invoice: invoice.id, amount: 25 }] }),
      { op: "update", by: by("b-1"), body: { notes: "Seen" } },
      { op: "update", id: changed.id, body: { amount: 1 } },
      { op: "upsert", by: by("b-2"), body: { customer, amount: 7, allocations: [] } },
      { op: "upsert", by: by("b-2"), body: { reference: "RF18" } },
      { op: "delete", id: gone.id },
      create({ customer, amount: 99, allocations: [{ invoice: invoice.id, amount: 99 }] }),
    ]
    const headers = { "idempotency-key": "payments-1" }
    const { results } = (await batch("each", operations, headers)).body.data
    expect(statusesOf(results)).toEqual([201, 200, 422, 201, 200, 204, 422])
    expect(results[0].data).toMatchObject({ allocated: 25, unallocated: 5 })
    expect(results[2].error).toMatchObject({ code: "DOCUMENT_LOCKED", details: [{ field: "amount" }] })
    expect(results[6].error.code).toBe("OVERPAYMENT")
    expect((await batch("each", operations, headers)).body.data.results.slice(0, 2)).toEqual(
      results.slice(0, 2),
    )
    expect(await shop.get("invoices", invoice.id)).toMatchObject({ amountPaid: 35, balance: 65 })
    expect(await shop.get("customers", customer)).toMatchObject({ creditBalance: 12 })
  })

  test("in mode all stores nothing if one is refused, and names its operation", async () => {
    const customer = await newCustomer()
    const before = (await api.get("/payments?perPage=1")).body.meta.total
    const answer = await batch("all", [
      create({ customer, amount: 1, externalId: "twice" }),
      create({ customer, amount: 1, externalId: "twice" }),
    ])
    expect(answer.body.error.details).toMatchObject([
      { field: "operations[1].body.externalId", code: "DUPLICATE", duplicateOf: "operations[0]" },
    ])
    expect((await api.get("/payments?perPage=1")).body.meta.total).toBe(before)
    expect(await shop.get("customers", customer)).toMatchObject({ creditBalance: 0 })
  })

  test("checks each operation for its own right: the role shop voids none", async () => {
    const customer = await newCustomer()
    const { id } = await paid(customer, 10)
    const { body } = await batch(
      "each",
      [create({ customer, amount: 1 }), { op: "delete", id }],
      {},
      await signIn(kontor, "shop.changes@example.com", "a fine password"),
    )
    expect(statusesOf(body.data.results)).toEqual([201, 403])
  })

  test("takes at most 500 allocations in one transaction, also stored ones", async () => {
    const customer = await newCustomer()
    const operations = Array.from({ length: 251 }, () => ({
      op: "create",
      body: { customer, items: [{ description: "Work", quantity: 1, rate: 2 }], status: "unpaid" },
    }))
    const made = (await api.post("/invoices/batch", { mode: "each", operations })).body.data.results
    const allocations = made.map(({ data }: Named) => ({ invoice: data.id, amount: 1 }))
    const payment = create({ customer, amount: 251, allocations })
    expect(refusalOf(await batch("all", [payment, payment]))).toMatchObject({ fields: ["operations"] })
    const { results } = (await batch("each", [payment, payment])).body.data
    const removals = results.map(({ data }: Named) => ({ op: "delete", id: data.id }))
    const refused = await batch("all", removals)
    expect(refusalOf(refused)).toMatchObject({ status: 422, fields: ["operations[1].body.allocations"] })
    // Without allocations, the server finds the invoices.
    const unnamed = create({ customer, amount: 251 })
    expect((await batch("all", [removals[0], unnamed])).status).toBe(422)
    expect((await batch("each", removals)).body.data.results).toEqual([{ status: 204 }, { status: 204 }])
  })
})
