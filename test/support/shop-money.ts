import { expect } from "bun:test"
import fc from "fast-check"
import { compareSums, type Shown } from "./shop-compare"
import { takesDeducted } from "./shop-deposits"
import { count, creditOf, keyOf, leftOf, sum, totalOf, type Counted } from "./shop-model"
import {
  cents,
  dateOf,
  days,
  isDone,
  isIssued,
  isNote,
  leftIn,
  pick,
  pickIn,
  settle,
  sumsOf,
  usesOf,
  type Credited,
  type Invoice,
  type Model,
  type Note,
  type Part,
  type Payment,
  type Real,
  type ShownOff,
  type Step,
  type Use,
} from "./shop-story"

/** Credit notes, payments, and what is done with them: the operations of test/api/model.test.ts that move money. */

type Weighted = { weight: number; arbitrary: fc.Arbitrary<Step> }
const at = fc.nat({ max: 50 })
const isLocked = (model: Model, day: number) => day <= model.locked && "PERIOD_LOCKED"
/** A part of an amount, at least 1; sometimes too much. */
const parts = fc.constantFrom(0.3, 0.5, 0.5, 1, 1, 1, 1.2)
const partOf = (amount: number, part: number): number => Math.max(1, Math.ceil(amount * part))
/** The date of a use that a body does not give: today, but not before the payment or the credit note. */
const dayAfter = (day: number): number => Math.max(day, 0)

/** The taxes of credited lines: with the earlier credit notes they add up to the invoice. */
function creditTaxes(model: Model, invoice: Invoice, lines: Credited[]): Counted {
  const { notes } = sumsOf(model, invoice)
  const priced = lines.map(({ part, price }) => ({ price, tax: part.line.tax }))
  return count(priced, invoice.isGross, (key) => {
    const row = invoice.counted.rows.get(key) ?? { base: 0, tax: 0 }
    const same = invoice.parts.filter(({ line }) => keyOf(line.tax) === key)
    return {
      price: sum(same.map(({ creditedPrice }) => creditedPrice)),
      tax: sum(notes.map(({ counted }) => counted.rows.get(key)?.tax ?? 0)),
      whole: { price: invoice.isGross ? row.base + row.tax : row.base, tax: row.tax },
    }
  })
}

function addNote(model: Model, note: Note): void {
  model.notes.push(note)
  for (const { part, quarters, price } of note.lines) {
    part.creditedQuarters += quarters ?? 0
    part.creditedPrice += price
  }
}

const wholeCredit = (parts: Part[]): Credited[] =>
  parts
    .filter((part) => leftOf(part).quarters > 0)
    .map((part) => {
      const { quarters } = leftOf(part)
      return { part, quarters, ...creditOf(part, quarters) }
    })

/** Adds the credit note of an invoice that is being cancelled. It takes nothing out of stock and leaves no credit. */
export function cancelNote(model: Model, invoice: Invoice, id: string, day: number): void {
  const lines = wholeCredit(invoice.parts)
  const counted = creditTaxes(model, invoice, lines)
  const marks = { isRestocked: false, isCancellation: true }
  addNote(model, { id, invoice, day, lines, counted, taken: totalOf(counted), ...marks })
}

type How = "all" | "quantity" | "amount" | "both"

/** Chooses what to credit of an invoice. The size 1 is all that is left of a line. */
function chooseCredit(invoice: Invoice, how: How, size: number, from: number): Credited[] {
  if (how === "all") return wholeCredit(invoice.parts)
  const open = invoice.parts.filter((part) => from % 5 === 0 || leftOf(part).price > 0)
  return open.slice(from % Math.max(1, open.length)).map((part, i): Credited => {
    const left = leftOf(part)
    const quarters = partOf(left.quarters, size)
    return how === "quantity" || (how === "both" && i % 2 === 0)
      ? { part, quarters, ...creditOf(part, quarters) }
      : { part, quarters: null, price: partOf(left.price, size), discount: 0, share: 0 }
  })
}

const isTooMuch = ({ part, quarters, price }: Credited): boolean =>
  quarters === null ? price > leftOf(part).price : quarters > leftOf(part).quarters

