import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Answer, type Api } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import {
  allowLoopback,
  deliveriesOf,
  isSigned,
  itemOf,
  receiver,
  stopReceivers,
  webhookOf,
} from "../support/receiver"
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

/**
 * A webhook with the full payload whose first request fails. Before it is answered, something changes, so that every later
 * request is made after the change.
 */
async function failedOnce(change: (given: { item: any; webhook: any }) => Promise<Answer>) {
  const answered = Promise.withResolvers<void>()
  const shop = receiver(async (_, number) => {
    if (number > 1) return new Response("ok")
    await answered.promise
    return new Response("", { status: 500 })
  })
  const webhook = await webhookOf(admin, shop.url, { types: ["items.created"], payload: "full" })
  const item = await itemOf(admin, `P-${++made}`)
  await until(() => shop.hits.length === 1)
  const { record, ...event } = shop.hits[0]?.event ?? {}
  expect(record).toEqual(item)
  const changed = await change({ item, webhook })
  expect(changed.status).toBeWithin(200, 300)
  answered.resolve()
  await until(async () => (await deliveriesOf(admin, webhook)).length === 1)
  const [delivery] = await deliveriesOf(admin, webhook)
  const requests = () => shop.hits.filter(({ headers }) => headers.get("webhook-id") === event.id)
  return {
    webhook,
    event,
    changed: changed.body?.data,
    redeliver: () => admin.post(`/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`),
    /** Waits until the server sends it again by itself, which it would do after 5 seconds. */
    async retry(): Promise<void> {
      const due =
        "UPDATE webhook_deliveries SET next_attempt_at = '2020-01-01T00:00:00.000Z' WHERE status = 'pending'"
      inFile(kontor, (db) => db.run(due))
      await itemOf(admin, `P-${++made}`)
      await until(() => requests().length > 1)
    },
    /** The second request for the event. */
    again: () => requests()[1],
    end: () => admin.delete(`/webhooks/${webhook.id}`),
  }
}

type Failed = Awaited<ReturnType<typeof failedOnce>>
const sendings: [string, (given: Failed) => Promise<unknown>][] = [
  ["by the server", ({ retry }) => retry()],
  ["by an admin", ({ redeliver }) => redeliver()],
]

describe.each(sendings)("An event with the full payload that is sent again %s", (_, send) => {
  test("has the record as it is then, and a valid signature", async () => {
    const given = await failedOnce(({ item }) => admin.patch(`/items/${item.id}`, { itemName: "Renamed" }))
    await send(given)
    const again = given.again()
    expect(again?.event).toEqual({ ...given.event, record: given.changed })
    expect(again && isSigned(again, given.webhook.secret)).toBeTrue()
    await given.end()
  })

  test("has no record if it was deleted meanwhile", async () => {
    const given = await failedOnce(({ item }) => admin.delete(`/items/${item.id}`))
    await send(given)
    expect(given.again()?.event).toEqual({ ...given.event, record: null })
    await given.end()
  })

  test("is sent without the record if the webhook has the thin payload by now", async () => {
    const given = await failedOnce(({ webhook }) =>
      admin.patch(`/webhooks/${webhook.id}`, { payload: "thin" }),
    )
    await send(given)
    expect(given.again()?.event).toEqual(given.event)
    await given.end()
  })
})

describe("A delivery of the full payload", () => {
  test("is stored without the record, however large that is", async () => {
    const shop = receiver()
    const webhook = await webhookOf(admin, shop.url, { types: ["items.created"], payload: "full" })
    const description = "x".repeat(2_000)
    const item = await admin.create("/items", { itemCode: `P-${++made}`, itemName: "Large", description })
    await until(async () => (await deliveriesOf(admin, webhook)).length === 1)
    const { record, ...event } = shop.hits[0]?.event ?? {}
    expect(record).toEqual(item)
    const [delivery] = await deliveriesOf(admin, webhook)
    expect(delivery).toMatchObject({ status: "succeeded", event: event.id, type: "items.created" })
    expect(JSON.parse(delivery.request)).toEqual(event)
    const stored = inFile(kontor, (db) =>
      JSON.stringify(db.query("SELECT * FROM webhook_deliveries WHERE id = ?").get(delivery.id)),
    )
    expect(stored).not.toContain(description)
    await admin.delete(`/webhooks/${webhook.id}`)
  })

  test("of a test event is shown, and can be sent again", async () => {
    const shop = receiver()
    const webhook = await webhookOf(admin, shop.url, { payload: "full" })
    const { data } = (await admin.post(`/webhooks/${webhook.id}/test`)).body
    const again = await admin.post(`/webhooks/${webhook.id}/deliveries/${data.id}/redeliver`)
    expect(again.body.data).toMatchObject({ id: data.id, status: "succeeded", attempts: 2 })
    expect(shop.hits.map(({ event }) => event)).toEqual([
      { ...JSON.parse(data.request), record: null },
      { ...JSON.parse(data.request), record: null },
    ])
    await admin.delete(`/webhooks/${webhook.id}`)
  })
})
