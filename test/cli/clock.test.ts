// A server whose clock was wrong, and is right at its next start. Other tests change times in the file: here nothing but
// the clock of the process differs.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { withClock } from "../support/faketime"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { allowLoopback, receiver, stopReceivers } from "../support/receiver"
import { until } from "../support/until"

afterAll(async () => {
  stopReceivers()
  await cleanUp()
})

const aYear = 365 * 86_400_000
const dayOf = (millis: number) => new Date(millis).toISOString().slice(0, 10)
/** The day and the year as they are now, and as the wrong clock says. They stay the same, unless a test runs at midnight. */
const [today, wrongDay] = [dayOf(Date.now()), dayOf(Date.now() + aYear)]
const [year, wrongYear] = [today.slice(0, 4), wrongDay.slice(0, 4)]

const warnings = (kontor: Kontor) =>
  kontor.output.stderr
    .split("\n")
    .filter((line) => line.includes('"level":"warn"'))
    .map((line) => JSON.parse(line).message as string)
const ready = async (kontor: Kontor) => (await fetch(`${kontor.url}/ready`)).json() as Promise<any>
const check = async (cwd: string) => {
  const { code, stdout } = await run(["check", "--json"], { cwd })
  return { code, ...JSON.parse(stdout) }
}

async function sell(api: Api, { item, customer }: Record<string, string>, more: object = {}) {
  const items = [{ item, quantity: 1, rate: 10 }]
  return api.create("/invoices", { customer, items, status: "unpaid", ...more })
}

