import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"
import { kindList } from "../../src/kinds"
import { until } from "../support/until"

let kontor: Kontor
let api: Api
let shop: Trade
let desk: { id: string }
let order: { id: string; orderNumber: string }
let invoice: { id: string; invoiceNumber: string }
type Hit = { id: string; name: string; score: number }

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  desk = await shop.item({ itemCode: "AB-100-X", itemName: "Desk", category: "Furniture" })
  for (const [itemCode, itemName, description] of [
    ["DL-1", "Desk lamp", "With a dimmer"],
    ["ODL-2", "Oak desk large", null],
    ["SD-3", "Standing desk", "Height adjustable"],
    ["CAF-1", "Café table", null],
    ["HMR-9", "Claw hammer", "Steel, for desks and walls"],
    ["SCR-4", "Screwdriver set", null],
    ["DESK", "Writing table", null],
    ["DRK-5", "Oat drink", null],
  ])
    await shop.item({ itemCode, itemName, description })
  const customer = await shop.customer({
    name: "Nordlicht Möbel",
    email: "office@nordlicht.example",
    phone: "+49 40 1234567",
    taxId: "DE811569869",
  })
  await shop.customer({ name: "Øresund Trading" })
  order = await shop.submitted({ customer: customer.id, notes: "Leave at the harbour gate" })
  invoice = (await shop.bill(order.id)).body.data
})
afterAll(cleanUp)

const search = async (q: string, query = "", by = api) => {
  const answer = await by.get(`/search?q=${encodeURIComponent(q)}${query}`)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data as Record<string, Hit[]>
}
const names = async (q: string, kind = "items") => ((await search(q))[kind] ?? []).map(({ name }) => name)

describe("an amount", () => {
  let sold: typeof order
  let billed: typeof invoice
  const numbers = async (q: string, kind: string) =>
    (await names(q, kind)).map((name) => name.split(" · ")[0])
  beforeAll(async () => {
    const item = await shop.item({ itemName: "Conference table", sellingPrice: 4413.97, taxRate: 0 })
    sold = await shop.submitted({ items: [{ item: item.id, quantity: 1 }] })
    billed = (await shop.bill(sold.id)).body.data
    await shop.pay(billed.id, 1000)
  })

  test.each([
    "4413.97",
    "4413,97",
    "4,413.97",
    "4.413,97",
    "4 413,97",
    "$4,413.97",
    "4413.97 USD",
    "€4.413,97",
  ])("finds the order and the invoice with this total: %s", async (q) => {
    expect(await numbers(q, "invoices")).toEqual([billed.invoiceNumber])
    expect(await numbers(q, "sales-orders")).toEqual([sold.orderNumber])
  })

  test("finds the invoice of which this much is unpaid, before anything else", async () => {
    const found = await search("3,413.97")
    expect(found["invoices"]).toMatchObject([{ id: billed.id, score: 0.98 }])
    expect(found["sales-orders"]).toEqual([])
  })

  test("without decimals finds the totals as well as the numbers, and the numbers first", async () => {
    const twenty = await shop.invoice({ items: [{ item: desk.id, quantity: 2 }] })
    expect(await numbers("20", "invoices")).toContain(twenty.invoiceNumber)
    expect((await numbers("1", "invoices"))[0]).toBe(invoice.invoiceNumber)
  })

  test("of 0 finds no paid invoice by its balance", async () => {
    await shop.pay(billed.id, 3413.97)
    expect(await numbers("3413.97", "invoices")).toEqual([])
    const scores = (await search("0.00"))["invoices"]?.map(({ score }) => score) ?? []
    expect(scores.filter((score) => score > 0.9)).toEqual([])
  })
})

