// Recurring invoices of which many periods have begun, for tests that kill servers while their invoices are made.
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
