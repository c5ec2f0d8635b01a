import type { Caller } from "../../core/caller"
import type { Core } from "../../core/folder"
import type { Reading } from "../../core/kind/body"
import type { MoneyContext } from "../../core/kind/field"
import type { Input } from "../../core/kind/read"
import type { Expected } from "../../core/kind/tag"
import { newId } from "../../core/lib/id"
import { assertNoErrors, Refusal } from "../../core/lib/refusal"
import { restsBetween } from "../../core/lib/turns"
import { tableCrud, takenErrors } from "../../core/store/crud"
import type { TableStore } from "../../core/store/table-store"
import type { Tx } from "../../core/write/writer"
import type { Settings } from "../../office/settings/model"
import { fromUnits, nearestUnits } from "../../shared/decimal"
import { daysLater } from "../../shared/dates"
import { correctionRoles } from "../../shared/rights"
import { partiesNow } from "../../trade/documents/parties"
import type { DocumentMail } from "../../trade/mail/service"
import { companyOf, textsFor } from "../../trade/mail/filled"
import type { CustomerService } from "../customers/service"
import type { InvoiceHead } from "../invoices/model"
import type { InvoiceService } from "../invoices/service"
import {
  type DueReminder,
  mostPreviewed,
  type NotDue,
  type Reminder,
  reminderRefusals,
  reminders,
  type ReminderBody,
  type RemindersDue,
} from "./model"
import { type Next, nextReminder, type Reminded, whyNotDue } from "./rules"
import { findLast, findOverdue, type Overdue, type Place } from "./store"

type Needs = Core & {
  settings: () => Settings
  customers: CustomerService
  invoices: InvoiceService
  mail: DocumentMail
}

/** The number of invoices that one query reads. */
const sliceSize = 200
/** The maximum number of milliseconds that other requests wait. */
const longestStep = 4

/** Reminders of unpaid invoices. */
export function reminderService(the: Needs) {
  const { moneyContext } = the
  const store = the.storeOf(reminders)
  const crud = tableCrud(reminders, store)
  return {
    list: crud.list,
    values: crud.values,
    get: crud.get,
    findMany: crud.findMany,
    findId: crud.findId,
    related: { customer: the.customers.asRelated, invoice: the.invoices.asRelated },
    update: (tx: Tx, id: string, input: Input, expected: Expected): Reminder =>
      crud.update(tx, id, input, expected),

    /** Makes the next reminder of an invoice. */
    remind(tx: Tx, id: string, { values, errors }: Reading<ReminderBody>, caller: Caller): Reminder {
      assertMayRemind(caller)
      const { override, send, externalId, metadata } = values
      errors.push(...takenErrors(reminders, store, { externalId }, null))
      assertNoErrors(errors, "The reminder has invalid values.")
      const invoice = the.invoices.loadHead(id)
      const next = assertDue(the, invoice, { today: moneyContext(tx.now).today, override })
      const reminder = insert(the, store, tx, invoice, next, { externalId, metadata, userId: caller.userId })
      if (send) the.mail.sendBy(tx, { kind: reminders.name, id: reminder, caller })
      return crud.get(reminder)
    },

    /** Makes the reminder of an invoice if one is due now, for the work in the background. Returns its id. */
    remindIfDue(tx: Tx, id: string, userId: string | null): string | null {
      const invoice = the.invoices.loadHead(id)
      const { next, why } = stateOf(the, invoice, moneyContext(tx.now).today)
      return next && why === null
        ? insert(the, store, tx, invoice, next, { externalId: null, metadata: {}, userId })
        : null
    },

    /** Goes through the invoices of which a reminder is due, a few at a time, those that were due first before the others. */
    eachDue: (after: Place | null, signal: AbortSignal | null) => eachDue(the, after, signal),

    /** Returns the reminders that are due. */
    async due(signal: AbortSignal | null): Promise<RemindersDue> {
      const { digits } = moneyContext()
      const customers = new Set<string>()
      const found: DueReminder[] = []
      let [invoices, balance] = [0, 0]
      for await (const { due } of eachDue(the, null, signal))
        for (const { invoice, next } of due) {
          invoices++
          balance += invoice.balance
          customers.add(invoice.customer)
          if (found.length < mostPreviewed) found.push(shownDue(invoice, next, moneyContext()))
        }
      return { invoices, customers: customers.size, balance: fromUnits(balance, digits), reminders: found }
    },
  }
}

export type ReminderService = ReturnType<typeof reminderService>