describe("the order of hits", () => {
  const cases: [why: string, q: string, kind: string, first: string[]][] = [
    ["an exact code before every name", "desk", "items", ["Writing table", "Desk", "Desk lamp"]],
    ["an exact code, any case", "ab-100-x", "items", ["Desk"]],
    ["an exact name before longer ones", "standing desk", "items", ["Standing desk"]],
    ["the start of a name", "stand", "items", ["Standing desk"]],
    ["words in any order", "large oak", "items", ["Oak desk large"]],
    ["without accents", "cafe", "items", ["Café table"]],
    ["a typing error", "hamer", "items", ["Claw hammer"]],
    ["a typing error in a long word", "screwdrvier", "items", ["Screwdriver set"]],
    ["a word inside a code", "100", "items", ["Desk"]],
    ["a word inside a word", "driver", "items", ["Screwdriver set"]],
    ["a word of the description", "dimmer", "items", ["Desk lamp"]],
    ["the category", "furniture", "items", ["Desk"]],
    ["the category with a typing error", "furnture", "items", ["Desk"]],
    ["three letters with two exchanged", "ota", "items", ["Oat drink"]],
    ["a word of the description with a typing error", "dimmmer", "items", ["Desk lamp"]],
    ["a customer without its umlaut", "mobel", "customers", ["Nordlicht Möbel"]],
    ["a customer by part of an email", "nordlicht.example", "customers", ["Nordlicht Möbel"]],
    ["a customer by part of a phone number", "123456", "customers", ["Nordlicht Möbel"]],
    ["a customer by the end of a phone number", "4567", "customers", ["Nordlicht Möbel"]],
    ["a customer by a phone number without its spaces", "+49401234567", "customers", ["Nordlicht Möbel"]],
    ["a customer by letters inside an email", "dlicht.ex", "customers", ["Nordlicht Möbel"]],
    ["a customer by the digits of a tax ID", "811569869", "customers", ["Nordlicht Möbel"]],
    ["a name with two spaces and a full stop", "standing  desk.", "items", ["Standing desk"]],
    ["a customer by its tax ID", "DE811569869", "customers", ["Nordlicht Möbel"]],
    ["a customer by its number", "CUST-00002", "customers", ["Øresund Trading"]],
    ["a customer by its bare number", "2", "customers", ["Øresund Trading"]],
    ["a letter that is not an accent", "oresund", "customers", ["Øresund Trading"]],
    ["an order by its notes", "harbour gate", "sales-orders", ["SO"]],
    ["an order by its customer", "nordlicht", "sales-orders", ["SO"]],
    ["nothing for punctuation", "***", "items", []],
    ["nothing for an emoji", "🔩", "items", []],
    ["nothing for an unknown word", "xylophone", "items", []],
  ]
  test.each(cases)("%s: %p", async (_, q, kind, first) => {
    const found = await names(q, kind)
    expect(
      found
        .slice(0, first.length)
        .map((name, i) => (first[i] === "SO" && name.startsWith("SO-") ? "SO" : name)),
    ).toEqual(first)
    if (first.length === 0) expect(found).toEqual([])
  })

  test("a document is found by its number, complete or short, with a score of 1", async () => {
    for (const q of [
      order.orderNumber,
      order.orderNumber.toLowerCase(),
      String(Number(order.orderNumber.slice(-5))),
    ])
      expect((await search(q))["sales-orders"]?.[0]).toEqual({
        id: order.id,
        name: `${order.orderNumber} · Nordlicht Möbel`,
        score: 1,
      })
    expect((await search(invoice.invoiceNumber)).invoices?.[0]).toMatchObject({ id: invoice.id, score: 1 })
  })

  test("a credit note is found by the number of its invoice", async () => {
    const other = await shop.invoice({ items: [{ item: desk.id, quantity: 1 }] })
    const note = await api.create(`/invoices/${other.id}/credit-notes`, { reason: "Scratched" })
    const { data } = (await api.get(`/search?q=${other.invoiceNumber}&types=credit-notes`)).body
    expect(data["credit-notes"].map(({ id }: Hit) => id)).toEqual([note.id])
  })

  test("a search for one hit returns the first of the hits of a larger search", async () => {
    for (const q of ["desk", "table", "cafe", "AB-100"])
      expect((await search(q, "&limit=1")).items).toEqual((await search(q)).items?.slice(0, 1))
  })

  test("scores are above 0 and at most 1, best first, and an exact code is 1", async () => {
    const hits = (await search("desk")).items ?? []
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
    for (const { score } of hits) expect(score > 0 && score <= 1).toBeTrue()
    expect((await search("AB-100-X")).items?.[0]).toEqual({ id: desk.id, name: "Desk", score: 1 })
  })

  test("a customer is found by the city and the postcode of the address, everywhere", async () => {
    const address = { street: "Holtenauer Straße 5", zipCode: "24105", city: "Kiel", country: "DE" }
    const { id } = await shop.customer({ name: "Tischlerei Blohm", address })
    const found = async (q: string) => {
      const { body } = await api.get(`/customers?search=${encodeURIComponent(q)}&fields=name`)
      return [body.data.map(({ name }: { name: string }) => name), await names(q, "customers")]
    }
    const both = [["Tischlerei Blohm"], ["Tischlerei Blohm"]]
    for (const q of ["kiel", "24105", "24105 Kiel", "blohm kiel"])
      expect([q, await found(q)]).toEqual([q, both])
    // It is corrected like other words.
    await api.patch(`/customers/${id}`, { address: { ...address, city: "Flensburg" } })
    expect(await found("kiel")).toEqual([[], []])
    expect(await names("flensbrug", "customers")).toEqual(["Tischlerei Blohm"])
  })

  test("a barcode finds its item, as a code does, and no item with a similar one", async () => {
    const scanned = await shop.item({ itemCode: "BAR-1", itemName: "Scanned", barcode: "4006381333931" })
    await shop.item({ itemCode: "BAR-2", itemName: "Not scanned", barcode: "4006381333948" })
    const hit = { id: scanned.id, name: "Scanned", score: 1 }
    expect((await search("4006381333931")).items).toEqual([hit])
    expect((await search("81333931")).items).toMatchObject([{ id: scanned.id }])
    expect((await search("4006381333955")).items).toEqual([])
    const { data } = (await api.get("/items?search=4006381333931")).body
    expect(data).toMatchObject([{ id: scanned.id }])
  })
})

