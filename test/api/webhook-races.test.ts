import { afterAll, beforeAll, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { allowLoopback, deliveriesOf, itemOf, receiver, stopReceivers, webhookOf } from "../support/receiver"
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

const failure = () => new Response("", { status: 500 })

/** A webhook whose first request has failed. Its second one waits until the test opens it, and then fails. */
async function failedOnce(later: () => Response) {
  const opened = Promise.withResolvers<void>()
  const shop = receiver(async (_, number) => {
    if (number === 2) await opened.promise
    return number <= 2 ? failure() : later()
  })
  const webhook = await webhookOf(admin, shop.url)
  await itemOf(admin, `R-${++made}`)
  await until(async () => (await deliveriesOf(admin, webhook)).length === 1)
  const delivery = async () => (await deliveriesOf(admin, webhook))[0]
  const { id } = await delivery()
  const redeliver = () => admin.post(`/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
  const end = () => admin.delete(`/webhooks/${webhook.id}`)
  return { shop, webhook, delivery, redeliver, open: opened.resolve, end }
}

test("a redelivery that fails after the delivery has succeeded leaves it succeeded", async () => {
  const { shop, delivery, redeliver, open, end } = await failedOnce(() => new Response("ok"))
  const answer = redeliver()
  await until(() => shop.hits.length === 3)
  await until(async () => (await delivery()).status === "succeeded")
  open()
  expect((await answer).body.data).toMatchObject({ status: "succeeded", attempts: 2, responseStatus: 200 })
  expect(await delivery()).toMatchObject({ status: "succeeded", nextAttemptAt: null })
  await end()
})

test("an attempt that fails after a redelivery has succeeded leaves the delivery succeeded", async () => {
  const { shop, webhook, delivery, redeliver, open, end } = await failedOnce(() => new Response("ok"))
  await until(() => shop.hits.length === 2)
  expect((await redeliver()).body.data).toMatchObject({ status: "succeeded", attempts: 2 })
  open()
  // The failure is noted for the webhook in the write that could change the delivery.
  await until(async () => (await admin.get(`/webhooks/${webhook.id}`)).body.data.failingSince !== null)
  expect(await delivery()).toMatchObject({ status: "succeeded", attempts: 2, responseStatus: 200 })
  await end()
})

test("a redelivery that fails after the webhook was deactivated is not sent again", async () => {
  const { shop, webhook, delivery, redeliver, open, end } = await failedOnce(failure)
  const answer = redeliver()
  await until(() => shop.hits.length === 2)
  await admin.patch(`/webhooks/${webhook.id}`, { isActive: false })
  open()
  expect((await answer).body.data).toMatchObject({ status: "failed", attempts: 2, nextAttemptAt: null })
  expect(await delivery()).toMatchObject({ status: "failed" })
  await end()
})

test("a succeeded delivery that is sent again and fails stays succeeded, with the last response", async () => {
  const shop = receiver((_, number) => (number === 1 ? new Response("ok") : failure()))
  const webhook = await webhookOf(admin, shop.url)
  await itemOf(admin, `R-${++made}`)
  await until(async () => (await deliveriesOf(admin, webhook)).length === 1)
  const [{ id }] = await deliveriesOf(admin, webhook)
  const answer = await admin.post(`/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
  expect(answer.body.data).toMatchObject({ status: "succeeded", attempts: 2, responseStatus: 500 })
  await admin.delete(`/webhooks/${webhook.id}`)
})

/** A webhook with many deliveries that are sent again much later. */
async function manyPending() {
  const webhook = await webhookOf(admin, receiver().url, { types: ["imports.finished"] })
  inFile(kontor, (db) => {
    db.run("UPDATE webhooks SET failing_since = '2026-01-01T00:00:00.000Z' WHERE id = ?", [webhook.id])
    db.run(
      `INSERT INTO webhook_deliveries (id, webhook, event, type, status, attempts, next_attempt_at, request,
         duration_ms, created_at, updated_at)
       SELECT 'whd_' || ?1 || value, ?1, 'evt', 'imports.finished', 'pending', 1, '2099-01-01T00:00:00.000Z', '{}', 1,
         '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM json_each(?2)`,
      [webhook.id, JSON.stringify(Array.from({ length: 3_000 }, (_, i) => i))],
    )
  })
  const counts = () =>
    inFile(kontor, (db) =>
      db
        .query("SELECT status, count(*) AS count FROM webhook_deliveries WHERE webhook = ? GROUP BY status")
        .all(webhook.id),
    )
  return { webhook, counts }
}

test("after a deactivation nothing is sent again, and old deliveries are deleted", async () => {
  const { webhook, counts } = await manyPending()
  expect((await admin.patch(`/webhooks/${webhook.id}`, { isActive: false })).status).toBe(200)
  await until(() => JSON.stringify(counts()) === JSON.stringify([{ status: "failed", count: 1_000 }]))
  await admin.delete(`/webhooks/${webhook.id}`)
})

test("nothing is sent again if the webhook is activated at once after a deactivation", async () => {
  const { webhook, counts } = await manyPending()
  for (const isActive of [false, true])
    expect((await admin.patch(`/webhooks/${webhook.id}`, { isActive })).body.data).toMatchObject({ isActive })
  expect(counts().map(({ status }: any) => status)).toEqual(["failed"])
  await admin.delete(`/webhooks/${webhook.id}`)
})
