import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { newId } from "../../core/lib/id"
import { assertNoErrors, fieldError, type FieldError, invalid, Refusal } from "../../core/lib/refusal"
import type { Reading } from "../../core/kind/body"
import { takenErrors } from "../../core/store/crud"
import { amountText, fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import { chargedBy, discountOf, shareOf, type TaxSum } from "../../shared/money"
import type { Language } from "../../shared/languages"
import { noDiscount } from "../../shared/documents/discount"
import { type HeadDiscount, partOfDiscount, withoutDiscount } from "../../trade/documents/discount"
import type { DocumentDeps } from "../../trade/documents/documents"
import type { CustomerService } from "../customers/service"
import { assertOpenPeriod, warnOfDate } from "../../trade/documents/dates"
import {
  amountsOf,
  chooseParts,
  type Derivation,
  type Part,
  type Quantity,
  quantityIn,
  take,
  type Taken,
} from "../../trade/documents/derive"
import type { Doc } from "../../trade/documents/kind"
import type { TakenTax } from "../../trade/documents/store"
import type { documentService } from "../../trade/documents/service"
import { assertNotDeducted } from "../invoices/deposits/deduct"
import type { InvoiceHead, InvoiceLine } from "../invoices/model"
import { assertIssuedHere, assertNotWrittenOff, withSums } from "../invoices/rules"
import type { InvoiceService } from "../invoices/service"
import { notesOfInvoices } from "../invoices/store"
import type { SalesOrderService } from "../sales-orders/service"
import { assertMayCorrect } from "../../trade/settlements/shown"
import type { StockMovementService } from "../stock-movements/service"
import {
  type Credit,
  type CreditNote,
  type CreditNoteHead,
  type CreditNoteLine,
  creditNoteRefusals,
  creditNotes,
} from "./model"
import type { MoneyContext } from "../../core/kind/field"
import { readAmount } from "../../trade/settlements/money"

export type CreditNoteDeps = DocumentDeps<CreditNoteHead> & {
  customers: CustomerService
  invoices: InvoiceService
  salesOrders: SalesOrderService
  stockMovements: StockMovementService
  /** Keeps what a credit note of an invoice prints. */
  keepPaper: (tx: Tx, note: CreditNote, invoice: InvoiceHead) => void
}
export type CreditNotes = ReturnType<typeof documentService<CreditNoteHead, CreditNoteLine, CreditNote>>

type InvoiceDoc = Doc<InvoiceHead, InvoiceLine>

/** What a new credit note is about, apart from its lines. */
type About = Pick<CreditNoteHead, "creditNoteDate" | "reason" | "restock" | "isCancellation"> &
  Pick<CreditNoteHead, "notes" | "externalId" | "metadata">

/** The maximum number of credit notes per invoice, because each new one adds up the earlier ones. */
const mostCreditNotes = 1_000

/** Credits an invoice, completely or in part. */
export function creditInvoice(
  deps: CreditNoteDeps,
  notes: CreditNotes,
  tx: Tx,
  id: string,
  { values, errors }: Reading<Credit>,
  caller: Caller,
): CreditNote {
  assertMayCorrect(caller, "credit", "invoice")
  const invoice = deps.invoices.load(id)
  assertCreditable(invoice.head)
  const money = deps.moneyContext(tx.now)
  errors.push(...takenErrors(creditNotes, deps.store, values, null))
  const creditNoteDate = values.creditNoteDate ?? earliestDate(invoice.head, money.today)
  errors.push(...dateErrors(invoice.head, creditNoteDate))
  const parts = chooseCredit(invoice, values.items, money, errors)
  assertNoErrors(errors, "The credit note has invalid values.")
  if (notesOfInvoices.count(deps.db, id) >= mostCreditNotes) throw tooMany(invoice.head)
  warnOfDate(tx.warnings, "creditNoteDate", creditNoteDate, money.today)
  const { reason, notes: text, externalId, metadata } = values
  // A credit note says what happened: amounts and lines without an item bring nothing back.
  const restock = values.restock && parts.some((each) => "quantity" in each && each.line.item !== null)
  const about = { creditNoteDate, reason, restock, isCancellation: false, notes: text, externalId, metadata }
  const computed = compute(deps, tx, invoice, parts)
  if (computed.totals.total === 0) throw nothingCredited(invoice.head, parts)
  const note = write(deps, notes, tx, { invoice, computed, about, taken: null }, caller)
  assertNotDeducted(deps, invoice.head, computed.taxes)
  if (restock) bringBack(deps, tx, invoice, parts, note.id, caller)
  return note
}

/**
 * Writes the credit note of an invoice that is being cancelled. The cancellation itself brings back the goods and sets
 * the balance.
 */
export function creditCancelled(
  deps: CreditNoteDeps,
  notes: CreditNotes,
  tx: Tx,
  invoice: InvoiceDoc,
  { reason, caller }: { reason: string | null; caller: Caller },
): void {
  const creditNoteDate = earliestDate(invoice.head, deps.moneyContext(tx.now).today)
  const parts = invoice.lines.map((line) => ({ line, quantity: line.quantity }))
  const own = { notes: null, externalId: null, metadata: {} }
  const about = {
    creditNoteDate,
    reason: reason ?? cancelled[invoice.head.language ?? "en"],
    restock: false,
    isCancellation: true,
    ...own,
  }
  const computed = compute(deps, tx, invoice, parts)
  const { depositTotal } = invoice.head
  write(deps, notes, tx, { invoice, computed, about, taken: computed.totals.total, depositTotal }, caller)
}

/** A credit note of 0 would document nothing: all is credited, or the lines have no price or no money left. */
const nothingCredited = ({ invoiceNumber }: InvoiceHead, parts: readonly CreditPart[]): Refusal => {
  const why =
    parts.length === 0
      ? `Invoice ${invoiceNumber} is credited completely; nothing is left to credit.`
      : `Nothing of invoice ${invoiceNumber} would be credited: the total would be 0. Goods without a price come back into stock with a stock movement.`
  return new Refusal(creditNoteRefusals.OVER_CREDITED, why, {
    params: { number: invoiceNumber },
    details: [fieldError("items", "RULE", "leave nothing to credit", { rule: "NOTHING_LEFT" })],
  })
}

/** The reason of a cancellation that was given none, in the language of the invoice. */
const cancelled: Record<Language, string> = { en: "Cancelled", de: "Storniert", fr: "Annulé" }

/** A credit note is not older than its invoice. */
const earliestDate = ({ invoiceDate }: InvoiceHead, today: string): string =>
  invoiceDate > today ? invoiceDate : today

function dateErrors({ invoiceDate }: InvoiceHead, creditNoteDate: string): FieldError[] {
  if (creditNoteDate >= invoiceDate) return []
  const params = { rule: "DATE_ORDER", other: "invoiceDate" } as const
  return [fieldError("creditNoteDate", "RULE", `must not be before invoiceDate (${invoiceDate})`, params)]
}

function assertCreditable(invoice: InvoiceHead): void {
  const { status, invoiceNumber } = invoice
  assertIssuedHere(
    invoice,
    "it cannot be credited here. Cancel it if nothing is paid, or record what was credited there as a payment",
  )
  assertNotWrittenOff(invoice, "invoice")
  if (status !== "draft" && status !== "cancelled") return
  const why =
    status === "draft"
      ? "The invoice is a draft. Edit or delete it instead of crediting it."
      : `Invoice ${invoiceNumber} is cancelled and cannot be credited.`
  throw new Refusal("DOCUMENT_LOCKED", why, {
    params: { number: invoiceNumber, status },
    details: [fieldError("status", "RULE", `is ${status}`, { rule: "STATUS", status })],
  })
}

const tooMany = ({ invoiceNumber }: InvoiceHead): Refusal =>
  invalid(
    "items",
    "RULE",
    `cannot be credited: ${invoiceNumber} has ${mostCreditNotes} credit notes already`,
    {
      rule: "TOO_MANY",
      max: mostCreditNotes,
      number: invoiceNumber,
    },
  )

type Computed = ReturnType<typeof creditLines>

function compute(
  { db, moneyContext }: CreditNoteDeps,
  tx: Tx,
  invoice: InvoiceDoc,
  parts: readonly CreditPart[],
): Computed {
  const { digits } = moneyContext(tx.now)
  const credited = notesOfInvoices.findTaxes(db, invoice.head.id)
  return creditLines(invoice, parts, { now: tx.now, digits, credited })
}

type Written = {
  invoice: InvoiceDoc
  computed: Computed
  about: About
  /** The part that the invoice takes; null to take as much as is left to pay. */
  taken: number | null
  /** What a cancelled invoice had taken off for deposits. */
  depositTotal?: number
}

/** Stores a credit note, and what it changes on its invoice. */
function write(
  deps: CreditNoteDeps,
  notes: CreditNotes,
  tx: Tx,
  { invoice: source, computed: { lines, taxes, totals }, about, taken, depositTotal = 0 }: Written,
  caller: Caller,
): CreditNote {
  const invoice = source.head
  assertOpenPeriod(deps.settings(), about.creditNoteDate, "creditNoteDate")
  const { number, series, counter } = deps.nextNumber(tx, creditNotes, about.creditNoteDate)
  const appliedToInvoice = taken ?? Math.min(totals.total, invoice.balance)
  const head: CreditNoteHead = {
    ...partiesOf(invoice),
    ...about,
    id: newId(creditNotes.idPrefix, tx.now),
    creditNoteNumber: number,
    numberSeries: series,
    numberCounter: counter,
    status: totals.total > appliedToInvoice ? "open" : "settled",
    ...creditedDiscount(invoice, lines),
    taxes: taxes.map((tax) => ({ ...tax, reason: reasonIn(invoice.taxes, tax) })),
    ...totals,
    depositTotal,
    appliedToInvoice,
    applied: 0,
    refunded: 0,
    unapplied: totals.total - appliedToInvoice,
    lastSentAt: null,
    createdBy: caller.userId,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  takeCredit(deps, tx, source, head, lines)
  const note = notes.create(tx, { head, lines })
  deps.keepPaper(tx, note, invoice)
  return note
}

/** The part of the discount of the invoice that a credit note has. One of amounts has none. */
function creditedDiscount(invoice: InvoiceHead, lines: readonly CreditNoteLine[]): HeadDiscount {
  const part = partOfDiscount(invoice, lines)
  return part.discountAmount === 0 ? withoutDiscount : part
}

/** Why a tax of the invoice is not charged. */
const reasonIn = (taxes: InvoiceHead["taxes"], { category, rate }: TaxSum): string | null =>
  taxes.find((tax) => tax.category === category && tax.rate === rate)?.reason ?? null

/** What a line of a credit note adds to what is credited of the invoice's line. An amount has no quantity. */
const creditedBy = ({
  invoiceLine: id,
  quantity,
  isAmount,
  ...line
}: CreditNoteLine): Taken<InvoiceLine> => ({
  id,
  figures: { creditedQuantity: isAmount === 1 ? 0 : quantity, creditedAmount: chargedBy(line) },
})

/** The data of an invoice that its credit notes keep. */
function partiesOf(invoice: InvoiceHead) {
  const { customer, customerName, billingAddress, taxId, seller, currency } = invoice
  const { pricesIncludeTax, taxTreatment, buyerReference, shippingAddress } = invoice
  const { sellerVersion, buyer, language, invoiceNumber } = invoice
  if (!sellerVersion || !buyer || !language || !seller || !invoiceNumber)
    throw new Error(`Invoice ${invoice.id} is not issued.`)
  return {
    invoice: invoice.id,
    invoiceNumber,
    customer,
    customerName,
    billingAddress,
    taxId,
    currency,
    pricesIncludeTax,
    taxTreatment,
    buyerReference,
    shippingAddress,
    seller,
    sellerVersion,
    buyer,
    language,
  }
}

/** Records on an invoice what is credited, and lowers what is left to pay. A cancellation does the latter itself. */
function takeCredit(
  { invoices, salesOrders, moneyContext }: CreditNoteDeps,
  tx: Tx,
  invoice: InvoiceDoc,
  { id, total, appliedToInvoice, isCancellation }: CreditNoteHead,
  lines: readonly CreditNoteLine[],
): void {
  const { head } = invoice
  const sums = {
    creditedTotal: head.creditedTotal + total,
    creditTaken: head.creditTaken + appliedToInvoice,
  }
  take(invoices, tx, invoice, {
    taken: lines.map(creditedBy),
    headBy: isCancellation ? null : () => withSums(head, sums, tx.now),
    list: "creditNotes",
  })
  if (head.invoiceType === "deposit" && head.salesOrder && !isCancellation)
    salesOrders.recordDeposit(tx, salesOrders.load(head.salesOrder), { total: -total, isNew: false })
  const amount = fromUnits(total, moneyContext(tx.now).digits)
  tx.audit("invoices.credit", head.id, {
    creditNote: { from: null, to: id },
    amount: { from: null, to: amount },
  })
}

/** Brings credited goods back into stock. Amounts move no stock. */
function bringBack(
  { stockMovements, salesOrders }: CreditNoteDeps,
  tx: Tx,
  { head }: InvoiceDoc,
  parts: readonly CreditPart[],
  creditNote: string,
  caller: Caller,
): void {
  const returned = parts.flatMap((each) => ("quantity" in each ? [each] : []))
  const moves = returned.map(({ line, quantity }) => ({ item: line.item, quantity }))
  const source = { sourceType: "credit-note", sourceId: creditNote, by: caller.userId }
  stockMovements.move(tx, moves, { reason: "credit", ...source })
  const lines = returned.flatMap(({ line: { orderLine }, quantity }) =>
    orderLine === null ? [] : [{ orderLine, quantity }],
  )
  if (head.salesOrder) salesOrders.recordReturned(tx, head.salesOrder, lines)
}

type Context = { now: string; digits: number; credited: readonly TakenTax[] }

/**
 * Computes the lines and taxes of a credit note. The tax of an invoice that is a part of an order does not follow from
 * its lines.
 */
export function creditLines(
  invoice: InvoiceDoc,
  parts: readonly CreditPart[],
  { now, digits, credited }: Context,
) {
  const lines = parts.map((part) => {
    const { orderLine: _, creditedQuantity: __, creditedAmount: ___, ...rest } = part.line
    const figures =
      "amount" in part ? amountPart(part.amount, digits) : quantityPart(part.line, part.quantity)
    return { ...rest, ...figures, id: newId("cnl", now), invoiceLine: part.line.id }
  })
  return amountsOf<InvoiceLine, CreditNoteLine>(invoice, lines, {
    chargedOf: ({ creditedAmount }) => creditedAmount,
    taxes: credited,
    whole: invoice.head.taxes,
  })
}

type Figures = Pick<
  CreditNoteLine,
  | "quantity"
  | "rate"
  | "discount"
  | "amount"
  | "discountAmount"
  | "documentDiscount"
  | "isDiscountAmount"
  | "isAmount"
>

/** An amount is credited as one piece at that price. */
function amountPart(amount: number, digits: number): Figures {
  const rate = toUnits(fromUnits(amount, digits), priceDigits) ?? 0
  return { quantity: 10 ** priceDigits, rate, amount, ...noDiscount, documentDiscount: 0, isAmount: 1 }
}

/**
 * A quantity is credited at the price of the invoice, at most with the money that is left of the line. What is missing
 * then is shown as a discount.
 */
function quantityPart(line: InvoiceLine, quantity: number): Figures {
  const charged = chargedBy(line)
  const upTo = (whole: number, credited: number) => shareOf(whole, credited, line.quantity)
  const share = (whole: number) =>
    upTo(whole, line.creditedQuantity + quantity) - upTo(whole, line.creditedQuantity)
  const nominal = share(charged)
  const amount = Math.min(nominal, moneyLeft(line))
  const documentDiscount = share(line.documentDiscount)
  const full = share(charged + line.discountAmount)
  const discountAmount = Math.max(0, full - amount)
  const isNominal = amount === nominal
  return {
    quantity,
    rate: line.rate,
    discount: isNominal ? line.discount : discountOf(discountAmount, full + documentDiscount),
    amount,
    discountAmount,
    documentDiscount,
    isDiscountAmount: isNominal ? line.isDiscountAmount : 1,
    isAmount: 0,
  }
}

/** An amount of a line, in the minor unit. */
type Amount = { amount: number }

/** What to credit of a line of an invoice: a quantity or an amount. */
export type CreditPart = Part<InvoiceLine, Amount>

type Item = NonNullable<Credit["items"]>[number]

export const quantityLeft = ({ quantity, creditedQuantity }: InvoiceLine): number =>
  quantity - creditedQuantity

/** The money left on a line, with tax if the prices of the invoice include it. */
export const moneyLeft = (line: InvoiceLine): number => chargedBy(line) - line.creditedAmount

/** Returns what a body credits of each line of an invoice: without `items`, all that is left. */
export const chooseCredit = (
  { head: { invoiceNumber: number }, lines }: Doc<InvoiceHead, InvoiceLine>,
  items: Credit["items"],
  money: MoneyContext,
  errors: FieldError[],
): CreditPart[] => chooseParts(creditsIn(money), { number, lines }, items, errors)

/** How credit notes are made from invoices. */
const creditsIn = (money: MoneyContext): Derivation<InvoiceLine, Item, Amount> => ({
  noun: "credit note",
  lineField: "invoiceLine",
  takenOf: ({ creditedQuantity }) => creditedQuantity,
  words: ["invoiced", "credited"],
  read: (item, at, errors) => readPart(item, at, money, errors),
  overError(line, part, at) {
    if (!("amount" in part) || part.amount <= moneyLeft(line)) return null
    const max = fromUnits(moneyLeft(line), money.digits)
    const message = `must be at most ${amountText(max, money)}, which is left of the line`
    return fieldError(`${at}.amount`, "TOO_LARGE", message, { max, currency: money.currency })
  },
  refuseOver: (number, details) =>
    new Refusal(
      creditNoteRefusals.OVER_CREDITED,
      `This is more than what is left of invoice ${number} to credit.`,
      {
        params: { number },
        details,
      },
    ),
})

/** Returns the quantity or the amount of a line; null after an error. */
function readPart(
  { quantity, amount }: Item,
  at: string,
  money: MoneyContext,
  errors: FieldError[],
): Quantity | Amount | null {
  // An invalid value has its error already.
  if (quantity === undefined || amount === undefined) return null
  if (quantity !== null && amount !== null) {
    errors.push(
      fieldError(`${at}.amount`, "RULE", "must not be given with quantity", {
        rule: "EXCLUSIVE",
        other: "quantity",
      }),
    )
    return null
  }
  if (quantity !== null) return quantityIn({ quantity })
  if (amount !== null) return { amount: readAmount(amount, money, `${at}.amount`, errors) }
  errors.push(fieldError(`${at}.quantity`, "REQUIRED", "is required, or an amount"))
  return null
}
