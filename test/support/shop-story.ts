import { expect } from "bun:test"
import fc from "fast-check"
import type { Answer, Api } from "./api"
import {
  sum,
  totalOf,
  type Billed,
  type Counted,
  type Line,
  type Off,
  type Tax,
  type Treatment,
} from "./shop-model"
import type { Trade } from "./trade"

/**
 * The state of the shop that test/api/model.test.ts compares with the server, and what its operations share. Amounts are
 * in cents. Days count from today: -1 is yesterday.
 */
export type Order = {
  id: string
  customer: number
  status: string
  isGross: boolean
  lines: Line[]
  off: Off
  /** The discount as it is shown, since a revision of an order that others name. */
  shownOff?: ShownOff
}
export type Part = Billed & { id: string; line: Line }
export type Invoice = {
  id: string
  /** Null for an invoice of its own, which begins as a draft. */
  order: Order | null
  customer: number
  isGross: boolean
  day: number
  status: string
  parts: Part[]
  /** The discount as it is shown. */
  off: ShownOff
  counted: Counted
  /** The position in the order of issue; 0 before that. */
  issued: number
  /** True for a deposit on its order. */
  isDeposit: boolean
  /** True for the last invoice of an order with deposits. */
  isFinal: boolean
  /** What it deducts of deposits, also if it is cancelled. */
  deductions: Deduction[]
}
/** What an invoice deducts of a deposit. */
export type Deduction = { deposit: Invoice; cents: number; rows: Counted["rows"] }
/** A delivery of an order, with the quantity of each line. */
export type Delivery = {
  id: string
  order: Order
  parts: { line: Line; quarters: number }[]
  isCancelled: boolean
}
/** A credited part of a line: a quantity, or only an amount if `quarters` is null. */
export type Credited = {
  part: Part
  quarters: number | null
  price: number
  discount: number
  share: number
}
/** The discount of a document as a response shows it: the percentage in 1/10000, and whether it is an amount. */
export type ShownOff = [percent: number, isAmount: boolean]
export type Note = {
  id: string
  invoice: Invoice
  day: number
  lines: Credited[]
  counted: Counted
  /** What its own invoice took. */
  taken: number
  isRestocked: boolean
  isCancellation: boolean
}
export type Payment = { id: string; customer: number; cents: number; day: number; isVoid: boolean }
/** A use of a payment or of a credit note. It pays an invoice, or it is a refund. */
export type Use = {
  id: string
  of: Payment | Note
  invoice: Invoice | null
  cents: number
  day: number
  isVoid: boolean
}
/** A part of an invoice that nobody will pay. */
export type WrittenOff = { id: string; invoice: Invoice; cents: number; day: number; isVoid: boolean }
/** The period up to and including `locked` is closed. */
export type Model = {
  orders: Order[]
  invoices: Invoice[]
  deliveries: Delivery[]
  notes: Note[]
  payments: Payment[]
  uses: Use[]
  writeOffs: WrittenOff[]
  stock: number[]
  locked: number
  /** True when a credit note documents a cancellation. */
  isCreditedOnCancel: boolean
  /** True when only delivered goods are invoiced. */
  isFromDelivered: boolean
}
export type Item = { id: string; tax: Tax; hasStock: boolean }
export type Customer = { id: string; treatment: Treatment; hasTaxId: boolean }
export type Real = { shop: Trade; api: Api; items: Item[]; customers: Customer[]; codes: Tax[]; freeTax: Tax }

export const emptyModel = (): Model => ({
  orders: [],
  invoices: [],
  deliveries: [],
  notes: [],
  payments: [],
  uses: [],
  writeOffs: [],
  stock: [],
  locked: -Infinity,
  isCreditedOnCancel: false,
  isFromDelivered: false,
})

export const dateOf = (day: number): string =>
  new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10)
export const cents = (amount: number | null): number | null =>
  amount === null ? null : Math.round(amount * 100)

export const isNote = (of: Payment | Note): of is Note => "invoice" in of
const liveUses = (model: Model, is: (use: Use) => boolean) =>
  model.uses.filter((use) => !use.isVoid && is(use))
const added = (uses: Use[]) => sum(uses.map((use) => use.cents))

/** True for an order that is edited like a draft: nothing names its lines. */
export const isEdited = ({ invoices, deliveries }: Model, order: Order): boolean =>
  order.status === "draft" ||
  (order.status === "submitted" && ![...invoices, ...deliveries].some((each) => each.order === order))

