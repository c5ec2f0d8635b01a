import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Database } from "bun:sqlite"
import { signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { allowLoopback, deliveriesOf, itemOf, receiver, stopReceivers, webhookOf } from "../support/receiver"
import { until } from "../support/until"

let kontor: Kontor
let admin: Api
let adminId: string
let made = 0

beforeAll(async () => {
  kontor = await serve({ args: allowLoopback })
  admin = await signIn(kontor)
  adminId = (await admin.get("/auth/me")).body.data.id
})
afterAll(async () => {
  stopReceivers()
  await cleanUp()
})

const newItem = () => itemOf(admin, `O-${++made}`)
const webhookNow = async (id: string) => (await admin.get(`/webhooks/${id}`)).body.data
const change = (user: { id: string }, body: object) => admin.patch(`/users/${user.id}`, body)

/** Another admin, who is signed in. */
async function secondAdmin() {
  const password = "second horse 123"
  const user = await admin.create("/users", {
    email: `second-${++made}@example.com`,
    name: "Second",
    role: "admin",
    password,
  })
  return { user, api: await signIn(kontor, user.email, password) }
}

/**
 * A webhook of another admin, and one of the first admin that was created after it. What the second one has got, the first
 * one would have got too.
 */
async function ownedShop(answer?: Parameters<typeof receiver>[0], more: object = {}) {
  const { user, api } = await secondAdmin()
  const [shop, control] = [receiver(answer), receiver()]
  const webhook = await webhookOf(api, shop.url, more)
  const other = await webhookOf(admin, control.url)
  let sent = 0
  const ids = () => shop.hits.map(({ event }) => event.recordId)
  return {
    user,
    api,
    shop,
    webhook,
    ids,
    /** Creates an item, waits until its event was sent to the other webhook, and returns its id. */
    async emit(): Promise<string> {
      const { id } = await newItem()
      sent++
      await until(() => control.hits.length === sent)
      await until(async () => (await deliveriesOf(admin, other)).length === sent)
      return id
    },
    async end(): Promise<void> {
      for (const { id } of [webhook, other]) await admin.delete(`/webhooks/${id}`)
    },
  }
}

describe("A webhook has an owner", () => {
  test("who is the admin that created it, and then the one that has changed it last", async () => {
    const { user, api, webhook, end } = await ownedShop()
    expect(webhook).toMatchObject({ createdBy: user.id, owner: user.id, pausedReason: null })
    const same = await api.patch(`/webhooks/${webhook.id}`, { isActive: true })
    expect(same.body.data).toMatchObject({ owner: user.id, version: 1 })
    const changed = await admin.patch(`/webhooks/${webhook.id}`, { description: "Till" })
    expect(changed.body.data).toMatchObject({ createdBy: user.id, owner: adminId, version: 2 })
    const rotated = await api.post(`/webhooks/${webhook.id}/rotate`)
    expect(rotated.body.data).toMatchObject({ owner: user.id, version: 3 })
    const entries = (await admin.get(`/audit-logs?recordId=${webhook.id}&action=webhooks.take-over`)).body
      .data
    expect(entries.map(({ changes }: any) => changes)).toEqual(
      expect.arrayContaining([
        { owner: { from: user.id, to: adminId } },
        { owner: { from: adminId, to: user.id } },
      ]),
    )
    await end()
  })

  test("who cannot be set by a request", async () => {
    const answer = await admin.post("/webhooks", { url: "https://8.8.8.8/", types: ["*"], owner: adminId })
    expect(answer.status).toBe(422)
    expect(answer.body.error.details[0]).toMatchObject({ field: "owner", code: "READ_ONLY" })
  })
})

type Way = [string, (user: { id: string }) => unknown]
const ways: Way[] = [
  ["is disabled", (user) => change(user, { isActive: false })],
  [
    "does not exist",
    ({ id }) =>
      inFile(kontor, (db: Database) => {
        for (const table of ["passwords", "sessions"]) db.run(`DELETE FROM ${table} WHERE "user" = ?`, [id])
        db.run("DELETE FROM users WHERE id = ?", [id])
      }),
  ],
]

describe.each(ways)("When the owner of a webhook %s,", (_, end) => {
  test("its events wait until another admin takes it over, and none is lost", async () => {
    const given = await ownedShop(undefined, { payload: "full" })
    const { webhook, user } = given
    const sent = [await given.emit()]
    await until(() => given.ids().length === 1)
    await end(user)
    sent.push(await given.emit(), await given.emit())
    expect(given.ids()).toEqual(sent.slice(0, 1))
    expect(await webhookNow(webhook.id)).toMatchObject({
      isActive: true,
      pausedReason: "owner",
      owner: user.id,
      version: 1,
    })
    const listed = (await admin.get("/webhooks?pausedReason=owner")).body
    expect([listed.meta.total, listed.data.map(({ id }: any) => id)]).toEqual([1, [webhook.id]])
    expect(kontor.output.stderr).toContain(
      "A webhook is paused: its owner is disabled, or the key or app that has set it up is gone.",
    )
    expect(kontor.output.stderr).toContain(webhook.id)

    const taken = await admin.patch(`/webhooks/${webhook.id}`, { isActive: true })
    expect(taken.body.data).toMatchObject({ owner: adminId, pausedReason: null, version: 2 })
    await until(() => given.ids().length === 3)
    expect(given.ids()).toEqual(sent)
    await given.end()
  })
})

describe("While a webhook is paused,", () => {
  test("nothing more of a series is sent, also if it has begun", async () => {
    const opened = Promise.withResolvers<void>()
    const given = await ownedShop(async () => (await opened.promise, new Response("ok")))
    const sent = [await given.emit(), await given.emit(), await given.emit()]
    await until(() => given.ids().length === 1)
    await change(given.user, { isActive: false })
    opened.resolve()
    // The result of the one that was under way is stored.
    await until(async () => (await deliveriesOf(admin, given.webhook)).length === 1)
    sent.push(await given.emit())
    expect(given.ids()).toEqual(sent.slice(0, 1))
    await admin.post(`/webhooks/${given.webhook.id}/rotate`)
    await until(() => given.ids().length === 4)
    expect(given.ids()).toEqual(sent)
    await given.end()
  })

  test("what has failed is not sent again until it is taken over", async () => {
    // The first request fails after the owner was disabled, so that it cannot have been sent again before.
    const answered = Promise.withResolvers<void>()
    const given = await ownedShop(async (_, number) => {
      if (number > 1) return new Response("ok")
      await answered.promise
      return new Response("", { status: 500 })
    })
    const failed = await given.emit()
    await until(() => given.ids().length === 1)
    await change(given.user, { isActive: false })
    answered.resolve()
    await until(async () => (await deliveriesOf(admin, given.webhook, "&status=pending")).length === 1)
    inFile(kontor, (db) =>
      db.run(
        "UPDATE webhook_deliveries SET next_attempt_at = '2020-01-01T00:00:00.000Z' WHERE status = 'pending'",
      ),
    )
    const waiting = await given.emit()
    expect(given.ids()).toEqual([failed])
    expect(await deliveriesOf(admin, given.webhook)).toMatchObject([{ status: "pending", attempts: 1 }])
    await admin.patch(`/webhooks/${given.webhook.id}`, { description: "Mine" })
    await until(() => given.ids().length === 3)
    expect(given.ids().toSorted()).toEqual([failed, failed, waiting].toSorted())
    expect((await webhookNow(given.webhook.id)).failingSince).toBeNull()
    await given.end()
  })

  test("an admin can test it, which does not take it over", async () => {
    const given = await ownedShop()
    await change(given.user, { isActive: false })
    const answer = await admin.post(`/webhooks/${given.webhook.id}/test`)
    expect(answer.body.data).toMatchObject({ status: "succeeded", type: "webhooks.test" })
    expect(await webhookNow(given.webhook.id)).toMatchObject({ pausedReason: "owner", owner: given.user.id })
    await given.end()
  })

  test("it goes on if its owner is active again", async () => {
    const given = await ownedShop()
    await change(given.user, { isActive: false })
    const sent = [await given.emit()]
    expect(given.ids()).toEqual([])
    await change(given.user, { isActive: true })
    expect(await webhookNow(given.webhook.id)).toMatchObject({ pausedReason: null, owner: given.user.id })
    sent.push(await given.emit())
    await until(() => given.ids().length === 2)
    expect(given.ids()).toEqual(sent)
    await given.end()
  })
})
