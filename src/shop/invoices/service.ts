import type { Related } from "../../core/http/answer/expand"
import type { Tx } from "../../core/write/writer"
import type { Author, Caller } from "../../core/caller"
import type { Reading } from "../../core/kind/body"
import { noteFigures } from "../../core/kind/record-events"
import { refuseMissing, takenErrors } from "../../core/store/crud"
import type { Draft, Input } from "../../core/kind/read"
import type { Expected } from "../../core/kind/tag"
import { business } from "../../core/lib/clock"
import { daysBetween, endIn } from "../../shared/dates"
import { warnOfDate } from "../../trade/documents/dates"
import { newHead, ownFieldsOf, readContents } from "../../trade/documents/create"
import { type Copy, copy } from "../../trade/documents/derive"
import { withoutDiscount } from "../../trade/documents/discount"
import { documentDeps, type Trade } from "../../trade/documents/documents"
import { type DocumentMail, sendOperation } from "../../trade/mail/service"
import type { PaperContents } from "../../trade/paper/contents"
import type { PaperStore } from "../../trade/paper/papers"
import { creditOverride, type StatusRequest } from "../../trade/documents/kind"
import { assertMayCorrect } from "../../trade/settlements/shown"
import { invoiceOrder } from "./from-order"
import {
  invoicesOf,
  isCreditForced,
  issue,
  newInvoice,
  partyOf,
  type Billing,
  type InvoiceDeps,
  type Invoices,
} from "./invoices"
import {
  type Invoice,
  type InvoiceHead,
  type InvoiceLine,
  invoices as invoiceKind,
  openingInvoice,
  type OpeningInvoice,
  openingInvoiceFields,
} from "./model"
import { invoicePaper, warnOfXrechnung } from "./paper"
import { assertIssuedHere, dueDateBy, dueDateErrors, type Sums } from "./rules"
import { settleAll, type SumsChange } from "./settle"
import { requestDeposit } from "./deposits/request"
import type { DepositBody } from "./deposits/model"
import { countChanges, findByNumber, findDueBetween, setOpeningKey } from "./store"
import type { Database } from "../../core/engine/engine"
import { findPosition, storePosition } from "../../core/engine/positions"
import type { MoneyContext } from "../../core/kind/field"
import { newId } from "../../core/lib/id"
import {
  assertNoErrors,
  duplicate,
  fieldError,
  type FieldError,
  invalid,
  missingReference,
  Refusal,
} from "../../core/lib/refusal"
import { keyOf } from "../../core/kind/keys"
import { priceDigits, toUnits } from "../../shared/decimal"
import type { Language } from "../../shared/languages"
import type { CustomerService } from "../customers/service"
import type { DocumentCustomer } from "../../trade/needs"
import { warnOfMerge } from "../../trade/documents/customer"
import { mismatch } from "../../trade/documents/rules"
import type { Warning } from "../../core/lib/warning"
import { writeOffs } from "../../trade/settlements/model"
import { readAmount } from "../../trade/settlements/money"
import { writeOffService } from "./write-offs/service"

type Needs = Trade &
  Pick<InvoiceDeps, "customers" | "stockMovements" | "salesOrders" | "formatProducing"> & {
    paper: PaperContents
    papers: PaperStore
    /** Mail needs invoices too. */
    mail: DocumentMail
    recurringInvoices: { asRelated: Related }
    /** Credit notes need invoices too. */
    creditNotes: Pick<InvoiceDeps, "creditCancelled">
  }

/** What invoices need. Cancelling an invoice may write a credit note. */
const depsOf = (the: Needs): InvoiceDeps => ({
  ...documentDeps<InvoiceHead, Needs>(the, invoiceKind),
  stockMovements: the.stockMovements,
  salesOrders: the.salesOrders,
  formatProducing: the.formatProducing,
  keepPaper(tx, invoice) {
    const loaded = invoicePaper(the.paper, invoice)
    the.papers.issue(tx, "invoices", loaded)
    warnOfXrechnung(tx.warnings, loaded.paper)
  },
  creditCancelled: (...given) => the.creditNotes.creditCancelled(...given),
})