/** The kinds that can be searched, as their models declare. */
const searched = kindList.flatMap(({ name, found }) => (found ? [name] : []))

describe("the parameters", () => {
  test("every kind is a key, even without hits; types selects kinds", async () => {
    expect(searched).toEqual(expect.arrayContaining(["items", "customers", "sales-orders", "invoices"]))
    expect(Object.keys(await search("desk"))).toEqual(searched)
    expect(Object.keys(await search("desk", "&types=customers,items"))).toEqual(["items", "customers"])
    expect((await search("desk", "&limit=2")).items).toHaveLength(2)
    expect((await search("desk", "&limit=5000")).items?.length).toBeGreaterThan(2)
    expect(await search("?!")).toEqual(Object.fromEntries(searched.map((name) => [name, []])))
  })

  test.each([
    ["no q", "/search", 422, "q"],
    ["an empty q", "/search?q=", 422, "q"],
    ["a q of spaces", "/search?q=%20", 422, "q"],
    ["a q over 200 characters", `/search?q=${"a".repeat(201)}`, 422, "q"],
    ["an unknown kind", "/search?q=a&types=items,users", 422, "types"],
    ["a limit of 0", "/search?q=a&limit=0", 422, "limit"],
    ["a limit of 1,001 digits", `/search?q=a&limit=${"9".repeat(1_001)}`, 422, "limit"],
    ["an invalid limit", "/search?q=a&limit=ten", 422, "limit"],
    ["an unknown parameter", "/search?q=a&page=2", 400, "page"],
  ])("%s is refused", async (_, path, status, field) => {
    expect(refusalOf(await api.get(path))).toMatchObject({ status, fields: [field] })
  })

  test.each([
    '"',
    "'",
    "a OR b",
    "NEAR(a b)",
    "words:desk",
    "a*",
    "(",
    "-",
    "\\",
    "%",
    "مرحبا",
    "日本",
    "a".repeat(200),
  ])("%p is safe to type", async (q) => {
    await search(q)
  })
})

