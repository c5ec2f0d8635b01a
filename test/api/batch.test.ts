import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
})
afterAll(cleanUp)

let made = 0
const newItem = (over: object = {}) => ({ itemCode: `B-${++made}`, itemName: `Batch ${made}`, ...over })
const create = (body: object) => ({ op: "create", body })
const batch = (kind: string, mode: string, operations: unknown, headers?: Record<string, string>, as = api) =>
  as.post(`/${kind}/batch`, { mode, operations }, headers)
const countOf = async (kind: string) => (await api.get(`/${kind}?perPage=1`)).body.meta.total

describe("in mode each", () => {
  test("every operation has its own result: creates, updates, upserts and deletes", async () => {
    const [a, b, c] = [await shop.item(), await shop.item({ externalId: "each-b" }), await shop.item()]
    const answer = await batch("items", "each", [
      create(newItem({ sellingPrice: 3 })),
      { op: "update", id: a.id, body: { itemName: "New name" } },
      {
        op: "update",
        by: { field: "externalId", value: "each-b" },
        ifMatch: '"1.0"',
        body: { itemName: "B" },
      },
      { op: "upsert", by: { field: "itemCode", value: "each-new" }, body: { itemName: "Made" } },
      { op: "upsert", by: { field: "itemCode", value: "EACH-NEW" }, body: { itemName: "Changed" } },
      { op: "delete", id: c.id },
    ])
    expect(answer.status).toBe(200)
    const { results } = answer.body.data
    expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 200, 200, 201, 200, 204])
    expect(results[0].data).toMatchObject({ sellingPrice: 3, version: 1 })
    expect(results[2].data).toMatchObject({ id: b.id, itemName: "B", version: 2 })
    expect(results[4].data).toMatchObject({ id: results[3].data.id, itemName: "Changed" })
    expect(results[5]).toEqual({ status: 204 })
    expect((await api.get(`/items/${c.id}`)).status).toBe(404)
  })

  test("an operation that fails has the error that its request would have, and the others are stored", async () => {
    const { id } = await shop.item()
    const { itemCode } = await shop.item()
    const { results } = (
      await batch("items", "each", [
        create(newItem({ itemName: 5 })),
        create(newItem({ itemCode })),
        { op: "update", id, ifMatch: "7", body: { itemName: "Late" } },
        { op: "update", id: "itm_nothing", body: {} },
        { op: "delete", by: { field: "externalId", value: "nothing" } },
        create(newItem()),
      ])
    ).body.data
    expect(results.map(({ status, error }: any) => [status, error?.code])).toEqual([
      [422, "VALIDATION_ERROR"],
      [422, "VALIDATION_ERROR"],
      [412, "PRECONDITION_FAILED"],
      [404, "NOT_FOUND"],
      [404, "NOT_FOUND"],
      [201, undefined],
    ])
    expect(results[0].error.details[0].field).toBe("itemName")
  })

  test("warnings stand beside the data they belong to", async () => {
    const { id } = await shop.item()
    const { results } = (
      await batch("items", "each", [{ op: "update", id, body: { currentStock: 5, itemName: "Warned" } }])
    ).body.data
    expect(results[0]).toMatchObject({
      status: 200,
      warnings: [{ code: "READ_ONLY_FIELD", params: { field: "currentStock" } }],
    })
  })

  test("a thousand operations are stored, and the audit log has each of them", async () => {
    const before = await countOf("customers")
    const operations = Array.from({ length: 1_000 }, (_, i) => create({ name: `Many ${i}` }))
    const { results } = (await batch("customers", "each", operations)).body.data
    expect(results.every(({ status }: { status: number }) => status === 201)).toBeTrue()
    expect(new Set(results.map(({ data }: any) => data.customerNumber)).size).toBe(1_000)
    expect(await countOf("customers")).toBe(before + 1_000)
    const audited = await api.get(`/audit-logs?recordId=${results[999].data.id}`)
    expect(audited.body.data).toMatchObject([{ action: "customers.create" }])
  })

  test("every operation is checked for its own right and scope", async () => {
    const { id } = await shop.item()
    const key = await api.create("/api-keys", { name: "No deletes", scopes: ["read", "write"] })
    const writer = apiWith(kontor, { "x-api-key": key.key })
    const mixed = [create(newItem()), { op: "delete", id }]
    const each = await batch("items", "each", mixed, {}, writer)
    expect(each.body.data.results).toMatchObject([
      { status: 201 },
      { status: 403, error: { code: "INSUFFICIENT_SCOPE" } },
    ])
    const before = await countOf("items")
    const all = await batch("items", "all", [create(newItem()), { op: "delete", id }], {}, writer)
    expect(refusalOf(all)).toMatchObject({ status: 422, code: "INSUFFICIENT_SCOPE" })
    expect(await countOf("items")).toBe(before)
    const refusals = async () =>
      (await api.get("/audit-logs?action=access.refused&perPage=1")).body.meta.total
    // Both refused operations are recorded, a moment later.
    while ((await refusals()) < 2) await Bun.sleep(10)
    const reader = await api.create("/api-keys", { name: "Reader", scopes: ["read"] })
    const refused = await batch("items", "each", mixed, {}, apiWith(kontor, { "x-api-key": reader.key }))
    expect(refused.status).toBe(403)
  })

  test("a batch of deletes needs only the right to delete", async () => {
    const { id } = await shop.item()
    const key = await api.create("/api-keys", { name: "Only deletes", scopes: ["read", "delete"] })
    const remover = apiWith(kontor, { "x-api-key": key.key })
    const mixed = await batch("items", "each", [create(newItem()), { op: "delete", id }], {}, remover)
    expect(mixed.body.data.results).toMatchObject([
      { status: 403, error: { code: "INSUFFICIENT_SCOPE" } },
      { status: 204 },
    ])
    const { id: other } = await shop.item()
    const all = await batch("items", "all", [{ op: "delete", id: other }], {}, remover)
    expect(all.body.data.results).toMatchObject([{ status: 204 }])
  })

  test("documents are created, updated and deleted", async () => {
    const { id, itemCode } = await shop.item()
    const customer = (await shop.customer({ externalId: "batch-buyer" })).id
    const { results } = (
      await batch("sales-orders", "each", [
        create({ customer, items: [{ item: id, quantity: 1 }] }),
        create({ customerExternalId: "batch-buyer", items: [{ itemCode, quantity: 2 }] }),
        {
          op: "upsert",
          by: { field: "externalId", value: "o-1" },
          body: { customer, items: [{ item: id, quantity: 1 }] },
        },
      ])
    ).body.data
    expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 201, 201])
    const removed = await batch(
      "sales-orders",
      "all",
      results.map(({ data }: any) => ({ op: "delete", id: data.id })),
    )
    expect(removed.body.data.results).toEqual([{ status: 204 }, { status: 204 }, { status: 204 }])
  })
})

