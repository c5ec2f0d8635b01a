// Lists without an index are scanned in slices. Their results must not show it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { manyRecords } from "../support/engine"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { isLong } from "../support/long"
import { trade } from "../support/trade"

type Item = Record<string, string | number | boolean | null> & { id: string }

let kontor: Kontor
let api: Api
let items: Item[]
const count = isLong ? manyRecords(1_000) : 200
const categories = ["Zinc", "ähnlich", "apple", "\ue000", "🔩", null]
const words = ["bolt", "nut", "screw", "washer", "crate"]

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  for (let made = 0; made < count; made += 50) {
    const size = Math.min(50, count - made)
    const operations = Array.from({ length: size }, (_, i) => ({ op: "create", body: draftOf(made + i) }))
    expect((await api.post("/items/batch", { mode: "all", operations })).status).toBe(200)
  }
  items = []
  for (let cursor = ""; cursor !== "-";) {
    const { data, meta } = (await api.get(`/items?perPage=100&order=asc${cursor && `&cursor=${cursor}`}`))
      .body
    items.push(...data)
    cursor = meta.nextCursor ?? "-"
  }
  expect(items).toHaveLength(count)
})
afterAll(cleanUp)

const draftOf = (i: number) => ({
  itemCode: `${i % 2 ? "LT" : "lt"}-${(i * 7_919) % count}`,
  itemName: `${words[i % words.length]} ${i % 40}`,
  category: categories[i % categories.length],
  itemType: i % 10 === 0 ? "Service" : "Product",
  sellingPrice: (i * 31) % 97,
  ...(i % 3 === 0 ? {} : { description: `${words[i % 4]} ${"x".repeat(i % 5)}${"Long text. ".repeat(30)}` }),
  isActive: i % 7 !== 0,
})

const folded = (value: unknown) =>
  typeof value === "string"
    ? Buffer.from([...value].slice(0, 200).join("").toLowerCase().replace("ä", "a"))
    : value

/** The order in docs/guide/lists.md: null first, text without case and accents by its characters, ties by id. */
function sorted(of: readonly Item[], sort: string, order: string): string[] {
  const compare = (a: unknown, b: unknown): number => {
    if (a === null || b === null) return Number(b === null) - Number(a === null)
    if (a instanceof Buffer && b instanceof Buffer) return Buffer.compare(a, b)
    return Number(a) - Number(b)
  }
  const all = of.toSorted((a, b) => compare(folded(a[sort]), folded(b[sort])) || (a.id < b.id ? -1 : 1))
  return (order === "asc" ? all : all.toReversed()).map(({ id }) => id)
}

/** The ids of a whole list: by numbered pages, and by cursors. */
async function walk(query: string, byCursor: boolean): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1, next = "page=1"; next !== "";) {
    const { body, status } = await api.get(`/items?perPage=97&fields=id&${query}&${next}`)
    expect(status).toBe(200)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    const { nextCursor, total } = body.meta
    if (total !== undefined && nextCursor === null) expect(total).toBe(ids.length)
    page++
    next = nextCursor === null ? "" : byCursor ? `cursor=${nextCursor}` : `page=${page}`
  }
  return ids
}

const filters: [query: string, keeps: (item: Item) => boolean][] = [
  ["", () => true],
  ["sellingPrice[gte]=50", ({ sellingPrice }) => Number(sellingPrice) >= 50],
  [
    "itemType=Service&isActive=false",
    ({ itemType, isActive }) => itemType === "Service" && isActive === false,
  ],
  ["itemName[like]=%25ut 1_", ({ itemName }) => /ut 1.$/.test(String(itemName))],
  ["category=apple", ({ category }) => category === "apple"],
  ["category[ne]=apple", ({ category }) => category !== "apple"],
  ["category[null]=true", ({ category }) => category === null],
  [
    "description[null]=false&category[null]=false",
    ({ category, description }) => category !== null && description !== null,
  ],
  [
    "category[in]=apple,Zinc&sellingPrice[lt]=20",
    (item) =>
      (item["category"] === "apple" || item["category"] === "Zinc") && Number(item["sellingPrice"]) < 20,
  ],
  ["search=bolt 1", ({ itemName, itemCode }) => /^bolt .*\b1/.test(`${itemName} ${itemCode}`)],
  [
    "search=rew&isActive=true",
    ({ itemName, isActive }) => String(itemName).startsWith("screw") && isActive === true,
  ],
  ["search=lt", () => true],
  ["search=lt&sellingPrice[gt]=90", ({ sellingPrice }) => Number(sellingPrice) > 90],
  ["description[like]=nut%25", ({ description }) => String(description).startsWith("nut")],
]

describe.each(filters)("a list with %p", (filter, keeps) => {
  test.each(["createdAt", "itemName", "category", "sellingPrice", "itemCode", "isActive", "description"])(
    "sorted by %s is complete and in order, by pages and by cursors",
    async (sort) => {
      const kept = items.filter(keeps)
      for (const order of ["asc", "desc"]) {
        const query = `${filter}&sort=${sort}&order=${order}`
        const wanted = sort === "createdAt" ? kept.map(({ id }) => id) : sorted(kept, sort, order)
        if (sort === "createdAt" && order === "desc") wanted.reverse()
        expect(await walk(query, true)).toEqual(wanted)
        expect(await walk(query, false)).toEqual(wanted)
      }
    },
  )
})

describe("ranges of a date filter", () => {
  test("count and list the same records", async () => {
    const middle = items[Math.floor(count * 0.7)]?.["createdAt"]
    const kept = items.filter(({ createdAt }) => String(createdAt) >= String(middle))
    expect(await walk(`createdAt[gte]=${middle}&order=asc`, false)).toEqual(kept.map(({ id }) => id))
    const some = kept.filter(({ sellingPrice }) => sellingPrice === 31)
    const query = `createdAt[gte]=${middle}&sellingPrice=31&sort=sellingPrice&order=asc`
    expect(await walk(query, true)).toEqual(some.map(({ id }) => id).toSorted())
  })
})

describe("a search in records without a search table", () => {
  beforeAll(async () => {
    const { id: item } = await trade(api).item()
    for (const note of ["Crème brûlée, 50% of it", "Creme of 50 tubs", "Brûlée"])
      await api.create("/stock-movements", { item, quantity: 1, reason: "receipt", note })
  })

  test.each([
    ["creme", 2],
    ["CRÈME", 2],
    ["brulee creme", 1],
    ["rème 50", 2],
    ["50 creme tubs", 1],
    ["creme nothing", 0],
    ["cr%me", 0],
  ])(
    "for %p finds %i, because it contains every word, in any case and with any accents",
    async (typed, n) => {
      const { body } = await api.get(`/stock-movements?search=${encodeURIComponent(typed)}`)
      expect(body.meta.total).toBe(n)
    },
  )
})
