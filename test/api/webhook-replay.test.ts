import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { apiWith, refusalOf, signIn, type Api } from "../support/api"
import { inFile, shiftTimes } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { allowLoopback, isSigned, itemOf, receiver, stopReceivers, webhookOf } from "../support/receiver"
import { until } from "../support/until"

let kontor: Kontor
let admin: Api
let made = 0

beforeAll(async () => {
  kontor = await serve({ args: allowLoopback })
  admin = await signIn(kontor)
})
afterAll(async () => {
  stopReceivers()
  await cleanUp()
})

const newItems = async (count: number): Promise<string[]> => {
  const ids = []
  for (let i = 0; i < count; i++) ids.push((await itemOf(admin, `Y-${++made}`)).id)
  return ids
}

/** The time after everything that has happened so far. */
async function now(): Promise<string> {
  await Bun.sleep(2)
  return new Date().toISOString()
}

const replay = (webhook: { id: string }, since: string, api = admin) =>
  api.post(`/webhooks/${webhook.id}/replay`, { since })

async function ended(id: string, api = admin) {
  await until(async () => (await api.get(`/jobs/${id}`)).body.data.finishedAt !== null)
  return (await api.get(`/jobs/${id}`)).body.data
}

test("the events since a time are sent again in their order, with the same ids", async () => {
  await newItems(1)
  const since = await now()
  const ids = await newItems(3)
  const shop = receiver()
  // It has got none of them: it is new.
  const webhook = await webhookOf(admin, shop.url, { types: ["items.created"] })
  const answer = await replay(webhook, since)
  expect(answer).toMatchObject({ status: 202, body: { data: { kind: "webhook-replays", error: null } } })
  const { id } = answer.body.data
  expect(answer.headers.get("location")).toBe(`/api/v1/jobs/${id}`)
  expect(await ended(id)).toMatchObject({ status: "finished", progress: 100, counts: { sent: 3, failed: 0 } })
  expect(shop.hits.map(({ event }) => event.recordId)).toEqual(ids)
  await ended((await replay(webhook, since)).body.data.id)
  const of = (from: number, to: number) =>
    shop.hits.slice(from, to).map(({ headers }) => headers.get("webhook-id"))
  expect(of(3, 6)).toEqual(of(0, 3))
  for (const hit of shop.hits) expect(isSigned(hit, webhook.secret)).toBeTrue()
  const { body } = await admin.get(`/audit-logs?recordId=${webhook.id}&action=webhooks.replay`)
  expect(body.data).toHaveLength(2)
  await admin.delete(`/webhooks/${webhook.id}`)
})

describe("While events are sent again,", () => {
  /** A replay whose requests wait from the second one on, while other events are answered at once. */
  async function waiting() {
    const since = await now()
    const ids = await newItems(5)
    const opened = Promise.withResolvers<void>()
    const shop = receiver(async ({ event }, number) => {
      if (number > 1 && ids.includes(event.recordId)) await opened.promise
      return new Response("ok")
    })
    const webhook = await webhookOf(admin, shop.url, { types: ["items.created"] })
    const { id } = (await replay(webhook, since)).body.data
    await until(() => shop.hits.length === 2)
    return { since, ids, shop, webhook, id, open: opened.resolve }
  }

  test("new events are sent as usual, and a second replay is refused", async () => {
    const { since, shop, webhook, id, open } = await waiting()
    const [added] = await newItems(1)
    await until(() => shop.hits.some(({ event }) => event.recordId === added))
    expect(shop.hits).toHaveLength(3)
    expect(refusalOf(await replay(webhook, since))).toEqual({
      status: 422,
      code: "VALIDATION_ERROR",
      fields: ["webhook"],
    })
    open()
    expect(await ended(id)).toMatchObject({ counts: { sent: 5, failed: 0 } })
    // The new event came after the request, so it was sent once.
    expect(shop.hits).toHaveLength(6)
    await admin.delete(`/webhooks/${webhook.id}`)
  })

  test("a replay of another webhook does not wait for it", async () => {
    const { since, webhook, id, open } = await waiting()
    const shop = receiver()
    const other = await webhookOf(admin, shop.url, { types: ["items.created"] })
    expect(await ended((await replay(other, since)).body.data.id)).toMatchObject({ counts: { sent: 5 } })
    open()
    await ended(id)
    for (const each of [webhook, other]) await admin.delete(`/webhooks/${each.id}`)
  })

  test("a cancel ends it", async () => {
    const { shop, id, webhook, open } = await waiting()
    expect((await admin.post(`/jobs/${id}/cancel`)).body.data.error).toMatchObject({ code: "CANCELLED" })
    open()
    const [added] = await newItems(1)
    await until(() => shop.hits.some(({ event }) => event.recordId === added))
    expect(shop.hits.length).toBeLessThanOrEqual(3)
    await admin.delete(`/webhooks/${webhook.id}`)
  })

  test("it ends when the webhook is deactivated", async () => {
    const { id, webhook, open } = await waiting()
    await admin.patch(`/webhooks/${webhook.id}`, { isActive: false })
    open()
    expect(await ended(id)).toMatchObject({ status: "failed", error: { code: "WEBHOOK_NOT_SENDING" } })
    await admin.delete(`/webhooks/${webhook.id}`)
  })
})

