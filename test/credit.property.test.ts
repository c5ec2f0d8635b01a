import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  chooseCredit,
  creditLines,
  type CreditPart,
  moneyLeft,
  quantityLeft,
} from "../src/shop/credit-notes/issue"
import type { CreditNoteLine } from "../src/shop/credit-notes/model"
import type { Doc } from "../src/trade/documents/kind"
import type { InvoiceHead, InvoiceLine } from "../src/shop/invoices/model"
import { billLines } from "../src/shop/invoices/from-order"
import type { Order, OrderLine } from "../src/shop/sales-orders/model"
import {
  applyTax,
  chargedBy,
  lineAmounts,
  shareOf,
  taxKeyOf,
  totalsOf,
  type TaxSum,
} from "../src/shared/money"
import { spreadDiscount, sumBeforeDiscount } from "../src/shared/documents/discount"
import type { TaxCategory } from "../src/shared/documents/tax"

type Invoice = Doc<InvoiceHead, InvoiceLine>
type CreditNote = { lines: readonly CreditNoteLine[]; taxes: readonly TaxSum[] }

const now = "2026-01-02T03:04:05.000Z"
const taxes: [TaxCategory | null, number][] = [
  ["S", 190_000],
  ["S", 70_000],
  ["S", 55_000],
  ["S", 1_000_000],
  ["Z", 0],
  ["E", 0],
  ["AE", 0],
  ["K", 0],
  ["G", 0],
  ["O", 0],
  [null, 0],
]

/** A line of an order: small amounts, because rounding matters most in them, and some large ones. */
const line = fc.record({
  quantity: fc.oneof(
    fc.integer({ min: 1, max: 12 }).map((each) => each * 10_000),
    fc.integer({ min: 1, max: 200_000 }),
  ),
  rate: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 100_000_000 })),
  discount: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000_000 })),
  isDiscountAmount: fc.constantFrom(0, 1),
  tax: fc.constantFrom(...taxes),
})

/** A part of what is left: a little, everything, or something between. */
const share = fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true }))

/** A credit note: for some lines, the share of the quantity or of the money that is left. */
const step = fc.array(
  fc.option(fc.record({ by: fc.constantFrom("quantity", "amount"), share }), { freq: 3 }),
  {
    minLength: 4,
    maxLength: 4,
  },
)

