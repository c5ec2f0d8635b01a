import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { roles } from "../../src/shared/rights"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { feedOf, typesOf, type FeedEvent } from "../support/events"
import { importer } from "../support/imports"
import { adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"

let kontor: Kontor
let api: Api
let shop: Trade
let feed: ReturnType<typeof feedOf>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  feed = feedOf(api)
})
afterAll(cleanUp)

const read = (query: string, as = api) => as.get(`/events?${query}`)
const idsOf = (events: FeedEvent[]) => events.map(({ recordId }) => recordId)

describe("the position", () => {
  test("comes with every page, also with the last one and with an empty one, and goes on exactly there", async () => {
    const start = await feed.latest()
    const made = []
    for (let i = 0; i < 5; i++) made.push((await shop.item()).id)
    const pages = []
    let after = start
    for (let i = 0; i < 4; i++) {
      const { data, meta } = (await read(`after=${after}&limit=2`)).body
      pages.push([idsOf(data).length, meta.hasMore])
      if (i < 3) expect(idsOf(data)).toEqual(made.slice(i * 2, i * 2 + 2))
      after = meta.next
    }
    expect(pages).toEqual([
      [2, true],
      [2, true],
      [1, false],
      [0, false],
    ])
    const { id } = await shop.item()
    expect(idsOf((await read(`after=${after}`)).body.data)).toEqual([id])
    expect((await feed.readAll(start)).events.map(({ recordId }) => recordId)).toEqual([...made, id])
  })

  test("latest is the end, and without a position the feed begins with the oldest event", async () => {
    await shop.item()
    const { body } = await read("after=latest")
    expect(body).toEqual({ success: true, data: [], meta: { next: expect.any(String), hasMore: false } })
    const all = (await feed.readAll()).events
    expect((await read("limit=1")).body.data).toEqual(all.slice(0, 1))
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => a - b))
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })

  test("moves past events that the filters leave out", async () => {
    const start = await feed.latest()
    await shop.item()
    const { data, meta } = (await read(`after=${start}&kinds=customers`)).body
    expect([data, meta.next]).toEqual([[], await feed.latest()])
  })

  test.each(["0", "x", "latest ", "0123456789abcdef-", "0123456789abcdef-1x", `${"0".repeat(400)}-1`])(
    "%p is not a position",
    async (after) => {
      const answer = await read(`after=${encodeURIComponent(after)}`)
      expect(refusalOf(answer)).toMatchObject({ status: 422, code: "VALIDATION_ERROR", fields: ["after"] })
    },
  )

  test("of another feed, and one after the end, are refused with 410", async () => {
    const end = await feed.latest()
    const [own = "", seq] = end.split("-")
    for (const after of [`0123456789abcdef-${seq}`, `${own}-${Number(seq) + 1}`]) {
      const answer = await read(`after=${after}`)
      expect(refusalOf(answer)).toMatchObject({ status: 410, code: "EVENTS_EXPIRED" })
      // Otherwise what happens while the records are read again would be missed.
      expect(answer.body.error.message).toContain("Get the position of latest, then read the records again")
    }
  })
})

describe("the filters", () => {
  test("types and kinds choose events, alone and together", async () => {
    const start = await feed.latest()
    const invoice = await shop.invoice()
    await shop.pay(invoice.id, invoice.total)
    const types = async (query: string) => typesOf((await feed.readAll(start, query)).events)
    const all = await types("")
    const expected = (is: (type: string) => boolean) => all.filter(is)
    expect(await types("types=*")).toEqual(all)
    expect(await types("types=invoices.*,payments.created")).toEqual(
      expected((type) => type.startsWith("invoices.") || type === "payments.created"),
    )
    expect(await types("types=invoices.paid")).toEqual(["invoices.paid"])
    expect(await types("kinds=customers,items")).toEqual(
      expected((type) => /^(customers|items)\./.test(type)),
    )
    expect(await types("kinds=invoices&types=*")).toEqual(expected((type) => type.startsWith("invoices.")))
    expect(await types("kinds=items&types=invoices.*")).toEqual([])
  })

  test.each([
    ["types=invoices.sold", "types"],
    ["types=", "types"],
    ["types=invoices.*,", "types"],
    ["types=users.created", "types"],
    ["types=stock-movements.updated", "types"],
    ["kinds=users", "kinds"],
    ["kinds=webhooks", "kinds"],
    ["limit=0", "limit"],
    ["limit=x", "limit"],
    ["wait=-1", "wait"],
    ["include=customer", "include"],
  ])("%s is refused", async (query, field) => {
    expect(refusalOf(await read(query))).toMatchObject({ status: 422, fields: [field] })
  })

  test("an unknown parameter is refused", async () => {
    expect((await read("type=invoices.*")).status).toBe(400)
  })

  test("a page has 100 events without a limit, and at most 1,000", async () => {
    const operations = Array.from({ length: 1_000 }, (_, i) => {
      const itemCode = `MANY-${i}`
      return { op: "create", body: { itemCode, itemName: itemCode } }
    })
    const start = await feed.latest()
    await api.post("/items/batch", { mode: "each", operations })
    await shop.item()
    const sizes = await Promise.all(
      ["", "&limit=1000", "&limit=9999", "&limit=9999&include=record"].map(
        async (query) => (await read(`after=${start}${query}`)).body.data.length,
      ),
    )
    expect(sizes).toEqual([100, 1_000, 1_000, 100])
  })
})

