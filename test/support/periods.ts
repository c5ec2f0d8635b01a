// Recurring invoices of which many periods have begun, and invoices that are overdue, for tests that kill servers while
// invoices and reminders are made.
import { expect } from "bun:test"
import type { Api } from "./api"

const day = 86_400_000
/** Periods 1 to 12 have begun, the last one today. */
const startsOn = (): string => new Date(Date.now() - 77 * day).toISOString().slice(0, 10)
export const periodsEach = 12

/** Writes templates that issue, draft or send an invoice each week. */
export async function writeTemplates(api: Api, count: number): Promise<void> {
  const customer = await api.create("/customers", { name: "Tenant", email: "tenant@example.com" })
  const modes = ["issue", "draft", "issue", "send"]
  const operations = Array.from({ length: count }, (_, i) => ({
    op: "create",
    body: {
      customer: customer.id,
      items: [{ description: `Rent ${i}`, quantity: 1, rate: 900 }],
      every: { unit: "week" },
      startsOn: startsOn(),
      mode: modes[i % modes.length],
    },
  }))
  const { results } = (await api.post("/recurring-invoices/batch", { mode: "all", operations })).body.data
  expect(results).toHaveLength(count)
}

export const countMade = async (api: Api): Promise<number> =>
  (await api.get("/invoices?recurringPeriod[gte]=1&perPage=1")).body.meta.total

/** Issues invoices of different customers that are overdue, and begins to remind of all of them. */
export async function remindOfMany(api: Api, count: number): Promise<void> {
  const late = new Date(Date.now() - 20 * day).toISOString().slice(0, 10)
  const items = [{ description: "Work", quantity: 1, rate: 10 }]
  for (let i = 0; i < count; i++) {
    const { id: customer } = await api.create("/customers", { name: `Debtor ${i}` })
    const dates = { invoiceDate: late, dueDate: late }
    await api.create("/invoices", { customer, items, ...dates, status: "unpaid", externalId: `late-${i}` })
  }
  expect(await api.post("/reminders/run")).toMatchObject({ status: 202 })
}

export const countReminders = async (api: Api): Promise<number> =>
  (await api.get("/reminders?perPage=1")).body.meta.total

/** Expects one reminder of each invoice that was overdue. */
export async function expectEachReminded(api: Api, count: number): Promise<void> {
  const { data } = (await api.get("/reminders?perPage=100")).body
  const invoices = data.map(({ invoice }: { invoice: string }) => invoice)
  expect([new Set(invoices).size, data.length]).toEqual([count, count])
}

/** Expects one invoice of each period of each template. */
export async function expectEachOnce(api: Api, count: number): Promise<void> {
  const periods = new Map<string, number[]>()
  for (let page = 1; page <= Math.ceil((count * periodsEach) / 100) + 1; page++)
    for (const { recurringInvoice, recurringPeriod } of (
      await api.get(`/invoices?recurringPeriod[gte]=1&perPage=100&page=${page}&sort=createdAt&order=asc`)
    ).body.data)
      periods.set(recurringInvoice, [...(periods.get(recurringInvoice) ?? []), recurringPeriod])
  expect(periods.size).toBe(count)
  const each = Array.from({ length: periodsEach }, (_, i) => i + 1)
  for (const found of periods.values()) expect(found.toSorted((a, b) => a - b)).toEqual(each)
}
