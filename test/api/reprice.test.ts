import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"

let kontor: Kontor
let api: Api
let last = 0

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
})
afterAll(cleanUp)

type Item = { id: string; itemCode: string; sellingPrice: number; version: number }

/** Creates items of a new category with these prices, and returns the category and the items. */
async function shelf(prices: number[], more: object = {}): Promise<{ category: string; items: Item[] }> {
  const category = `Shelf ${++last}`
  const items: Item[] = []
  for (const [i, sellingPrice] of prices.entries()) {
    const itemCode = `S${last}-${String(i).padStart(3, "0")}`
    items.push(await api.create("/items", { itemCode, itemName: itemCode, category, sellingPrice, ...more }))
  }
  return { category, items }
}

const reprice = (body: object, headers: Record<string, string> = {}) =>
  api.post("/items/reprice", body, headers)
const jobOf = async (id: string, by = api) => (await by.get(`/jobs/${id}`)).body.data

/** Waits for the end of a job. */
async function ended(id: string, by = api) {
  for (;;) {
    const job = await jobOf(id, by)
    if (job.finishedAt !== null) return job
    await Bun.sleep(10)
  }
}

/** Starts a job and waits for its end. */
async function repriced(body: object) {
  const answer = await reprice(body)
  expect(answer).toMatchObject({ status: 202 })
  return ended(answer.body.data.id)
}

const pricesOf = async (category: string): Promise<number[]> =>
  (
    await api.get(`/items?category=${encodeURIComponent(category)}&sort=itemCode&order=asc&perPage=100`)
  ).body.data.map((item: Item) => item.sellingPrice)

