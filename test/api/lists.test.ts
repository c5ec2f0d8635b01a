import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, serve } from "../support/kontor"

let api: Api
const catalogue = [
  { itemCode: "AB-100-X", itemName: "Café table", category: "Furniture", sellingPrice: 120, reorderLevel: 5 },
  {
    itemCode: "ab-200",
    itemName: "apple crate",
    category: "Crates",
    sellingPrice: 9.99,
    itemType: "Consumable",
  },
  { itemCode: "ZZ-1", itemName: "Zebra cloth 100% cotton", sellingPrice: 9.9899, isActive: false },
  {
    itemCode: "S-1",
    itemName: "Éclair delivery",
    category: "Services",
    itemType: "Service",
    sellingPrice: 0,
  },
  { itemCode: "M8", itemName: "Bolt M8 x_40 [steel]", category: "furniture", sellingPrice: 0.05 },
  { itemCode: "日本-7", itemName: "商品 ÜBER * large?", description: "Notes with Straße" },
]

beforeAll(async () => {
  api = await signIn(await serve())
  for (const item of catalogue) await api.create("/items", item)
})
afterAll(cleanUp)

const codes = async (query: string) => {
  const answer = await api.get(`/items?${query}`)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data.map(({ itemCode }: { itemCode: string }) => itemCode)
}
const found = async (query: string) => (await codes(query)).toSorted()
const all = catalogue.map(({ itemCode }) => itemCode)
const encode = encodeURIComponent

const manyFilters = (count: number) =>
  ["category", "itemName", "uom"]
    .flatMap((field) => ["eq", "ne", "gt", "gte", "lt", "lte", "in", "like"].map((op) => `${field}[${op}]=x`))
    .slice(0, count)
    .join("&")

describe("pages", () => {
  test("the newest come first, twenty per page, with the total", async () => {
    const { data, meta } = (await api.get("/items")).body
    expect(data.map(({ itemCode }: { itemCode: string }) => itemCode)).toEqual(all.toReversed())
    expect(meta).toEqual({ page: 1, perPage: 20, total: 6, totalPages: 1, hasMore: false, nextCursor: null })
  })

  test("page and perPage select a page; a page past the end is empty", async () => {
    const second = (await api.get("/items?page=2&perPage=4")).body
    expect(second.data).toHaveLength(2)
    expect(second.meta).toMatchObject({ page: 2, perPage: 4, total: 6, totalPages: 2, hasMore: false })
    const beyond = (await api.get("/items?page=1000000000")).body
    expect([beyond.data, beyond.meta.total]).toEqual([[], 6])
  })

  test("perPage above 100 is treated as 100, and meta shows it", async () => {
    expect((await api.get("/items?perPage=101")).body.meta.perPage).toBe(100)
    expect((await api.get("/items?perPage=99999999999999999999")).body.meta.perPage).toBe(100)
  })

  test("what a list does not do as asked is a warning: a smaller page, and a status of another kind", async () => {
    const warningsOf = async (query: string) => (await api.get(`/items?${query}`)).body.warnings
    expect(await warningsOf("perPage=101")).toMatchObject([
      { code: "PER_PAGE_REDUCED", field: "perPage", params: { perPage: 101, max: 100 } },
    ])
    expect(await warningsOf("status[in]=active,submitted")).toMatchObject([
      { code: "STATUS_NEVER_MATCHES", field: "status[in]", params: { status: "submitted" } },
    ])
    expect(await warningsOf("perPage=100&status=active")).toBeUndefined()
  })

  test("an unknown status is refused with the statuses of this kind", async () => {
    const { error } = (await api.get("/invoices?status=shipped")).body
    expect(error.details[0].params.allowed).toContain("overdue")
    expect(error.details[0].params.allowed).not.toContain("submitted")
  })

  test.each([
    "page=0",
    "page=-1",
    "page=1.5",
    "page=abc",
    "page=",
    "page=1000000001",
    "page=0x10",
    "page=%201",
    "perPage=0",
    "perPage=1e2",
    "perPage=",
    "order=up",
    "order=",
    "sort=",
    "cursor=",
  ])("%s is 422 on its name", async (query) => {
    expect(refusalOf(await api.get(`/items?${query}`))).toMatchObject({
      status: 422,
      fields: [query.split("=")[0]],
    })
  })

  test("all invalid values are reported together", async () => {
    const answer = await api.get("/items?page=0&perPage=0&sellingPrice=x&isActive=yes")
    expect(refusalOf(answer).fields.toSorted()).toEqual(["isActive", "page", "perPage", "sellingPrice"])
  })

  test("empty pairs are ignored and + is a space", async () => {
    expect(await codes("&&itemName=apple+crate&")).toEqual(["ab-200"])
  })

  test("fields= reduces every record to these fields", async () => {
    const { data } = (await api.get("/items?fields=itemCode,sellingPrice&perPage=1")).body
    expect(data).toEqual([{ itemCode: "日本-7", sellingPrice: 0 }])
  })
})