describe("include=record", () => {
  test("adds each record as it is now, as GET shows it, and null for one that is gone", async () => {
    const start = await feed.latest()
    const invoice = await shop.invoice()
    const gone = await shop.item()
    await api.delete(`/items/${gone.id}`)
    await shop.pay(invoice.id, 1)
    await importer(api).run("kind=items", "itemCode,itemName\nREC-1,Recorded")
    const { events } = await feed.readAll(start, "include=record")
    for (const { kind, recordId, record } of events) {
      const { status, body } = await api.get(`/${kind}/${recordId}`)
      if (kind === "imports") expect(record).toMatchObject({ id: recordId, status: "finished" })
      else expect(record).toEqual(status === 404 ? null : body.data)
    }
    expect(new Set(events.map(({ kind }) => kind)).size).toBe(7)
    expect(events.filter(({ record }) => record === null)).toHaveLength(2)
  })
})

describe("rights", () => {
  const user = async (role: string) => {
    const email = `${role}-feed@example.com`
    const { id } = await api.create("/users", { email, name: role, role, password: adminPassword })
    return { id, api: await signIn(kontor, email) }
  }
  const keyed = async (scopes: string[], by = api) => {
    const { key } = await by.create("/api-keys", { name: scopes.join(), scopes })
    return apiWith(kontor, { "x-api-key": key })
  }
  const kindsFor = async (as: Api, after: string) =>
    [...new Set((await feedOf(as).readAll(after)).events.map(({ kind }) => kind))].toSorted()
  const everything = async () => {
    const invoice = await shop.invoice()
    await shop.pay(invoice.id, 1)
    await api.create(`/invoices/${invoice.id}/credit-notes`, { reason: "Broken" })
    await api.create("/tax-codes", { code: `F${Date.now()}`, name: "Feed", category: "S", rate: 3 })
    await importer(api).run("kind=items&mode=upsert", "itemCode,itemName\nRIGHT-1,Right")
  }
  const all = [
    "credit-notes",
    "customers",
    "invoices",
    "items",
    "payments",
    "sales-orders",
    "stock-movements",
  ]
  const business = [...all, "tax-codes"]

  test.each(roles.filter((role) => role !== "admin"))(
    "a %s gets the events of what it may read",
    async (role) => {
      const { api: as } = await user(role)
      const start = await feed.latest()
      await everything()
      const expected = role === "manager" ? [...business, "imports"].toSorted() : business
      expect(await kindsFor(as, start)).toEqual(expected)
    },
  )

  test("an API key has the rights of its scopes", async () => {
    const start = await feed.latest()
    await everything()
    expect(await kindsFor(await keyed(["read"]), start)).toEqual(business)
    expect(await kindsFor(await keyed(["read", "write"]), start)).toEqual([...business, "imports"].toSorted())
    expect((await read("", await keyed(["write"]))).status).toBe(403)
  })

  test("a type that the caller may not read is no error, and has no events", async () => {
    const start = await feed.latest()
    await everything()
    const { status, body } = await read(`after=${start}&types=imports.*`, await keyed(["read"]))
    expect([status, body.data]).toEqual([200, []])
    expect(body.meta.next).toBe(await feed.latest())
  })

  test("without a credential nothing is read", async () => {
    expect((await read("", apiWith(kontor, {}))).status).toBe(401)
  })
})
