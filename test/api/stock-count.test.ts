import { afterAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn } from "../support/api"
import { cleanUp, serve } from "../support/kontor"
import { trade } from "../support/trade"

const kontor = await serve()
const api = await signIn(kontor)
const shop = trade(api)
afterAll(cleanUp)

const count = (lines: object[], rest: object = {}, headers: Record<string, string> = {}) =>
  api.post("/stock-movements/count", { lines, ...rest }, headers)
const stockOf = async (id: string) => (await shop.get("items", id)).currentStock
const ledgerOf = async (id: string) => (await api.get(`/stock-movements?item=${id}&order=asc`)).body.data

describe("POST /stock-movements/count", () => {
  test("writes the differences to the ledger, and nothing for an item whose count is right", async () => {
    const [less, same, more] = [await shop.item(), await shop.item(), await shop.item()]
    await shop.receive(less.id, 10)
    await shop.receive(same.id, 4.5)
    const answer = await count(
      [
        { item: less.id, counted: 7.25 },
        { item: same.id, counted: 4.5 },
        { item: more.id, counted: 3 },
      ],
      { note: "Yearly count" },
    )
    expect(answer.status).toBe(200)
    const { unchanged, movements } = answer.body.data
    expect(unchanged).toBe(1)
    expect(movements).toEqual([(await ledgerOf(less.id))[1], (await ledgerOf(more.id))[0]])
    expect(movements[0]).toMatchObject({
      item: less.id,
      quantity: -2.75,
      balanceAfter: 7.25,
      reason: "adjustment",
      note: "Yearly count",
      sourceType: "stock-count",
      sourceId: null,
      createdBy: expect.stringMatching(/^usr_/),
    })
    expect([await stockOf(less.id), await stockOf(same.id), await stockOf(more.id)]).toEqual([7.25, 4.5, 3])
    expect(await ledgerOf(same.id)).toHaveLength(1)
    expect((await shop.get("items", less.id)).version).toBe(less.version)
    const [entry] = (await api.get("/audit-logs?action=stock-movements.count&perPage=1")).body.data
    expect(entry.changes).toEqual({ counted: { from: null, to: 3 }, adjusted: { from: null, to: 2 } })
  })

  test("names every invalid line, and then stores none of them", async () => {
    const [good, service] = [await shop.item(), await shop.item({ itemType: "Service" })]
    const answer = await count([
      { item: good.id, counted: 5 },
      { item: service.id, counted: 1 },
      { item: "itm_none", counted: 1 },
      { item: good.id, counted: -1 },
      { counted: 1.00001 },
    ])
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" })
    const details = answer.body.error.details.map((each: { field: string; code: string }) => [
      each.field,
      each.code,
    ])
    expect(details.toSorted()).toEqual([
      ["lines[1].item", "RULE"],
      ["lines[2].item", "NOT_FOUND"],
      ["lines[3].counted", "TOO_SMALL"],
      ["lines[3].item", "RULE"],
      ["lines[4].counted", "FORMAT"],
      ["lines[4].item", "REQUIRED"],
    ])
    expect([await stockOf(good.id), await ledgerOf(good.id)]).toEqual([0, []])
  })

  test.each([
    ["no lines", {}, "lines", "REQUIRED"],
    ["an empty list", { lines: [] }, "lines", "TOO_SHORT"],
    ["lines that are no list", { lines: {} }, "lines", "TYPE"],
    ["a line that is no object", { lines: [7] }, "lines[0]", "TYPE"],
    ["1,001 lines", { lines: Array.from({ length: 1_001 }, () => ({})) }, "lines", "TOO_LONG"],
    ["a long note", { lines: [], note: "x".repeat(501) }, "note", "TOO_LONG"],
    ["an unknown field", { lines: [], reason: "receipt" }, "reason", "UNKNOWN_FIELD"],
  ])("refuses %s", async (_, body, field, code) => {
    const answer = await api.post("/stock-movements/count", body)
    expect(answer.status).toBe(422)
    expect(answer.body.error.details).toContainEqual(expect.objectContaining({ field, code }))
  })

  test("is refused when it differs from the stock by more than one movement can have", async () => {
    const { id } = await shop.item()
    await api.create("/stock-movements", { item: id, quantity: -1, reason: "adjustment" })
    const answer = await count([{ item: id, counted: 999_999_999.9999 }])
    expect(answer.body.error.details).toMatchObject([
      { field: "lines[0].counted", code: "RULE", params: { rule: "TOO_LARGE_TO_COUNT" } },
    ])
    expect(await shop.get("items", id)).toMatchObject({ currentStock: -1 })
  })

  test("is stored once for each Idempotency-Key, and not at all in a dry run", async () => {
    const { id } = await shop.item()
    const lines = [{ item: id, counted: 8 }]
    const dry = await api.post("/stock-movements/count?dryRun=true", { lines })
    expect([dry.status, dry.headers.get("dry-run"), dry.body.data.movements[0].balanceAfter]).toEqual([
      200,
      "true",
      8,
    ])
    expect(await ledgerOf(id)).toEqual([])
    const key = { "idempotency-key": "count-1" }
    const first = await count(lines, {}, key)
    await shop.receive(id, 1)
    const again = await count(lines, {}, key)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await stockOf(id)).toBe(9)
    expect(refusalOf(await count([{ item: id, counted: 1 }], {}, key)).code).toBe("IDEMPOTENCY_KEY_REUSED")
  })

  test("takes 1,000 items, and the ledger stays correct", async () => {
    const operations = Array.from({ length: 1_000 }, (_, i) => ({
      op: "create",
      body: { itemCode: `MANY-${i}`, itemName: `Many ${i}` },
    }))
    const { results } = (await api.post("/items/batch", { mode: "each", operations })).body.data
    const lines = results.map(({ data }: { data: { id: string } }, i: number) => ({
      item: data.id,
      counted: i + 1,
    }))
    const answer = await count(lines)
    expect([answer.status, answer.body.data.movements.length]).toEqual([200, 1_000])
    expect(await stockOf(lines[999].item)).toBe(1_000)
  })
})