describe("cursors", () => {
  const walk = async (query: string, shop = api) => {
    const seen: string[] = []
    let path: string | null = `/items?${query}`
    while (path) {
      const answer = await shop.get(path)
      expect(answer.status).toBe(200)
      seen.push(...answer.body.data.map(({ itemCode }: { itemCode: string }) => itemCode))
      const { nextCursor, hasMore } = answer.body.meta
      expect(hasMore).toBe(nextCursor !== null)
      const link = answer.headers.get("link")
      path = link ? (/^<\/api\/v1(.+)>; rel="next"$/.exec(link)?.[1] ?? null) : null
      expect(path !== null).toBe(hasMore)
    }
    return seen
  }

  test.each([
    "perPage=2",
    "perPage=1&sort=category&order=asc",
    "perPage=1&sort=category&order=desc",
    "perPage=2&sort=sellingPrice&order=asc",
    "perPage=4&sort=itemName&order=desc",
    "perPage=1&sort=isLowStock&order=desc",
    "perPage=1&sort=description&order=asc",
    "perPage=2&itemType=Product&search=e",
    "perPage=1&sort=category,itemName&order=asc,desc",
    "perPage=2&sort=itemType,sellingPrice&order=desc,asc",
    "perPage=1&sort=barcode,category&order=desc",
  ])("%s: following Link returns every record once, in the order of one long page", async (query) => {
    const whole = await codes(query.replace(/perPage=\d/, "perPage=100"))
    expect(await walk(query)).toEqual(whole)
  })

  test("a page by cursor has no total", async () => {
    const { nextCursor } = (await api.get("/items?perPage=2")).body.meta
    const { meta } = (await api.get(`/items?perPage=3&cursor=${nextCursor}`)).body
    expect(meta).toEqual({ perPage: 3, hasMore: true, nextCursor: expect.any(String) })
  })

  test.each(["", "search=ab&", "sellingPrice[lt]=100&sort=sellingPrice&"])(
    "total=true counts a list on the pages of a cursor too, and total=false on no page: ?%s",
    async (query) => {
      const { total, nextCursor } = (await api.get(`/items?${query}perPage=1&total=true`)).body.meta
      const next = `/items?${query}perPage=1&cursor=${nextCursor}`
      expect((await api.get(`${next}&total=true`)).body.meta).toEqual({
        perPage: 1,
        total,
        hasMore: expect.any(Boolean),
        nextCursor: total > 2 ? expect.any(String) : null,
      })
      expect((await api.get(`${next}&total=false`)).body.meta).not.toHaveProperty("total")
      expect((await api.get(`/items?${query}perPage=1&total=false`)).body.meta).toEqual({
        page: 1,
        perPage: 1,
        hasMore: true,
        nextCursor,
      })
    },
  )

  test("the total of a kind that has an amount of this name can be asked for, and filtered by", async () => {
    const meta = async (query: string) => (await api.get(`/invoices?${query}`)).body.meta
    expect(await meta("total=true&total[gte]=5")).toMatchObject({ page: 1, total: 0 })
    expect(await meta("total=5")).toMatchObject({ page: 1, total: 0 })
    expect(await meta("total=false")).not.toHaveProperty("total")
    for (const path of ["/invoices?total=many", "/items?total=5"])
      expect(refusalOf(await api.get(path))).toMatchObject({ status: 422, fields: ["total"] })
    for (const path of [
      "/invoices/export?total=true",
      "/items/export?total=1",
      "/items/values?field=status&total=true",
    ])
      expect(refusalOf(await api.get(path))).toMatchObject({ status: 400, fields: ["total"] })
    expect((await api.get("/invoices/export?total=5")).status).toBe(200)
  })

  test("a record created during the scan causes no duplicates and no omissions", async () => {
    const { data, meta } = (await api.get("/items?perPage=3")).body
    const late = await api.create("/items", { itemCode: "LATE", itemName: "Late" })
    const rest = (await api.get(`/items?perPage=100&cursor=${meta.nextCursor}`)).body.data
    await api.delete(`/items/${late.id}`)
    expect([...data, ...rest].map(({ itemCode }) => itemCode)).toEqual(all.toReversed())
  })

  test.each([
    [
      "that was modified",
      (cursor: string) => `cursor=${cursor.slice(0, -1)}${cursor.endsWith("A") ? "B" : "A"}`,
      "INVALID_CURSOR",
    ],
    ["that is invalid", () => "cursor=abc", "INVALID_CURSOR"],
    ["with another sort", (cursor: string) => `cursor=${cursor}&sort=itemName`, "INVALID_CURSOR"],
    ["with another direction", (cursor: string) => `cursor=${cursor}&order=asc`, "INVALID_CURSOR"],
    ["with another filter", (cursor: string) => `cursor=${cursor}&itemType=Product`, "INVALID_CURSOR"],
    ["with a page", (cursor: string) => `cursor=${cursor}&page=2`, "INVALID_QUERY"],
  ])("a cursor %s is 400", async (_, query, code) => {
    const { nextCursor } = (await api.get("/items?perPage=2")).body.meta
    expect(refusalOf(await api.get(`/items?${query(nextCursor)}`))).toMatchObject({ status: 400, code })
  })

  test("a cursor with any character changed, added or removed is 400", async () => {
    const { nextCursor } = (await api.get("/items?perPage=2")).body.meta
    const other = (letter: string) => (letter === "A" ? "B" : "A")
    const altered = [...nextCursor].map(
      (letter, i) => nextCursor.slice(0, i) + other(letter) + nextCursor.slice(i + 1),
    )
    for (const cursor of [...altered, `${nextCursor}A`, `${nextCursor}=`, nextCursor.slice(0, -1), "A"])
      expect(refusalOf(await api.get(`/items?cursor=${encode(cursor)}`))).toMatchObject({
        status: 400,
        code: "INVALID_CURSOR",
      })
  })

  test("a list sorted by long texts can be followed, even when the last record seen was deleted", async () => {
    const long = ["a", "b", "c"].map((letter) => ({
      itemCode: `LONG-${letter}`,
      itemName: "Long",
      description: `${letter}${"木".repeat(9_999)}`,
    }))
    const other = await signIn(await serve())
    const made = []
    for (const item of long) made.push(await other.create("/items", item))
    const query = "perPage=1&sort=description&order=asc"
    expect(await walk(query, other)).toEqual(["LONG-a", "LONG-b", "LONG-c"])
    const { nextCursor } = (await other.get(`/items?${query}`)).body.meta
    expect(nextCursor.length).toBeLessThan(1_000)
    await other.delete(`/items/${made[0]?.id}`)
    const next = await other.get(`/items?${query}&cursor=${nextCursor}`)
    expect(next.body.data).toMatchObject([{ itemCode: "LONG-b" }])
  })

  test("a cursor is valid after a restart, but only for its own list", async () => {
    const before = await serve()
    const first = await signIn(before)
    for (const name of ["A", "B", "C"])
      await first.create("/items", { itemCode: name, itemName: `Ünit ${name}` })
    const list = "/items?perPage=1&sort=itemName&order=asc"
    const { nextCursor } = (await first.get(list)).body.meta
    await before.stop()
    const second = await signIn(await serve({ cwd: before.cwd }))
    expect((await second.get(`${list}&cursor=${nextCursor}`)).body.data).toMatchObject([{ itemCode: "B" }])
    expect((await second.get(`/items?cursor=${nextCursor}`)).status).toBe(400)
  })

  test("a cursor of another kind is 400", async () => {
    const { nextCursor } = (await api.get("/items?perPage=2")).body.meta
    expect(refusalOf(await api.get(`/customers?cursor=${nextCursor}`))).toMatchObject({
      code: "INVALID_CURSOR",
    })
  })
})