const story = fc.record({
  includesTax: fc.boolean(),
  digits: fc.constantFrom(0, 2, 3),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  /** The part of the order that its discount takes off. */
  off: fc.oneof(fc.constant(0), fc.constantFrom(0.05, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  /** Invoices that are cancelled after a part was invoiced: null for none, or the position of one. */
  cancelled: fc.array(fc.option(fc.nat()), { maxLength: 3 }),
  /** How much of each line each invoice of the order has, before the last one. */
  parts: fc.array(fc.array(share, { minLength: 4, maxLength: 4 }), { maxLength: 3 }),
  steps: fc.array(step, { maxLength: 12 }),
})
type Story = typeof story extends fc.Arbitrary<infer S> ? S : never

/** An order as the server stores it. */
function orderOf({ includesTax, digits, lines, off }: Story): Order {
  const ordered = lines.map(({ tax: [taxCategory, taxRate], ...figures }, i) => {
    const amounts = lineAmounts(figures, digits)
    return {
      ...figures,
      ...amounts,
      id: `sol_${i}`,
      grossAmount: includesTax ? amounts.amount : null,
      documentDiscount: 0,
      taxCategory,
      taxRate,
      invoicedQuantity: 0,
      returnedQuantity: 0,
    }
  })
  const discounted = spreadDiscount(ordered, Math.floor(sumBeforeDiscount(ordered) * off))
  const counted = applyTax(discounted, includesTax)
  const head = { pricesIncludeTax: includesTax, taxes: counted.taxes }
  return { head, lines: counted.lines } as unknown as Order
}

/** The part of a number that a share takes, at least 1 of what is there. */
const partBy = (share: number, left: number): number => Math.min(left, Math.max(1, Math.round(left * share)))

/** All invoices of an order: those of the story without the cancelled ones, and one of all that is left. */
function invoicesOf(story: Story, order = orderOf(story)): Invoice[] {
  const invoices: Invoice[] = []
  const rest = story.lines.map(() => 1)
  for (const [i, shares] of [...story.parts, rest].entries()) {
    const at = story.cancelled[i - 1]
    const cancelled = at == null ? [] : invoices.splice(at % Math.max(1, invoices.length), 1)
    for (const each of cancelled.flatMap((invoice) => invoice.lines))
      invoiced(order, each.orderLine ?? "", -each.quantity)
    const chosen = order.lines.flatMap((each, i) => {
      const left = each.quantity - each.invoicedQuantity
      return left > 0 ? [{ line: { ...each }, quantity: partBy(shares[i] ?? 1, left) }] : []
    })
    if (chosen.length === 0) break
    const billed = billLines(order, chosen, carriedBy(order, invoices), { now, digits: story.digits })
    const head = {
      pricesIncludeTax: story.includesTax,
      invoiceNumber: "INV-1",
      taxes: billed.taxes,
      ...totalsOf(billed.lines, billed.taxes),
    } as unknown as InvoiceHead
    invoices.push({ head, lines: billed.lines.map((each, i) => ({ ...each, id: `inl_${i}` })) })
    for (const { line: billedLine, quantity } of chosen) invoiced(order, billedLine.id, quantity)
  }
  return invoices
}

function invoiced({ lines }: Order, id: string, quantity: number): void {
  const found = lines.find((each) => each.id === id) as OrderLine
  found.invoicedQuantity += quantity
}

/** What earlier invoices of an order contain, as the server adds it up. */
function carriedBy({ lines }: Order, invoices: readonly Invoice[]): Parameters<typeof billLines>[2] {
  const billed = invoices.flatMap((each) => each.lines)
  const sum = (id: string, of: (line: InvoiceLine) => number) =>
    billed.reduce((all, each) => (each.orderLine === id ? all + of(each) : all), 0)
  return {
    lines: new Map(
      lines.map(({ id }) => [
        id,
        {
          charged: sum(id, chargedBy),
          discountAmount: sum(id, (each) => each.discountAmount),
          documentDiscount: sum(id, (each) => each.documentDiscount),
        },
      ]),
    ),
    taxes: sumsOf(invoices.map(({ head }) => head.taxes)).map(({ category, rate, tax }) => ({
      taxCategory: category,
      taxRate: rate,
      tax,
    })),
  }
}

/** Adds up taxes per category and rate. */
function sumsOf(rows: readonly (readonly TaxSum[])[]): TaxSum[] {
  const sums = new Map<string, TaxSum>()
  for (const { category, rate, base, tax } of rows.flat()) {
    const key = `${category}:${rate}`
    const before = sums.get(key) ?? { base: 0, tax: 0 }
    sums.set(key, { category, rate, base: before.base + base, tax: before.tax + tax })
  }
  return [...sums.values()].sort((a, b) => b.rate - a.rate || `${a.category}`.localeCompare(`${b.category}`))
}

/** Credits what was chosen, and records it in the invoice as the server does. */
function credit(invoice: Invoice, chosen: readonly CreditPart[], notes: CreditNote[], digits: number): void {
  const credited = sumsOf(notes.map((note) => note.taxes)).map(({ category, rate, tax }) => ({
    taxCategory: category,
    taxRate: rate,
    tax,
  }))
  const note = creditLines(invoice, chosen, { now, digits, credited })
  for (const each of note.lines) {
    const of = invoice.lines.find(({ id }) => id === each.invoiceLine) as InvoiceLine
    of.creditedQuantity += each.isAmount === 1 ? 0 : each.quantity
    of.creditedAmount += chargedBy(each)
  }
  notes.push(note)
}

/** What a step chooses of the lines of an invoice. */
const chosenBy = (invoice: Invoice, steps: Story["steps"][number]): CreditPart[] =>
  invoice.lines.flatMap((of, i): CreditPart[] => {
    const wanted = steps[i]
    if (!wanted) return []
    const left = wanted.by === "quantity" ? quantityLeft(of) : moneyLeft(of)
    if (left === 0) return []
    const part = partBy(wanted.share, left)
    return [wanted.by === "quantity" ? { line: of, quantity: part } : { line: of, amount: part }]
  })

/** Credits an invoice step by step and at last completely. Returns its credit notes. */
function creditedBy(invoice: Invoice, { steps, digits }: Story): CreditNote[] {
  const notes: CreditNote[] = []
  for (const each of steps) {
    const chosen = chosenBy(invoice, each)
    if (chosen.length > 0) credit(invoice, chosen, notes, digits)
    assertWithin(invoice, notes)
  }
  const money = { digits, currency: "EUR", today: "2026-01-02" } as Parameters<typeof chooseCredit>[2]
  const rest = chooseCredit(invoice, null, money, [])
  if (rest.length > 0) credit(invoice, rest, notes, digits)
  assertWithin(invoice, notes)
  return notes
}

/** No amount is negative, no line has more credited than it has, and no tax is more than that of the invoice. */
function assertWithin({ head, lines }: Invoice, notes: readonly CreditNote[]): void {
  for (const of of lines) {
    expect(quantityLeft(of)).toBeGreaterThanOrEqual(0)
    expect(moneyLeft(of)).toBeGreaterThanOrEqual(0)
  }
  const note = notes.at(-1)
  for (const { quantity, rate, amount, grossAmount, discount, ...taken } of note?.lines ?? []) {
    expect(Math.min(quantity - 1, rate, amount, discount)).toBeGreaterThanOrEqual(0)
    expect(Math.min(taken.discountAmount, taken.documentDiscount)).toBeGreaterThanOrEqual(0)
    expect(discount).toBeLessThanOrEqual(1_000_000)
    expect((grossAmount ?? amount) - amount).toBeGreaterThanOrEqual(0)
  }
  for (const { category, rate, base, tax } of note?.taxes ?? []) {
    expect(Math.min(base, tax)).toBeGreaterThanOrEqual(0)
    const own = note?.lines.filter((each) => taxKeyOf(each) === `${category ?? ""}:${rate}`) ?? []
    expect(own.reduce((sum, { amount }) => sum + amount, 0)).toBe(base)
  }
  for (const { category, rate, base, tax } of sumsOf(notes.map((each) => each.taxes))) {
    const whole = head.taxes.find((each) => each.category === category && each.rate === rate)
    expect(tax).toBeLessThanOrEqual(whole?.tax ?? 0)
    expect(base).toBeLessThanOrEqual(whole?.base ?? 0)
  }
}

test("The invoices of an order add up to it in every amount, also after some were cancelled.", () => {
  fc.assert(
    fc.property(story, (told) => {
      const order = orderOf(told)
      const invoices = invoicesOf(told, order)
      const billed = invoices.flatMap(({ lines }) => lines)
      const sum = (id: string, of: (line: OrderLine | InvoiceLine) => number) =>
        billed.reduce((all, each) => (each.orderLine === id ? all + of(each) : all), 0)
      for (const each of order.lines)
        expect([
          sum(each.id, ({ quantity }) => quantity),
          sum(each.id, chargedBy),
          sum(each.id, ({ discountAmount }) => discountAmount),
          sum(each.id, ({ documentDiscount }) => documentDiscount),
        ]).toEqual([each.quantity, chargedBy(each), each.discountAmount, each.documentDiscount])
      const { taxes } = order.head as unknown as { taxes: TaxSum[] }
      expect(sumsOf(invoices.map(({ head }) => head.taxes))).toEqual(sumsOf([taxes]))
      for (const { amount, discountAmount, documentDiscount } of billed)
        expect(Math.min(amount, discountAmount, documentDiscount)).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 2_000 },
  )
})

test("The shares of credit notes by quantity in the discount of their invoice add up to it.", () => {
  fc.assert(
    fc.property(story, fc.nat(), (told, at) => {
      const invoices = invoicesOf(told)
      const invoice = invoices[at % invoices.length] as Invoice
      const byQuantity = told.steps.map((each) =>
        each.map((one) => one && { ...one, by: "quantity" as const }),
      )
      const notes = creditedBy(invoice, { ...told, steps: byQuantity })
      const shares = (lines: readonly { documentDiscount: number }[]) =>
        lines.reduce((all, { documentDiscount }) => all + documentDiscount, 0)
      expect(shares(notes.flatMap(({ lines }) => lines))).toBe(shares(invoice.lines))
    }),
    { numRuns: 500 },
  )
})

test("The credit notes of an invoice add up to it, in any parts by quantity and by amount, and are never negative.", () => {
  fc.assert(
    fc.property(story, fc.nat(), (told, at) => {
      const invoices = invoicesOf(told)
      const invoice = invoices[at % invoices.length] as Invoice
      const notes = creditedBy(invoice, told)
      for (const of of invoice.lines) expect([moneyLeft(of), quantityLeft(of)]).toEqual([0, 0])
      const plain = invoice.head.taxes.map(({ category, rate, base, tax }) => ({ category, rate, base, tax }))
      expect(sumsOf(notes.map((each) => each.taxes))).toEqual(sumsOf([plain]))
      const totals = notes.map((each) => totalsOf(each.lines, each.taxes).total)
      expect(totals.reduce((sum, each) => sum + each, 0)).toBe(invoice.head.total)
    }),
    { numRuns: 2_000 },
  )
})

test("A quantity that is credited before any amount has its share of the price.", () => {
  fc.assert(
    fc.property(story, share, (told, part) => {
      for (const invoice of invoicesOf(told))
        for (const of of invoice.lines) {
          const quantity = partBy(part, of.quantity)
          const { lines } = creditLines(invoice, [{ line: of, quantity }], {
            now,
            digits: told.digits,
            credited: [],
          })
          expect(chargedBy(lines[0] as CreditNoteLine)).toBe(shareOf(chargedBy(of), quantity, of.quantity))
        }
    }),
    { numRuns: 500 },
  )
})