const crediting = fc
  .record({
    at,
    how: fc.constantFrom<How>("all", "quantity", "quantity", "amount", "both"),
    size: parts,
    restock: fc.boolean(),
    /** Days after the invoice; null leaves the date to the server. */
    after: fc.constantFrom(null, null, 0, 5, 10, -1),
  })
  .map(({ at: place, how, size, restock, after }): Step => ({
    title: `credit ${how}${restock ? " and restock" : ""}`,
    at: place,
    async run(model, real) {
      // The credit of a paid invoice is left for other uses.
      const invoice =
        (place % 2 === 0 && pickIn(model.invoices, place, "paid")) ||
        pickIn(model.invoices, place, "unpaid", "partially_paid")
      if (!invoice) return
      const day = after === null ? dayAfter(invoice.day) : invoice.day + after
      const lines = chooseCredit(invoice, how, size, place)
      if (lines.length === 0 && how !== "all") return
      const items = lines.map(({ part, quarters, price }) => ({
        invoiceLine: part.id,
        ...(quarters === null ? { amount: price / 100 } : { quantity: quarters / 4 }),
      }))
      const answer = await real.api.post(`/invoices/${invoice.id}/credit-notes`, {
        reason: "Returned",
        restock,
        ...(how === "all" ? {} : { items }),
        ...(after === null ? {} : { creditNoteDate: dateOf(day) }),
      })
      const isOver = lines.some(isTooMuch)
      const counted = creditTaxes(model, invoice, lines)
      const isNothing = totalOf(counted) === 0
      const reasons = [
        !isIssued(invoice) && "DOCUMENT_LOCKED",
        sumsOf(model, invoice).writtenOff > 0 && "INVOICE_HAS_WRITE_OFFS",
        day < invoice.day && "VALIDATION_ERROR",
        (isOver || isNothing) && "OVER_CREDITED",
        isLocked(model, day),
        takesDeducted(
          model,
          invoice,
          totalOf(counted) - Math.min(totalOf(counted), sumsOf(model, invoice).left),
        ),
      ]
      if (!isDone(answer, 201, reasons)) return
      const taken = Math.min(totalOf(counted), sumsOf(model, invoice).left)
      const isRestocked = restock && lines.some(isGoods)
      const marks = { isRestocked, isCancellation: false }
      addNote(model, { id: answer.body.data.id, invoice, day, lines, counted, taken, ...marks })
      if (isRestocked) bringBack(model, lines, real)
      settle(model, invoice)
    },
  }))

/** Only a quantity of an item can come back. */
const isGoods = ({ part, quarters }: Credited): boolean => quarters !== null && part.line.item !== null

function bringBack(model: Model, lines: Credited[], { items }: Real): void {
  for (const { part, quarters } of lines) {
    const { item } = part.line
    if (quarters === null) continue
    part.line.returned += quarters
    if (item !== null && items[item]?.hasStock) model.stock[item] = (model.stock[item] ?? 0) + quarters
  }
}

/** Mostly an open invoice of the customer; sometimes any invoice. */
function pickTarget(model: Model, customer: number, place: number): Invoice | undefined {
  const open = model.invoices.filter((each) => each.customer === customer && sumsOf(model, each).left > 0)
  return place % 6 === 0 || open.length === 0 ? pick(model.invoices, place) : pick(open, place)
}

/** Why an amount cannot pay an invoice. */
const whyNotPayable = (model: Model, invoice: Invoice, customer: number, amount: number) => [
  invoice.customer !== customer && "VALIDATION_ERROR",
  invoice.status === "draft" && "DOCUMENT_LOCKED",
  invoice.status !== "draft" && amount > sumsOf(model, invoice).left && "OVERPAYMENT",
]

function addUse(model: Model, use: Omit<Use, "isVoid">): void {
  model.uses.push({ ...use, isVoid: false })
  if (use.invoice) settle(model, use.invoice)
}

function voidUse(model: Model, use: Use): void {
  use.isVoid = true
  if (use.invoice) settle(model, use.invoice)
}

function addPayment(model: Model, shown: Shown, payment: Omit<Payment, "id" | "isVoid">): Payment {
  const added = { ...payment, id: shown.id, isVoid: false }
  model.payments.push(added)
  return added
}

const paying = fc.tuple(at, parts, days).map(([place, part, day]): Step => ({
  title: "pay",
  at: place,
  async run(model, { shop }) {
    const invoice = pickIn(model.invoices, place, "unpaid", "partially_paid")
    if (!invoice) return
    await pay(model, shop, invoice, { part, day })
  },
}))

/** Pays a part of what is left of an invoice. */
export async function pay(
  model: Model,
  shop: Real["shop"],
  invoice: Invoice,
  { part, day }: { part: number; day: number },
): Promise<void> {
  const { customer } = invoice
  const amount = partOf(sumsOf(model, invoice).left, part)
  const answer = await shop.pay(invoice.id, amount / 100, { paymentDate: dateOf(day) })
  const reasons = [...whyNotPayable(model, invoice, customer, amount), isLocked(model, day)]
  if (!isDone(answer, 201, reasons)) return
  const payment = addPayment(model, answer.body.data, { customer, cents: amount, day })
  const { allocations } = await shop.get("payments", payment.id)
  addUse(model, { id: allocations[0].id, of: payment, invoice, cents: amount, day })
}