describe("sorting", () => {
  test("text sorts ignoring case and accents", async () => {
    const names = (await api.get("/items?sort=itemName&order=asc")).body.data.map(
      ({ itemName }: { itemName: string }) => itemName,
    )
    expect(names.slice(0, 5)).toEqual([
      "apple crate",
      "Bolt M8 x_40 [steel]",
      "Café table",
      "Éclair delivery",
      "Zebra cloth 100% cotton",
    ])
  })

  test("records without a value sort lowest", async () => {
    expect((await codes("sort=category&order=asc")).slice(0, 2)).toEqual(["ZZ-1", "日本-7"])
    expect((await codes("sort=category&order=desc")).slice(-2)).toEqual(["日本-7", "ZZ-1"])
  })

  test("every scalar field can be sorted and filtered", async () => {
    const record = (await api.get("/items?perPage=1")).body.data[0]
    for (const [name, value] of Object.entries(record)) {
      if (Array.isArray(value) || name === "metadata") continue
      expect((await api.get(`/items?sort=${name}`)).status).toBe(200)
      if (value !== null) expect((await codes(`${name}=${encode(String(value))}`)).length).toBeGreaterThan(0)
      for (const operator of ["eq", "ne", "gt", "gte", "lt", "lte", "in", "like"])
        expect((await api.get(`/items?${name}[${operator}]=${encode(String(value ?? "x"))}`)).status).toBe(
          200,
        )
    }
  })

  test.each(["sort=colour", "sort=images", "sort=item_name", "sort=__proto__"])(
    "%s is 400",
    async (query) => {
      expect(refusalOf(await api.get(`/items?${query}`))).toMatchObject({
        status: 400,
        code: "INVALID_QUERY",
        fields: ["sort"],
      })
    },
  )
})