describe("in mode all", () => {
  test("either everything is stored or nothing, and the error names the operation", async () => {
    const before = await countOf("items")
    const operations = [create(newItem()), create(newItem({ itemName: "" })), create(newItem())]
    const refused = await batch("items", "all", operations)
    expect(refusalOf(refused)).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields: ["operations[1].body.itemName"],
    })
    expect(await countOf("items")).toBe(before)
    const missing = await batch("items", "all", [operations[0], { op: "update", id: "itm_x", body: {} }])
    expect(refusalOf(missing)).toMatchObject({ status: 422, code: "NOT_FOUND" })
    expect(await countOf("items")).toBe(before)
    const stored = await batch("items", "all", [operations[0], operations[2]])
    expect(stored.body.data.results).toMatchObject([{ status: 201 }, { status: 201 }])
    expect(await countOf("items")).toBe(before + 2)
  })

  test("operations after one that the database refuses are run", async () => {
    const used = (await shop.order()).customer
    const { id } = await shop.customer()
    const refused = await batch("customers", "all", [
      { op: "delete", id: used },
      { op: "update", id, body: { notes: "Read" } },
      create({ name: "" }),
    ])
    expect(refused.body.error).toMatchObject({
      code: "RECORD_IN_USE",
      details: [{ field: "operations[0].body.id" }, { field: "operations[2].body.name" }],
    })
  })

  test("one response names everything that is wrong, and no record that the batch would have created", async () => {
    const { id, itemCode } = await shop.item()
    const before = await countOf("items")
    const refused = await batch("items", "all", [
      create(newItem({ itemCode: "TWICE" })),
      create(newItem({ itemCode: "twice" })),
      create(newItem({ itemCode })),
      { op: "delete", id: "itm_x" },
      create(newItem({ itemName: "", sellingPrice: -1 })),
    ])
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: { code: "VALIDATION_ERROR", params: { operation: 1, operations: ["1", "2", "3", "4"] } },
      },
    })
    const { message, details } = refused.body.error
    expect(message).toEndWith("3 more operations are wrong.")
    expect(details).toMatchObject([
      { field: "operations[1].body.itemCode", code: "DUPLICATE", duplicateOf: "operations[0]" },
      { field: "operations[2].body.itemCode", code: "DUPLICATE", existing: id },
      { field: "operations[3]", code: "RULE", params: { rule: "OPERATION", code: "NOT_FOUND" } },
      { field: "operations[4].body.itemName" },
      { field: "operations[4].body.sellingPrice" },
    ])
    expect(details[0].existing).toBeUndefined()
    expect(await countOf("items")).toBe(before)
  })

  test("an error names a number that the batch itself would have given by its operation", async () => {
    const line = { item: (await shop.item()).id, quantity: 1 }
    const draft = { customer: (await shop.customer()).id, items: [line], externalId: "made-here" }
    const refused = await batch("invoices", "all", [
      create({ ...draft, status: "unpaid" }),
      { op: "delete", by: { field: "externalId", value: "made-here" } },
    ])
    expect(refused.status).toBe(422)
    const { message, params } = refused.body.error
    expect(message).toStartWith("Operation 1: Invoice operations[0] cannot be deleted")
    expect(params.number).toBe("operations[0]")
    expect(JSON.stringify(refused.body)).not.toContain("INV-")
  })

  test("what is returned of new documents is what is read afterwards", async () => {
    const parts = { externalId: "as-read", metadata: { shop: "web" }, notes: "Two\nlines" }
    const customer = (
      await shop.customer({
        taxTreatment: "export",
        taxReason: "Outside of the EU",
        address: { city: "Bern" },
      })
    ).id
    const items = [
      { item: (await shop.item()).id, quantity: 3, rate: 0.0333, discount: 12.5 },
      { item: (await shop.item()).id, quantity: 1.5, discountAmount: 0.01 },
      { description: "Delivery", quantity: 1, rate: 7 },
    ]
    const address = { shippingAddress: { street: "Road 1", country: "ch" } }
    const draft = { customer, items, ...parts, ...address }
    for (const [kind, begun] of Object.entries({ invoices: "unpaid", "sales-orders": "submitted" })) {
      const plain = { customer, items, pricesIncludeTax: false }
      const bodies = [draft, plain, { ...plain, status: begun }]
      const { results } = (await batch(kind, "all", bodies.map(create))).body.data
      expect(results).toHaveLength(3)
      for (const { data } of results) expect(data).toEqual(await shop.get(kind, data.id))
    }
    const invoice = await api.create("/invoices", { customer, items, status: "unpaid" })
    const credited = { items: [{ invoiceLine: invoice.items[0].id, quantity: 1 }], reason: "Broken" }
    const note = await api.create(`/invoices/${invoice.id}/credit-notes`, credited)
    expect(note).toEqual(await shop.get("credit-notes", note.id))
  })

  test("a later operation sees the earlier ones", async () => {
    const answer = await batch("customers", "all", [
      { op: "upsert", by: { field: "externalId", value: "chain" }, body: { name: "One" } },
      { op: "update", by: { field: "externalId", value: "chain" }, body: { name: "Two" } },
    ])
    expect(answer.body.data.results).toMatchObject([{ status: 201 }, { status: 200, data: { name: "Two" } }])
  })
})

