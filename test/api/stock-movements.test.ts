// Stock movements of another system: their ids, and many at once.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, run, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

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

const move = (item: string, quantity: number, over: object = {}) => ({
  item,
  quantity,
  reason: "adjustment",
  ...over,
})
const stockOf = async (id: string) => (await shop.get("items", id)).currentStock
const countOf = async () => (await api.get("/stock-movements?perPage=1")).body.meta.total

describe("a stock movement", () => {
  test("has the id of another system and metadata, and is found by this id", async () => {
    const { id } = await shop.item()
    const movement = await api.create(
      "/stock-movements",
      move(id, 5, { externalId: "wms 1/2", metadata: { bin: "A-7" } }),
    )
    expect(movement).toMatchObject({ externalId: "wms 1/2", metadata: { bin: "A-7" }, balanceAfter: 5 })
    const found = await api.get(`/stock-movements/by/externalId/${encodeURIComponent("wms 1/2")}`)
    expect(found.body.data).toEqual(movement)
    expect(found.headers.get("etag")).toBeNull()
    expect((await api.get(`/stock-movements/${movement.id}`)).body.data).toEqual(movement)
    expect((await api.get("/stock-movements?externalId=wms 1/2")).body.data).toEqual([movement])
    expect((await api.get("/stock-movements/by/externalId/WMS 1/2")).status).toBe(404)
    const file = await api.get("/stock-movements/export?format=ndjson&externalId=wms 1/2")
    expect(JSON.parse(file.text)).toEqual(movement)
  })

  test("of a document, a count or without these fields has none", async () => {
    const { id } = await shop.item()
    await shop.receive(id, 5)
    await shop.invoice({ items: [{ item: id, quantity: 1 }] })
    await api.post("/stock-movements/count", { lines: [{ item: id, counted: 3 }] })
    const { data } = (await api.get(`/stock-movements?item=${id}`)).body
    expect(data).toHaveLength(3)
    for (const movement of data) expect(movement).toMatchObject({ externalId: null, metadata: {} })
  })

  test("that is sent again is refused as a duplicate that names the first one, and moves no stock", async () => {
    const { id } = await shop.item()
    const first = await api.create("/stock-movements", move(id, 5, { externalId: "once" }))
    const again = await api.post("/stock-movements", move(id, 5, { externalId: "once" }))
    expect(again.body.error.details).toMatchObject([
      { field: "externalId", code: "DUPLICATE", existing: first.id },
    ])
    expect(await stockOf(id)).toBe(5)
  })

  test("is never updated or deleted, also not by its external id", async () => {
    const { id } = await shop.item()
    const movement = await api.create("/stock-movements", move(id, 5, { externalId: "fixed" }))
    for (const path of [`/stock-movements/${movement.id}`, "/stock-movements/by/externalId/fixed"]) {
      expect((await api.put(path, { note: "x" })).status).toBe(405)
      expect((await api.delete(path)).status).toBe(405)
    }
  })
})

describe("POST /stock-movements/batch", () => {
  const create = (body: object) => ({ op: "create", body })
  const batch = (mode: string, operations: unknown, headers?: Record<string, string>) =>
    api.post("/stock-movements/batch", { mode, operations }, headers)

  test("in mode each creates those that are valid, once for each Idempotency-Key", async () => {
    const { id } = await shop.item()
    const operations = [
      create(move(id, 7, { externalId: "m-1" })),
      create(move(id, 0)),
      create(move(id, -2)),
      create(move(id, 7, { externalId: "m-1" })),
    ]
    const headers = { "idempotency-key": "moves-1" }
    const { results } = (await batch("each", operations, headers)).body.data
    expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 422, 201, 422])
    expect(results[2].data).toMatchObject({ quantity: -2, balanceAfter: 5 })
    expect((await batch("each", operations, headers)).body.data.results).toEqual(results)
    expect(await stockOf(id)).toBe(5)
  })

  test("in mode all creates all or none", async () => {
    const { id } = await shop.item()
    const before = await countOf()
    const wrong = await batch("all", [
      create(move(id, 1)),
      create(move(id, 2, { externalId: "m-2" })),
      create(move(id, 3, { externalId: "m-2" })),
    ])
    expect(wrong.body.error.details).toMatchObject([
      { field: "operations[2].body.externalId", code: "DUPLICATE", duplicateOf: "operations[1]" },
    ])
    expect([await countOf(), await stockOf(id)]).toEqual([before, 0])
    expect((await batch("all", [create(move(id, 1)), create(move(id, 2))])).status).toBe(200)
    expect([await countOf(), await stockOf(id)]).toEqual([before + 2, 3])
  })

  test("has no other operations, and says so", async () => {
    const answer = await batch("each", [
      create({}),
      { op: "update", id: "stk_1", body: {} },
      { op: "upsert", by: { field: "externalId", value: "m-1" }, body: {} },
      { op: "delete", id: "stk_1" },
    ])
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" })
    const wrong = (field: string, done: string) => ({
      field,
      code: "FORMAT",
      message: `must be create: stock movements cannot be ${done}`,
      params: { allowed: ["create"] },
    })
    expect(answer.body.error.details).toEqual([
      wrong("operations[1].op", "updated"),
      wrong("operations[2].op", "updated"),
      wrong("operations[3].op", "deleted"),
    ])
  })
})