describe("filters", () => {
  const cases: [string, string[]][] = [
    ["category=Furniture", ["AB-100-X"]],
    ["category[eq]=Furniture", ["AB-100-X"]],
    ["category%5Beq%5D=Furniture", ["AB-100-X"]],
    ["category[ne]=Furniture", ["M8", "S-1", "ZZ-1", "ab-200", "日本-7"]],
    ["category[in]=Crates, Services", ["S-1", "ab-200"]],
    ["category[gt]=d", ["AB-100-X", "M8", "S-1"]],
    ["category[null]=true", ["ZZ-1", "日本-7"]],
    ["category[null]=false", ["AB-100-X", "M8", "S-1", "ab-200"]],
    ["category[null]=true&isActive=true", ["日本-7"]],
    ["description[null]=false", ["日本-7"]],
    ["sellingPrice=9.99", ["ab-200"]],
    ["sellingPrice[gt]=9.9899", ["AB-100-X", "ab-200"]],
    ["sellingPrice[gt]=9.98991", ["AB-100-X", "ab-200"]],
    ["sellingPrice[gte]=9.9899", ["AB-100-X", "ZZ-1", "ab-200"]],
    ["sellingPrice[lt]=0.05", ["S-1", "日本-7"]],
    ["sellingPrice[lte]=0.05", ["M8", "S-1", "日本-7"]],
    ["sellingPrice[in]=0.05,120", ["AB-100-X", "M8"]],
    ["sellingPrice[like]=9.9", ["ZZ-1", "ab-200"]],
    ["isActive=false", ["ZZ-1"]],
    ["isActive[ne]=true", ["ZZ-1"]],
    ["status=inactive", ["ZZ-1"]],
    ["status=submitted", []],
    ["status[in]=inactive,unpaid", ["ZZ-1"]],
    ["status[in]=unpaid&status[in]=inactive", ["ZZ-1"]],
    ['itemCode[in]="AB-100-X", "ZZ-1"', ["AB-100-X", "ZZ-1"]],
    ['itemCode[in]="ZZ-1,M8",S-1', ["S-1"]],
    ['itemCode[in]="ZZ-1', []],
    ["isLowStock=true", ["AB-100-X"]],
    ["itemType[in]=Service,Consumable", ["S-1", "ab-200"]],
    ["itemName[like]=CAFÉ", ["AB-100-X"]],
    ["itemName[like]=cafe", []],
    ["itemName[gte]=éclair&itemName[lt]=F", ["S-1"]],
    ["itemName[like]=über", ["日本-7"]],
    ["itemName[like]=%CRATE", ["ab-200"]],
    ["itemName[like]=crate%", []],
    ["itemName[like]=_pple crate", ["ab-200"]],
    ["itemName[like]=100\\%", ["ZZ-1"]],
    ["itemName[like]=x\\_40 [steel]", ["M8"]],
    ["itemName[like]=*", ["日本-7"]],
    ["itemName[like]=?", ["日本-7"]],
    ["itemName[like]=[S", ["M8"]],
    ["description[like]=STRASSE", []],
    ["description[like]=straße", ["日本-7"]],
    ["createdAt[gte]=2020-01-01&createdAt[lte]=2999-01-01", all.toSorted()],
    ["createdAt[lt]=2020-01-01T00:00:00%2B02:00", []],
    ["createdAt[lte]=9999-12-31T23:59:59Z", all.toSorted()],
    ["itemType=Product&sellingPrice[gte]=1&isActive=true", ["AB-100-X"]],
  ]
  test.each(cases)("%s", async (query, expected) => {
    const written = query.replaceAll(/(?<==)[^&]*/g, (value) =>
      value.includes("%2B") ? value : encode(value),
    )
    expect(await found(written)).toEqual(expected.toSorted())
  })

  test("twenty filters are allowed", async () => {
    expect(await found(manyFilters(20))).toEqual([])
  })

  test("long text is compared by its first 200 characters, and the response says that this is deprecated", async () => {
    const made = await Promise.all(
      ["b".repeat(300), `${"b".repeat(300)}c`].map((description, i) =>
        api.create("/items", { itemCode: `LONG-${i}`, itemName: "Long", description }),
      ),
    )
    const text = "b".repeat(300)
    expect(await found(`description[gte]=${text}`)).toEqual(["LONG-0", "LONG-1", "日本-7"])
    expect(await found(`description[gt]=${text}`)).toEqual(["日本-7"])
    expect(await found(`description[lte]=${text}`)).toEqual(["LONG-0", "LONG-1"])
    expect(await found(`description[like]=${"b".repeat(199)}`)).toEqual(["LONG-0", "LONG-1"])
    expect(await found(`description[like]=c`)).toEqual([])
    expect(await found(`description=${text}c`)).toEqual(["LONG-1"])
    expect((await codes("itemName=Long&sort=description&order=desc")).toSorted()).toEqual([
      "LONG-0",
      "LONG-1",
    ])
    for (const asked of [`description[gt]=a`, "description[like]=a", "sort=description"])
      expect((await api.get(`/items?${asked}`)).headers.get("deprecation")).toBe("@1794700800")
    for (const asked of ["description=a", "itemName[like]=a", "sort=itemName"])
      expect((await api.get(`/items?${asked}`)).headers.get("deprecation")).toBeNull()
    for (const { id } of made) await api.delete(`/items/${id}`)
  })

  test("a date without a time on a timestamp means the whole day", async () => {
    const { createdAt } = (await api.get("/items?perPage=1")).body.data[0]
    const today = createdAt.slice(0, 10)
    expect(await found(`createdAt[gte]=${today}&createdAt[lte]=${today}`)).toHaveLength(all.length)
    expect(await found(`createdAt=${today}`)).toHaveLength(all.length)
    expect(await found(`createdAt[gt]=${today}`)).toEqual([])
    expect(await found(`createdAt[lt]=${today}`)).toEqual([])
    expect(await found(`createdAt[ne]=${today}`)).toEqual([])
    expect((await found(`createdAt=${createdAt}`)).length).toBeGreaterThan(0)
  })

  test.each([
    ["an unknown field", "colour=red"],
    ["a list field", "images=x"],
    ["a column name", "item_code=x"],
    ["an unknown operator", "category[regex]=x"],
    ["an operator in capitals", "category[GT]=x"],
    ["the operator null on a field that always has a value", "itemCode[null]=true"],
    ["the operator null on a derived field that always has a value", "isLowStock[null]=false"],
    ["the operator null on a list field", "images[null]=true"],
    ["nested brackets", "category[gt][x]=1"],
    ["more than 20 filters", manyFilters(21)],
  ])("%s is 400", async (_, query) => {
    expect(refusalOf(await api.get(`/items?${query}`))).toMatchObject({ status: 400, code: "INVALID_QUERY" })
  })

  test.each([
    ["an empty value", "category=", "category"],
    ["an invalid number", "sellingPrice=1e3", "sellingPrice"],
    ["a hexadecimal number", "sellingPrice=0x10", "sellingPrice"],
    ["an invalid boolean", "isActive=1", "isActive"],
    ["an invalid value of null", "category[null]=1", "category[null]"],
    ["an empty value of null", "category[null]=", "category[null]"],
    ["an invalid choice", "itemType=Widget", "itemType"],
    ["a status that no kind has", "status=shipped", "status"],
    ["a timestamp after the year 9999", "createdAt[lte]=9999-12-31T23:59:59-01:00", "createdAt[lte]"],
    ["a value of a list over 1,000 characters", `itemName[in]=a,${"b".repeat(1_001)}`, "itemName[in]"],
    ["a date that does not exist", "createdAt[gte]=2026-02-30", "createdAt[gte]"],
    ["an empty value in a list", "category[in]=a,,b", "category[in]"],
    ["101 values in a list", `category[in]=${Array(101).fill("a").join(",")}`, "category[in]"],
    ["a pattern over 200 characters", `itemName[like]=${"a".repeat(201)}`, "itemName[like]"],
    ["a value over 1,000 characters", `itemName=${"a".repeat(1_001)}`, "itemName"],
    ["a search over 200 characters", `search=${"a".repeat(201)}`, "search"],
  ])("%s is 422", async (_, query, field) => {
    expect(refusalOf(await api.get(`/items?${query}`))).toMatchObject({ status: 422, fields: [field] })
  })
})

