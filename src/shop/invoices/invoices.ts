import { assertOpenPeriod, warnOfMovedDate } from "../../trade/documents/dates"
import { documentFields, lineToApi, sendOnIssue } from "../../trade/documents/model"
import type { Tx } from "../../core/write/writer"
import type { Author, Caller } from "../../core/caller"
import type { Numbered } from "../../core/kind/define"
import { assertNoErrors, fieldError, invalid, type FieldError } from "../../core/lib/refusal"
import type { DocumentCustomer } from "../../trade/needs"
import {
  creditOverride,
  type Became,
  type Doc,
  type DocumentKind,
  type Effects,
  type Revision,
  type StatusRequest,
} from "../../trade/documents/kind"
import { inactiveErrors } from "../../trade/documents/lines"
import { readCustomer, taxCountryOf, warnOfTreatment } from "../../trade/documents/customer"
import type { DocumentDeps } from "../../trade/documents/documents"
import type { CustomerService } from "../customers/service"
import { leavingBy } from "../sales-orders/rules"
import type { SalesOrderService } from "../sales-orders/service"
import type { StockMovementService } from "../stock-movements/service"
import { invoices, type Invoice, type InvoiceHead, type InvoiceLine } from "./model"
import {
  dueDateBy,
  warnOfBuyer,
  warnOfTerms,
  allowedFrom,
  assertDeletable,
  assertMayLeave,
  dueDateErrors,
  editable,
  nameOf,
  owedOn,
  statusBySums,
  transitions,
} from "./rules"
import { addressOf, partiesNow } from "../../trade/documents/parties"
import { categoriesWithTaxId } from "../../shared/documents/tax"
import { withReasons } from "../../shared/documents/line"
import { invoiceLines, notesOfInvoices, wasSettled } from "./store"
import { documentService } from "../../trade/documents/service"
import { releaseDeductions } from "./deposits/deduct"
import { countDeductions, findDeductions, shownDeductions } from "./deposits/store"
import { fromUnits, priceDigits } from "../../shared/decimal"
import {
  countSettlementsOf,
  countWriteOffs,
  findInvoicePayments,
  findSettlements,
  findWriteOffs,
} from "../../trade/settlements/store"
import { applicationsIn, toWriteOff } from "../../trade/settlements/shown"
import { body, type BodyOf } from "../../core/kind/body"
import { externalFields } from "../../core/kind/tag"
import { date, decimal, positive, reference, required } from "../../core/kind/field"
import { lines } from "../../core/kind/lines"
import { text } from "../../core/kind/text-field"

/** Invoices as documents: the functions that all operations on invoices share. */
export const invoicesOf = (deps: InvoiceDeps) =>
  documentService<InvoiceHead, InvoiceLine, Invoice>(invoiceDocument, invoiceEffects(deps), deps)

export type Invoices = ReturnType<typeof invoicesOf>

/** An invoice as a kind of document. */
const invoiceDocument: DocumentKind<InvoiceHead, InvoiceLine> = {
  resource: invoices,
  lines: invoiceLines,
  lineIdPrefix: "inl",
  withOwnPart: (line, before) => ({
    ...line,
    orderLine: before?.orderLine ?? null,
    creditedQuantity: before?.creditedQuantity ?? 0,
    creditedAmount: before?.creditedAmount ?? 0,
  }),
  ownParts: ["orderLine", "creditedQuantity", "creditedAmount"],
  lineToApi: (line, digits) => ({
    ...lineToApi(line, digits),
    orderLine: line.orderLine,
    creditedQuantity: fromUnits(line.creditedQuantity, priceDigits),
    creditedAmount: fromUnits(line.creditedAmount, digits),
  }),
  transitions,
  editable,
  nameOf,
  allowed: allowedFrom,
}

