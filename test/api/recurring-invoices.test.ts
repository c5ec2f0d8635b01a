// Recurring invoices: what a template can be, and the invoices that are made of it by themselves.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { refusalOf, signIn, type Api } from "../support/api"
import { isPostgres } from "../support/engine"
import { cleanUp, emptyFolder, run, serve, type Kontor } from "../support/kontor"
import { download } from "../support/downloads"
import { trade, type Trade } from "../support/trade"
import { until } from "../support/until"

let kontor: Kontor
let api: Api
let shop: Trade
type Named = Record<string, any>

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  shop = trade(api)
  const settings = {
    legalName: "Nordlicht GmbH",
    currency: "EUR",
    vatId: "DE136695976",
    address: { street: "Hafen 1", city: "Hamburg", zipCode: "20457", country: "DE" },
  }
  expect((await api.put("/settings", settings)).status).toBe(200)
})
afterAll(cleanUp)

const day = 86_400_000
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString().slice(0, 10)
const work = [{ description: "Hosting", quantity: 1, rate: 100 }]
const template = async (more: object = {}): Promise<Named> =>
  api.create("/recurring-invoices", {
    customer: (await shop.customer()).id,
    items: work,
    every: { unit: "month" },
    startsOn: inDays(10),
    ...more,
  })
const tried = async (more: object) =>
  api.post("/recurring-invoices?dryRun=true", {
    customer: (await shop.customer()).id,
    items: work,
    every: { unit: "month" },
    startsOn: inDays(10),
    ...more,
  })
const invoicesOf = async ({ id }: Named): Promise<Named[]> =>
  (await api.get(`/invoices?recurringInvoice=${id}&sort=createdAt&order=asc&perPage=100`)).body.data
/** Waits until a template has made as many invoices. */
async function made(of: Named, count: number): Promise<Named[]> {
  await until(async () => (await invoicesOf(of)).length >= count)
  return invoicesOf(of)
}
const get = async ({ id }: Named): Promise<Named> => (await api.get(`/recurring-invoices/${id}`)).body.data
const eventsOf = async ({ id }: Named): Promise<string[]> =>
  (await api.get("/events?types=recurring-invoices.*&limit=100")).body.data
    .filter(({ recordId }: Named) => recordId === id)
    .map(({ type }: Named) => type)

