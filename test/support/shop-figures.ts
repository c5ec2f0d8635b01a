import { expect } from "bun:test"
import type { Api } from "./api"
import { sum, totalOf } from "./shop-model"
import { cents, dateOf, deductedFrom, invoiceTotal, sumsOf, type Invoice, type Model } from "./shop-story"

/** The figures of GET /reports/summary that test/api/model.test.ts compares. Amounts are in cents. */
export type Figures = { now: number; months: number[]; days: number[][] }

/** Days around all dates of a story. */
const reportDays = [-26, -25, -16, -15, -6, -5, -1, 0, 2, 3, 13]

export async function figuresOf(api: Api): Promise<Figures> {
  const summary = async (query = "") => (await api.get(`/reports/summary${query}`)).body.data
  const { receivables, salesByMonth } = await summary()
  const days: number[][] = []
  for (const day of reportDays) {
    const { total, overdue } = (await summary(`?at=${dateOf(day)}`)).receivables
    days.push([cents(total) ?? 0, cents(overdue) ?? 0])
  }
  const all = (name: string) => sum(salesByMonth.map((month: Record<string, number>) => month[name] ?? 0))
  const money = ["invoiced", "credited", "paid"].map((name) => Math.round(all(name) * 100))
  const counts = ["invoiceCount", "creditCount", "paymentCount"].map(all)
  return { now: cents(receivables.total) ?? 0, months: [...money, ...counts], days }
}

/**
 * What was left to pay of an invoice on a day. Everything counts from its own date on. What was voided or cancelled
 * counts until that happened, which is today in a story.
 */
function openAt(model: Model, invoice: Invoice, day: number): number {
  if (invoice.issued === 0 || invoice.day > day) return 0
  if (invoice.status === "cancelled" && day >= 0) return 0
  const taken = sumsOf(model, invoice).notes.filter((note) => note.day <= day)
  const used = model.uses.filter(
    (use) => use.invoice === invoice && use.day <= day && !(use.isVoid && day >= 0),
  )
  const writtenOff = model.writeOffs.filter(
    (each) => each.invoice === invoice && each.day <= day && !(each.isVoid && day >= 0),
  )
  const less = [...used, ...writtenOff].map((each) => each.cents)
  return Math.max(0, soldBy(invoice) - sum(taken.map((note) => note.taken)) - sum(less))
}

/** What an invoice adds to the sales: without what its deposits added before. */
const soldBy = (invoice: Invoice): number => invoiceTotal(invoice) - deductedFrom(invoice)

/** Compares the figures with those before the story began. */
export function compareFigures(model: Model, before: Figures, after: Figures): void {
  const { invoices, notes, payments } = model
  const isReported = ({ day }: { day: number }) => dateOf(day).slice(0, 7) <= dateOf(0).slice(0, 7)
  const counted = invoices.filter(
    (each) =>
      each.issued > 0 && (each.status !== "cancelled" || notes.some(({ invoice }) => invoice === each)),
  )
  const months = [
    counted.filter(isReported).map(soldBy),
    notes
      .filter(isReported)
      .map((note) => totalOf(note.counted) - (note.isCancellation ? deductedFrom(note.invoice) : 0)),
    payments.filter((each) => !each.isVoid && isReported(each)).map((each) => each.cents),
  ]
  const less = (a: readonly number[], b: readonly number[]) => a.map((each, i) => each - (b[i] ?? 0))
  expect(after.now - before.now).toBe(sum(invoices.map((each) => sumsOf(model, each).left)))
  expect(less(after.months, before.months)).toEqual([
    ...months.map((amounts) => sum(amounts)),
    ...months.map(({ length }) => length),
  ])
  for (const [i, day] of reportDays.entries())
    expect([dateOf(day), ...less(after.days[i] ?? [], before.days[i] ?? [])]).toEqual([
      dateOf(day),
      sum(invoices.map((each) => openAt(model, each, day))),
      sum(invoices.filter((each) => each.day < day).map((each) => openAt(model, each, day))),
    ])
}