describe("POST /items/reprice", () => {
  test("changes the prices of all items that match, each with one history entry", async () => {
    const { category, items } = await shelf([10, 19.99, 0])
    await shelf([10])
    const answer = await reprice({ filter: { category }, change: { percent: 10 } })
    expect(answer.status).toBe(202)
    const { id, matched, preview } = answer.body.data
    expect(answer.headers.get("location")).toBe(`/api/v1/jobs/${id}`)
    expect(id).toMatch(/^job_[0-9a-z]{26}$/)
    expect(answer.body.data).toMatchObject({ kind: "reprice", status: "queued", progress: 0, faults: [] })
    expect(matched).toBe(3)
    expect(preview.map((each: { before: number; after: number }) => [each.before, each.after])).toEqual([
      [10, 11],
      [19.99, 21.99],
      [0, 0],
    ])
    expect(await ended(id)).toEqual({
      id,
      kind: "reprice",
      status: "finished",
      progress: 100,
      counts: { matched: 3, updated: 2, unchanged: 1, failed: 0 },
      faults: [],
      faultCount: 0,
      error: null,
      createdBy: expect.stringMatching(/^usr_/),
      createdAt: expect.any(String),
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    })
    expect(await pricesOf(category)).toEqual([11, 21.99, 0])
    const history = (await api.get(`/items/${items[0]?.id}/history`)).body.data
    expect(history).toHaveLength(2)
    expect(history[0]).toMatchObject({
      action: "items.update",
      changes: { sellingPrice: { from: 10, to: 11 } },
    })
    const updated = await api.get(`/items/${items[0]?.id}`)
    expect(updated.body.data.version).toBe(2)
    expect(updated.headers.get("etag")).toMatch(/^"2\./)
    expect((await api.get(`/items/${items[2]?.id}`)).body.data.version).toBe(1)
  })

  test("is recorded in the audit log when it begins and when it ends", async () => {
    const { category } = await shelf([10])
    const { id } = await repriced({ filter: { category }, change: { amount: -2.5 }, ending: 0.95 })
    const entries = (await api.get(`/audit-logs?recordId=${id}&order=asc`)).body.data
    expect(entries.map((each: { action: string }) => each.action)).toEqual(["reprice.create", "reprice.end"])
    expect(entries[0].changes).toMatchObject({ amount: { to: -2.5 }, ending: { to: 0.95 } })
    expect(entries[1].changes).toMatchObject({ status: { to: "finished" }, updated: { to: 1 } })
  })

  test("shows the first ten items by their code in a dry run, and changes nothing", async () => {
    const { category } = await shelf(Array.from({ length: 12 }, (_, i) => 12 - i))
    const body = { filter: { category }, change: { percent: -50 }, round: 1 }
    const dry = await reprice({ ...body, dryRun: true })
    expect(dry.status).toBe(200)
    expect(dry.headers.get("dry-run")).toBe("true")
    expect(dry.headers.get("location")).toBeNull()
    expect(dry.body.data.matched).toBe(12)
    expect(dry.body.data.preview).toHaveLength(10)
    expect(dry.body.data.preview[0]).toEqual({
      id: expect.stringMatching(/^itm_/),
      itemCode: `S${last}-000`,
      itemName: `S${last}-000`,
      before: 12,
      after: 6,
    })
    expect(dry.body.data.preview[1]).toMatchObject({ before: 11, after: 6 })
    const byQuery = await api.post("/items/reprice?dryRun=true", body)
    expect([byQuery.status, byQuery.body]).toEqual([200, dry.body])
    expect((await pricesOf(category))[0]).toBe(12)
  })

  test("counts in a dry run what would become of all items, not only of the first ten", async () => {
    const prices = [...Array.from({ length: 12 }, () => 10), 1, 2, 0.5, 999_999_999]
    const { category } = await shelf(prices)
    const countsOf = async (change: object) =>
      (await reprice({ filter: { category }, change, dryRun: true })).body.data.counts
    const none = { matched: 16, updated: 0, unchanged: 0, belowZero: 0, tooLarge: 0 }
    expect(await countsOf({ amount: -2 })).toEqual({ ...none, updated: 14, belowZero: 2 })
    expect(await countsOf({ percent: 10 })).toEqual({ ...none, updated: 15, tooLarge: 1 })
    expect(await countsOf({ amount: 0 })).toEqual({ ...none, unchanged: 16 })
  })

  test.each([
    [{ change: { amount: -2.5 } }, [7.5, 17.46]],
    [{ change: { percent: 3.3333 } }, [10.33, 20.63]],
    [{ change: { percent: 0 }, round: 0.05 }, [10, 19.95]],
    [{ change: { percent: 0 }, round: 0.1 }, [10, 20]],
    [{ change: { percent: 0 }, round: 1 }, [10, 20]],
    [{ change: { percent: 10 }, ending: 0.99 }, [10.99, 21.99]],
    [{ change: { percent: 10 }, ending: 0.5, round: 0.1 }, [11.5, 21.5]],
    [{ change: { percent: 0 }, ending: 0, round: 1 }, [10, 20]],
    [{ change: { percent: -100 }, ending: 0.99 }, [0, 0]],
    [{ change: { percent: null, amount: 1 }, round: null, ending: null, dryRun: null }, [11, 20.96]],
  ])("%j changes 10 and 19.96", async (body, prices) => {
    const { category } = await shelf([10, 19.96])
    expect(await repriced({ filter: { category }, ...body })).toMatchObject({ status: "finished" })
    expect(await pricesOf(category)).toEqual(prices)
  })

  test("takes the filters and the search of the list, as an object or as a query string", async () => {
    const { category } = await shelf([5, 50, 500])
    const matched = async (filter: unknown) =>
      (await reprice({ filter, change: { percent: 1 }, dryRun: true })).body.data.matched
    const inShelf = encodeURIComponent(category)
    expect(await matched({ category, "sellingPrice[gte]": 50 })).toBe(2)
    expect(await matched(`category=${inShelf}&sellingPrice[gte]=50`)).toBe(2)
    expect(await matched(`?category=${inShelf}&isActive=true`)).toBe(3)
    expect(await matched({ category, isActive: true, search: `S${last}-001` })).toBe(1)
    expect(await matched({ "category[like]": `%${last}` })).toBe(3)
    expect(await matched({ category: "None" })).toBe(0)
    const all = (await api.get("/items?perPage=1")).body.meta.total
    expect(await matched({})).toBe(all)
    expect(await matched("")).toBe(all)
  })

  test("only changes the items of the filter when it runs", async () => {
    const { category, items } = await shelf([5, 50, 500])
    const ids = items.slice(1).map(({ id }) => id)
    const job = await repriced({ filter: { "id[in]": ids.join(",") }, change: { percent: 10 } })
    expect(job.counts).toEqual({ matched: 2, updated: 2, unchanged: 0, failed: 0 })
    expect(await pricesOf(category)).toEqual([5, 55, 550])
  })

  test("leaves prices that would be negative or too large as they are, and names the items", async () => {
    const { category, items } = await shelf([1, 10, 999_999_999])
    const lower = await reprice({ filter: { category }, change: { amount: -5 } })
    expect(lower.body.data.preview.map((each: { after: number | null }) => each.after)).toEqual([
      null,
      5,
      999_999_994,
    ])
    const first = await ended(lower.body.data.id)
    expect(first).toMatchObject({
      status: "finished",
      counts: { matched: 3, updated: 2, unchanged: 0, failed: 1 },
      faultCount: 1,
      faults: [{ record: items[0]?.id, field: "sellingPrice", message: expect.stringContaining("below 0") }],
    })
    const second = await repriced({ filter: { category }, change: { percent: 10 } })
    expect(second).toMatchObject({
      counts: { updated: 2, failed: 1 },
      faults: [{ record: items[2]?.id, message: expect.stringContaining("above 999999999.9999") }],
    })
    expect(await pricesOf(category)).toEqual([1.1, 5.5, 999_999_994])
  })

  test("starts one job for each Idempotency-Key", async () => {
    const { category } = await shelf([100])
    const body = { filter: { category }, change: { percent: 10 } }
    const first = await reprice(body, { "idempotency-key": "raise-1" })
    const again = await reprice(body, { "idempotency-key": "raise-1" })
    expect([again.status, again.text]).toEqual([202, first.text])
    expect(again.headers.get("idempotent-replayed")).toBe("true")
    expect(again.headers.get("location")).toBe(first.headers.get("location"))
    await ended(first.body.data.id)
    expect(await pricesOf(category)).toEqual([110])
    const other = await reprice({ ...body, change: { percent: 20 } }, { "idempotency-key": "raise-1" })
    expect(refusalOf(other)).toMatchObject({ status: 422, code: "IDEMPOTENCY_KEY_REUSED" })
  })

  test("two jobs one after the other change a price twice", async () => {
    const { category } = await shelf([100])
    const body = { filter: { category }, change: { percent: 10 } }
    const jobs = await Promise.all([reprice(body), reprice(body)])
    for (const { body: started } of jobs)
      expect(await ended(started.data.id)).toMatchObject({ status: "finished" })
    expect(await pricesOf(category)).toEqual([121])
  })
})

describe("invalid requests", () => {
  const change = { percent: 10 }
  const wrong: [string, object, [string, string][]][] = [
    [
      "no body fields",
      {},
      [
        ["filter", "REQUIRED"],
        ["change", "REQUIRED"],
      ],
    ],
    ["a filter of null", { filter: null, change }, [["filter", "REQUIRED"]]],
    ["a filter that is a list", { filter: [], change }, [["filter", "TYPE"]]],
    ["an object in a filter", { filter: { category: {} }, change }, [["filter.category", "TYPE"]]],
    ["null in a filter", { filter: { category: null }, change }, [["filter.category", "TYPE"]]],
    ["an unknown filter", { filter: { colour: "red" }, change }, [["filter.colour", "UNKNOWN_FIELD"]]],
    ["an unknown operator", { filter: "itemCode[is]=A", change }, [["filter.itemCode[is]", "UNKNOWN_FIELD"]]],
    ["a page", { filter: { page: 2 }, change }, [["filter.page", "UNKNOWN_FIELD"]]],
    ["a sort order", { filter: "sort=itemCode", change }, [["filter.sort", "UNKNOWN_FIELD"]]],
    ["a repeated filter", { filter: "uom=A&uom=B", change }, [["filter.uom", "RULE"]]],
    ["a broken escape", { filter: "uom=%", change }, [["filter.uom", "FORMAT"]]],
    [
      "wrong values of filters, with other faults",
      { filter: { "sellingPrice[gte]": "much", isActive: "maybe" }, change: {}, round: 0.02 },
      [
        ["filter.sellingPrice[gte]", "TYPE"],
        ["filter.isActive", "TYPE"],
        ["change", "REQUIRED"],
        ["round", "FORMAT"],
      ],
    ],
    ["no change", { filter: {}, change: { percent: null } }, [["change", "REQUIRED"]]],
    ["a number as change", { filter: {}, change: 10 }, [["change", "TYPE"]]],
    ["two changes", { filter: {}, change: { percent: 1, amount: 1 } }, [["change.amount", "RULE"]]],
    [
      "two changes, one of them wrong",
      { filter: {}, change: { percent: true, amount: 1 } },
      [
        ["change.percent", "TYPE"],
        ["change.amount", "RULE"],
      ],
    ],
    [
      "two changes, both wrong",
      { filter: {}, change: { percent: 1001, amount: "1" } },
      [
        ["change.percent", "TOO_LARGE"],
        ["change.amount", "TYPE"],
      ],
    ],
    ["a factor", { filter: {}, change: { ...change, factor: 2 } }, [["change.factor", "UNKNOWN_FIELD"]]],
    ["too low a percentage", { filter: {}, change: { percent: -100.5 } }, [["change.percent", "TOO_SMALL"]]],
    ["too high a percentage", { filter: {}, change: { percent: 1001 } }, [["change.percent", "TOO_LARGE"]]],
    ["five decimals", { filter: {}, change: { percent: 0.00001 } }, [["change.percent", "FORMAT"]]],
    ["a text as amount", { filter: {}, change: { amount: "1" } }, [["change.amount", "TYPE"]]],
    ["too large an amount", { filter: {}, change: { amount: 1e10 } }, [["change.amount", "TOO_LARGE"]]],
    ["a text to round to", { filter: {}, change, round: "0.01" }, [["round", "FORMAT"]]],
    ["an ending of 1", { filter: {}, change, ending: 1 }, [["ending", "TOO_LARGE"]]],
    ["a negative ending", { filter: {}, change, ending: -0.01 }, [["ending", "TOO_SMALL"]]],
    ["an ending that is no multiple", { filter: {}, change, round: 1, ending: 0.99 }, [["ending", "RULE"]]],
    ["an ending beside the currency", { filter: {}, change, ending: 0.995 }, [["ending", "RULE"]]],
    ["a text as dryRun", { filter: {}, change, dryRun: "true" }, [["dryRun", "TYPE"]]],
    ["an unknown field", { filter: {}, change, rounding: 1 }, [["rounding", "UNKNOWN_FIELD"]]],
  ]

  test.each(wrong)("%s: %j", async (_, body, fields) => {
    for (const path of ["/items/reprice", "/items/reprice?dryRun=true"]) {
      const answer = await api.post(path, body)
      expect(answer.status).toBe(422)
      expect(answer.body.error.code).toBe("VALIDATION_ERROR")
      const details: { field: string; code: string }[] = answer.body.error.details
      expect(details.map(({ field, code }) => [field, code])).toEqual(fields)
    }
  })

  test("the refusal of an ending names what it must be a multiple of", async () => {
    const answer = await reprice({ filter: {}, change, round: 1, ending: 0.99 })
    expect(answer.body.error.details[0].params).toEqual({ rule: "MULTIPLE", value: 1 })
  })

  test.each([
    [{ colour: "red" }, "filter.colour", "is not a field to filter items by"],
    ["itemCode[is]=A", "filter.itemCode[is]", "has an unknown operator; the operators of itemCode are "],
    [{ sort: "nothing" }, "filter.sort", "is not a filter: a filter has only conditions and search"],
    [{ page: -1 }, "filter.page", "is not a filter: a filter has only conditions and search"],
    ["uom=A&uom=B", "filter.uom", "is given more than once"],
    ["uom=%", "filter.uom", "has an invalid percent escape"],
  ])("the filter %j is refused with a sentence", async (filter, field, sentence) => {
    const answer = await reprice({ filter, change })
    expect(answer.body.error.message).toBe("The request has invalid values.")
    expect(answer.body.error.details).toEqual([
      expect.objectContaining({ field, message: expect.stringMatching(sentence) }),
    ])
  })

  test("a filter that cannot be read is reported with the other invalid fields", async () => {
    const answer = await reprice({ filter: { colour: "red", sort: "itemCode" }, change: {}, round: 2 })
    const details: { field: string }[] = answer.body.error.details
    expect(details.map(({ field }) => field)).toEqual(["filter.sort", "change", "round"])
  })

  test("unknown parameters are refused", async () => {
    const answer = await api.post("/items/reprice?dry=true", { filter: {}, change })
    expect(refusalOf(answer)).toEqual({ status: 400, code: "INVALID_QUERY", fields: ["dry"] })
  })
})
