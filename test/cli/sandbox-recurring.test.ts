// Recurring invoices while months and years pass, as the clock of a sandbox shows it.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { signIn, type Api } from "../support/api"
import { until } from "../support/until"
import { sandbox, stopSandboxes } from "../support/sandbox"

type Named = Record<string, any>
let api: Api
let admin: Api

beforeAll(async () => {
  const shop = await sandbox()
  api = shop.api
  admin = await signIn(shop, shop.email, shop.password)
})
beforeEach(async () => void expect(await api.post("/sandbox/reset")).toMatchObject({ status: 200 }))
afterAll(stopSandboxes)

const advance = async (duration: string): Promise<void> =>
  void expect((await api.put("/sandbox/clock", { advance: duration })).status).toBe(200)
const invoicesOf = async ({ id }: Named): Promise<Named[]> =>
  (await api.get(`/invoices?recurringInvoice=${id}&sort=createdAt&order=asc&perPage=100`)).body.data
const template = async (more: object = {}): Promise<Named> => {
  const customer = await api.create("/customers", { name: "Rent", email: "rent@example.com" })
  return api.create("/recurring-invoices", {
    customer: customer.id,
    items: [{ description: "Rent {from}", quantity: 1, rate: 900 }],
    every: { unit: "month" },
    mode: "issue",
    ...more,
  })
}
const datesOf = (invoices: Named[]) => invoices.map(({ invoiceDate }) => invoiceDate)

test("each month gets one invoice on its last day, also in a leap year, at the beginning of the day", async () => {
  const rent = await template({ startsOn: "2027-01-31" })
  await advance("P2Y")
  const made = await invoicesOf(rent)
  expect(made).toHaveLength(24)
  expect(datesOf(made).filter((date) => date.slice(5, 7) === "02")).toEqual(["2027-02-28", "2028-02-29"])
  expect(made.map(({ recurringPeriod }) => recurringPeriod)).toEqual(made.map((_, i) => i + 1))
  for (const { createdAt, invoiceDate, periodStartDate, invoiceNumber } of made) {
    expect([invoiceDate, createdAt]).toEqual([periodStartDate, `${invoiceDate}T00:00:00.000Z`])
    expect(invoiceNumber).toContain(invoiceDate.slice(0, 4))
  }
})

test("moved by days, by months and at once, the clock gives the same invoices", async () => {
  const daily = async (steps: string[]) => {
    await api.post("/sandbox/reset")
    const weekly = await template({ startsOn: "2027-01-10", every: { unit: "week", count: 2 } })
    const yearly = await template({ startsOn: "2027-02-28", every: { unit: "year" }, occurrences: 1 })
    for (const step of steps) await advance(step)
    const { data } = (await api.get(`/recurring-invoices/${yearly["id"]}`)).body
    expect(data).toMatchObject({ status: "ended", nextDate: null, nextPeriod: 2 })
    return [datesOf(await invoicesOf(weekly)), datesOf(await invoicesOf(yearly))]
  }
  const [weekly, yearly] = await daily(Array(60).fill("P1D"))
  expect(weekly).toEqual(["2027-01-10", "2027-01-24", "2027-02-07", "2027-02-21"])
  expect(yearly).toEqual(["2027-02-28"])
  expect(await daily(["P1M", "P1M", "P1D"])).toEqual([weekly, yearly] as [string[], string[]])
  expect(await daily(["P60D"])).toEqual([weekly, yearly] as [string[], string[]])
})

test("a period begins at midnight where the shop is", async () => {
  expect((await admin.put("/settings", { timeZone: "America/New_York" })).status).toBe(200)
  const rent = await template({ startsOn: "2027-01-10" })
  // Midnight on the tenth in New York is 5 o'clock in UTC.
  await advance("P5DT19H")
  expect(await invoicesOf(rent)).toEqual([])
  await advance("PT1H")
  expect(await invoicesOf(rent)).toMatchObject([
    { invoiceDate: "2027-01-10", createdAt: "2027-01-10T05:00:00.000Z" },
  ])
})

test("an invoice is sent by itself when it is issued, once", async () => {
  const sent = await template({ startsOn: "2027-01-20", mode: "send" })
  await advance("P20D")
  const [invoice] = await invoicesOf(sent)
  const messages = async () =>
    (await api.get("/sandbox/messages")).body.data.filter(({ to }: Named) => to.includes("rent@example.com"))
  await until(async () => (await messages()).length > 0)
  expect(await messages()).toHaveLength(1)
  await until(async () => (await api.get(`/invoices/${invoice?.["id"]}`)).body.data.lastSentAt !== null)
  expect((await api.get(`/messages?record=${invoice?.["id"]}`)).body.data).toMatchObject([
    { kind: "invoices", status: "sent" },
  ])
  expect((await api.get(`/recurring-invoices/${sent["id"]}`)).body.data.needsAttention).toBeFalse()
})
