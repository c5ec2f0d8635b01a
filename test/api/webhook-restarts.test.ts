import { afterAll, describe, expect, test } from "bun:test"
import { signIn } from "../support/api"
import { inFile, shiftTimes } from "../support/file"
import { cleanUp, serve } from "../support/kontor"
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

afterAll(async () => {
  stopReceivers()
  await cleanUp()
})

describe("After a restart", () => {
  test.each(["SIGTERM", "SIGKILL"] as const)(
    "with %s, what was not delivered is sent, and what failed is sent again",
    async (signal) => {
      let isBroken = true
      const shop = receiver(() => new Response("", { status: isBroken ? 500 : 200 }))
      const kontor = await serve({ args: allowLoopback })
      const admin = await signIn(kontor)
      const webhook = await webhookOf(admin, shop.url)
      const failed = [await itemOf(admin, "A-1"), await itemOf(admin, "A-2")]
      await until(async () => (await deliveriesOf(admin, webhook)).length === 2)
      // The second attempts have failed too, so that the next ones are minutes away.
      await until(async () => (await deliveriesOf(admin, webhook, "&attempts=2")).length === 2)
      await kontor.stop(signal)
      inFile(kontor, (db) =>
        db.run("UPDATE webhook_deliveries SET next_attempt_at = '2020-01-01T00:00:00.000Z'"),
      )
      isBroken = false
      const before = shop.hits.length
      const again = await signIn(await serve({ args: allowLoopback, cwd: kontor.cwd }))
      await until(() => shop.hits.length === before + 2)
      expect(shop.hits.slice(before).map(({ event }) => event.recordId)).toEqual(failed.map(({ id }) => id))
      for (const hit of shop.hits) expect(isSigned(hit, webhook.secret)).toBeTrue()
      await until(async () => (await deliveriesOf(again, webhook, "&status=succeeded")).length === 2)
      expect((await deliveriesOf(again, webhook)).map((each: any) => each.attempts)).toEqual([3, 3])
    },
  )

  test("an attempt that was not answered is repeated, and no event is missing", async () => {
    const gate = Promise.withResolvers<void>()
    let isOpen = false
    const shop = receiver(async (_, number) => {
      if (number > 5 && !isOpen) await gate.promise
      return new Response("ok")
    })
    const kontor = await serve({ args: allowLoopback })
    const admin = await signIn(kontor)
    const webhook = await webhookOf(admin, shop.url)
    const items: string[] = []
    for (let i = 0; i < 20; i++) items.push((await itemOf(admin, `B-${i}`)).id)
    await until(() => shop.hits.length === 6)
    await until(async () => (await deliveriesOf(admin, webhook)).length === 5)
    await kontor.stop("SIGKILL")
    isOpen = true
    gate.resolve()
    const again = await signIn(await serve({ args: allowLoopback, cwd: kontor.cwd }))
    items.push((await itemOf(again, "B-20")).id)
    await until(() => new Set(shop.hits.map(({ event }) => event.id)).size === 21)
    const got = shop.hits.map(({ event }) => event.recordId)
    expect([...new Set(got)]).toEqual(items)
    expect(got).toHaveLength(22)
  })

  test("stopping does not wait for a receiver that hangs", async () => {
    const shop = receiver(() => new Promise<Response>(() => {}))
    const kontor = await serve({ args: allowLoopback })
    const admin = await signIn(kontor)
    await webhookOf(admin, shop.url)
    await itemOf(admin, "C-1")
    await until(() => shop.hits.length === 1)
    expect(await kontor.stop()).toBe(0)
    expect(shop.hits).toHaveLength(1)
  })
})