describe("a template", () => {
  test("has totals, the date of its next period, and defaults that harm nobody", async () => {
    const created = await template()
    expect(created).toMatchObject({
      status: "active",
      every: { unit: "month", count: 1 },
      nextDate: inDays(10),
      nextPeriod: 1,
      mode: "draft",
      prices: "template",
      total: 100,
      skippedPeriods: 0,
      problem: null,
      needsAttention: false,
      allowedTransitions: ["paused", "ended"],
    })
    expect(await get(created)).toEqual(created)
    expect((await api.get(`/recurring-invoices?customer=${created["customer"]}`)).body.data).toEqual([
      created,
    ])
  })

  const refused: [string, object, string, string][] = [
    ["no unit", { every: { count: 2 } }, "every.unit", "REQUIRED"],
    ["an unknown unit", { every: { unit: "day" } }, "every.unit", "FORMAT"],
    ["an interval of nothing", { every: { unit: "week", count: 0 } }, "every.count", "TOO_SMALL"],
    ["an interval of centuries", { every: { unit: "year", count: 121 } }, "every.count", "TOO_LARGE"],
    ["unknown parts", { every: { unit: "week", days: 2 } }, "every.days", "UNKNOWN_FIELD"],
    ["no object", { every: "month" }, "every", "TYPE"],
    ["an end before its start", { endsOn: inDays(9) }, "endsOn", "RULE"],
    ["two ends", { endsOn: inDays(90), occurrences: 3 }, "occurrences", "RULE"],
    ["a start in the distant past", { startsOn: inDays(-367) }, "startsOn", "RULE"],
    ["no lines", { items: [] }, "items", "TOO_SHORT"],
  ]
  test.each(refused)("with %s is refused", async (_, more, field, code) => {
    const { status, body } = await tried(more)
    expect([status, body.error?.details]).toEqual([422, [expect.objectContaining({ field, code })]])
  })

  test("tells how many invoices it makes immediately", async () => {
    const { warnings } = (await tried({ startsOn: inDays(-15), every: { unit: "week" } })).body
    expect(warnings).toMatchObject([{ code: "RECURRING_CATCHES_UP", params: { count: 3 } }])
    const many = (await tried({ startsOn: inDays(-300), every: { unit: "week" } })).body
    expect(many.warnings).toMatchObject([{ params: { count: 12 } }])
    expect((await tried({ startsOn: inDays(1) })).body.warnings).toBeUndefined()
  })

  test("keeps its rhythm after the first period, and ends when no date is left", async () => {
    const created = await template({ startsOn: inDays(0) })
    await made(created, 1)
    const { nextDate } = await get(created)
    const put = (body: object) => api.put(`/recurring-invoices/${created["id"]}`, body)
    for (const [field, value] of [
      ["every", { unit: "week" }],
      ["startsOn", inDays(1)],
    ] as const)
      expect((await put({ [field]: value })).body.error.details).toMatchObject([
        { field, params: { rule: "STARTED" } },
      ])
    expect((await put({ items: [{ description: "Hosting", quantity: 1, rate: 120 }] })).body.data.total).toBe(
      120,
    )
    expect((await put({ endsOn: nextDate })).body.data).toMatchObject({ status: "active", nextDate })
    expect((await put({ endsOn: null, occurrences: 1 })).body.data).toMatchObject({
      status: "ended",
      nextDate: null,
      allowedTransitions: [],
    })
    expect(refusalOf(await put({ occurrences: 5 }))).toMatchObject({ code: "DOCUMENT_LOCKED" })
    expect(refusalOf(await api.delete(`/recurring-invoices/${created["id"]}`))).toMatchObject({
      code: "DOCUMENT_LOCKED",
    })
  })

  test("is deleted before it has made an invoice, and its customer and items are not", async () => {
    const item = await shop.item({ itemType: "Service" })
    const created = await template({ items: [{ item: item.id, quantity: 1 }] })
    expect(refusalOf(await api.delete(`/items/${item.id}`))).toMatchObject({ code: "RECORD_IN_USE" })
    expect(refusalOf(await api.delete(`/customers/${created["customer"]}`))).toMatchObject({
      code: "RECORD_IN_USE",
    })
    expect((await api.delete(`/recurring-invoices/${created["id"]}`)).status).toBe(204)
  })
})