describe("limits do not hide the best hits", () => {
  test("an exact name comes before many codes that begin with it, for any limit", async () => {
    await Promise.all(
      Array.from({ length: 14 }, (_, i) =>
        shop.item({ itemCode: `STOOL-${i}`, itemName: `Thing number ${i} for offices` }),
      ),
    )
    await shop.item({ itemName: "Stool" })
    for (const limit of [1, 10, 100])
      expect((await search("stool", `&limit=${limit}`)).items?.[0]?.name).toBe("Stool")
  })

  test("the letters of a series do not match all of its numbers", async () => {
    await shop.customer({ name: "Custodis" })
    expect((await names("cust", "customers"))[0]).toBe("Custodis")
  })

  test("a whole word comes before newer words that only begin with it", async () => {
    await shop.item({ itemName: "Red lamp" })
    await Promise.all(Array.from({ length: 170 }, (_, i) => shop.item({ itemName: `Old lampshade ${i}` })))
    expect((await names("lamp")).slice(0, 2)).toContain("Red lamp")
  })

  test("words that begin with the query are found after the word itself, and then letters inside words", async () => {
    await shop.item({ itemName: "Standing table" })
    await shop.item({ itemName: "Stand" })
    expect(await names("stand table")).toContain("Standing table")
    await shop.item({ itemName: "Phone case" })
    await shop.item({ itemName: "Headphone rack" })
    expect(await names("phone")).toEqual(["Phone case", "Headphone rack"])
    expect(await names("phone rack")).toEqual(["Headphone rack"])
  })

  test("words that no record uses any longer have no effect", async () => {
    const { id } = await shop.item({ itemName: "Kable drum" })
    await api.put(`/items/${id}`, { itemName: "Cable drum" })
    expect((await names("kable"))[0]).toBe("Cable drum")
  })

  test("letters next to digits in a word are found", async () => {
    await shop.item({ itemCode: "XYZWIDGET9", itemName: "Something" })
    expect(await names("widget")).toEqual(["Something"])
  })

  test("a query of a thousand words is treated like one of twelve", async () => {
    await search("a b ".repeat(50))
    await search("\uFDFA".repeat(200))
  })
})

describe("consistency", () => {
  test("a new, a renamed and a deleted record are found correctly immediately", async () => {
    const { id } = await shop.item({ itemName: "Quixotic gadget" })
    expect(await names("quixotic")).toEqual(["Quixotic gadget"])
    expect(await names("quixotik")).toEqual(["Quixotic gadget"])
    await api.put(`/items/${id}`, { itemName: "Plain gadget", description: "formerly peculiar" })
    expect(await names("quixotic")).toEqual([])
    expect(await names("peculiar")).toEqual(["Plain gadget"])
    await api.delete(`/items/${id}`)
    expect(await names("gadget")).toEqual([])
  })

  test("after a kill, search matches the database, including typing errors", async () => {
    await kontor.stop("SIGKILL")
    kontor = await serve({ cwd: kontor.cwd, env: {} })
    api = await signIn(kontor)
    expect(await names("standing desk")).toContain("Standing desk")
    await until(async () => (await names("hamer"))[0] === "Claw hammer")
  })
})

test("a key without read gets nothing, and every role that may read gets all four kinds", async () => {
  const { key } = await api.create("/api-keys", { name: "W", scopes: ["write"] })
  expect((await apiWith(kontor, { "x-api-key": key }).get("/search?q=desk")).status).toBe(403)
})