/** The effects of invoices: they change the outstanding balance of the customer, and issuing an invoice moves stock. */
const invoiceEffects = (deps: InvoiceDeps): Effects<InvoiceHead, InvoiceLine> => ({
  beside: (heads) => settledBy(deps, heads),
  countBeside(heads) {
    const ids = heads.map(({ id }) => id)
    const counts = countSettlementsOf(deps.db, "invoice", ids)
    const reduced = heads.filter(({ writtenOff }) => writtenOff > 0).map(({ id }) => id)
    if (reduced.length > 0)
      for (const [id, n] of countWriteOffs(deps.db, reduced)) counts.set(id, n + (counts.get(id) ?? 0))
    const deducting = heads.filter(({ depositTotal }) => depositTotal > 0).map(({ id }) => id)
    if (deducting.length > 0)
      for (const [id, n] of countDeductions(deps.db, deducting)) counts.set(id, n + (counts.get(id) ?? 0))
    return counts
  },
  fill(change, { today }) {
    if ("invoiceDate" in change) change.invoiceDate ??= today
    if ("supplyDate" in change && change.supplyDate === null) delete change.supplyDate
    if ("dueDate" in change && change.dueDate === null) delete change.dueDate
  },
  settle(revision) {
    warnOfMovedDate(revision, "invoiceDate", deps.moneyContext().today)
    return [...settleDueDate(revision), ...settleSupplyDate(revision)]
  },
  partyOf,
  retotal: ({ total }) => ({ balance: total }),
  book: (tx, before, after) => updateOutstanding(deps, tx, before?.head ?? null, after.head),
  become: {
    unpaid: (tx, document, request) => issueDraft(deps, tx, document, request),
    cancelled: (tx, document, request) => cancel(deps, tx, document, request),
  },
  assertMayLeave,
  assertDeletable: (head) => assertDeletable(head, head.isOpening && !wasSettled(deps.db, head.id)),
  // A draft owes nothing. An opening invoice may.
  unbook: (tx, head) => updateOutstanding(deps, tx, head, { ...head, balance: 0 }),
})

/** Returns a function that lists what paid an invoice, what was written off of it, and its credit notes. */
function settledBy({ db, moneyContext }: InvoiceDeps, heads: readonly InvoiceHead[]) {
  const ids = heads.map(({ id }) => id)
  const withPayments = heads.filter(({ amountPaid }) => amountPaid > 0).map(({ id }) => id)
  const paid = withPayments.length > 0 ? findInvoicePayments(db, withPayments) : new Map<string, never[]>()
  const applied = heads.filter(({ creditApplied }) => creditApplied > 0).map(({ id }) => id)
  const applications = Map.groupBy(
    applied.length > 0 ? findSettlements(db, "invoice", applied) : [],
    ({ invoice }) => invoice,
  )
  const reduced = heads.filter(({ writtenOff }) => writtenOff > 0).map(({ id }) => id)
  const writtenOff = reduced.length > 0 ? findWriteOffs(db, reduced) : new Map<string, never[]>()
  const corrected = heads.filter((head) => head.creditedTotal > 0 || head.status === "cancelled")
  const notes = corrected.length > 0 ? notesOfInvoices.findIds(db, ids) : new Map<string, string[]>()
  const deducting = heads.filter(({ depositTotal }) => depositTotal > 0).map(({ id }) => id)
  const deposits = deducting.length > 0 ? findDeductions(db, deducting) : new Map<string, never[]>()
  const { digits } = moneyContext()
  return ({ id }: InvoiceHead) => ({
    deposits: shownDeductions(deposits.get(id) ?? [], digits),
    payments: (paid.get(id) ?? []).map((payment) => ({
      ...payment,
      amount: fromUnits(payment.amount, digits),
    })),
    applications: applicationsIn(applications.get(id) ?? [], digits),
    writeOffs: (writtenOff.get(id) ?? []).map((writeOff) => toWriteOff(writeOff, digits)),
    creditNotes: notes.get(id) ?? [],
  })
}

/** Updates the customer's outstanding balance by the difference between two states of an invoice. */
function updateOutstanding(
  { customers }: InvoiceDeps,
  tx: Tx,
  before: InvoiceHead | null,
  after: InvoiceHead,
): void {
  const share = (head: InvoiceHead) => ({ customer: head.customer, amount: owedOn(head) })
  customers.moveFigure(tx, "outstanding_balance", before && share(before), share(after))
}