const relatedOf = (the: Needs, { related }: Invoices) => ({
  ...related,
  salesOrder: the.salesOrders.asRelated,
  // Recurring invoices need invoices too.
  get recurringInvoice() {
    return the.recurringInvoices.asRelated
  },
})

export function invoiceService(the: Needs) {
  const deps = depsOf(the)
  const invoices = invoicesOf(deps)
  const loadHead = (id: string): InvoiceHead => invoices.findHead(id) ?? refuseMissing(invoiceKind, id)
  /**
   * Keeps what an invoice prints, and sends it if that is wanted, if this write issued it: it was no invoice or a draft
   * before. An opening invoice was issued elsewhere.
   */
  const withPaper = (
    tx: Tx,
    invoice: Invoice,
    caller: Author,
    isSent: boolean,
    isAutomatic = false,
  ): Invoice => {
    if (invoice.issuedAt === null || invoice.isOpening) return invoice
    deps.keepPaper(tx, invoice)
    if (isSent) the.mail.sendBy(tx, { kind: invoiceKind.name, id: invoice.id, caller, isAutomatic })
    return invoice
  }
  return {
    ...invoices,
    related: relatedOf(the, invoices),

    /** Creates an invoice without an order: a draft, unless the body asks to issue it. */
    create(tx: Tx, draft: Draft, caller: Caller): Invoice {
      const isSent = draft.extras.send === true
      const errors = isSent && draft.extras.status !== "unpaid" ? [notIssued] : []
      const made = createInvoice(
        deps,
        invoices,
        tx,
        { ...draft, errors: [...draft.errors, ...errors] },
        caller,
      )
      return withPaper(tx, made, caller, isSent)
    },

    /** Creates a new draft with the same lines. */
    duplicate(tx: Tx, id: string, caller: Caller): Invoice {
      const { head, lines } = invoices.load(id)
      assertIssuedHere(head, "its lines are known only there")
      assertNoDeposit(head)
      const { draft, ...copied } = copy(invoiceKind, head, lines, deps.moneyContext().digits)
      return createInvoice(deps, invoices, tx, draft, caller, copied)
    },

    /** Makes the invoice of a period from a copy of a template. The status and whether it is sent are those of the draft. */
    createOfPeriod(tx: Tx, { draft, ...copied }: Copy, period: OfPeriod, author: Author): Invoice {
      const made = createInvoice(deps, invoices, tx, draft, author, copied, period)
      return withPaper(tx, made, author, draft.extras.send === true, true)
    },

    /** Invoices an order, completely or in part. */
    fromOrder: (tx: Tx, billing: Reading<Billing>, caller: Caller): Invoice =>
      withPaper(tx, invoiceOrder(deps, invoices, tx, billing, caller), caller, billing.values.send),

    /** Asks for a deposit on an order. */
    requestDeposit: (tx: Tx, order: string, body: Reading<DepositBody>, caller: Caller): Invoice =>
      withPaper(tx, requestDeposit(deps, invoices, tx, order, body, caller), caller, body.values.send),

    /** Sends an invoice by mail, as an operation of a batch. */
    send: sendOperation(the, invoiceKind),

    /** Stores an invoice of another system that is not paid yet. */
    createOpening: (tx: Tx, input: Input, caller: Caller): Invoice =>
      createOpening(deps, invoices, tx, input, caller),

    changeStatus(
      tx: Tx,
      id: string,
      request: StatusRequest<InvoiceHead["status"]>,
      expected: Expected = null,
    ): Invoice {
      if (request.status === "cancelled") assertMayCorrect(request.caller, "cancel", "status")
      const { caller, send = false } = request
      const { issuedAt } = loadHead(id)
      const changed = invoices.changeStatus(tx, id, request, expected)
      return issuedAt === null ? withPaper(tx, changed, caller, send) : changed
    },

    /** Returns the head of an invoice. Payments do not need its lines. */
    loadHead,

    isOverdueOutdated: (): boolean => isOverdueOutdated(deps),
    nextOverdue: (): string => nextOverdue(deps),
    markOverdue: (tx: Tx): boolean => markOverdue(deps, tx),

    /** Changes what was paid or credited. The balance and the status follow. */
    settle: (tx: Tx, before: InvoiceHead, change: Partial<Sums>): void =>
      settleAll(deps, tx, [{ before, change }]),

    /** The rests of invoices that nobody will pay. */
    writeOffs: writeOffService({
      ...deps,
      parts: the.storeOf(writeOffs),
      loadHead,
      settle: (tx, before, change) => settleAll(deps, tx, [{ before, change }]),
    }),

    /** Does the same for different invoices, with one change of each customer. */
    settleAll: (tx: Tx, changes: readonly SumsChange[]): void => settleAll(deps, tx, changes),

    /** Counts a change of what invoices show of other records, on which their own figures do not depend. */
    noteShown(tx: Tx, ids: readonly string[], changed: readonly string[]): void {
      for (const invoice of countChanges(deps.db, ids, tx.now)) noteFigures(tx, invoiceKind, invoice, changed)
    },
  }
}