describe("limits", () => {
  test("each takes 1,000 operations, all takes 100 and 500 document lines", async () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ op: "delete", id: "itm_x" }))
    expect(refusalOf(await batch("items", "each", many(1_001)))).toMatchObject({ fields: ["operations"] })
    expect(refusalOf(await batch("items", "all", many(101)))).toMatchObject({ fields: ["operations"] })
    const { id } = await shop.item()
    const customer = (await shop.customer()).id
    const lines = (count: number) =>
      create({ customer, items: Array.from({ length: count }, () => ({ item: id, quantity: 1 })) })
    expect((await batch("sales-orders", "all", [lines(250), lines(250)])).status).toBe(200)
    expect(refusalOf(await batch("sales-orders", "all", [lines(250), lines(251)]))).toMatchObject({
      status: 422,
      fields: ["operations"],
    })
    const stored = (await batch("sales-orders", "all", [lines(250), lines(250)])).body.data.results
    const update = (i: number) => ({ op: "update", id: stored[i].data.id, body: { notes: "More" } })
    expect((await batch("sales-orders", "all", [update(0), update(1)])).status).toBe(200)
    expect((await batch("sales-orders", "all", [update(0), update(1), update(0)])).status).toBe(422)
    // A refused operation has read its document too.
    const late = { ...update(0), ifMatch: '"99"' }
    const refused = await batch("sales-orders", "all", [late, late, late, late])
    expect(refused.body.error.params.operations).toEqual(["0", "1", "2"])
    expect(refused.body.error.message).toContain("Those after operation 2 were not run")
    const { id: third } = (await batch("sales-orders", "all", [lines(1)])).body.data.results[0].data
    const removals = [stored[0].data.id, stored[1].data.id, third].map((order) => ({
      op: "delete",
      id: order,
    }))
    expect((await batch("sales-orders", "all", removals)).status).toBe(422)
    expect((await batch("sales-orders", "all", removals.slice(0, 2))).status).toBe(200)
  })

  test("each takes 20,000 lines of the documents that it writes, and a repeat goes on", async () => {
    const items = Array.from({ length: 500 }, (_, i) => ({ description: `Line ${i}`, quantity: 1, rate: 1 }))
    const { id } = await shop.order({ items })
    const operations = Array.from({ length: 43 }, () => ({ op: "update", id, body: {} }))
    const headers = { "idempotency-key": "many lines" }
    const statuses = async () =>
      (await batch("sales-orders", "each", operations, headers)).body.data.results.map(
        (each: any) => each.status,
      )
    expect(await statuses()).toEqual([...Array(41).fill(200), 422, 422])
    expect(await statuses()).toEqual(Array(43).fill(200))
  })

  test("a body has at most 5 MB, and more than 1 MB is accepted", async () => {
    const big = (count: number) =>
      Array.from({ length: count }, () => create(newItem({ description: "d".repeat(9_000) })))
    const answer = await batch("items", "each", big(300))
    expect(answer.body.data.results.every(({ status }: { status: number }) => status === 201)).toBeTrue()
    expect((await batch("items", "each", big(620))).status).toBe(413)
  })

  test("every mistake in the operations is named", async () => {
    const answer = await api.post("/items/batch", {
      mode: "each",
      operations: [
        { op: "drop" },
        { op: "create" },
        { op: "update", body: {} },
        { op: "update", id: "a", by: { field: "externalId", value: "b" }, body: {} },
        { op: "upsert", body: {} },
        { op: "upsert", by: { field: "itemName", value: 5 }, body: {} },
        { op: "delete", id: "a", body: {} },
        { op: "create", id: "a", body: {} },
        { op: "delete", id: "a", ifMatch: "soon" },
        "text",
        { op: "delete", id: "a", unknown: 1 },
        { op: "delete", id: "a", ifMatch: "1".repeat(51) },
      ],
    })
    expect(refusalOf(answer)).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields: [
        "operations[0].op",
        "operations[1].body",
        "operations[2].id",
        "operations[3].id",
        "operations[4].by",
        "operations[5].by.field",
        "operations[5].by.value",
        "operations[6].body",
        "operations[7].id",
        "operations[8].ifMatch",
        "operations[9]",
        "operations[10].unknown",
        "operations[11].ifMatch",
      ],
    })
    for (const body of [
      {},
      { mode: "some", operations: [] },
      { mode: "each", operations: {} },
      { mode: "all" },
    ])
      expect((await api.post("/items/batch", body)).status).toBe(422)
  })

  test("a batch counts as one request per 100 operations", async () => {
    const other = await serve({
      env: {
        KONTOR_ADMIN_EMAIL: "admin@example.com",
        KONTOR_ADMIN_PASSWORD: "correct horse battery",
        KONTOR_PLANS: "enterprise=10:unlimited",
      },
    })
    const admin = await signIn(other)
    const operations = (count: number) => Array.from({ length: count }, () => ({ op: "delete", id: "itm_x" }))
    const first = await admin.post("/items/batch", { mode: "each", operations: operations(250) })
    const left = Number(first.headers.get("x-ratelimit-remaining"))
    expect(first.status).toBe(200)
    expect((await admin.get("/items")).headers.get("x-ratelimit-remaining")).toBe(String(left - 1))
    expect(left).toBeLessThanOrEqual(7)
    const second = await admin.post("/items/batch", { mode: "each", operations: operations(900) })
    expect(refusalOf(second)).toMatchObject({ status: 429, code: "RATE_LIMIT_EXCEEDED" })
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0)
  })
})