/** On a draft the due date follows the invoice date and the payment terms. A cleared due date is computed again. */
function settleDueDate(revision: Revision<InvoiceHead>): FieldError[] {
  const { before, input, change, differing, warnings } = revision
  const wanted = { ...before, ...change } as InvoiceHead
  const isCleared = "dueDate" in input && input.dueDate === null
  const termsMoved = wanted.invoiceDate !== before.invoiceDate || wanted.paymentTerms !== before.paymentTerms
  if (isCleared || (termsMoved && before.status === "draft" && !("dueDate" in change)))
    // Invalid terms are undefined here; their error is reported with the others.
    change.dueDate = dueDateBy(wanted.invoiceDate, wanted.paymentTerms ?? null, warnings)
  if (change.dueDate !== undefined && change.dueDate !== before.dueDate && !differing.includes("dueDate"))
    differing.push("dueDate")
  return dueDateErrors(wanted.invoiceDate, change.dueDate ?? before.dueDate)
}

/** On a draft, a supply date that is the invoice date follows it. A cleared supply date is the invoice date. */
function settleSupplyDate({ before, input, change, differing }: Revision<InvoiceHead>): FieldError[] {
  const isCleared = "supplyDate" in input && input.supplyDate === null
  const isDefault = before.supplyDate === before.invoiceDate && !("supplyDate" in change)
  const wanted = (change.invoiceDate as string | undefined) ?? before.invoiceDate
  if ((isCleared || isDefault) && wanted !== before.supplyDate && before.status === "draft") {
    change.supplyDate = wanted
    differing.push("supplyDate")
  }
  return []
}

/**
 * Cancels an invoice: reverses its stock movements, the order's invoiced quantities and the outstanding balance. Its
 * number is not used again. If the settings say so, a credit note documents it. An opening invoice is only written off: it
 * is outside tax and sales, so neither a credit note nor a closed period concerns it.
 */
function cancel(
  deps: InvoiceDeps,
  tx: Tx,
  document: Doc<InvoiceHead, InvoiceLine>,
  { reason, caller }: StatusRequest<InvoiceHead["status"]>,
): Became<InvoiceHead> {
  const { head } = document
  const isIssuedHere = head.status !== "draft" && !head.isOpening
  const isCredited = isIssuedHere && deps.settings().correctBy === "credit-note"
  if (isIssuedHere) {
    // The date of a credit note counts instead of that of the invoice.
    if (!isCredited) assertOpenPeriod(deps.settings(), head.invoiceDate, "invoiceDate")
    deps.stockMovements.move(tx, comingBack(deps, document), {
      reason: "cancellation",
      sourceType: "invoice",
      sourceId: head.id,
      by: caller.userId,
    })
  }
  if (isCredited) deps.creditCancelled(tx, document, { reason, caller })
  const credited = isCredited ? { creditedTotal: head.total, creditTaken: head.total } : {}
  const stamps = { status: "cancelled" as const, balance: 0, cancelledAt: tx.now, cancelReason: reason }
  return { head: { ...head, ...credited, ...stamps }, afterSave: () => reopenOrder(deps, tx, document) }
}

/** What comes back into stock when an invoice is cancelled: not what is delivered all the same. */
function comingBack({ salesOrders }: InvoiceDeps, { head, lines }: Doc<InvoiceHead, InvoiceLine>) {
  if (!head.salesOrder) return lines
  const ordered = new Map(salesOrders.load(head.salesOrder).lines.map((line) => [line.id, line]))
  return lines.map((line) => {
    const source = ordered.get(line.orderLine ?? "")
    if (!source) return line
    const { item, quantity } = leavingBy(source, { invoicedQuantity: -line.quantity })
    return { item, quantity: -quantity }
  })
}