/** The parts of a payment without allocations: the invoices that are due first, then by number. */
function oldestFirst(model: Model, customer: number, amount: number): [Invoice, number][] {
  let left = amount
  const open = model.invoices.filter((each) => each.customer === customer && isIssued(each))
  const inOrder = open.toSorted((a, b) => a.day - b.day || a.issued - b.issued)
  return inOrder.flatMap((invoice): [Invoice, number][] => {
    const part = Math.min(left, sumsOf(model, invoice).left)
    left -= part
    return part > 0 ? [[invoice, part]] : []
  })
}

/** The parts that a body names: of up to three invoices of the customer, sometimes of another, or too much. */
function chosenParts(model: Model, customer: number, place: number, part: number): [Invoice, number][] {
  const targets = [0, 1, 2].flatMap((i) => pickTarget(model, customer, place + i * 7) ?? [])
  return [...new Set(targets)].map((invoice) => [invoice, partOf(sumsOf(model, invoice).left, part)])
}

const receiving = fc
  .record({
    at,
    customer: fc.nat({ max: 5 }),
    part: parts,
    day: days,
    isOldest: fc.boolean(),
    more: fc.nat({ max: 500 }),
  })
  .map(({ at: place, customer: any, part, day, isOldest, more }): Step => ({
    title: isOldest ? "receive a payment" : "receive a payment for some invoices",
    at: place,
    async run(model, { api, customers, shop }) {
      const customer = pick(model.invoices, place)?.customer ?? any
      const chosen = isOldest ? [] : chosenParts(model, customer, place, part)
      const owed = sum(
        model.invoices.filter((each) => each.customer === customer).map((each) => sumsOf(model, each).left),
      )
      const named = sum(chosen.map(([, amount]) => amount))
      const amount = isOldest
        ? partOf(owed, part) + (place % 3 === 0 ? more : 0)
        : Math.max(1, named + more - 50)
      const allocations = chosen.map(([invoice, cents]) => ({ invoice: invoice.id, amount: cents / 100 }))
      const answer = await api.post("/payments", {
        customer: customers[customer]?.id,
        amount: amount / 100,
        paymentDate: dateOf(day),
        ...(isOldest ? {} : { allocations }),
      })
      const reasons = [
        named > amount && "VALIDATION_ERROR",
        ...chosen.flatMap(([invoice, cents]) => whyNotPayable(model, invoice, customer, cents)),
        isLocked(model, day),
      ]
      if (!isDone(answer, 201, reasons)) return
      const wanted = isOldest ? oldestFirst(model, customer, amount) : chosen
      const payment = addPayment(model, answer.body.data, { customer, cents: amount, day })
      const shown = await shop.get("payments", payment.id)
      for (const [invoice, cents] of wanted) {
        const { id } = shown.allocations.find((each: Shown) => each.invoice === invoice.id) ?? { id: "" }
        addUse(model, { id, of: payment, invoice, cents, day })
      }
    },
  }))

const livePayments = ({ payments }: Model) => payments.filter(({ isVoid }) => !isVoid)
/** Mostly a payment or a credit note of which something is left; sometimes any. */
function pickLeft<T extends Payment | Note>(model: Model, list: T[], place: number): T | undefined {
  const left = list.filter((each) => leftIn(model, each) > 0)
  return pick(place % 7 === 0 ? list : left, place)
}

const usesArea = (of: Payment | Note) => (isNote(of) ? `/credit-notes/${of.id}` : `/payments/${of.id}`)
const customerOf = (of: Payment | Note) => (isNote(of) ? of.invoice.customer : of.customer)

/** Pays an invoice with what is left of a payment or of a credit note. */
const using = (isCredit: boolean) =>
  fc.tuple(at, parts, fc.option(days)).map(([place, part, given]): Step => ({
    title: isCredit ? "apply a credit note" : "allocate a payment",
    at: place,
    async run(model, { api }) {
      const of = pickLeft<Payment | Note>(model, isCredit ? model.notes : livePayments(model), place)
      const invoice = of && pickTarget(model, customerOf(of), place)
      if (!of || !invoice) return
      const left = leftIn(model, of)
      const amount = partOf(Math.min(left, sumsOf(model, invoice).left) || left, part)
      // An allocation has no date of its own.
      const day = isCredit && given !== null ? given : dayAfter(of.day)
      const answer = await api.post(`${usesArea(of)}/${isCredit ? "applications" : "allocations"}`, {
        invoice: invoice.id,
        amount: amount / 100,
        ...(isCredit && given !== null ? { applicationDate: dateOf(day) } : {}),
      })
      const reasons = [
        amount > left && "INSUFFICIENT_CREDIT",
        ...whyNotPayable(model, invoice, customerOf(of), amount),
        isLocked(model, day),
      ]
      if (!isDone(answer, 201, reasons)) return
      addUse(model, { id: answer.body.data.id, of, invoice, cents: amount, day })
    },
  }))