describe("an invoice of a period", () => {
  test("is made once when its period has begun, with its days in the texts, on paper and in the e-invoice", async () => {
    const customer = await shop.customer({
      language: "de",
      email: "buyer@example.com",
      address: { street: "Weg 1", city: "Kiel", zipCode: "24103", country: "DE" },
    })
    const startsOn = inDays(0)
    const taxCode = await api.create("/tax-codes", { code: "DE19", name: "Full", category: "S", rate: 19 })
    const created = await template({
      customer: customer.id,
      startsOn,
      mode: "issue",
      items: [{ description: "Hosting {from}–{to}", quantity: 1, rate: 100, taxCode: taxCode.id }],
      notes: "Ab {from}. {number} bleibt.",
      metadata: { contract: "C-7" },
      paymentTerms: "Net 14",
      buyerReference: "04011000-12345-03",
    })
    const [invoice] = await made(created, 1)
    const { nextDate } = await get(created)
    const periodEndDate = new Date(Date.parse(nextDate) - day).toISOString().slice(0, 10)
    expect(invoice).toMatchObject({
      status: "unpaid",
      recurringInvoice: created["id"],
      recurringPeriod: 1,
      periodStartDate: startsOn,
      periodEndDate,
      recurringProblem: null,
      invoiceDate: startsOn,
      dueDate: inDays(14),
      total: 119,
      metadata: { contract: "C-7" },
      createdBy: created["createdBy"],
    })
    const shown = (date: string) =>
      new Intl.DateTimeFormat("de", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(date))
    expect(invoice?.["items"][0].description).toBe(`Hosting ${shown(startsOn)}–${shown(periodEndDate)}`)
    expect(invoice?.["notes"]).toBe(`Ab ${shown(startsOn)}. {number} bleibt.`)
    const xml = (format: string) =>
      download(kontor, api, `/invoices/${invoice?.["id"]}/xml?format=${format}`).then(({ bytes }) =>
        new TextDecoder().decode(bytes),
      )
    const ubl = await xml("ubl")
    expect(ubl).toContain(
      `<cac:InvoicePeriod><cbc:StartDate>${startsOn}</cbc:StartDate><cbc:EndDate>${periodEndDate}</cbc:EndDate></cac:InvoicePeriod>`,
    )
    expect(ubl).not.toContain("ActualDeliveryDate")
    expect(await xml("cii")).toContain("<ram:BillingSpecifiedPeriod><ram:StartDateTime>")
    expect(await invoicesOf(created)).toHaveLength(1)
  })

  test("is made for each of the last 12 periods that were missed, the others are skipped", async () => {
    const created = await template({ startsOn: inDays(-140), every: { unit: "week" } })
    // Weeks 1 to 21 have begun, the last of them today.
    const invoices = await made(created, 12)
    expect(invoices.map(({ recurringPeriod }) => recurringPeriod)).toEqual(
      Array.from({ length: 12 }, (_, i) => 10 + i),
    )
    expect(new Set(invoices.map(({ invoiceDate }) => invoiceDate))).toEqual(new Set([inDays(0)]))
    const after = await get(created)
    expect(after).toMatchObject({ skippedPeriods: 9, nextPeriod: 22, nextDate: inDays(7) })
    expect(await eventsOf(created)).toContain("recurring-invoices.skipped")
    expect((await api.get("/reports/summary")).body.data.counts.recurringSkipped).toBeGreaterThan(0)
  })

  test("has the prices of the template, or of the item on its day", async () => {
    const item = await shop.item({ itemType: "Service", sellingPrice: 10 })
    const line = [{ item: item.id, quantity: 2, discount: 10 }]
    const paused = async (prices: string) => {
      const created = await template({ items: line, prices, startsOn: inDays(1) })
      await api.put(`/recurring-invoices/${created["id"]}`, { startsOn: inDays(1) })
      return created
    }
    const [same, current] = [await paused("template"), await paused("item")]
    await api.put(`/items/${item.id}`, { sellingPrice: 20 })
    for (const each of [same, current])
      await api.put(`/recurring-invoices/${each["id"]}`, { startsOn: inDays(0) })
    expect((await made(same, 1))[0]).toMatchObject({ total: 18 })
    expect((await made(current, 1))[0]).toMatchObject({ total: 36 })
  })

  test("becomes a draft with the reason when it cannot be issued, and waits for a person", async () => {
    const customer = await shop.customer({ creditLimit: 50 })
    const item = await shop.item({ itemType: "Service" })
    const limited = await template({ customer: customer.id, startsOn: inDays(0), mode: "issue" })
    const [draft] = await made(limited, 1)
    expect(draft).toMatchObject({ status: "draft", recurringProblem: { code: "CREDIT_LIMIT_EXCEEDED" } })
    expect(await get(limited)).toMatchObject({
      status: "active",
      nextPeriod: 2,
      needsAttention: true,
      problem: { code: "CREDIT_LIMIT_EXCEEDED" },
    })
    const listed = async () =>
      (await api.get("/recurring-invoices?needsAttention=true")).body.data.map(({ id }: Named) => id)
    expect(await listed()).toContain(limited["id"])
    const issue = { status: "unpaid", override: true }
    const issued = (await api.put(`/invoices/${draft?.["id"]}/status`, issue)).body.data
    expect(issued).toMatchObject({ status: "unpaid", recurringProblem: null, recurringPeriod: 1 })
    expect(await listed()).not.toContain(limited["id"])

    const idle = await template({ items: [{ item: item.id, quantity: 1 }], mode: "send" })
    await api.put(`/items/${item.id}`, { isActive: false })
    await api.put(`/customers/${idle["customer"]}`, { isActive: false })
    await api.put(`/recurring-invoices/${idle["id"]}`, { startsOn: inDays(0) })
    const [kept] = await made(idle, 1)
    expect(kept).toMatchObject({ status: "draft", items: [{ item: item.id }] })
    expect(kept?.["recurringProblem"].details.length).toBeGreaterThan(0)
    expect(await eventsOf(idle)).toContain("recurring-invoices.failed")
  })

  test("is issued without being sent when nothing can be sent", async () => {
    const created = await template({ startsOn: inDays(0), mode: "send" })
    const [invoice] = await made(created, 1)
    expect(invoice?.["status"]).toBe("unpaid")
    expect(invoice?.["recurringProblem"]).toBeTruthy()
    expect(await get(created)).toMatchObject({ needsAttention: true })
  })

  test("is not made of a template that is paused, and periods of the pause are left out", async () => {
    const created = await template({ startsOn: inDays(1), every: { unit: "week" } })
    const become = (status: string) => shop.status("recurring-invoices", created["id"], status)
    expect((await become("paused")).body.data.status).toBe("paused")
    await api.put(`/recurring-invoices/${created["id"]}`, { startsOn: inDays(-8) })
    const resumed = (await become("active")).body.data
    expect(resumed).toMatchObject({ status: "active", nextPeriod: 3, nextDate: inDays(6), skippedPeriods: 0 })
    expect(await invoicesOf(created)).toEqual([])
    expect((await become("ended")).body.data).toMatchObject({ status: "ended", nextDate: null })
    expect(refusalOf(await become("active"))).toMatchObject({ code: "INVALID_STATUS_TRANSITION" })
  })

  test("is made when a template goes on that Kontor has paused, because not even a draft could be made", async () => {
    const item = await shop.item({ itemType: "Service", sellingPrice: 1 })
    const created = await template({
      items: [{ item: item.id, quantity: 900_000_000 }],
      prices: "item",
      every: { unit: "week" },
      startsOn: inDays(1),
    })
    await api.put(`/items/${item.id}`, { sellingPrice: 900_000_000 })
    await api.put(`/recurring-invoices/${created["id"]}`, { startsOn: inDays(-8) })
    await until(async () => (await get(created))["status"] === "paused")
    const stuck = { nextPeriod: 1, nextDate: inDays(-8), needsAttention: true }
    expect(await get(created)).toMatchObject({ ...stuck, problem: { code: "VALIDATION_ERROR" } })
    expect(await eventsOf(created)).toContain("recurring-invoices.failed")

    await api.put(`/items/${item.id}`, { sellingPrice: 2 })
    const resumed = (await shop.status("recurring-invoices", created["id"], "active")).body
    expect(resumed).toMatchObject({
      data: { status: "active", nextPeriod: 1 },
      warnings: [{ code: "RECURRING_CATCHES_UP", field: "status", params: { count: 2 } }],
    })
    const invoices = await made(created, 2)
    expect(invoices.map(({ recurringPeriod, total }) => [recurringPeriod, total])).toEqual([
      [1, 1_800_000_000],
      [2, 1_800_000_000],
    ])
    expect(await get(created)).toMatchObject({ problem: null, needsAttention: false, skippedPeriods: 0 })
  })

  test("is not made up for when a person has paused a template, also if its last invoice had a problem", async () => {
    const customer = await shop.customer({ creditLimit: 50 })
    const every = { unit: "week" }
    const created = await template({ customer: customer.id, every, startsOn: inDays(0), mode: "issue" })
    await made(created, 1)
    const become = async (status: string) =>
      (await shop.status("recurring-invoices", created["id"], status)).body.data
    expect(await become("paused")).toMatchObject({ status: "paused", problem: null, needsAttention: true })
    expect(await become("active")).toMatchObject({ nextPeriod: 2, nextDate: inDays(7) })
  })
})

