import { expect } from "bun:test"
import fc from "fast-check"
import type { Shown } from "./shop-compare"
import { cents, dateOf, days, isDone, pick, pickIn, settle, sumsOf, writeOffsOf } from "./shop-story"
import type { Invoice, Model, Step } from "./shop-story"

/** Write-offs of invoices: the operations of test/api/model.test.ts that make and void them. */

const at = fc.nat({ max: 50 })
const isLocked = (model: Model, day: number) => day <= model.locked && "PERIOD_LOCKED"

const writingOff = fc
  .tuple(at, fc.constantFrom(0.1, 0.5, 1, 1.2), fc.option(days))
  .map(([place, part, given]): Step => ({
    title: "write off",
    at: place,
    async run(model, { api }) {
      const invoice = pickIn(model.invoices, place, "unpaid", "partially_paid")
      if (!invoice) return
      const { left } = sumsOf(model, invoice)
      const amount = Math.max(1, Math.ceil(left * part))
      const day = given ?? Math.max(invoice.day, 0)
      const answer = await api.post(`/invoices/${invoice.id}/write-offs`, {
        amount: amount / 100,
        reason: "Rounding",
        ...(given === null ? {} : { writeOffDate: dateOf(day) }),
      })
      const reasons = [
        ["draft", "cancelled"].includes(invoice.status) && "DOCUMENT_LOCKED",
        (amount > left || day < invoice.day) && "VALIDATION_ERROR",
        isLocked(model, day),
      ]
      if (!isDone(answer, 201, reasons)) return
      model.writeOffs.push({ id: answer.body.data.id, invoice, cents: amount, day, isVoid: false })
      settle(model, invoice)
    },
  }))

const voiding = at.map((place): Step => ({
  title: "void a write-off",
  at: place,
  async run(model, { api }) {
    const writeOff = pick(
      model.writeOffs.filter(({ isVoid }) => !isVoid),
      place,
    )
    if (!writeOff) return
    const { id, invoice, day } = writeOff
    const answer = await api.delete(`/invoices/${invoice.id}/write-offs/${id}`)
    if (!isDone(answer, 204, [isLocked(model, day)])) return
    writeOff.isVoid = true
    settle(model, invoice)
  },
}))

export const writeOffSteps = [
  { weight: 2, arbitrary: writingOff },
  { weight: 1, arbitrary: voiding },
]

/** Compares what an invoice shows of its write-offs. */
export function compareWriteOffs(model: Model, invoice: Invoice, shown: Shown): void {
  const told = shown.writeOffs.map((each: Shown) => [each.id, cents(each.amount), each.writeOffDate])
  const wanted = writeOffsOf(model, invoice).map(({ id, cents: amount, day }) => [id, amount, dateOf(day)])
  expect(told.toSorted()).toEqual(wanted.toSorted())
}