const refunding = fc.tuple(at, parts, fc.option(days)).map(([place, part, given]): Step => ({
  title: "refund",
  at: place,
  async run(model, { api }) {
    const of = pickLeft<Payment | Note>(model, [...livePayments(model), ...model.notes], place)
    if (!of) return
    const left = leftIn(model, of)
    const amount = partOf(left, part)
    const day = given ?? dayAfter(of.day)
    const date = given === null ? {} : { refundDate: dateOf(day) }
    const answer = await api.post(`${usesArea(of)}/refunds`, { amount: amount / 100, ...date })
    const reasons = [amount > left && "INSUFFICIENT_CREDIT", isLocked(model, day)]
    if (!isDone(answer, 201, reasons)) return
    addUse(model, { id: answer.body.data.id, of, invoice: null, cents: amount, day })
  },
}))

const voidingUse = at.map((place): Step => ({
  title: "void an allocation, an application or a refund",
  at: place,
  async run(model, { api }) {
    const use = pick(
      model.uses.filter(({ isVoid }) => !isVoid),
      place,
    )
    if (!use) return
    const part = use.invoice === null ? "refunds" : isNote(use.of) ? "applications" : "allocations"
    const answer = await api.delete(`${usesArea(use.of)}/${part}/${use.id}`)
    const reasons = [isLocked(model, use.day), use.invoice && takesDeducted(model, use.invoice, use.cents)]
    if (
      isDone(
        answer,
        204,
        reasons.map((each) => each ?? false),
      )
    )
      voidUse(model, use)
  },
}))

/** Voids a payment with all its uses. */
function voidWhole(model: Model, payment: Payment): void {
  for (const use of usesOf(model, payment)) voidUse(model, use)
  payment.isVoid = true
}
const wholeLocks = (model: Model, payment: Payment) => [
  ...[payment, ...usesOf(model, payment)].map(({ day }) => isLocked(model, day)),
  ...[...Map.groupBy(usesOf(model, payment), ({ invoice }) => invoice)].map(([invoice, uses]) =>
    takesDeducted(model, invoice, sum(uses.map((use) => use.cents))),
  ),
]

const voidingPayment = at.map((place): Step => ({
  title: "void a payment",
  at: place,
  async run(model, { api }) {
    const payment = pick(place % 9 === 0 ? model.payments : livePayments(model), place)
    if (!payment) return
    const answer = await api.delete(`/payments/${payment.id}`)
    if (payment.isVoid) expect(answer.status).toBe(404)
    else if (isDone(answer, 204, wholeLocks(model, payment))) voidWhole(model, payment)
  },
}))

const unpaying = at.map((place): Step => ({
  title: "remove a payment from an invoice",
  at: place,
  async run(model, { api }) {
    const use = pick(
      model.uses.filter(({ isVoid, of, invoice }) => !isVoid && invoice && !isNote(of)),
      place,
    )
    if (!use) return
    const payment = use.of as Payment
    const own = usesOf(model, payment).filter(({ invoice }) => invoice === use.invoice)
    const isWhole = usesOf(model, payment).length === own.length && leftIn(model, payment) === 0
    const answer = await api.delete(`/invoices/${use.invoice?.id}/payments/${payment.id}`)
    const reasons = isWhole
      ? wholeLocks(model, payment)
      : [
          ...own.map(({ day }) => isLocked(model, day)),
          // The parts are voided one after the other.
          takesDeducted(model, use.invoice, sum(own.map((each) => each.cents))),
        ]
    if (!isDone(answer, 204, reasons)) return
    if (isWhole) voidWhole(model, payment)
    else for (const each of own) voidUse(model, each)
  },
}))

export const moneySteps: Weighted[] = [
  { weight: 5, arbitrary: crediting },
  { weight: 3, arbitrary: paying },
  { weight: 3, arbitrary: receiving },
  { weight: 4, arbitrary: using(true) },
  { weight: 3, arbitrary: using(false) },
  { weight: 3, arbitrary: refunding },
  { weight: 2, arbitrary: voidingUse },
  { weight: 1, arbitrary: voidingPayment },
  { weight: 1, arbitrary: unpaying },
]