describe("search", () => {
  const cases: [string, string[]][] = [
    ["", all],
    ["   ", all],
    ["cafe", ["AB-100-X"]],
    ["CAFÉ", ["AB-100-X"]],
    ["table café", ["AB-100-X"]],
    ["able", ["AB-100-X"]],
    ["ab-100-x", ["AB-100-X"]],
    ["b-100", ["AB-100-X"]],
    ["100", ["AB-100-X", "ZZ-1"]],
    ["100 cloth", ["ZZ-1"]],
    ["ab", ["AB-100-X", "ab-200"]],
    ["a", ["AB-100-X", "ab-200"]],
    ["le", ["日本-7"].slice(1)],
    ["t", ["AB-100-X"]],
    ["x", ["AB-100-X", "M8"]],
    ["10", ["AB-100-X", "ZZ-1"]],
    ["00", []],
    ["m8", ["M8"]],
    ["eclair", ["S-1"]],
    ["uber", ["日本-7"]],
    ["商品", ["日本-7"]],
    ["日本", ["日本-7"]],
    ["nothing like it", []],
    ["---", []],
    ['"', []],
    ["*", []],
    ["🔩", []],
    ["bolt OR apple", []],
    ['bolt" OR "apple', []],
    ["bolt, m8!", ["M8"]],
    ["NEAR(bolt m8)", []],
    ["words:bolt", []],
    ["مرحبا", []],
  ]
  test.each(cases)("%p", async (typed, expected) => {
    expect(await found(`search=${encode(typed)}`)).toEqual(expected.toSorted())
  })

  test("finds a new, a renamed and a deleted record immediately", async () => {
    const { id } = await api.create("/items", { itemCode: "TMP", itemName: "Quixotic gadget" })
    expect(await codes("search=quixotic")).toEqual(["TMP"])
    await api.put(`/items/${id}`, { itemName: "Plain gadget" })
    expect(await codes("search=quixotic")).toEqual([])
    expect(await codes("search=gadget")).toEqual(["TMP"])
    await api.delete(`/items/${id}`)
    expect(await codes("search=gadget")).toEqual([])
  })

  test("contains nothing of a record whose row another record takes in the same commit", async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await api.create("/items", { itemCode: `GONE-${round}`, itemName: "oldunique" })
      const [, made] = await Promise.all([
        api.delete(`/items/${id}`),
        api.post("/items", { itemCode: `NEXT-${round}`, itemName: "freshthing" }),
      ])
      expect(await codes("search=oldunique")).toEqual([])
      expect(await codes("search=freshthing")).toEqual([`NEXT-${round}`])
      await api.delete(`/items/${made.body.data.id}`)
    }
  })

  test("matches both forms of the Greek small sigma", async () => {
    const { id } = await api.create("/items", { itemCode: "ΟΔΟΣ", itemName: "ΟΔΟΣΤΡΩΜΑ" })
    for (const typed of ["ΟΔΟΣ", "οδος", "οδοσ"])
      expect(await codes(`search=${encode(typed)}`)).toEqual(["ΟΔΟΣ"])
    expect((await api.post("/items", { itemCode: "οδοσ", itemName: "Same" })).status).toBe(422)
    await api.delete(`/items/${id}`)
  })

  test("finds customers by name and number", async () => {
    const { id } = await api.create("/customers", { name: "Søren Kierkegaard" })
    for (const typed of ["soren", "kierke", "CUST-00001", "00001"])
      expect(
        (await api.get(`/customers?search=${typed}`)).body.data.map((each: { id: string }) => each.id),
      ).toEqual([id])
  })
})

