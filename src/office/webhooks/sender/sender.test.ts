import { afterAll, afterEach, expect, test } from "bun:test"
import { receiver, stopReceivers } from "../../../../test/support/receiver"
import { closeSenders, senderWorld } from "../../../../test/support/webhooks"
import { until } from "../../../../test/support/until"

afterEach(closeSenders)
afterAll(stopReceivers)

const [minute, hour] = [60, 3_600]
const day = 24 * hour

test("a failed event is sent again at its times, and has failed after the last one", async () => {
  const world = senderWorld()
  const shop = receiver(() => new Response("", { status: 500 }))
  const webhook = world.add(shop.url)
  await world.emit()
  const waits = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
  for (const [i, wait] of waits.entries()) {
    await until(() => world.deliveries()[0]?.attempts === i + 1)
    expect(world.deliveries()).toEqual([{ status: "pending", attempts: i + 1, wait }])
    world.move(wait * 1_000 - 1)
    await Bun.sleep(20)
    expect(shop.hits).toHaveLength(i + 1)
    world.move(1)
  }
  await until(() => world.deliveries()[0]?.attempts === 10)
  expect(world.deliveries()).toEqual([{ status: "failed", attempts: 10, wait: null }])
  world.move(30 * day * 1_000)
  await Bun.sleep(20)
  expect(shop.hits).toHaveLength(10)
  expect(new Set(shop.hits.map(({ event }) => event.id)).size).toBe(1)
  expect(world.webhook(webhook).is_active).toBe(1)
})

test("results that come while the database is busy are stored after that", async () => {
  const world = senderWorld()
  const shop = receiver()
  world.add(shop.url)
  const release = world.holdWrites()
  await world.emit()
  await until(() => shop.hits.length === 1)
  // By then the first result waits for the database, and the second one is collected.
  await Bun.sleep(150)
  await world.emit()
  await until(() => shop.hits.length === 2)
  await Bun.sleep(150)
  release()
  await until(() => world.deliveries().length === 2)
})

test("after five days of failures a webhook is disabled, with an entry in the audit log and in the log", async () => {
  const world = senderWorld()
  const shop = receiver(() => new Response("", { status: 500 }))
  const webhook = world.add(shop.url)
  await world.emit()
  await until(() => world.deliveries().length === 1)
  world.move(5 * day * 1_000 - 1)
  await until(() => world.deliveries()[0]?.attempts === 2)
  expect(world.webhook(webhook)).toMatchObject({ is_active: 1, disabled_reason: null })
  world.move(1)
  await world.emit()
  await until(() => world.webhook(webhook).is_active === 0)
  expect(world.webhook(webhook).disabled_reason).toBe("failing")
  expect(world.actions()).toEqual(["webhooks.disable"])
  expect(world.deliveries().map(({ status }) => status)).toEqual(["failed", "failed"])
  await until(() => world.logged.join("").includes("A webhook was disabled."))
  await world.emit()
  await Bun.sleep(50)
  expect(shop.hits).toHaveLength(3)
})

test("a success ends the time of failures", async () => {
  const world = senderWorld()
  let status = 500
  const shop = receiver(() => new Response("", { status }))
  const webhook = world.add(shop.url)
  await world.emit()
  await until(() => world.webhook(webhook).failing_since !== null)
  status = 200
  world.move(4 * day * 1_000)
  await until(() => world.webhook(webhook).failing_since === null)
  status = 500
  world.move(2 * day * 1_000)
  await world.emit()
  await until(() => world.deliveries().length === 2)
  expect(world.webhook(webhook)).toMatchObject({ is_active: 1, disabled_reason: null })
})

test("when a receiver answers again, what has waited is sent at once, the oldest first and one at a time", async () => {
  const world = senderWorld()
  let status = 500
  let running = 0
  const overlaps: number[] = []
  const shop = receiver(async () => {
    if (++running > 2) overlaps.push(running)
    await Bun.sleep(2)
    running--
    return new Response("", { status })
  })
  world.add(shop.url)
  await world.emit("items", 5)
  await until(() => world.deliveries().length === 5)
  // The second attempts fail too, and the third ones are minutes away.
  world.move(5_000)
  await until(() => world.deliveries().every(({ attempts }) => attempts === 2))
  status = 200
  await world.emit()
  await until(() => world.deliveries().filter((each) => each.status === "succeeded").length === 6)
  const seqs = shop.hits.slice(11).map(({ event }) => event.seq)
  expect(seqs).toEqual([1, 2, 3, 4, 5])
  expect(overlaps).toEqual([])
})

