// A large response is in memory until its client has received it. Clients that do not read must not fill the memory.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { slowClient } from "../support/exports"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { trade } from "../support/trade"
import { heard } from "../support/until"

/** How many a user can have. */
const most = 4
const password = "another long password"
const list = "/sales-orders?perPage=100"

let kontor: Kontor
let api: Api
let other: Api

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  const email = "other@example.com"
  await api.create("/users", { name: "Other", email, password, role: "viewer" })
  other = await signIn(kontor, email, password)
  const shop = trade(api)
  const customer = (await shop.customer()).id
  // Together they are more than the buffers between the server and a client have room for.
  const line = { description: "x".repeat(1_000), quantity: 1, rate: 1 }
  const items = Array.from({ length: 500 }, () => line)
  for (let i = 0; i < 20; i++) await api.create("/sales-orders", { customer, items })
})
afterAll(cleanUp)

test.each([
  ["A large list", list],
  ["A request that waits for events with records", "/events?include=record&wait=5&types=sales-orders.*"],
])("%s waits while its user has four that are not received, and others do not wait", async (_, path) => {
  const unread = await Promise.all(Array.from({ length: most }, () => slowClient(kontor, api, path)))
  await Promise.all(unread.map(({ began }) => began))
  let isAnswered = false
  const next = api.get(path).finally(() => (isAnswered = true))
  for (let i = 0; i < 2; i++) expect((await other.get(path)).status).toBe(200)
  expect(isAnswered).toBe(false)
  unread[0]?.disconnect()
  expect((await next).status).toBe(200)
  const { isComplete } = (await unread[1]?.takeRest()) ?? {}
  expect(isComplete).toBe(true)
  for (const { disconnect } of unread) disconnect()
})

test("A batch whose client gives up while it waits for a place writes nothing", async () => {
  const unread = await Promise.all(Array.from({ length: most }, () => slowClient(kontor, api, list)))
  await Promise.all(unread.map(({ began }) => began))
  const operations = [{ op: "create", body: { itemCode: "GIVEN-UP", itemName: "Given up" } }]
  const sent = JSON.stringify({ mode: "each", operations })
  const waiting = await slowClient(kontor, api, "/items/batch", { method: "POST", sent })
  await heard(kontor)
  waiting.disconnect()
  await heard(kontor)
  // It waits behind the batch.
  const next = api.get(list)
  await heard(kontor)
  for (const { disconnect } of unread) disconnect()
  expect((await next).status).toBe(200)
  expect((await api.get("/items?itemCode=GIVEN-UP")).body.data).toEqual([])
})

test("A repeated batch ends when its user is disabled while it is received", async () => {
  const email = "batches@example.com"
  const { id: user } = await api.create("/users", { name: "Batches", email, password, role: "manager" })
  const by = await signIn(kontor, email, password)
  const { id } = (await by.get("/sales-orders?perPage=1&fields=id")).body.data[0]
  // Their results are too large to be stored, so a repeated request reads the records again.
  const operations = Array.from({ length: 30 }, () => ({ op: "update", id, body: {} }))
  const body = { mode: "each", operations }
  const key = { "Idempotency-Key": "repeated" }
  expect((await by.post("/sales-orders/batch", body, key)).status).toBe(200)
  const sent = JSON.stringify(body)
  const slow = await slowClient(kontor, by, "/sales-orders/batch", { method: "POST", sent, ...key })
  await slow.began
  expect((await api.patch(`/users/${user}`, { isActive: false })).status).toBe(200)
  expect((await slow.takeRest()).isComplete).toBe(false)
  expect(slow.taken()).toStartWith("HTTP/1.1 200")
})

test("A HEAD request for a large list takes no place", async () => {
  for (let i = 0; i <= most; i++) {
    const answer = await fetch(`${kontor.url}/api/v1${list}`, { method: "HEAD", headers: api.credential })
    expect(answer.status).toBe(200)
  }
  expect((await api.get(list)).status).toBe(200)
})