describe("sum", () => {
  const make = async () => {
    const customer = await api.create("/customers", { name: "Sum & Co" })
    const item = await api.create("/items", { itemCode: "SUM", itemName: "Sum", sellingPrice: 0.1 })
    const body = { customer: customer.id, items: [{ item: item.id, quantity: 1 }] }
    const operations = Array.from({ length: 300 }, () => ({ op: "create", body }))
    expect(await api.post("/sales-orders/batch", { mode: "each", operations })).toMatchObject({ status: 200 })
    await api.create("/sales-orders", { customer: customer.id, items: [{ item: item.id, quantity: 70 }] })
    return customer.id
  }
  const sumsOf = async (query: string) => (await api.get(`/sales-orders?${query}`)).body.meta.sums

  test("adds up amounts over all records that match, not only over the page", async () => {
    const customer = await make()
    const sums = { total: 37, subtotal: 37 }
    expect(await sumsOf("sum=total,subtotal&perPage=1")).toEqual(sums)
    expect(await sumsOf(`sum=total&customer=${customer}`)).toEqual({ total: 37 })
    expect(await sumsOf("sum=total&search=sum")).toEqual({ total: 37 })
    expect(await sumsOf("sum=total&total[gt]=1&sort=total")).toEqual({ total: 7 })
    expect(await sumsOf("sum=total&status=cancelled")).toEqual({ total: 0 })
    expect(await sumsOf("perPage=1")).toBeUndefined()
  })

  test("is refused for other fields, and for records without amounts", async () => {
    expect(refusalOf(await api.get("/sales-orders?sum=orderNumber"))).toMatchObject({ status: 400 })
    expect(refusalOf(await api.get("/sales-orders?sum="))).toMatchObject({ status: 400 })
    expect(refusalOf(await api.get("/items?sum=sellingPrice"))).toMatchObject({ status: 400 })
  })
})
