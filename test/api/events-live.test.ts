import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { feedOf, openStream, typesOf, type FeedEvent, type Sent } from "../support/events"
import { slowClient } from "../support/exports"
import { importer } from "../support/imports"
import { adminPassword, cleanUp, serve, type Kontor } from "../support/kontor"
import { trade, type Trade } from "../support/trade"
import { heard, until } from "../support/until"

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

let people = 0
/** A user of their own, so that the requests of other tests do not count. */
async function person(role = "viewer") {
  const email = `live-${++people}@example.com`
  const { id } = await api.create("/users", { email, name: role, role, password: adminPassword })
  return { id, api: await signIn(kontor, email) }
}
const open = (as: Api, query = "", headers = {}) => openStream(as, kontor.url, query, headers)
const waiting = (as: Api, after: string, query = "wait=30") => as.get(`/events?after=${after}&${query}`)
const idsOf = (events: FeedEvent[]) => events.map(({ recordId }) => recordId)

describe("a long poll", () => {
  test("responds at once if there are events, and otherwise when the first one comes", async () => {
    const start = await feed.latest()
    const first = await shop.item()
    const ready = await waiting(api, start)
    expect(idsOf(ready.body.data)).toEqual([first.id])
    const later = waiting(api, ready.body.meta.next)
    await Bun.sleep(200)
    const second = await shop.item()
    const { status, body, headers } = await later
    expect([status, idsOf(body.data)]).toEqual([200, [second.id]])
    expect(headers.get("cache-control")).toBe("no-store")
  })

  test("waits on while only other types happen", async () => {
    const poll = waiting(api, await feed.latest(), "wait=30&kinds=customers")
    await Bun.sleep(100)
    await shop.item()
    await Bun.sleep(100)
    const { id } = await shop.customer()
    expect(idsOf((await poll).body.data)).toEqual([id])
  })

  test("without events ends after its time with the position", async () => {
    const start = await feed.latest()
    const { status, body } = await waiting(api, start, "wait=1")
    expect([status, body.data, body.meta]).toEqual([200, [], { next: start, hasMore: false }])
  })

  test("waits for at most 60 seconds", async () => {
    expect((await waiting(api, "latest", "wait=61")).status).toBe(422)
  })
})

describe("a stream", () => {
  test("has the events before it, and those that happen later, each with its position", async () => {
    const start = await feed.latest()
    const first = await shop.item()
    const stream = await open(api, `after=${start}`)
    expect(stream.response.headers.get("content-type")).toStartWith("text/event-stream")
    expect(stream.response.headers.get("cache-control")).toBe("no-store")
    expect(await stream.next()).toEqual({ retry: "2000", id: start })
    const { id, event, data } = (await stream.next()) as Sent
    expect([event, data?.recordId]).toEqual(["items.created", first.id])
    expect(id).toBe(await feed.latest())
    await shop.customer()
    const [live] = await stream.take(1)
    expect(live).toEqual((await feed.readAll(id)).events[0])
    stream.close()
  })

  test("goes on after Last-Event-ID, which wins over `after`", async () => {
    const start = await feed.latest()
    for (let i = 0; i < 3; i++) await shop.item()
    const { events } = await feed.readAll(start)
    const before = await open(api, `after=${start}`)
    await before.next()
    const { id } = (await before.next()) as Sent
    before.close()
    const again = await open(api, `after=${start}`, { "last-event-id": id ?? "" })
    expect(await again.take(2)).toEqual(events.slice(1))
    again.close()
  })

  test("has filters and records as a page has them", async () => {
    const stream = await open(api, "after=latest&types=customers.*&include=record")
    await shop.item()
    const customer = await shop.customer()
    const [event] = await stream.take(1)
    expect(event?.record).toEqual(customer)
    stream.close()
  })

  test("reads a record when the client takes its event, so that large records do not wait in memory", async () => {
    const items = Array.from({ length: 500 }, (_, i) => ({
      description: `${i} `.padEnd(900, "x"),
      quantity: 1,
      rate: 1,
    }))
    const order = await shop.order({ items })
    const after = await feed.latest()
    const updates = 30
    for (let i = 0; i < updates; i++) await api.put(`/sales-orders/${order.id}`, { notes: `early ${i}` })
    const credential = { ...api.credential, accept: "text/event-stream" }
    const query = `after=${after}&kinds=sales-orders&include=record&limit=100`
    const client = await slowClient(kontor, { credential }, `/events?${query}`)
    await client.began
    await api.put(`/sales-orders/${order.id}`, { notes: "late" })
    client.resume()
    const countOf = (text: string) => client.taken().split(text).length - 1
    await until(() => countOf("event: sales-orders.updated") === updates + 1)
    client.disconnect()
    // What was on its way when the client stopped to read shows the record as it was then.
    expect(countOf('"notes":"late"')).toBeGreaterThan(updates / 2)
  })

  test("with an old or a foreign position is refused as a page is", async () => {
    const answer = await open(api, "", { "last-event-id": "0123456789abcdef-1" })
    expect(answer.response.status).toBe(410)
    expect((await answer.response.json()).error.code).toBe("EVENTS_EXPIRED")
  })

  test("misses nothing and repeats nothing when it is opened again and again under load", async () => {
    let position = await feed.latest()
    const start = position
    let isWriting = true
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 60; i++) await shop.item()
      }),
    ).then(() => (isWriting = false))
    const seen: string[] = []
    while (isWriting || position !== (await feed.latest())) {
      const stream = await open(api, "limit=7", { "last-event-id": position })
      for (let left = 15; left > 0; left--) {
        const part = await Promise.race([stream.next(), Bun.sleep(100)])
        if (!part) break
        if (part.data) seen.push(part.data.id)
        position = part.id ?? position
      }
      stream.close()
    }
    await load
    const all = (await feed.readAll(start)).events.map(({ id }) => id)
    expect(all).toHaveLength(240)
    expect(seen).toEqual(all)
  })
})

