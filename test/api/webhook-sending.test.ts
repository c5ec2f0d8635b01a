import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import {
  allowLoopback,
  deliveriesOf,
  isSigned,
  itemOf,
  rawReceiver,
  receiver,
  stopReceivers,
  webhookOf,
} from "../support/receiver"
import { until } from "../support/until"

let kontor: Kontor
let admin: Api
let made = 0
const newItem = () => itemOf(admin, `W-${++made}`)

beforeAll(async () => {
  // Proxies of the environment must not be used: nothing listens there.
  const proxy = "http://127.0.0.1:9"
  const env = {
    KONTOR_ADMIN_EMAIL: "admin@example.com",
    KONTOR_ADMIN_PASSWORD: "correct horse battery",
    NODE_USE_ENV_PROXY: "1",
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
  }
  kontor = await serve({ args: allowLoopback, env })
  admin = await signIn(kontor)
})
afterAll(async () => {
  stopReceivers()
  await cleanUp()
})

/** Deletes a webhook, so that it does not get the events of other tests. */
const end = ({ id }: { id: string }) => admin.delete(`/webhooks/${id}`)

describe("A webhook gets events", () => {
  test("signed, in their order, as GET /events shows them", async () => {
    const shop = receiver()
    const before = Date.now()
    const start = (await admin.get("/events?after=latest")).body.meta.next
    const webhook = await webhookOf(admin, `${shop.url}/hooks?shop=1`)
    const items = []
    for (let i = 0; i < 20; i++) items.push(await newItem())
    await until(() => shop.hits.length === 20)
    const { data: events } = (await admin.get(`/events?after=${start}`)).body
    expect(shop.hits.map(({ event }) => event)).toEqual(events)
    expect(events.map(({ recordId }: { recordId: string }) => recordId)).toEqual(items.map(({ id }) => id))
    for (const hit of shop.hits) {
      expect(hit.headers.get("webhook-id")).toBe(hit.event.id)
      expect(hit.headers.get("content-type")).toBe("application/json")
      expect(hit.headers.get("user-agent")).toMatch(/^Kontor\//)
      const sentAt = Number(hit.headers.get("webhook-timestamp")) * 1_000
      expect(sentAt).toBeWithin(before - 1_000, Date.now() + 1)
      expect(hit.path).toBe("/hooks")
      expect(isSigned(hit, webhook.secret)).toBeTrue()
      expect(isSigned({ ...hit, body: `${hit.body} ` }, webhook.secret)).toBeFalse()
    }
    await until(async () => (await deliveriesOf(admin, webhook)).length === 20)
    const [newest] = await deliveriesOf(admin, webhook)
    expect(newest).toMatchObject({
      webhook: webhook.id,
      event: events.at(-1).id,
      type: "items.created",
      status: "succeeded",
      attempts: 1,
      nextAttemptAt: null,
      request: shop.hits.at(-1)?.body,
      responseStatus: 200,
      response: "ok",
      error: null,
      errorCode: null,
      errorParams: null,
    })
    const { requestHeaders } = newest
    expect(Object.fromEntries(shop.hits.at(-1)?.headers ?? [])).toMatchObject(requestHeaders)
    expect(Object.keys(requestHeaders)).toContain("webhook-signature")
    expect(JSON.stringify(newest)).not.toContain(webhook.secret.slice("whsec_".length))
    expect((await admin.get(`/webhooks/${webhook.id}`)).body.data).toMatchObject({
      lastSuccessAt: expect.any(String),
      failingSince: null,
      version: 1,
    })
    await end(webhook)
  })

  test("of its types only, and with the record if it wants the full payload", async () => {
    const shop = receiver()
    const webhook = await webhookOf(admin, shop.url, { types: ["items.updated"], payload: "full" })
    const item = await newItem()
    const changed = (await admin.patch(`/items/${item.id}`, { itemName: "Renamed" })).body.data
    await until(() => shop.hits.length > 0)
    expect(shop.hits.map(({ event }) => event)).toEqual([
      expect.objectContaining({
        type: "items.updated",
        recordId: item.id,
        changed: ["itemName"],
        record: changed,
      }),
    ])
    await end(webhook)
  })

  test("that happened after it was created or activated", async () => {
    const shop = receiver()
    await newItem()
    const webhook = await webhookOf(admin, shop.url)
    const first = await newItem()
    await until(() => shop.hits.length === 1)
    await admin.patch(`/webhooks/${webhook.id}`, { isActive: false })
    await newItem()
    await admin.patch(`/webhooks/${webhook.id}`, { isActive: true })
    const last = await newItem()
    await until(() => shop.hits.length === 2)
    expect(shop.hits.map(({ event }) => event.recordId)).toEqual([first.id, last.id])
    await end(webhook)
  })

  test("until it is deleted, also while a request waits for its response", async () => {
    const gate = Promise.withResolvers<void>()
    const shop = receiver(async () => (await gate.promise, new Response("late")))
    const webhook = await webhookOf(admin, shop.url)
    for (let i = 0; i < 3; i++) await newItem()
    await until(() => shop.hits.length === 1)
    expect((await end(webhook)).status).toBe(204)
    gate.resolve()
    await Bun.sleep(300)
    expect(shop.hits).toHaveLength(1)
  })
})

describe("A receiver that fails", () => {
  test("gets the event again after 5 seconds with the same id, and the others meanwhile", async () => {
    const failed = new Set<string>()
    const shop = receiver(({ event }, number) => {
      if (number !== 2) return new Response("ok")
      failed.add(event.id)
      return new Response("broken", { status: 500 })
    })
    const webhook = await webhookOf(admin, shop.url)
    for (let i = 0; i < 5; i++) await newItem()
    await until(() => shop.hits.length >= 5)
    const [id] = failed
    await until(async () => (await deliveriesOf(admin, webhook, "&status=pending")).length === 1)
    const [pending] = await deliveriesOf(admin, webhook, "&status=pending")
    expect({ ...pending }).toMatchObject({ event: id, attempts: 1, responseStatus: 500, response: "broken" })
    expect(Date.parse(pending.nextAttemptAt) - Date.parse(pending.updatedAt)).toBe(5_000)
    await until(() => shop.hits.length >= 6)
    const [first, again] = shop.hits.filter(({ event }) => event.id === id)
    expect(again?.body).toBe(first?.body ?? "")
    expect(again && isSigned(again, webhook.secret)).toBeTrue()
    await until(async () => (await deliveriesOf(admin, webhook, "&status=succeeded")).length === 5)
    expect((await deliveriesOf(admin, webhook)).find((each: any) => each.id === pending.id)).toMatchObject({
      status: "succeeded",
      attempts: 2,
      responseStatus: 200,
    })
    await end(webhook)
  })

  test("by a redirect is not followed", async () => {
    const target = receiver()
    const shop = receiver(() => Response.redirect(`${target.url}/secret`, 307))
    const webhook = await webhookOf(admin, shop.url)
    await newItem()
    await until(async () => (await deliveriesOf(admin, webhook)).length === 1)
    expect((await deliveriesOf(admin, webhook))[0]).toMatchObject({ status: "pending", responseStatus: 307 })
    expect(target.hits).toEqual([])
    await end(webhook)
  })

  test("with 410 is disabled, and the audit log says so", async () => {
    const shop = receiver(() => new Response("gone", { status: 410 }))
    const webhook = await webhookOf(admin, shop.url)
    for (let i = 0; i < 3; i++) await newItem()
    await until(async () => !(await admin.get(`/webhooks/${webhook.id}`)).body.data.isActive)
    const { data } = (await admin.get(`/webhooks/${webhook.id}`)).body
    expect(data).toMatchObject({ disabledReason: "gone", disabledAt: expect.any(String), version: 2 })
    expect(shop.hits).toHaveLength(1)
    expect(await deliveriesOf(admin, webhook)).toMatchObject([{ status: "failed", responseStatus: 410 }])
    const entries = (await admin.get(`/audit-logs?recordId=${webhook.id}`)).body.data
    expect(entries.find((entry: any) => entry.action === "webhooks.disable")).toMatchObject({
      actorType: "system",
      changes: { disabledReason: { to: "gone" }, isActive: { from: true, to: false } },
    })
    expect(kontor.output.stderr).toContain("A webhook was disabled.")
    const active = await admin.patch(`/webhooks/${webhook.id}`, { isActive: true })
    expect(active.body.data).toMatchObject({ isActive: true, disabledReason: null, disabledAt: null })
    await end(webhook)
  })

  test("by closing, resetting, speaking another protocol or not existing has a sentence and a code as its error", async () => {
    const dead = receiver()
    dead.stop()
    const closing = await rawReceiver((socket) => socket.on("data", () => socket.end()))
    const resetting = await rawReceiver((socket) => socket.resetAndDestroy())
    const mailing = await rawReceiver((socket) => socket.end("220 mail ESMTP\r\n\r\n"))
    const receivers: [string, RegExp, string][] = [
      [dead.url, /refused the connection/, "CONNECTION_REFUSED"],
      [resetting.url, /closed the connection/, "CONNECTION_CLOSED"],
      [closing.url, /closed the connection/, "CONNECTION_CLOSED"],
      [mailing.url, /not HTTP/, "NOT_HTTP"],
      ["https://nobody.invalid", /nobody\.invalid could not be resolved/, "NAME_UNKNOWN"],
    ]
    for (const [url, error, errorCode] of receivers) {
      const webhook = await webhookOf(admin, url)
      await newItem()
      await until(async () => (await deliveriesOf(admin, webhook)).length > 0)
      expect((await deliveriesOf(admin, webhook))[0]).toMatchObject({
        status: "pending",
        responseStatus: null,
        response: null,
        error: expect.stringMatching(error),
        errorCode,
        errorParams: expect.any(Object),
      })
      expect((await admin.get(`/webhooks/${webhook.id}`)).body.data.failingSince).toBeString()
      await end(webhook)
    }
  })

  test("by answering megabytes is cut off after 1 kB", async () => {
    let sent = 0
    const shop = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n")
      const pour = () => {
        while (!socket.destroyed && sent < 500_000_000 && socket.write("m".repeat(65_536))) sent += 65_536
      }
      socket.on("drain", pour)
      pour()
    })
    const webhook = await webhookOf(admin, shop.url)
    await newItem()
    await until(async () => (await deliveriesOf(admin, webhook)).length === 1)
    expect((await deliveriesOf(admin, webhook))[0]).toMatchObject({
      status: "succeeded",
      response: "m".repeat(1_024),
    })
    await until(() => shop.counts.closed === 1)
    expect(sent).toBeLessThan(100_000_000)
    await end(webhook)
  })

  test("by being slow holds nobody else", async () => {
    const gate = Promise.withResolvers<void>()
    const slow = receiver(async () => (await gate.promise, new Response("slow")))
    const fast = receiver()
    const [first, second] = [await webhookOf(admin, slow.url), await webhookOf(admin, fast.url)]
    for (let i = 0; i < 10; i++) await newItem()
    await until(() => fast.hits.length === 10)
    expect(slow.hits).toHaveLength(1)
    gate.resolve()
    await until(() => slow.hits.length === 10)
    expect(slow.hits.map(({ event }) => event.id)).toEqual(fast.hits.map(({ event }) => event.id))
    await end(first)
    await end(second)
  })
})