export const invoiceTotal = ({ counted }: Invoice): number => totalOf(counted)
export const isLive = ({ status }: Invoice): boolean => status !== "cancelled"
export const isIssued = ({ status }: Invoice): boolean => status !== "cancelled" && status !== "draft"

export const writeOffsOf = ({ writeOffs }: Model, invoice: Invoice): WrittenOff[] =>
  writeOffs.filter((each) => each.invoice === invoice && !each.isVoid)

/** What invoices that are not cancelled deduct of a deposit. */
export const deductedOf = ({ invoices }: Model, deposit: Invoice): number =>
  sum(
    invoices
      .filter(isLive)
      .flatMap(({ deductions }) => deductions.filter((each) => each.deposit === deposit))
      .map((each) => each.cents),
  )

/** What is deducted from an invoice. */
export const deductedFrom = ({ deductions }: Invoice): number => sum(deductions.map((each) => each.cents))

/** What is paid of an invoice, without `less` and without what credit notes have given back. */
export function paidOf(model: Model, invoice: Invoice, less = 0): number {
  const { paid, applied, credited, taken } = sumsOf(model, invoice)
  return Math.max(0, paid + applied - less - (credited - taken))
}

/** What was paid, applied, credited and written off of an invoice, and what is left to pay. */
export function sumsOf(model: Model, invoice: Invoice) {
  const notes = model.notes.filter((note) => note.invoice === invoice)
  const of = (isCredit: boolean) =>
    added(liveUses(model, (use) => use.invoice === invoice && isNote(use.of) === isCredit))
  const [paid, applied, taken] = [of(false), of(true), sum(notes.map((note) => note.taken))]
  const credited = sum(notes.map(({ counted }) => totalOf(counted)))
  const writtenOff = sum(writeOffsOf(model, invoice).map((each) => each.cents))
  const owed = invoiceTotal(invoice) - deductedFrom(invoice)
  const left = isIssued(invoice) ? owed - taken - paid - applied - writtenOff : 0
  return { paid, applied, credited, taken, writtenOff, left, notes }
}

/** What is left of a payment or of a credit note. */
export function leftIn(model: Model, of: Payment | Note): number {
  const whole = isNote(of) ? totalOf(of.counted) - of.taken : of.isVoid ? 0 : of.cents
  return whole - added(usesOf(model, of))
}

export const usesOf = (model: Model, of: Payment | Note): Use[] => liveUses(model, (use) => use.of === of)

/** Sets the status of an issued invoice, or of one that is being issued. */
export function settle(model: Model, invoice: Invoice): void {
  invoice.status = "unpaid"
  const { paid, applied, credited, writtenOff, left } = sumsOf(model, invoice)
  if (credited > 0 && credited === invoiceTotal(invoice)) invoice.status = "credited"
  else if (left === 0) invoice.status = "paid"
  else if (paid + applied + writtenOff > 0) invoice.status = "partially_paid"
}

export type Step = { title: string; at: number; run: (model: Model, real: Real, at: number) => Promise<void> }

/** Steps as a report of a failure shows them. */
export const readable = (steps: readonly Step[]): Step[] =>
  steps.map((each) => ({ ...each, toString: () => `${each.title} ${each.at}` }))

/** An operation on the record with index `at`; without such a record it does nothing. */
export const step = (title: string, run: Step["run"]): fc.Arbitrary<Step> =>
  fc.nat({ max: 50 }).map((at): Step => ({ title, at, run }))
export const pick = <T>(list: T[], at: number): T | undefined =>
  list.length > 0 ? list[at % list.length] : undefined
/** Mostly a record in one of these statuses, so that most operations are possible. */
export const pickIn = <T extends { status: string }>(
  list: T[],
  at: number,
  ...statuses: string[]
): T | undefined => pick(at % 5 === 0 ? list : list.filter(({ status }) => statuses.includes(status)), at)

/** Dates of documents and payments. */
export const days = fc.constantFrom(0, 0, -5, -15, -25, 3)

/**
 * Expects success if there is no reason to refuse; else a refusal with the code of one of the reasons. True when the
 * operation was done.
 */
export function isDone(answer: Answer, status: number, reasons: readonly (string | false)[]): boolean {
  const codes = reasons.filter((reason) => reason !== false)
  if (codes.length === 0) expect(answer).toMatchObject({ status })
  else {
    expect(answer).toMatchObject({ status: 422 })
    expect(codes).toContain(answer.body.error.code)
  }
  return codes.length === 0
}