export type InvoiceService = ReturnType<typeof invoiceService>

/** A copy of a deposit invoice would belong to no order, so nothing would deduct it. */
function assertNoDeposit({ invoiceType, invoiceNumber: number, status }: InvoiceHead): void {
  if (invoiceType !== "deposit") return
  throw new Refusal(
    "DOCUMENT_LOCKED",
    `${number} asks for a deposit on an order and cannot be copied; ask for another deposit on the order.`,
    {
      params: { number, status },
      details: [fieldError("invoiceType", "RULE", "is deposit", { rule: "OPERATION" })],
    },
  )
}

/** What an invoice has that was made from a template. */
export type OfPeriod = Pick<
  InvoiceHead,
  | "recurringInvoice"
  | "recurringPeriod"
  | "periodStartDate"
  | "periodEndDate"
  | "recurringProblem"
  | "metadata"
>

const notIssued = fieldError("send", "RULE", "needs the status unpaid: a draft is not sent", {
  rule: "STATUS",
})

function createInvoice(
  deps: InvoiceDeps,
  invoices: Invoices,
  tx: Tx,
  draft: Draft,
  caller: Author,
  copied?: Omit<Copy, "draft">,
  period?: OfPeriod,
): Invoice {
  const { values, extras } = draft
  const { today } = deps.moneyContext(tx.now)
  const invoiceDate = String(values.invoiceDate ?? today)
  warnOfDate(tx.warnings, "invoiceDate", invoiceDate, today)
  // A due date that the terms set is never before the invoice date.
  const check = () => dueDateErrors(invoiceDate, values.dueDate)
  const contents = readContents(invoices, tx, draft, check, copied?.source)
  const { customer, lines, totals } = contents
  const ownTerms = customer.paymentTerms ?? deps.settings().defaultPaymentTerms
  const terms = copied?.paymentTerms === null ? null : ownTerms
  const paymentTerms = (values.paymentTerms ?? terms) as string | null
  const draftHead: InvoiceHead = {
    ...newHead(invoices, tx, contents, caller),
    ...newInvoice,
    ...partyOf(customer),
    balance: totals.total,
    invoiceDate,
    supplyDate: String(values.supplyDate ?? invoiceDate),
    dueDate: String(values.dueDate ?? dueDateBy(invoiceDate, paymentTerms, tx.warnings)),
    paymentTerms,
    remindersPausedUntil: (values.remindersPausedUntil ?? null) as string | null,
    ...period,
  }
  if (extras.status !== "unpaid") return invoices.create(tx, { head: draftHead, lines })
  const charge = { total: totals.total, override: extras.override === true, caller }
  const isForced = isCreditForced(deps, tx, customer, charge)
  const head = issue(deps, tx, { head: draftHead, lines }, { customer, userId: caller.userId })
  return invoices.create(tx, { head, lines, changes: isForced ? creditOverride : {} })
}

const task = "overdue-invoices"
/** The number of invoices that one transaction marks. */
const atOnce = 100

type Deps = { db: Database; moneyContext: (at?: string) => MoneyContext }