/** Lets the order be invoiced again, and its deposits be deducted again. After that, the customer may be over the credit limit. */
function reopenOrder(deps: InvoiceDeps, tx: Tx, { head, lines }: Doc<InvoiceHead, InvoiceLine>): void {
  if (!head.salesOrder) return
  const { salesOrders, customers, settings, moneyContext } = deps
  const order = salesOrders.load(head.salesOrder)
  if (head.invoiceType === "deposit")
    return salesOrders.recordDeposit(tx, order, { total: -head.total, isNew: false })
  releaseDeductions(deps, tx, head)
  const returned = lines.map(({ orderLine, quantity }) => ({ orderLine, quantity: -quantity }))
  salesOrders.recordBilling(tx, order, {
    lines: returned,
    total: -head.total,
    deducted: -head.depositTotal,
    isNew: false,
  })
  const { digits, currency } = moneyContext(tx.now)
  if (order.head.status === "completed")
    customers.warnOfCredit(tx, head.customer, { digits, currency, policy: settings().creditPolicy })
}

/** The initial values of the fields that only invoices have. */
export const newInvoice = {
  isOpening: false,
  invoiceType: "standard" as const,
  depositTotal: 0,
  deductedTotal: 0,
  invoiceNumber: null,
  numberSeries: null,
  numberCounter: null,
  sellerVersion: null,
  seller: null,
  buyer: null,
  language: null,
  salesOrder: null,
  orderNumber: null,
  isOverdue: false,
  cancelledAt: null,
  cancelReason: null,
  amountPaid: 0,
  creditedTotal: 0,
  creditTaken: 0,
  creditApplied: 0,
  writtenOff: 0,
  remindersPausedUntil: null,
  recurringInvoice: null,
  recurringPeriod: null,
  periodStartDate: null,
  periodEndDate: null,
  recurringProblem: null,
  issuedAt: null,
  paidAt: null,
}

/** A body that invoices an order: all that is not invoiced yet, or parts of some lines. */
export const billing = body(
  {
    salesOrder: required(reference("so")),
    invoiceDate: date(),
    supplyDate: date(),
    dueDate: date(),
    buyerReference: documentFields.buyerReference,
    shippingAddress: documentFields.shippingAddress,
    notes: text({ max: 10_000, multiline: true }),
    ...externalFields,
    send: sendOnIssue,
    items: lines<{ orderLine: string; quantity: number }>(
      {
        orderLine: required(reference("sol")),
        quantity: required(positive(decimal({ min: 0, example: 1 }))),
      },
      { name: "InvoicedLine", min: 1, max: 500 },
    ),
  },
  { example: { salesOrder: "so_01kb2qk3dvb6r8h5m9x4w7z2nc", invoiceDate: "2026-03-01" } },
)
export type Billing = BodyOf<typeof billing>

export type InvoiceDeps = DocumentDeps<InvoiceHead> & {
  customers: CustomerService
  stockMovements: StockMovementService
  salesOrders: SalesOrderService
  /** Returns the number format that a kind has or had and that can produce this number, or null. */
  formatProducing: (kind: Numbered, number: string) => string | null
  /** Keeps what an issued invoice prints. */
  keepPaper: (tx: Tx, invoice: Invoice) => void
  /** Writes the credit note of an invoice that is being cancelled. */
  creditCancelled: (
    tx: Tx,
    invoice: Doc<InvoiceHead, InvoiceLine>,
    why: { reason: string | null; caller: Caller },
  ) => void
}

/** How an invoice is issued. `leaving` is what leaves the stock with it, if that is not what its lines have. */
type Issuing = {
  customer: DocumentCustomer
  userId: string | null
  leaving?: readonly { item: string | null; quantity: number }[]
}

/**
 * Issues an invoice: keeps the data of the company and of the customer, assigns the number and takes the goods out of
 * stock. Then the customer owes the total.
 */