describe("with an Idempotency-Key", () => {
  test("a repeated batch of mode each replays what is stored and does the rest", async () => {
    const key = { "idempotency-key": "each-1" }
    const operations = [
      create({ name: "Stays", externalId: "idem-1" }),
      create({ name: "Waits", externalId: "idem-2" }),
      create({ name: "Stays too" }),
    ]
    const blocker = await shop.customer({ externalId: "idem-2" })
    const answer = await batch("customers", "each", operations, key)
    expect(answer.headers.get("idempotent-replayed")).toBeNull()
    const first = answer.body.data.results
    expect(first.map(({ status }: any) => status)).toEqual([201, 422, 201])
    await api.delete(`/customers/${blocker.id}`)
    const before = await countOf("customers")
    const second = (await batch("customers", "each", operations, key)).body.data.results
    expect(second.map(({ status }: any) => status)).toEqual([201, 201, 201])
    expect([second[0], second[2]]).toEqual([first[0], first[2]])
    expect(await countOf("customers")).toBe(before + 1)
    const third = await batch("customers", "each", operations, key)
    expect(third.body.data.results).toEqual(second)
    expect(third.headers.get("idempotent-replayed")).toBe("true")
  })

  test("another batch with the same key is refused and stores nothing", async () => {
    const key = { "idempotency-key": "each-2" }
    expect((await batch("customers", "each", [create({ name: "A" })], key)).status).toBe(200)
    const before = await countOf("customers")
    const other = await batch("customers", "each", [create({ name: "A" }), create({ name: "B" })], key)
    expect(refusalOf(other)).toMatchObject({ status: 422, code: "IDEMPOTENCY_KEY_REUSED" })
    expect(await countOf("customers")).toBe(before)
  })

  test("results of the day before do not count for another batch with the same key", async () => {
    const key = { "idempotency-key": "nightly" }
    await batch("customers", "each", [create({ name: "Yesterday" })], key)
    // The entry of the request expires before those of its operations, which were stored later.
    inFile(kontor, (db) => db.run("DELETE FROM idempotency_keys WHERE key = 'nightly'"))
    const { results } = (await batch("customers", "each", [create({ name: "Today" })], key)).body.data
    expect(results).toMatchObject([{ status: 201, data: { name: "Today" } }])
  })

  test("of a large record only its place is stored, and a repeat shows the record as it is then", async () => {
    const items = Array.from({ length: 100 }, (_, i) => ({ description: `Line ${i}`, quantity: 1, rate: 1 }))
    const [kept, gone] = [await shop.order({ items }), await shop.order({ items })]
    const operations = [kept, gone, kept].map(({ id }, i) => ({
      op: "update",
      id,
      body: { notes: `N ${i}` },
    }))
    const headers = { "idempotency-key": "large records" }
    const first = (await batch("sales-orders", "each", operations, headers)).body.data.results
    expect(first.map((each: any) => [each.data.notes, each.data.items.length])).toEqual([
      ["N 0", 100],
      ["N 1", 100],
      ["N 2", 100],
    ])
    const stored = inFile(kontor, (db) =>
      db
        .query<{ size: number }, []>(
          "SELECT max(length(body)) AS size FROM idempotency_keys WHERE key LIKE 'large records%'",
        )
        .get(),
    )
    expect(stored?.size).toBeLessThan(200)
    await api.put(`/sales-orders/${kept.id}`, { notes: "Later" })
    await api.delete(`/sales-orders/${gone.id}`)
    const again = (await batch("sales-orders", "each", operations, headers)).body.data.results
    const now = (await api.get(`/sales-orders/${kept.id}`)).body.data
    expect(again).toEqual([
      { status: 200, data: now },
      { status: 200, data: null },
      { status: 200, data: now },
    ])
  })

  test("warnings are replayed too", async () => {
    const key = { "idempotency-key": "warned" }
    const { id } = await shop.item()
    const operations = [{ op: "update", id, body: { currentStock: 5, itemName: "Warned" } }]
    const first = (await batch("items", "each", operations, key)).body.data.results
    expect(first[0].warnings).toHaveLength(1)
    expect((await batch("items", "each", operations, key)).body.data.results).toEqual(first)
  })

  test("a batch of mode all is stored once", async () => {
    const key = { "idempotency-key": "all-1" }
    const operations = [create({ name: "Once A" }), create({ name: "Once B" })]
    const first = await batch("customers", "all", operations, key)
    const again = await batch("customers", "all", operations, key)
    expect(again.text).toBe(first.text)
    expect(again.headers.get("idempotent-replayed")).toBe("true")
    expect((await api.get("/customers?search=once&perPage=1")).body.meta.total).toBe(2)
  })
})

test("a dry run of a batch stores nothing", async () => {
  const before = await countOf("customers")
  for (const mode of ["each", "all"]) {
    const answer = await api.post("/customers/batch?dryRun=true", {
      mode,
      operations: [create({ name: "Dry A" }), create({ name: "Dry B" })],
    })
    expect(answer.headers.get("dry-run")).toBe("true")
    expect(answer.body.data.results).toMatchObject([
      { status: 201, data: { name: "Dry A", customerNumber: null } },
      { status: 201, data: { name: "Dry B", customerNumber: null } },
    ])
  }
  expect(await countOf("customers")).toBe(before)
})

test("others are served while a batch runs", async () => {
  const operations = Array.from({ length: 1_000 }, () => create(newItem()))
  let served = 0
  let isRunning = true
  const others = (async () => {
    for (; isRunning; served++) await api.get("/items?perPage=1")
  })()
  await batch("items", "each", operations)
  isRunning = false
  await others
  expect(served).toBeGreaterThan(5)
})