/** True when the day has changed since the last run, so that invoices may have become overdue, or the clock was set back. */
const isOverdueOutdated = ({ db, moneyContext }: Deps): boolean => {
  const [{ today }, position = ""] = [moneyContext(), findPosition(db, task) ?? undefined]
  // With another time zone the last run may have been tomorrow.
  return position < today || daysBetween(today, position.slice(0, 10)) > 1
}

/** When invoices may become overdue next: when the day of the last run has ended. */
function nextOverdue(deps: Deps & Pick<InvoiceDeps, "settings">): string {
  if (isOverdueOutdated(deps)) return business.now()
  return endIn(deps.settings().timeZone, findPosition(deps.db, task) ?? business.today())
}

/**
 * Stores that invoices became overdue because a day has passed: their ETag and `updatedAt` change. The position is the
 * due date, and the id where a transaction stopped, so that every invoice is marked once. Returns true when more are
 * left.
 */
function markOverdue({ db, moneyContext }: Deps, tx: Tx): boolean {
  const { today } = moneyContext(tx.now)
  // In the first run nothing is marked, because the invoices that are overdue did not become overdue now. The same is
  // true of a run after the clock was ahead: the invoices that became overdue then were marked.
  const [dueDate = today, id = ""] = findPosition(db, task)?.split(" ") ?? []
  const due = findDueBetween(db, { dueDate, id, before: today, limit: atOnce })
  const ids = due.map((each) => each.id)
  for (const invoice of countChanges(db, ids, tx.now)) {
    const event = { kind: invoiceKind.name, ...invoice }
    tx.events.push(
      { ...event, type: "updated", changed: ["isOverdue"] },
      { ...event, type: "overdue", changed: [] },
    )
  }
  const last = due.length < atOnce ? undefined : due.at(-1)
  storePosition(db, task, last ? `${last.dueDate} ${last.id}` : today)
  return last !== undefined
}

/** The form in which the number of an opening invoice is unique, as item codes are. */
const numberKey = keyOf(openingInvoiceFields.invoiceNumber)

/**
 * Stores an invoice of another system that was not paid when the business moved here. It counts as a receivable like any
 * other invoice. It has its own number, which no format of ours can produce, and no tax; it moves no stock, and there is
 * no paper of it. It is history: closed periods and inactive customers do not matter.
 */
function createOpening(deps: InvoiceDeps, invoices: Invoices, tx: Tx, input: Input, caller: Caller): Invoice {
  const { values, customer, total, errors } = readOpening(deps, input, tx)
  assertNoErrors(errors, "The opening invoice has invalid values.")
  if (!customer) throw invalid("customer", "REQUIRED", "is required")
  const { invoiceNumber, invoiceDate, notes, externalId } = values
  const paymentTerms = customer.paymentTerms ?? deps.settings().defaultPaymentTerms
  const totals = { subtotal: total, discountTotal: 0, taxTotal: 0, total }
  const own = { ...ownFieldsOf({ notes, externalId }, customer), shippingAddress: null }
  const contents = { customer, own, totals, discount: withoutDiscount, taxes: [], pricesIncludeTax: false }
  const head: InvoiceHead = {
    ...newHead(invoices, tx, { ...contents, taxTreatment: "domestic" }, caller),
    ...newInvoice,
    ...partyOf(customer),
    isOpening: true,
    invoiceNumber,
    status: "unpaid",
    issuedAt: tx.now,
    balance: total,
    invoiceDate,
    supplyDate: invoiceDate,
    dueDate: values.dueDate ?? dueDateBy(invoiceDate, paymentTerms, tx.warnings),
    paymentTerms,
  }
  const lines = [lineOf(deps, tx, invoiceNumber, values.balance, total)]
  const changes = { invoiceNumber: { from: null, to: invoiceNumber }, isOpening: { from: null, to: true } }
  const invoice = invoices.create(tx, { head, lines, changes })
  setOpeningKey(deps.db, invoice.id, numberKey(invoiceNumber))
  return invoice
}