export function issue(
  deps: InvoiceDeps,
  tx: Tx,
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
  { customer, userId, leaving = lines }: Issuing,
): InvoiceHead {
  const { stockMovements, settings } = deps
  assertOpenPeriod(settings(), head.invoiceDate, "invoiceDate")
  warnOfTreatment(tx.warnings, head, customer)
  warnOfBuyer(tx.warnings, { head, lines }, { customer, seller: taxCountryOf(settings()) })
  const parties = partiesAtIssue(deps, customer, { head, lines })
  const cause = { reason: "invoice" as const, sourceType: "invoice", sourceId: head.id, by: userId }
  stockMovements.take(tx, leaving, { ...cause, doing: "invoice" })
  const status = statusBySums(head)
  const { number, series, counter } = deps.nextNumber(tx, invoices, head.invoiceDate)
  return {
    ...head,
    ...parties,
    invoiceNumber: number,
    numberSeries: series,
    numberCounter: counter,
    status,
    issuedAt: tx.now,
    paidAt: status === "paid" ? tx.now : null,
  }
}

/** Issues a draft. The invoice gets the customer's current data, which no longer changes after that. */
export function issueDraft(
  deps: InvoiceDeps,
  tx: Tx,
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
  { override, caller }: StatusRequest<InvoiceHead["status"]>,
): Became<InvoiceHead> {
  const customer = assertIssuable(deps, tx, head, lines)
  // Another due date was set by a person.
  if (head.dueDate === head.invoiceDate) warnOfTerms(head.paymentTerms, tx.warnings)
  const isForced = isCreditForced(deps, tx, customer, { total: head.total, override, caller })
  // As a new invoice, it has the reference of its customer if it has none of its own.
  const buyerReference = head.buyerReference ?? customer.buyerReference
  const issued = issue(
    deps,
    tx,
    { head: { ...head, buyerReference }, lines },
    { customer, userId: caller.userId },
  )
  return { head: { ...issued, recurringProblem: null }, changes: isForced ? creditOverride : {} }
}

function assertIssuable(
  { items, customers }: InvoiceDeps,
  { warnings }: Tx,
  head: InvoiceHead,
  lines: readonly InvoiceLine[],
): DocumentCustomer {
  const errors: FieldError[] = []
  const customer = readCustomer(customers, head.customer, null, { errors, warnings })
  errors.push(...inactiveErrors(items, lines))
  assertNoErrors(errors, "The invoice cannot be issued.")
  if (!customer) throw invalid("customer", "NOT_FOUND", "no longer exists", { value: head.customer })
  return customer
}

/** The total to add to the customer's balance, the caller, and whether the credit limit may be overridden. */
type Charge = { total: number; override: boolean; caller: Author }

/** Checks an invoice without an order against its customer's credit limit. True when the limit was overridden. */
export function isCreditForced(
  { customers, settings, moneyContext }: InvoiceDeps,
  tx: Tx,
  customer: DocumentCustomer,
  charge: Charge,
): boolean {
  const { digits, currency } = moneyContext(tx.now)
  const policy = settings().creditPolicy
  return customers.assertCredit(tx, customer, { ...charge, what: "invoice", digits, currency, policy })
}

/** Returns the customer data that an invoice stores. */
export const partyOf = ({ name, address, taxId }: DocumentCustomer) => ({
  customerName: name,
  billingAddress: addressOf(address),
  taxId,
})

/**
 * Returns what an invoice keeps of the company, the customer and the tax when it is issued. Nothing that happens later
 * changes it.
 */
function partiesAtIssue(
  { db, taxCodes, settings }: DocumentDeps<InvoiceHead>,
  customer: DocumentCustomer,
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
) {
  assertTaxId(customer, lines)
  const parties = partiesNow(db, settings(), customer)
  return {
    ...partyOf(customer),
    ...parties,
    taxes: withReasons(head.taxes, lines, {
      findCode: taxCodes.find,
      taxReason: customer.taxReason,
      language: parties.language,
    }),
  }
}

/** Reverse charge and supplies to another country of the EU need the tax ID of the customer. */
function assertTaxId({ name, taxId }: DocumentCustomer, lines: readonly InvoiceLine[]): void {
  const category = lines.find(({ taxCategory }) => categoriesWithTaxId.includes(taxCategory))?.taxCategory
  if (!category || taxId !== null) return
  assertNoErrors(
    [
      fieldError("taxId", "REQUIRED", `is required for the tax category ${category}: ${name} has none`, {
        category,
        name,
      }),
    ],
    "The invoice cannot be issued.",
  )
}
