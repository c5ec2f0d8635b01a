import { afterAll, afterEach, expect, test } from "bun:test"
import { isLong } from "../../../../test/support/long"
import { receiver, stopReceivers, type Hit } from "../../../../test/support/receiver"
import { until } from "../../../../test/support/until"
import { closeSenders, senderWorld } from "../../../../test/support/webhooks"

afterEach(closeSenders)
afterAll(stopReceivers)

const items = isLong ? 20_000 : 2_000

test("after an import of many items, an invoice is told of among the next few requests", async () => {
  const world = senderWorld()
  const opened = Promise.withResolvers<void>()
  const shop = receiver(async (_, number) => {
    if (number > 40) await opened.promise
    return new Response("ok")
  })
  world.add(shop.url, 0, 4)
  await world.emit("items", items)
  await until(() => shop.hits.length === 44)
  // All four requests are of items, and wait.
  await world.emit("invoices")
  opened.resolve()
  const place = () => shop.hits.findIndex(({ event }) => event.kind === "invoices")
  await until(() => place() >= 0)
  expect(place()).toBeLessThan(44 + 8)
  await until(() => shop.hits.length === items + 1)
  expect(new Set(shop.hits.map(({ event }) => event.id)).size).toBe(items + 1)
})

test("events of a record are sent in order, each after the answer to the one before", async () => {
  const world = senderWorld()
  const running = new Map<string, number>()
  const overlaps: string[] = []
  let most = 0
  const shop = receiver(async ({ event }) => {
    if (running.has(event.recordId)) overlaps.push(event.recordId)
    running.set(event.recordId, event.seq)
    most = Math.max(most, running.size)
    await Bun.sleep(event.seq % 3)
    running.delete(event.recordId)
    return new Response("ok", { status: event.seq % 7 === 0 ? 500 : 200 })
  })
  world.add(shop.url, 0, 4)
  for (let i = 0; i < 20; i++) await world.emit("items", 5, "itm_")
  const first = (): Hit[] =>
    [...new Map(shop.hits.toReversed().map((hit) => [hit.event.id, hit])).values()].toReversed()
  await until(() => first().length === 100)
  expect(overlaps).toEqual([])
  expect(most).toBeGreaterThan(1)
  for (const hits of Map.groupBy(first(), ({ event }) => event.recordId).values()) {
    const seqs = hits.map(({ event }) => event.seq)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  }
})

test("after a restart, only what was not answered is sent again", async () => {
  const world = senderWorld()
  const opened = Promise.withResolvers<void>()
  let heldId = ""
  const shop = receiver(async ({ event }) => {
    heldId ||= event.id
    if (event.id === heldId) await opened.promise
    return new Response("ok")
  })
  world.add(shop.url, 0, 4)
  await world.emit("items", 30)
  await world.emit("invoices", 10)
  await until(() => world.deliveries().length === 39)
  await world.restart()
  await world.emit("items")
  opened.resolve()
  await until(() => world.deliveries().length === 41)
  const counts = [...Map.groupBy(shop.hits, ({ event }) => event.id)].map(([id, hits]) => [id, hits.length])
  expect(counts.filter(([, count]) => count !== 1)).toEqual([[heldId, 2]])
  expect(counts).toHaveLength(41)
})

test("with one request at a time again, nothing is lost and nothing is sent twice", async () => {
  const world = senderWorld()
  const opened = Promise.withResolvers<void>()
  const shop = receiver(async ({ event }) => {
    if (event.kind === "items") await opened.promise
    return new Response("ok")
  })
  const webhook = world.add(shop.url, 0, 4)
  await world.emit("items", 50)
  await world.emit("invoices", 5)
  await until(() => world.deliveries().length === 5)
  world.setParallel(webhook, 1)
  opened.resolve()
  await world.emit("invoices")
  await until(() => world.deliveries().length === 56)
  expect(new Set(shop.hits.map(({ event }) => event.id)).size).toBe(56)
  expect(shop.hits).toHaveLength(56)
  const last = shop.hits.slice(9).map(({ event }) => event.seq)
  expect(last).toEqual(last.toSorted((a, b) => a - b))
})