test("an event that always fails among others that succeed is sent before its time once", async () => {
  const world = senderWorld()
  const shop = receiver(({ event }) => new Response("", { status: event.seq === 1 ? 500 : 200 }))
  world.add(shop.url)
  await world.emit()
  await until(() => world.deliveries().length === 1)
  const bad = () => shop.hits.filter(({ event }) => event.seq === 1).length
  await world.emit()
  await until(() => bad() === 2)
  for (let i = 3; i < 8; i++) {
    await world.emit()
    await until(() => world.deliveries().length === i)
  }
  await Bun.sleep(300)
  expect(bad()).toBe(2)
  // It did not count: the next time is that after the first attempt.
  expect(world.deliveries()[0]).toMatchObject({ status: "pending", attempts: 1 })
  world.move(5_000)
  await until(() => world.deliveries()[0]?.attempts === 2)
})

test("results that cannot be stored are stored later, and nothing is sent twice meanwhile", async () => {
  const world = senderWorld()
  const shop = receiver()
  world.add(shop.url)
  world.fail(1)
  for (let i = 0; i < 3; i++) await world.emit()
  await until(() => world.deliveries().length === 3)
  expect(world.deliveries()).toMatchObject(Array(3).fill({ status: "succeeded", attempts: 1 }))
  expect(shop.hits).toHaveLength(3)
})

test("a webhook that is not failing gets its events while another one fails always", async () => {
  const world = senderWorld()
  const [shop, broken] = [receiver(), receiver(() => new Response("", { status: 500 }))]
  world.add(broken.url)
  world.add(shop.url)
  for (let i = 0; i < 200; i++) await world.emit()
  await until(() => shop.hits.length === 200 && broken.hits.length === 200)
  const seqs = shop.hits.map(({ event }) => event.seq)
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
})

test("a webhook gets its events while the receivers of many others hang", async () => {
  const world = senderWorld()
  const opened = Promise.withResolvers<void>()
  const hanging = receiver(async () => (await opened.promise, new Response("late")))
  const shop = receiver()
  for (let i = 0; i < 40; i++) world.add(hanging.url)
  world.add(shop.url)
  for (let i = 0; i < 5; i++) await world.emit()
  await until(() => shop.hits.length === 5)
  await until(() => hanging.hits.length === 40)
  // No request to one of the others had to end first.
  expect(world.deliveries().filter(({ status }) => status !== "succeeded")).toEqual([])
  opened.resolve()
})

test("after 410 nothing more is sent, also if other results are being stored at that moment", async () => {
  const world = senderWorld()
  const opened = Promise.withResolvers<void>()
  const gone = receiver(async () => (await opened.promise, new Response("", { status: 410 })))
  const shop = receiver()
  const webhook = world.add(gone.url)
  world.add(shop.url)
  world.fail(1)
  for (let i = 0; i < 3; i++) await world.emit()
  await until(() => shop.hits.length === 3 && world.failuresLeft() === 0)
  // The results of the shop wait for the next write.
  opened.resolve()
  await until(() => world.webhook(webhook).is_active === 0)
  expect(world.webhook(webhook).disabled_reason).toBe("gone")
  expect(gone.hits).toHaveLength(1)
})

test("a webhook with too many failures is not called at each commit, and is tried again", async () => {
  const world = senderWorld()
  const shop = receiver(() => new Response("", { status: 500 }))
  world.fill(world.add(shop.url), 5_000)
  await world.emit()
  await until(() => shop.hits.length === 1)
  for (let i = 0; i < 10; i++) {
    await world.emit()
    await Bun.sleep(50)
  }
  expect(shop.hits).toHaveLength(1)
  await until(() => shop.hits.length === 2)
  expect(shop.hits[1]?.event.id).toBe(shop.hits[0]?.event.id)
})

test("events that were deleted before they were sent are noted once, and the others are sent", async () => {
  const world = senderWorld()
  const shop = receiver()
  for (let i = 0; i < 2; i++) await world.emit()
  world.add(shop.url, 0)
  world.expire(1)
  await world.emit()
  await until(() => shop.hits.length === 2)
  await world.emit()
  await until(() => shop.hits.length === 3)
  expect(world.actions()).toEqual(["webhooks.events-lost"])
  expect(world.logged.join("")).toContain("Events were deleted before they were sent.")
})

test("a webhook with many failures that is disabled has no pending deliveries soon, and its old ones are deleted", async () => {
  const world = senderWorld()
  let status = 500
  const shop = receiver(() => new Response("", { status }))
  const webhook = world.add(shop.url)
  world.fill(webhook, 2_600)
  await world.emit()
  await until(() => world.webhook(webhook).failing_since !== null)
  status = 410
  await world.emit()
  await until(() => world.webhook(webhook).is_active === 0)
  await until(() => world.deliveries().length === 1_000)
  expect(new Set(world.deliveries().map((each) => each.status))).toEqual(new Set(["failed"]))
})
