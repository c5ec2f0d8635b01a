// Lists of a table with many rows are counted and scanned in another thread. They must be as exact as short lists.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { itemCode, itemId, makeShop } from "../../scripts/bench/data"
import { signIn, type Api } from "../support/api"
import { testedAs } from "../support/engine"
import { inFile } from "../support/file"
import { fillItems } from "../support/fill"
import { cleanUp, emptyFolder, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"

const items = 60_000
/** The items that a search finds. The others have no search text, which takes most of the time to write. */
const searchable = 25_000
let kontor: Kontor
let api: Api

beforeAll(async () => {
  const cwd = emptyFolder()
  makeShop(testedAs(join(cwd, "kontor.db")), { items: searchable, customers: 1, orders: 0 })
  inFile({ file: join(cwd, "kontor.db") }, (db) => fillItems(db, { from: searchable + 1, to: items }))
  kontor = await serve({ cwd })
  api = await signIn(kontor)
})
afterAll(cleanUp)

type Item = { id: string; itemCode: string; itemName: string; category: string; sellingPrice: number }
const page = async (
  query: string,
): Promise<{ data: Item[]; meta: { total?: number; nextCursor?: string } }> => {
  const { status, body } = await api.get(`/items?${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
const total = async (query = ""): Promise<number> => (await page(query)).meta.total ?? -1
const counted = (where = "true"): number =>
  inFile(
    kontor,
    (db) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM items WHERE ${where}`).get()?.n ?? -1,
  )

describe("A total", () => {
  test("counts all records, and every write after that", async () => {
    const shop = trade(api)
    const before = await total()
    expect(before).toBe(counted())
    const first = await shop.item()
    expect(await total()).toBe(before + 1)
    await Promise.all(Array.from({ length: 20 }, () => shop.item()))
    expect(await total()).toBe(before + 21)
    await api.delete(`/items/${first.id}`)
    expect(await total()).toBe(before + 20)
    expect(counted()).toBe(before + 20)
  })

  test("does not count what was refused or only tried", async () => {
    const before = await total()
    const item = { itemCode: itemCode(1), itemName: "Repeated", category: "tools", sellingPrice: 1 }
    const refused = await api.post("/items", item)
    expect(refused.status).toBe(422)
    expect(refused.body.error.details).toMatchObject([{ field: "itemCode", code: "DUPLICATE" }])
    expect((await api.post("/items?dryRun=true", { ...item, itemCode: "TRIED" })).status).toBe(201)
    expect(await total()).toBe(before)
    expect(counted()).toBe(before)
  })

  test("counts what another process has written", async () => {
    const before = await total()
    inFile(kontor, (db) => db.run(`DELETE FROM items WHERE id = '${itemId(items)}'`))
    expect(await total()).toBe(before - 1)
  })

  test("of a filter follows the records that change", async () => {
    const { category } = (await api.get(`/items/${itemId(1)}`)).body.data
    const before = await total(`category=${category}`)
    expect(before).toBe(counted(`category = '${category}'`))
    expect((await api.patch(`/items/${itemId(2)}`, { category })).status).toBe(200)
    expect(await total(`category=${category}`)).toBe(before + 1)
  })

  test("is right while others write", async () => {
    const shop = trade(api)
    const writes = Array.from({ length: 200 }, () => shop.item())
    const seen: number[] = []
    for (let i = 0; i < 20; i++) seen.push(await total(), await total("sellingPrice[gte]=0"))
    await Promise.all(writes)
    expect(await total()).toBe(counted())
    expect(await total("sellingPrice[gte]=0")).toBe(counted("selling_price >= 0"))
    const totals = seen.filter((_, i) => i % 2 === 0)
    expect(totals).toEqual(totals.toSorted((a, b) => a - b))
  })
})

describe("A list without an index", () => {
  test("is sorted over all records, on every page", async () => {
    const sorted = inFile(kontor, (db) =>
      db
        .query<{ id: string }, []>("SELECT id FROM items ORDER BY selling_price DESC, id DESC")
        .all()
        .map(({ id }) => id),
    )
    for (const number of [1, 2, 40, 900]) {
      const { data, meta } = await page(`sort=sellingPrice&order=desc&page=${number}&perPage=50`)
      expect(data.map(({ id }) => id)).toEqual(sorted.slice((number - 1) * 50, number * 50))
      expect(meta.total).toBe(sorted.length)
    }
  })

  test.each([
    ["category,sellingPrice", "asc,desc", "category_sort ASC NULLS FIRST, selling_price DESC, id DESC"],
    ["createdAt,itemName", "desc,asc", "created_at DESC, item_name_sort ASC, id ASC"],
    ["itemName,sellingPrice", "asc", "item_name_sort ASC, selling_price ASC, id ASC"],
  ])("is sorted by %s, %s, on numbered pages and by cursor", async (sort, order, sql) => {
    const sorted = inFile(kontor, (db) =>
      db
        .query<{ id: string }, []>(`SELECT id FROM items ORDER BY ${sql} LIMIT 2000`)
        .all()
        .map(({ id }) => id),
    )
    const query = `sort=${sort}&order=${order}&perPage=100&fields=id`
    for (const number of [1, 2, 15]) {
      const { data } = await page(`${query}&page=${number}`)
      expect(data.map(({ id }) => id)).toEqual(sorted.slice((number - 1) * 100, number * 100))
    }
    const found: string[] = []
    for (let cursor = ""; found.length < 500;) {
      const { data, meta } = await page(`${query}&total=false${cursor}`)
      found.push(...data.map(({ id }) => id))
      cursor = `&cursor=${encodeURIComponent(meta.nextCursor ?? "")}`
    }
    expect(found).toEqual(sorted.slice(0, 500))
  })

  test("is filtered over all records, on numbered pages and by cursor to its end", async () => {
    const wanted = inFile(kontor, (db) =>
      db
        .query<{ id: string }, []>(
          "SELECT id FROM items WHERE selling_price < 1000000 ORDER BY created_at DESC, id DESC",
        )
        .all()
        .map(({ id }) => id),
    )
    expect(wanted.length).toBeGreaterThan(200)
    const found: string[] = []
    for (let query = "sellingPrice[lt]=100&perPage=100"; found.length < wanted.length;) {
      const { data, meta } = await page(query)
      found.push(...data.map(({ id }) => id))
      if (!meta.nextCursor) break
      query = `sellingPrice[lt]=100&perPage=100&cursor=${encodeURIComponent(meta.nextCursor)}`
    }
    expect(found).toEqual(wanted)
    expect(await total("sellingPrice[lt]=100")).toBe(wanted.length)
    for (const number of [2, 5]) {
      const { data } = await page(`sellingPrice[lt]=100&perPage=30&page=${number}`)
      expect(data.map(({ id }) => id)).toEqual(wanted.slice((number - 1) * 30, number * 30))
    }
  })

  test.each(["sort=sellingPrice&", "sellingPrice[lt]=100&"])(
    "has the same total on the pages of a cursor, if it is asked for: ?%s",
    async (query) => {
      const { meta } = await page(`${query}perPage=100`)
      const next = await page(
        `${query}perPage=100&total=true&cursor=${encodeURIComponent(meta.nextCursor ?? "")}`,
      )
      expect(next.meta.total).toBe(counted(query.startsWith("sort") ? "true" : "selling_price < 1000000"))
      expect(next.meta.total).toBe(meta.total)
    },
  )

  test("is searched in all records", async () => {
    const { data, meta } = await page("search=ITM-002490&sort=sellingPrice&order=asc&perPage=100")
    expect(meta.total).toBe(counted("item_code LIKE '%002490%'"))
    expect(data.length).toBe(meta.total ?? 0)
    const prices = data.map(({ sellingPrice }) => sellingPrice)
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  })

  test("does not disturb others when its reader leaves", async () => {
    const lists = Array.from({ length: 10 }, async (_, i) => {
      const controller = new AbortController()
      const list = fetch(`${kontor.url}/api/v1/items?sort=sellingPrice&order=desc&sellingPrice[gt]=${i}`, {
        headers: api.credential,
        signal: controller.signal,
      })
      if (i % 2 === 0) setTimeout(() => controller.abort(), 5)
      return list.then(
        (response) => response.status,
        () => 0,
      )
    })
    expect(new Set(await Promise.all(lists)).difference(new Set([0, 200])).size).toBe(0)
    expect(await total("sellingPrice[gte]=0")).toBe(counted("selling_price >= 0"))
  })
})

test("A page far behind the first has the records that follow in the order of the list", async () => {
  const ids = inFile(kontor, (db) =>
    db
      .query<{ id: string }, []>("SELECT id FROM items ORDER BY created_at ASC, id ASC LIMIT 20 OFFSET 55000")
      .all()
      .map(({ id }) => id),
  )
  const { data, meta } = await page("sort=createdAt&order=asc&page=2751")
  expect(data.map(({ id }) => id)).toEqual(ids)
  expect(meta.total).toBe(counted())
  const next = await page(`sort=createdAt&order=asc&cursor=${encodeURIComponent(meta.nextCursor ?? "")}`)
  expect(next.data[0]?.id).toBe((await page("sort=createdAt&order=asc&page=2752")).data[0]?.id)
})

test("A page behind the end is empty, with the total", async () => {
  for (const number of [4_000, 1_000_000_000])
    expect(await page(`sort=createdAt&order=asc&page=${number}`)).toMatchObject({
      data: [],
      meta: { total: counted() },
    })
})