test("of a hundred endpoints one hangs, and all others get every event", async () => {
  const kontor = await serve({ args: allowLoopback })
  const admin = await signIn(kontor)
  const hanging = receiver(() => new Promise<Response>(() => {}))
  const shop = receiver()
  const hung = await webhookOf(admin, hanging.url)
  const others = []
  for (let i = 1; i < 100; i++) others.push(await webhookOf(admin, `${shop.url}/${i}`))
  const tested = admin.post(`/webhooks/${hung.id}/test`)
  const items: string[] = []
  for (let i = 0; i < 10; i++) items.push((await itemOf(admin, `H-${i}`)).id)
  await until(() => shop.hits.length === 990)
  const byPath = Map.groupBy(shop.hits, ({ path }) => path)
  expect(byPath.size).toBe(99)
  for (const hits of byPath.values()) expect(hits.map(({ event }) => event.recordId)).toEqual(items)
  const sent = () => hanging.hits.filter(({ event }) => event.type === "items.created").length
  // It has one request at a time. On a slow machine, the first of them may have ended by now.
  const sentBefore = sent()
  expect(sentBefore - (await deliveriesOf(admin, hung)).length).toBeLessThanOrEqual(1)
  // The attempt ends after 15 seconds, and the next event is tried.
  await until(() => sent() >= 2)
  await until(async () => (await deliveriesOf(admin, hung, "&status=pending")).length >= 1)
  const error = "There was no response within 15 seconds."
  const [pending] = await deliveriesOf(admin, hung, "&status=pending")
  expect(pending).toMatchObject({
    responseStatus: null,
    error,
    errorCode: "TIMEOUT",
    errorParams: { seconds: 15 },
  })
  // A test of it waits as long for the receiver, and then says so.
  expect(await tested).toMatchObject({ status: 200, body: { data: { status: "failed", error } } })
  expect(shop.hits).toHaveLength(990)
})

describe("When events are deleted while nothing is sent,", () => {
  /** Deletes all events but the newest one, with a server that does not send, and returns what the audit log has then. */
  async function lossesOf(types: string[]): Promise<any[]> {
    const shop = receiver()
    const kontor = await serve({ args: allowLoopback })
    const admin = await signIn(kontor)
    await webhookOf(admin, shop.url, { types: ["items.deleted"] })
    const webhook = await webhookOf(admin, shop.url, { types })
    await kontor.stop("SIGKILL")
    const quiet = await serve({ args: [...allowLoopback, "--no-sending"], cwd: kontor.cwd, env: {} })
    const writer = await signIn(quiet)
    for (let i = 0; i < 4; i++) await itemOf(writer, `D-${i}`)
    await quiet.stop()
    const count = () => inFile(kontor, (db) => db.query("SELECT seq FROM events").all().length)
    inFile(kontor, (db) => shiftTimes(db, "events", "created_at", "-2 hours"))
    const args = [...allowLoopback, "--keep-events", "1h"]
    const cleaner = await serve({ args: [...args, "--no-sending"], cwd: kontor.cwd, env: {} })
    await until(() => count() === 1)
    await cleaner.stop()
    const again = await signIn(await serve({ args, cwd: kontor.cwd, env: {} }))
    const probe = await webhookOf(again, shop.url, { types: ["items.created"] })
    const { id } = await itemOf(again, "D-5")
    await until(() => shop.hits.some(({ event }) => event.recordId === id))
    await until(async () => (await deliveriesOf(again, probe)).length === 1)
    const { body } = await again.get("/audit-logs?action=webhooks.events-lost")
    for (const entry of body.data) expect(entry.recordId).toBe(webhook.id)
    return body.data
  }

  test("a webhook of other types has lost nothing", async () => {
    expect(await lossesOf(["items.updated", "customers.*"])).toEqual([])
  })

  test("a webhook that would have got one of them has an entry in the audit log", async () => {
    const losses = await lossesOf(["items.created"])
    expect(losses).toHaveLength(1)
    expect(losses[0].changes).toEqual({ skipped: { from: null, to: 3 } })
  })
})

test("after a stop, a webhook begins where it was, also if it got none of the events", async () => {
  const shop = receiver()
  const kontor = await serve({ args: allowLoopback })
  const admin = await signIn(kontor)
  await webhookOf(admin, shop.url, { types: ["customers.created"] })
  const sent = await webhookOf(admin, shop.url, { types: ["items.created"] })
  for (let i = 0; i < 3; i++) await itemOf(admin, `E-${i}`)
  // A server that stops before it has a receiver's answer sends the event again later.
  await until(async () => (await deliveriesOf(admin, sent)).length === 3)
  // The other webhook is passed over at the latest a second after the last event.
  await Bun.sleep(1_100)
  expect(await kontor.stop()).toBe(0)
  const behind = inFile(kontor, (db) =>
    db.query("SELECT 1 FROM webhook_positions WHERE position < (SELECT max(seq) FROM events)").all(),
  )
  expect(behind).toEqual([])
})