test("a replay ends when the receiver fails ten times in a row", async () => {
  const since = await now()
  await newItems(12)
  const shop = receiver(() => new Response("", { status: 500 }))
  const webhook = await webhookOf(admin, shop.url, { types: ["items.created"] })
  const { id } = (await replay(webhook, since)).body.data
  expect(await ended(id)).toMatchObject({
    status: "failed",
    error: { code: "RECEIVER_FAILS" },
    counts: { sent: 10, failed: 10 },
  })
  await admin.delete(`/webhooks/${webhook.id}`)
})

test("a key with the scope alone begins a replay, sees its job and cancels it", async () => {
  const { key } = await admin.create("/api-keys", { name: "K", scopes: ["webhooks"] })
  const { key: otherKey } = await admin.create("/api-keys", { name: "K", scopes: ["webhooks"] })
  const [api, other] = [key, otherKey].map((each) => apiWith(kontor, { "x-api-key": each })) as [Api, Api]
  const since = await now()
  await newItems(2)
  const shop = receiver()
  const webhook = await webhookOf(api, shop.url, { types: ["items.created"] })
  const { id } = (await replay(webhook, since, api)).body.data
  expect(await ended(id, api)).toMatchObject({ status: "finished", counts: { sent: 2, failed: 0 } })
  expect((await api.post(`/jobs/${id}/cancel`)).status).toBe(422)
  expect((await other.get(`/jobs/${id}`)).status).toBe(403)
  await admin.delete(`/webhooks/${webhook.id}`)
})

test("who may only manage webhooks sees no jobs of other kinds, not even the own ones", async () => {
  const password = "a fine password"
  const user = await admin.create("/users", { email: "m@example.com", name: "M", role: "manager", password })
  const manager = await signIn(kontor, user.email, password)
  const price = { filter: { itemCode: "none" }, change: { percent: 1 } }
  const job = (await manager.post("/items/reprice", price)).body.data
  expect((await manager.get(`/jobs/${job.id}`)).status).toBe(200)
  await admin.patch(`/users/${user.id}`, { role: "viewer" })
  expect((await manager.get(`/jobs/${job.id}`)).status).toBe(403)
  expect((await manager.get("/jobs/job_1")).status).toBe(403)
})

test("after a kill, a replay goes on where it was", async () => {
  const own = await serve({ args: allowLoopback })
  const api = await signIn(own)
  const since = await now()
  const items = []
  for (let i = 0; i < 60; i++) items.push((await itemOf(api, `K-${i}`)).id)
  let isStuck = true
  const shop = receiver(async (_, number) => {
    if (number > 45 && isStuck) await new Promise(() => {})
    return new Response("ok")
  })
  const webhook = await webhookOf(api, shop.url, { types: ["items.created"] })
  const { id } = (await replay(webhook, since, api)).body.data
  await until(() => shop.hits.length === 46)
  await own.stop("SIGKILL")
  isStuck = false
  const again = await signIn(await serve({ args: allowLoopback, cwd: own.cwd }))
  expect(await ended(id, again)).toMatchObject({ status: "finished" })
  const got = shop.hits.map(({ event }) => event.recordId)
  expect([...new Set(got)]).toEqual(items)
  expect(got.length).toBeLessThanOrEqual(60 + 1 + 20)
})

describe("A replay is refused", () => {
  test("since a time after which events were deleted, as the feed refuses such a position", async () => {
    const own = await serve({ args: allowLoopback })
    const api = await signIn(own)
    const webhook = await webhookOf(api, "https://8.8.8.8/")
    const since = await now()
    for (let i = 0; i < 3; i++) await itemOf(api, `D-${i}`)
    // Nothing was deleted yet, so it does not matter that the shop is younger.
    expect((await replay(webhook, "2020-01-01", api)).status).toBe(202)
    inFile(own, (db) => {
      db.run("DELETE FROM events WHERE seq <= 2")
      shiftTimes(db, "events", "created_at", "2 hours")
    })
    const other = await webhookOf(api, "https://8.8.8.8/")
    const answer = await replay(other, since, api)
    expect([answer.status, answer.body.error.code]).toEqual([410, "EVENTS_EXPIRED"])
  })

  test("without a time, and of a webhook that is not active", async () => {
    const webhook = await webhookOf(admin, "https://8.8.8.8/")
    const fieldsOf = async (body: object) =>
      refusalOf(await admin.post(`/webhooks/${webhook.id}/replay`, body)).fields
    expect(await fieldsOf({})).toEqual(["since"])
    expect(await fieldsOf({ since: "yesterday" })).toEqual(["since"])
    await admin.patch(`/webhooks/${webhook.id}`, { isActive: false })
    expect(await fieldsOf({ since: "2026-01-01" })).toEqual(["webhook"])
    await admin.delete(`/webhooks/${webhook.id}`)
  })
})