describe("rights", () => {
  test("that are lost in the middle of a stream end with the next event", async () => {
    const manager = await person("manager")
    const stream = await open(manager.api, "after=latest&types=imports.*,customers.created")
    const load = () => importer(api).run("kind=items&mode=upsert", "itemCode,itemName\nLIVE-1,Live")
    await load()
    await shop.customer()
    expect(typesOf(await stream.take(2))).toEqual(["customers.created", "imports.finished"])
    expect((await api.put(`/users/${manager.id}`, { role: "viewer" })).status).toBe(200)
    await load()
    await shop.customer()
    expect(typesOf(await stream.take(1))).toEqual(["customers.created"])
    stream.close()
  })

  test("a stream and a long poll end when their user is disabled, or their key is deleted or rotated", async () => {
    const gone = await person()
    const { key, id } = await api.create("/api-keys", { name: "Live", scopes: ["read"] })
    const keyed = apiWith(kontor, { "x-api-key": key })
    const leaked = await api.create("/api-keys", { name: "Leaked", scopes: ["read"] })
    const rotated = apiWith(kontor, { "x-api-key": leaked.key })
    const callers = [gone.api, keyed, rotated]
    const streams = await Promise.all(callers.map((as) => open(as, "after=latest")))
    const polls = callers.map((as) => waiting(as, "latest"))
    await Bun.sleep(200)
    for (const stream of streams) expect(await stream.next()).toMatchObject({ retry: "2000" })
    expect((await api.put(`/users/${gone.id}`, { isActive: false })).status).toBe(200)
    expect((await api.delete(`/api-keys/${id}`)).status).toBe(204)
    expect((await api.post(`/api-keys/${leaked.id}/rotate`, {})).status).toBe(200)
    await shop.item()
    for (const stream of streams) expect(await stream.next()).toBeUndefined()
    expect((await Promise.all(polls)).map(({ status }) => status)).toEqual([401, 401, 401])
  })
})

describe("a caller", () => {
  test("can have five streams and long polls, and another one after one of them has ended", async () => {
    const { api: as } = await person()
    const streams = await Promise.all([open(as), open(as), open(as), open(as)])
    const poll = waiting(as, "latest")
    await heard(kontor)
    const refused = await waiting(as, "latest")
    expect(refusalOf(refused)).toMatchObject({ status: 429, code: "RATE_LIMIT_EXCEEDED" })
    expect(refused.headers.get("retry-after")).toBe("5")
    expect((await open(as)).response.status).toBe(429)
    expect((await as.get("/events")).status).toBe(200)
    const { api: other } = await person()
    const others = await open(other)
    expect(others.response.status).toBe(200)
    await shop.item()
    expect((await poll).status).toBe(200)
    streams[0]?.close()
    let again = await open(as)
    while (again.response.status === 429) [, again] = [await Bun.sleep(20), await open(as)]
    for (const stream of [...streams, again, others]) stream.close()
  })
})

test("SIGTERM ends streams and long polls without an error, and the server stops", async () => {
  const server = await serve()
  const as = await signIn(server)
  const stream = await openStream(as, server.url, "after=latest")
  expect(await stream.next()).toMatchObject({ retry: "2000" })
  const poll = as.get("/events?after=latest&wait=60")
  await heard(server)
  const code = server.stop()
  expect(await stream.next()).toBeUndefined()
  expect(await poll).toMatchObject({ status: 200, body: { data: [], meta: { next: expect.any(String) } } })
  expect(await code).toBe(0)
  expect(server.output.stderr).not.toContain('"error"')
})
