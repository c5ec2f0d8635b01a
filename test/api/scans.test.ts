// Lists without an index are scanned in slices. Their results must not show it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { manyRecords } from "../support/engine"
import { inFile, withoutReferences } from "../support/file"
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

/** Enough customers for a list with several slices, which is scanned in another thread from 20,000 on. */
const customers = isLong ? 60_000 : 25_000

function fillCustomers(): void {
  inFile(kontor, (db) => {
    withoutReferences(db)
    db.query(
      `INSERT INTO customers (id, customer_number, name, name_sort, type, type_sort, is_active, version, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${customers})
         SELECT 'cus_00000000000000000' || (100000000 + i), 'X-' || i, 'mmm ' || i, 'mmm ' || i, 'Company', 'company', 1, 1,
           '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z' FROM n`,
    ).run()
  })
}

describe("a list of very many customers", () => {
  beforeAll(fillCustomers)

  test("that is scanned during updates shows each record once, with its current data, and none that no longer matches", async () => {
    const shop = trade(api)
    const names = Array.from({ length: 6 }, (_, i) => `aaa mover ${i}`)
    const movers = await Promise.all(
      names.map((name) => shop.customer({ name, type: "Mover", creditLimit: 5_000 })),
    )
    for (const [i, { id }] of movers.entries()) {
      const list = api.get("/customers?sort=name&order=asc&type=Mover&perPage=50")
      await Bun.sleep(5 + i * 5)
      await api.put(
        `/customers/${id}`,
        i % 2 ? { name: `zzz mover ${i}` } : { name: `zzz mover ${i}`, type: "Other" },
      )
      const { status, body } = await list
      expect(status).toBe(200)
      const ids = body.data.map((each: { id: string }) => each.id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { creditLimit, type } of body.data) expect([creditLimit, type]).toEqual([5_000, "Mover"])
    }
  })

  test("that one user requests many times at once always succeeds, and other users do not wait for all of them", async () => {
    const account = { email: "other@example.com", password: "another password" }
    await api.create("/users", { ...account, name: "Other", role: "viewer" })
    const other = await signIn(kontor, account.email, account.password)
    const ask = (as: Api) =>
      as.get(`/customers?sort=phone&type[ne]=None&perPage=100&page=${customers / 200}&fields=id`)
    let done = 0
    const many = Array.from({ length: 30 }, () => ask(api).then(({ status }) => (done++, status)))
    await Bun.sleep(20)
    expect((await ask(other)).status).toBe(200)
    const before = done
    expect(new Set(await Promise.all(many))).toEqual(new Set([200]))
    expect(before).toBeLessThan(20)
  })
})

describe("very many stock movements", () => {
  let shop: ReturnType<typeof trade>
  let busy: string
  let quiet: string
  let before: number
  const total = async (): Promise<number> => (await api.get("/stock-movements?perPage=1")).body.meta.total
  const fill = (from: number, to: number) =>
    inFile(kontor, (db) => {
      withoutReferences(db)
      db.query(
        `INSERT INTO stock_movements (id, item, quantity, reason, note, balance_after, created_at)
           WITH RECURSIVE n (i) AS (SELECT CAST(?1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
           SELECT 'stk_00000000000000000' || (100000000 + i), ?3, 10000, 'receipt', 'Delivery of ' || i, i, '2020-01-01T00:00:00.000Z' FROM n`,
      ).run(from, to, busy)
    })

  beforeAll(async () => {
    shop = trade(api)
    busy = (await shop.item()).id
    quiet = (await shop.item()).id
    await shop.receive(quiet, 5)
    // As if the rows with the numbers in between had been deleted. They do not count as rows to scan.
    inFile(kontor, (db) =>
      db.run(
        `INSERT INTO stock_movements (seq, id, item, quantity, reason, note, balance_after, created_at)
           SELECT 700000, 'stk_far', '${busy}', quantity, reason, 'Far', balance_after, '2020-01-01T00:00:00.000Z'
           FROM stock_movements WHERE item = '${quiet}'`,
      ),
    )
    before = await total()
    fill(1, 128_000)
  })

  test("a search for one word fifty times finds the same as a search for the word", async () => {
    const [one, fifty] = [1, 50].map((times) => Array(times).fill("777").join("+"))
    const wanted = (await api.get(`/stock-movements?search=${one}&perPage=5`)).body
    expect(wanted.data[0].note).toMatch(/^Delivery of \d*777/)
    expect(wanted.meta.total).toBeGreaterThan(100)
    expect((await api.get(`/stock-movements?search=${fifty}&perPage=5`)).body.data).toEqual(wanted.data)
  })

  test("half a million are too many to scan, and the error names the fields to filter by", async () => {
    fill(128_001, 500_100)
    for (const [query, field] of [
      ["search=delivery", "search"],
      ["note[like]=nothing", "note"],
      ["quantity[gt]=5", "quantity"],
      ["sort=note", "sort"],
    ] as const) {
      const answer = await api.get(`/stock-movements?${query}`)
      expect(refusalOf(answer)).toEqual({ status: 422, code: "QUERY_TOO_EXPENSIVE", fields: [field] })
      expect(answer.body.error.message).toContain(
        "Filter by externalId, item, createdAt, or follow meta.nextCursor.",
      )
      expect(answer.body.error.params).toEqual({
        kind: "stock-movements",
        fields: ["externalId", "item", "createdAt"],
      })
      expect(answer.body.error.details).toMatchObject([{ code: "RULE", params: { rule: "NO_INDEX" } }])
    }
  })

  test("with a filter on an index they are found", async () => {
    const one = await api.get(`/stock-movements?item=${quiet}&quantity[gt]=1&sort=quantity`)
    expect(one.body).toMatchObject({ data: [{ quantity: 5 }], meta: { total: 1 } })
    const late = await api.get("/stock-movements?createdAt[gte]=2021-01-01&quantity[gt]=1")
    expect(late.body.meta.total).toBe(1)
    expect(await total()).toBe(before + 500_100)
    const { nextCursor } =
      (await api.get("/stock-movements?quantity=1&perPage=1&order=asc&cursor=")).body.meta ?? {}
    expect(nextCursor).toBeUndefined()
  })
})