describe("after a start with a clock that was a year ahead", () => {
  const cwd = emptyFolder()
  let kontor: Kontor
  let api: Api
  let wrong: any
  let parties: Record<string, string>
  let hits: ReturnType<typeof receiver>
  let isUp = false

  beforeAll(async () => {
    hits = receiver(() => new Response("", { status: isUp ? 200 : 503 }))
    kontor = await serve({ cwd, command: withClock("+365d"), args: allowLoopback, isFirst: true })
    api = await signIn(kontor)
    await api.create("/webhooks", { url: hits.url, types: ["invoices.*"] })
    const item = await api.create("/items", { itemCode: "A", itemName: "Desk", itemType: "Service" })
    const customer = await api.create("/customers", { name: "Ann" })
    parties = { item: item.id, customer: customer.id }
    wrong = await sell(api, parties)
    // A delivery that failed is due at a time that the right clock reaches in a year.
    await until(() => hits.hits.length > 0)
    const webhook = (await api.get("/webhooks")).body.data[0].id
    await until(async () => (await api.get(`/webhooks/${webhook}/deliveries`)).body.meta.total > 0)
    await kontor.stop()
    isUp = true
    kontor = await serve({ cwd, args: allowLoopback })
    api = await signIn(kontor)
  })

  test("the log, /ready and kontor ready warn until the right clock has come to that time", async () => {
    expect([wrong.invoiceNumber, wrong.invoiceDate]).toEqual([`INV-${wrongYear}-00001`, wrongDay])
    const sentence = `The audit log has entries of up to ${wrongDay}T`
    expect(warnings(kontor)).toContainEqual(expect.stringContaining(sentence))
    expect(await ready(kontor)).toMatchObject({
      data: { status: "ready" },
      warnings: [
        {
          code: "CLOCK_SET_BACK",
          message: expect.stringContaining(sentence),
          params: { until: expect.stringContaining(`${wrongDay}T`) },
        },
      ],
    })
    const { code, stderr } = await run(["ready", "--port", new URL(kontor.url).port])
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Warning: ${sentence}`)])
  })

  test("records, documents and numbers get the right time", async () => {
    const [before, item] = [
      new Date().toISOString(),
      await api.create("/items", { itemCode: "B", itemName: "B" }),
    ]
    const after = new Date().toISOString()
    expect(before <= item.createdAt && item.createdAt <= after).toBe(true)
    const changed = (await api.patch(`/items/${item.id}`, { itemName: "C" })).body.data
    expect([changed.version, changed.updatedAt.slice(0, 10)]).toEqual([2, today])
    const [first, second] = [await sell(api, parties), await sell(api, parties)]
    expect([first.invoiceNumber, first.invoiceDate, second.invoiceNumber]).toEqual([
      `INV-${year}-00001`,
      today,
      `INV-${year}-00002`,
    ])
    const payment = await api.create(`/invoices/${wrong.id}/payments`, { amount: 1 })
    expect(payment.paymentDate).toBe(today)
  })

  test("the audit log goes on in its order, and an entry marks where the clock was set back", async () => {
    const { body } = await api.get("/audit-logs?action=clock.set-back")
    expect(body.data).toMatchObject([
      {
        actorType: "system",
        changes: {
          clockAt: {
            from: expect.stringContaining(`${wrongDay}T`),
            to: expect.stringContaining(`${today}T`),
          },
        },
      },
    ])
    expect(await check(cwd)).toMatchObject({ code: 0, ok: true, faults: [] })
  })

  test("kontor check names the document that was dated ahead, and no other one", async () => {
    const { notes } = await check(cwd)
    expect(notes).toEqual([
      expect.stringContaining("The audit log has entries of up to"),
      `The invoice INV-${wrongYear}-00001 is dated ${wrongDay}. It was written while the clock was ahead.`,
    ])
    const { stdout } = await run(["check"], { cwd })
    expect(stdout).toContain(`Note: The invoice INV-${wrongYear}-00001 is dated ${wrongDay}.`)
  })

  test("what waited for a time a year ahead is sent now", async () => {
    const got = () =>
      hits.hits.filter(({ event }) => event.recordId === wrong.id && event.type.endsWith("created"))
    await until(() => got().length > 1)
  })

  test("a webhook can be told again of what happened since a time before or after", async () => {
    const webhook = (await api.get("/webhooks")).body.data[0].id
    const told = hits.hits.length
    const since = new Date(Date.now() - 3_600_000).toISOString()
    expect(await api.post(`/webhooks/${webhook}/replay`, { since })).toMatchObject({ status: 202 })
    const issued = (await api.get("/invoices?fields=id")).body.data.map(({ id }: { id: string }) => id)
    await until(() =>
      issued.every((id: string) => hits.hits.slice(told).some(({ event }) => event.recordId === id)),
    )
  })

  test("an invoice that becomes overdue afterwards is told of", async () => {
    const late = await sell(api, parties, { dueDate: dayOf(Date.now() + 86_400_000) })
    // The server notes on which day it has looked for overdue invoices.
    await kontor.stop()
    kontor = await serve({ cwd, args: allowLoopback })
    await until(async () => {
      const events = await (await signIn(kontor)).get("/events?types=invoices.issued&limit=100")
      return events.status === 200
    })
    await kontor.stop()
    kontor = await serve({ cwd, command: withClock("+2d"), args: allowLoopback })
    const later = await signIn(kontor)
    await until(async () => {
      const { body } = await later.get("/events?types=invoices.overdue&limit=100")
      return body.data.some(({ recordId }: { recordId: string }) => recordId === late.id)
    })
  })
})

describe("with a clock that is behind, as of a machine that has lost the time", () => {
  const cwd = emptyFolder()
  let parties: Record<string, string>
  let lost: any

  beforeAll(async () => {
    const right = await serve({ cwd, isFirst: true })
    const api = await signIn(right)
    const item = await api.create("/items", { itemCode: "A", itemName: "Desk", itemType: "Service" })
    const customer = await api.create("/customers", { name: "Ann" })
    parties = { item: item.id, customer: customer.id }
    await sell(api, parties)
    await right.stop()
  })

  test("the server warns, and the documents of that time are found when the clock is right again", async () => {
    const behind = await serve({ cwd, command: withClock("-2000d") })
    await until(() =>
      warnings(behind).some((text) => text.includes("If the clock is wrong, set it right now")),
    )
    lost = await sell(await signIn(behind), parties)
    await behind.stop()
    const right = await serve({ cwd })
    await until(() => right.output.stderr.includes("The end of the audit log."))
    expect(warnings(right)).toEqual([])
    expect(await ready(right)).toEqual({ success: true, data: { status: "ready" } })
    const next = await sell(await signIn(right), parties)
    expect(next.invoiceNumber).toBe(`INV-${year}-00002`)
    const { code, notes } = await check(cwd)
    expect([code, notes]).toEqual([
      0,
      [
        `The invoice ${lost.invoiceNumber} is dated ${lost.invoiceDate}. It was written while the clock was behind.`,
      ],
    ])
  })
})