/** Reads an opening invoice and returns all its errors. The total is in the minor unit. */
function readOpening(deps: InvoiceDeps, input: Input, { now, warnings }: Tx) {
  const { values, errors } = openingInvoice.read(input)
  const customer = readOpeningCustomer(deps.customers, input, values, { errors, warnings })
  const money = deps.moneyContext(now)
  const total = readAmount(values.balance, money, "balance", errors)
  errors.push(
    ...numberErrors(deps, values.invoiceNumber),
    ...futureErrors(values.invoiceDate, money.today),
    ...dueDateErrors(values.invoiceDate, values.dueDate),
    ...takenErrors(invoiceKind, deps.store, { externalId: values.externalId }, null),
  )
  return { values, customer, total, errors }
}

/** An invoice of the past cannot have a date in the future: day and month are probably confused. */
const futureErrors = (date: string | null, today: string): FieldError[] =>
  date !== null && date > today
    ? [fieldError("invoiceDate", "RULE", "must not be in the future", { rule: "NOT_AFTER_TODAY", today })]
    : []

/** Finds the customer that an opening invoice names by one field or by several. */
function readOpeningCustomer(
  customers: CustomerService,
  input: Input,
  values: OpeningInvoice,
  { errors, warnings }: { errors: FieldError[]; warnings: Warning[] },
): DocumentCustomer | null {
  const { customer, customerNumber, customerExternalId } = values
  const given = [
    { field: "customerNumber", value: customerNumber, find: byNumber },
    {
      field: "customerExternalId",
      value: customerExternalId,
      find: (id: string) => customers.findId("externalId", id),
    },
    { field: "customer", value: customer, find: (id: string) => id },
  ]
  if (given.every(({ field }) => (input[field] ?? null) === null))
    errors.push(fieldError("customerNumber", "REQUIRED", "is required, or customerExternalId or customer"))
  let found: DocumentCustomer | null = null
  for (const { field, value, find } of given) {
    if (value === null) continue
    const id = find(value)
    const named = id === null ? null : customers.forDocument(id)
    if (!named) errors.push(missingReference(field, value.slice(0, 100)))
    else if (found && found.id !== named.id) errors.push(mismatch(field, "names another customer"))
    else if (named && !found) warnOfMerge(warnings, named, field)
    found ??= named
  }
  return found

  function byNumber(number: string): string | null {
    return customers.findId("customerNumber", number.toUpperCase())
  }
}

/** A number that is used already, or that we could give to an invoice of ours, cannot be that of an opening invoice. */
function numberErrors({ db, formatProducing }: InvoiceDeps, value: string | null): FieldError[] {
  if (value === null) return []
  const existing = findByNumber(db, value, numberKey(value))
  if (existing !== null) return [duplicate("invoiceNumber", value, existing, "invoice")]
  const format = formatProducing(invoiceKind, value)
  if (format === null) return []
  const message = `could also be a number of Kontor, which numbers invoices by the format ${format}, or did so before`
  return [fieldError("invoiceNumber", "RULE", message, { rule: "NUMBER_OF_FORMAT", value, format })]
}

/** What the one line of an opening invoice says, in the language of the company. */
const descriptions: Record<Language, (number: string) => string> = {
  en: (number) => `Open balance of invoice ${number}`,
  de: (number) => `Offener Betrag der Rechnung ${number}`,
  fr: (number) => `Solde de la facture ${number}`,
}

const lineOf = (
  { settings }: InvoiceDeps,
  { now }: Tx,
  number: string,
  balance: number,
  amount: number,
): InvoiceLine => ({
  id: newId("inl", now),
  item: null,
  itemCode: null,
  itemName: null,
  description: descriptions[settings().defaultLanguage](number),
  uom: "Nos",
  quantity: 10 ** priceDigits,
  rate: toUnits(balance, priceDigits) ?? 0,
  discount: 0,
  amount,
  discountAmount: 0,
  documentDiscount: 0,
  grossAmount: null,
  taxCode: null,
  taxCategory: null,
  taxRate: 0,
  isDiscountAmount: 0,
  hasOwnTaxCode: 0,
  orderLine: null,
  creditedQuantity: 0,
  creditedAmount: 0,
})