/** Stores a reminder with what it says, and returns its id. */
function insert(
  the: Needs,
  store: TableStore<typeof reminders>,
  tx: Tx,
  invoice: InvoiceHead,
  { level, rule }: Next,
  own: Pick<Reminder, "externalId" | "metadata"> & { userId: string | null },
): string {
  const settings = the.settings()
  const { today, digits } = the.moneyContext(tx.now)
  const customer = the.customers.forDocument(invoice.customer)
  if (!customer) throw new Error(`The customer of invoice ${invoice.id} is missing.`)
  const { language, sellerVersion, seller, buyer } = partiesNow(the.db, settings, customer)
  const { balance, dueDate, currency, total } = invoice
  const texts = textsFor(rule.texts[language], {
    language,
    currency,
    buyer,
    number: invoice.invoiceNumber,
    dueDate,
    total: fromUnits(total, digits),
    balance: fromUnits(balance, digits),
    company: companyOf(settings),
  })
  const { userId, ...external } = own
  const { number, series, counter } = the.nextNumber(tx, reminders, today)
  const reminder = {
    id: newId(reminders.idPrefix, tx.now),
    reminderNumber: number,
    numberSeries: series,
    numberCounter: counter,
    invoice: invoice.id,
    invoiceNumber: invoice.invoiceNumber ?? "",
    customer: customer.id,
    customerName: customer.name,
    level,
    date: today,
    dueDate,
    currency,
    balance,
    fee: nearestUnits(rule.fee, digits),
    ...texts,
    language,
    sellerVersion,
    seller,
    buyer,
    ...external,
    lastSentAt: null,
    createdBy: userId,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  store.insert(tx, reminder)
  tx.audit("reminders.create", reminder.id, {
    reminderNumber: { from: null, to: number },
    invoice: { from: null, to: invoice.id },
    level: { from: null, to: level },
  })
  return reminder.id
}

/** Reminders are for those who may also correct invoices: a web shop or a till makes none. */
export function assertMayRemind({ role }: Caller): void {
  if (correctionRoles.includes(role)) return
  throw new Refusal("FORBIDDEN", `The role ${role} is not allowed to make reminders.`, { params: { role } })
}

type State = { next: Next | null; why: NotDue | null }

/** Returns the next reminder of an invoice, and why it is not due. */
function stateOf({ db, settings, customers }: Needs, invoice: InvoiceHead, today: string): State {
  const customer = customers.forDocument(invoice.customer)
  const reminded: Reminded = {
    ...invoice,
    pausedUntil: [invoice.remindersPausedUntil, customer?.remindersPausedUntil ?? null],
    last: findLast(db, invoice.id),
  }
  const next = nextReminder(settings().reminderLevels, reminded)
  return { next, why: whyNotDue(reminded, next, today) }
}

function assertDue(
  the: Needs,
  invoice: InvoiceHead,
  { today, override }: { today: string; override: boolean },
): Next {
  const { next, why } = stateOf(the, invoice, today)
  if (next && (why === null || (override && (why === "PAUSED" || why === "EARLY")))) return next
  const number = invoice.invoiceNumber
  const name = number === null ? "The draft" : `Invoice ${number}`
  const sentences: Record<NotDue, string> = {
    NOT_OPEN: `${name} is ${invoice.status}: there is nothing to remind of.`,
    NO_LEVEL_LEFT: `All reminders of invoice ${number} were made.`,
    PAUSED: `Reminders of invoice ${number} are paused. Send override: true to make one anyway.`,
    EARLY: `The next reminder of invoice ${number} is due on ${next?.from}. Send override: true to make it now.`,
  }
  const reason = why ?? "NOT_OPEN"
  throw new Refusal(reminderRefusals.REMINDER_NOT_DUE, sentences[reason], {
    params: { number, reason, dueOn: reason === "EARLY" ? (next?.from ?? null) : null },
  })
}

/** An invoice with its reminder that is due. */
export type Due = { invoice: Overdue; next: Next }

/** Goes through what is due, and says where it has come to. */
async function* eachDue(
  { db, settings, moneyContext }: Needs,
  after: Place | null,
  signal: AbortSignal | null,
) {
  const { today } = moneyContext()
  const levels = settings().reminderLevels
  const until = daysLater(today, -(levels[0]?.afterDays ?? 0))
  const rest = restsBetween(longestStep, signal)
  let place: Place | null = after ?? { dueDate: "", id: "" }
  while (place) {
    const rows = findOverdue(db, { after: place, until, limit: sliceSize })
    const last = rows.at(-1)
    place = rows.length === sliceSize && last ? { dueDate: last.dueDate, id: last.id } : null
    yield { due: rows.flatMap((invoice) => dueOf(invoice, levels, today)), place }
    await rest()
  }
}

function dueOf(invoice: Overdue, levels: Settings["reminderLevels"], today: string): Due[] {
  const { ownPause, customerPause, lastLevel, lastDate } = invoice
  const reminded: Reminded = {
    ...invoice,
    pausedUntil: [ownPause, customerPause],
    last: lastLevel === null ? null : { level: lastLevel, date: lastDate ?? "" },
  }
  const next = nextReminder(levels, reminded)
  return next && whyNotDue(reminded, next, today) === null ? [{ invoice, next }] : []
}

const shownDue = (
  { id, invoiceNumber, customer, customerName, email, dueDate, balance }: Overdue,
  { level, rule }: Next,
  { digits }: MoneyContext,
): DueReminder => ({
  invoice: id,
  invoiceNumber,
  customer,
  customerName,
  email,
  dueDate,
  balance: fromUnits(balance, digits),
  level,
  fee: fromUnits(nearestUnits(rule.fee, digits), digits),
})
