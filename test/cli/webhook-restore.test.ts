import { afterAll, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { refusalOf, signIn } from "../support/api"
import { inFile } from "../support/file"
import { cleanUp, emptyFolder, run, serve } from "../support/kontor"
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

/** A backup of a shop with three webhooks: one works, one fails, and one is not active. */
async function backUpShop() {
  const shop = receiver(({ path }) => new Response("", { status: path === "/fails" ? 500 : 200 }))
  const kontor = await serve({ args: allowLoopback })
  const admin = await signIn(kontor)
  const works = await webhookOf(admin, `${shop.url}/works`)
  const fails = await webhookOf(admin, `${shop.url}/fails`)
  const idle = await webhookOf(admin, `${shop.url}/idle`, { isActive: false })
  await itemOf(admin, "A")
  await until(async () => (await deliveriesOf(admin, fails)).length === 1)
  const copy = join(emptyFolder(), "copy.db")
  expect((await run(["backup", copy], { cwd: kontor.cwd })).code).toBe(0)
  await kontor.stop()
  return { shop, copy, works, fails, idle }
}

describe("A restored database", () => {
  test("has no secrets of webhooks, sends nothing until it is resumed, and its webhooks are disabled until they are rotated", async () => {
    const { shop, copy, works, fails, idle } = await backUpShop()
    expect(inFile({ file: copy }, (db) => db.query("SELECT * FROM webhook_secrets").all())).toEqual([])
    for (const { secret } of [works, fails, idle]) expect(readFileSync(copy).includes(secret)).toBeFalse()
    const cwd = emptyFolder()
    expect((await run(["restore", copy], { cwd })).code).toBe(0)
    const before = shop.hits.length
    const kontor = await serve({ args: allowLoopback, cwd })
    const admin = await signIn(kontor)
    const status = async () => (await admin.get("/webhooks/status")).body.data
    const webhook = async ({ id }: { id: string }) => (await admin.get(`/webhooks/${id}`)).body.data
    expect(await status()).toEqual({ isSending: false, isPaused: true, isSwitchedOff: false })
    for (const each of [works, fails])
      expect(await webhook(each)).toMatchObject({ isActive: false, disabledReason: "restored" })
    expect(await webhook(idle)).toMatchObject({ isActive: false, disabledReason: null })
    expect(await deliveriesOf(admin, fails)).toMatchObject([{ status: "uncertain", nextAttemptAt: null }])
    const entries = (await admin.get("/audit-logs?action=webhooks.disable")).body.data
    expect(entries.map((entry: any) => [entry.actorType, entry.recordId]).toSorted()).toEqual(
      [works, fails].map(({ id }) => ["system", id]).toSorted(),
    )

    const refused = await admin.patch(`/webhooks/${works.id}`, { isActive: true })
    expect(refusalOf(refused)).toEqual({ status: 422, code: "VALIDATION_ERROR", fields: ["isActive"] })
    expect(refused.body.error.details[0].params).toEqual({ rule: "NO_SECRET" })
    expect((await admin.post(`/webhooks/${works.id}/test`)).status).toBe(422)

    const rotated = (await admin.post(`/webhooks/${works.id}/rotate`)).body.data
    expect(rotated).toMatchObject({ isActive: true, disabledReason: null, disabledAt: null })
    expect((await admin.post(`/webhooks/${idle.id}/rotate`)).body.data.isActive).toBeFalse()
    const item = await itemOf(admin, "B")
    // It stays paused after another start.
    await kontor.stop()
    const again = await signIn(await serve({ args: allowLoopback, cwd }))
    expect((await again.get("/webhooks/status")).body.data.isPaused).toBeTrue()
    await Bun.sleep(500)
    expect(shop.hits).toHaveLength(before)
    const resumed = await again.post("/webhooks/resume")
    expect([resumed.status, resumed.body.data]).toEqual([
      200,
      { isSending: true, isPaused: false, isSwitchedOff: false },
    ])
    await until(() => shop.hits.length === before + 1)
    const hit = shop.hits.at(-1)
    expect(hit).toMatchObject({ path: "/works", event: { recordId: item.id } })
    expect(hit && [isSigned(hit, rotated.secret), isSigned(hit, works.secret)]).toEqual([true, false])
    expect((await again.get("/audit-logs?action=webhooks.resume")).body.data).toHaveLength(1)
    const [uncertain] = await deliveriesOf(again, fails)
    expect((await again.post(`/webhooks/${fails.id}/deliveries/${uncertain.id}/redeliver`)).status).toBe(422)
  })

  test("is not paused if it has no webhooks", async () => {
    const kontor = await serve()
    const copy = join(emptyFolder(), "copy.db")
    await run(["backup", copy], { cwd: kontor.cwd })
    const cwd = emptyFolder()
    await run(["restore", copy], { cwd })
    const admin = await signIn(await serve({ cwd }))
    expect((await admin.get("/webhooks/status")).body.data).toMatchObject({
      isSending: true,
      isPaused: false,
    })
  })
})

test("a server with --no-sending sends nothing, not even a test, and goes on later without the option", async () => {
  const shop = receiver()
  const first = await serve({ args: allowLoopback })
  const before = await signIn(first)
  const webhook = await webhookOf(before, shop.url)
  await first.stop()
  const silent = await serve({ args: [...allowLoopback, "--no-sending"], cwd: first.cwd })
  const admin = await signIn(silent)
  expect((await admin.get("/webhooks/status")).body.data).toEqual({
    isSending: false,
    isPaused: false,
    isSwitchedOff: true,
  })
  await itemOf(admin, "A")
  const refused = await admin.post(`/webhooks/${webhook.id}/test`)
  expect([refused.status, refused.body.error.details[0].params]).toEqual([422, { rule: "NO_SENDING" }])
  await Bun.sleep(500)
  expect(shop.hits).toEqual([])
  await silent.stop()
  await serve({ args: allowLoopback, cwd: first.cwd })
  await until(() => shop.hits.length === 1)
  expect(shop.hits[0] && isSigned(shop.hits[0], webhook.secret)).toBeTrue()
})