const shownUses = (uses: Use[], isRefund: boolean) =>
  uses
    .filter(({ invoice }) => (invoice === null) === isRefund)
    .map(({ id, invoice, cents: amount, day }) => [id, ...(invoice ? [invoice.id] : []), amount, dateOf(day)])
    .toSorted()
const usesIn = (list: Shown[], date: string) =>
  list
    .map((each) => [each.id, ...(each.invoice ? [each.invoice] : []), cents(each.amount), each[date]])
    .toSorted()

async function comparePayment(model: Model, payment: Payment, { api, customers }: Real): Promise<void> {
  const { status, body } = await api.get(`/payments/${payment.id}`)
  expect(status).toBe(payment.isVoid ? 404 : 200)
  if (payment.isVoid) return
  const shown = body.data
  const uses = usesOf(model, payment)
  const paid = uses.flatMap(({ invoice, cents: amount }) => (invoice ? [{ id: invoice.id, amount }] : []))
  const left = leftIn(model, payment)
  expect([shown.customer, shown.paymentDate, shown.invoice]).toEqual([
    customers[payment.customer]?.id,
    dateOf(payment.day),
    new Set(paid.map(({ id }) => id)).size === 1 ? paid[0]?.id : null,
  ])
  const allocated = sum(paid.map(({ amount }) => amount))
  expect([shown.amount, shown.allocated, shown.refunded, shown.unallocated].map(cents)).toEqual([
    payment.cents,
    allocated,
    payment.cents - allocated - left,
    left,
  ])
  expect(usesIn(shown.allocations, "allocationDate")).toEqual(shownUses(uses, false))
  expect(usesIn(shown.refunds, "refundDate")).toEqual(shownUses(uses, true))
}

async function compareNote(model: Model, note: Note, { shop }: Real): Promise<void> {
  const shown = await shop.get("credit-notes", note.id)
  const uses = usesOf(model, note)
  const of = (isRefund: boolean) =>
    sum(uses.filter(({ invoice }) => (invoice === null) === isRefund).map((use) => use.cents))
  const left = leftIn(model, note)
  expect([shown.invoice, shown.creditNoteDate, shown.restock, shown.isCancellation, shown.status]).toEqual([
    note.invoice.id,
    dateOf(note.day),
    note.isRestocked,
    note.isCancellation,
    left > 0 ? "open" : "settled",
  ])
  expect([shown.appliedToInvoice, shown.applied, shown.refunded, shown.unapplied].map(cents)).toEqual([
    note.taken,
    of(false),
    of(true),
    left,
  ])
  const priced = note.lines.map(({ part, ...figures }) => ({ line: part.line, ...figures }))
  const off: ShownOff = note.lines.some(({ share }) => share > 0) ? note.invoice.off : [0, false]
  compareSums(shown, priced, { ...note.invoice, off }, note.counted)
  expect(shown.items.map((line: Shown) => [line.invoiceLine, line.isAmount, line.quantity * 4])).toEqual(
    note.lines.map(({ part, quarters }) => [part.id, quarters === null, quarters ?? 4]),
  )
  expect(usesIn(shown.applications, "applicationDate")).toEqual(shownUses(uses, false))
  expect(usesIn(shown.refunds, "refundDate")).toEqual(shownUses(uses, true))
}

/** Compares what an invoice shows of the payments and applications that pay it. */
export function compareUses(model: Model, invoice: Invoice, shown: Shown): void {
  const uses = model.uses.filter((use) => !use.isVoid && use.invoice === invoice)
  const pairs = (list: { id: string; amount: number }[]) => list.map(({ id, amount }) => [id, cents(amount)])
  // An invoice shows a payment once, and each application by itself.
  const expected = (isCredit: boolean) => {
    const shownUses = uses.filter(({ of }) => isNote(of) === isCredit)
    const groups = Map.groupBy(shownUses, (use) => (isCredit ? use.id : use.of.id))
    return [...groups].map(([id, parts]) => [id, sum(parts.map((use) => use.cents))]).toSorted()
  }
  expect(pairs(shown.payments).toSorted()).toEqual(expected(false))
  expect(pairs(shown.applications).toSorted()).toEqual(expected(true))
}

export const compareMoney = (model: Model, real: Real): Promise<void>[] => [
  ...model.payments.map((payment) => comparePayment(model, payment, real)),
  ...model.notes.map((note) => compareNote(model, note, real)),
]