// A PostgreSQL database has no backups.
test.skipIf(isPostgres)("a restored file makes no invoice until an admin sends again", async () => {
  const cwd = emptyFolder()
  const before = await serve({ cwd })
  const first = await signIn(before)
  const created = await first.create("/recurring-invoices", {
    customer: (await trade(first).customer()).id,
    items: work,
    every: { unit: "month" },
    startsOn: inDays(1),
  })
  expect(await run(["backup", "copy.db"], { cwd })).toMatchObject({ code: 0 })
  await before.stop()
  expect(await run(["restore", "copy.db"], { cwd })).toMatchObject({ code: 0 })
  const restored = await signIn(await serve({ cwd }))
  const path = `/recurring-invoices/${created.id}`
  // As if the day had come. Elsewhere it is made a second after that.
  expect((await restored.put(path, { startsOn: inDays(0) })).status).toBe(200)
  await Bun.sleep(1_500)
  const nextPeriod = async () => (await restored.get(path)).body.data.nextPeriod
  expect(await nextPeriod()).toBe(1)
  expect((await restored.post("/messages/resume")).body.data).toMatchObject({ isPaused: false })
  await until(async () => (await nextPeriod()) === 2)
  expect((await restored.get(`/invoices?recurringInvoice=${created.id}`)).body.meta.total).toBe(1)
})

test("the books of all of this are consistent", async () => {
  expect(await run(["check", "--db", kontor.file])).toMatchObject({ code: 0 })
})