describe("What an admin sends by hand", () => {
  test("a test event is sent at once, also if the webhook is not active, and returns the result", async () => {
    const shop = receiver(() => new Response("thanks", { status: 202 }))
    const webhook = await webhookOf(admin, shop.url, { isActive: false })
    const answer = await admin.post(`/webhooks/${webhook.id}/test`)
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { type: "webhooks.test", status: "succeeded", responseStatus: 202, response: "thanks" } },
    })
    const [hit] = shop.hits
    expect(hit?.event).toMatchObject({ type: "webhooks.test", kind: "webhooks", recordId: webhook.id })
    expect(hit && isSigned(hit, webhook.secret)).toBeTrue()
    shop.stop()
    const failed = await admin.post(`/webhooks/${webhook.id}/test`)
    expect(failed).toMatchObject({ status: 200, body: { data: { status: "failed", nextAttemptAt: null } } })
    expect(failed.body.data.error).toContain("refused")
    expect(await deliveriesOf(admin, webhook)).toHaveLength(2)
    const actions = (await admin.get(`/audit-logs?recordId=${webhook.id}`)).body.data.map(
      (e: any) => e.action,
    )
    expect(actions).toContain("webhooks.test")
    await end(webhook)
  })

  test("a delivery is sent again with the same id and body", async () => {
    const shop = receiver((_, number) => new Response("x", { status: number === 1 ? 503 : 200 }))
    const webhook = await webhookOf(admin, shop.url)
    await newItem()
    await until(async () => (await deliveriesOf(admin, webhook)).length === 1)
    const [{ id }] = await deliveriesOf(admin, webhook)
    const answer = await admin.post(`/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { id, status: "succeeded", attempts: 2, nextAttemptAt: null, responseStatus: 200 } },
    })
    expect(shop.hits).toHaveLength(2)
    expect(shop.hits[1]?.headers.get("webhook-id")).toBe(shop.hits[0]?.event.id)
    expect(shop.hits[1]?.body).toBe(shop.hits[0]?.body ?? "")
    const other = await webhookOf(admin, shop.url)
    expect((await admin.post(`/webhooks/${other.id}/deliveries/${id}/redeliver`)).status).toBe(404)
    await end(webhook)
    await end(other)
  })
})

describe("Rotating the secret", () => {
  test("for a day requests have two signatures, and then only the new one", async () => {
    const shop = receiver()
    const webhook = await webhookOf(admin, shop.url)
    const { secret } = (await admin.post(`/webhooks/${webhook.id}/rotate`)).body.data
    await newItem()
    await until(() => shop.hits.length === 1)
    const [both] = shop.hits
    expect(both && [isSigned(both, webhook.secret), isSigned(both, secret)]).toEqual([true, true])
    expect(both?.headers.get("webhook-signature")?.split(" ")).toHaveLength(2)
    inFile(kontor, (db) => db.run("UPDATE webhook_secrets SET previous_until = '2020-01-01T00:00:00.000Z'"))
    await newItem()
    await until(() => shop.hits.length === 2)
    const [, one] = shop.hits
    expect(one && [isSigned(one, webhook.secret), isSigned(one, secret)]).toEqual([false, true])
    expect(one?.headers.get("webhook-signature")?.split(" ")).toHaveLength(1)
    await end(webhook)
  })
})

describe("The deliveries of a webhook", () => {
  test("the last 1,000 are kept, and those that are sent again", async () => {
    const shop = receiver((_, number) => new Response("", { status: number <= 2 ? 500 : 200 }))
    const webhook = await webhookOf(admin, shop.url)
    const operations = Array.from({ length: 1_000 }, () => ({
      op: "create",
      body: { itemCode: `K-${++made}`, itemName: "Kept" },
    }))
    await newItem()
    await newItem()
    // The result of a request is stored after the receiver has it.
    await until(async () => (await deliveriesOf(admin, webhook, "&status=pending")).length === 2)
    inFile(kontor, (db) =>
      db.run(
        `UPDATE webhook_deliveries SET next_attempt_at = '2099-01-01T00:00:00.000Z', was_early = 1
         WHERE status = 'pending'`,
      ),
    )
    await admin.post("/items/batch", { mode: "each", operations })
    await newItem()
    await until(() => shop.hits.length >= 1_003)
    await until(async () => {
      const { meta } = (await admin.get(`/webhooks/${webhook.id}/deliveries?perPage=1&status=succeeded`)).body
      return meta.total >= 998 && meta.total <= 1_000
    })
    expect(await deliveriesOf(admin, webhook, "&status=pending")).toHaveLength(2)
    const ids = shop.hits.map(({ event }) => event.seq)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    await end(webhook)
  })
})
