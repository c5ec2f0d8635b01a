import type { Author } from "../../core/caller"
import type { Database } from "../../core/engine/engine"
import { failure } from "../../core/http/answer/envelope"
import { changesOf } from "../../core/kind/changes"
import type { MoneyContext } from "../../core/kind/field"
import type { Refusal } from "../../core/lib/refusal"
import { business } from "../../core/lib/clock"
import { tryPart } from "../../core/write/write-parts"
import type { Tx, Writer } from "../../core/write/writer"
import type { Work } from "../../office/jobs/run-due"
import type { Settings } from "../../office/settings/model"
import { daysLater, endIn } from "../../shared/dates"
import { firstPeriodFrom, periodSpan, type Span } from "../../shared/recurrence/periods"
import { copy } from "../../trade/documents/derive"
import type { Line } from "../../trade/documents/model"
import type { Customers } from "../../trade/needs"
import { formatsOf } from "../../trade/paper/contents"
import { invoices as invoiceKind, type Problem } from "../invoices/model"
import type { InvoiceService } from "../invoices/service"
import { type Recurring, type RecurringHead, recurringInvoices, type recurringModes } from "./model"
import { mostCaughtUp, reached, type RecurringInvoiceService } from "./service"

type Needs = {
  db: Database
  writer: Writer
  settings: () => Settings
  moneyContext: (at?: string) => MoneyContext
  customers: Customers
  invoices: InvoiceService
  recurringInvoices: RecurringInvoiceService
  /** True after a restore, until an admin sends again: the invoices of the lost days may be with their customers. */
  isPaused: () => boolean
}

/** Makes the invoices of templates at the beginning of the day on which their periods begin. */
export const makeRecurring = (the: Needs): Work => ({
  name: "recurring-invoices",
  nextDue() {
    const next = the.isPaused() ? null : firstDate(the.db)
    if (next === null) return null
    // One that was written today may be due since this morning.
    return next <= the.moneyContext().today
      ? business.now()
      : endIn(the.settings().timeZone, daysLater(next, -1))
  },
  async run() {
    while (await the.writer((tx) => makeSome(the, tx))) continue
  },
})

/**
 * How many invoices one transaction makes at most, and the lines after which it makes no more. It takes some milliseconds.
 * It does not end by time, because the IDs of a demo depend on it.
 */
const [atOnce, mostLines] = [5, 20]

const firstDate = (db: Database): string | null =>
  db
    .query<{ date: string | null }, []>(
      "SELECT min(next_date) AS date FROM recurring_invoices WHERE status = 'active'",
    )
    .get()?.date ?? null

const findDue = (db: Database, today: string): string[] =>
  db
    .query<{ id: string }, [string, number]>(
      "SELECT id FROM recurring_invoices WHERE status = 'active' AND next_date <= ? ORDER BY next_date, id LIMIT ?",
    )
    .all(today, atOnce)
    .map(({ id }) => id)

/** Makes the invoices that are due first. Returns true when more may be due. */
function makeSome(the: Needs, tx: Tx): boolean {
  if (the.isPaused()) return false
  const { today } = the.moneyContext(tx.now)
  const due = findDue(the.db, today)
  let lines = 0
  for (const id of due) {
    const template = the.recurringInvoices.load(id)
    makeNext(the, tx, template, today)
    lines += template.lines.length
    if (lines >= mostLines) break
  }
  return due.length > 0
}

/**
 * Makes the invoice of the next period, and advances the template in the same write. What cannot be issued becomes a
 * draft; if there cannot even be a draft, the template is paused and the period stays.
 */
function makeNext(the: Needs, tx: Tx, before: Recurring, today: string): void {
  const { head } = before
  const period = firstCaughtUp(head, today)
  const skipped = period - head.nextPeriod
  const span = periodSpan(head, period)
  if (!span) throw new Error(`The recurring invoice ${head.id} has no period ${period}.`)
  const { problem, isMade } = attempt(the, tx, before, { period, span })
  const after = reached(head, isMade ? period + 1 : period)
  const status = after.nextDate === null ? "ended" : isMade ? head.status : "paused"
  const moved = {
    ...head,
    ...after,
    status,
    problem,
    skippedPeriods: head.skippedPeriods + skipped,
    lastSkippedAt: skipped > 0 ? tx.now : head.lastSkippedAt,
    version: head.version + 1,
    updatedAt: tx.now,
  } satisfies RecurringHead
  the.recurringInvoices.save(tx, before, { head: moved, lines: before.lines })
  tx.audit(`${recurringInvoices.name}.update`, head.id, changesOf(recurringInvoices, head, moved))
}

/** The next period, or a later one if too many have passed. */
function firstCaughtUp(head: RecurringHead, today: string): number {
  const begun = firstPeriodFrom(head, head.nextPeriod, daysLater(today, 1)) ?? lastOf(head) + 1
  return Math.max(head.nextPeriod, begun - mostCaughtUp)
}

function lastOf(head: RecurringHead): number {
  let last = head.nextPeriod
  while (periodSpan(head, last + 1) !== null) last++
  return last
}

type Mode = (typeof recurringModes)[number]
type Period = { period: number; span: Span }

/** Makes an invoice as the template says, or else with less: not sent, or not issued. Returns why it was less. */
function attempt(the: Needs, tx: Tx, template: Recurring, period: Period) {
  const make = (mode: Mode, problem: Problem | null) =>
    tryPart(the.db, tx, () => makeOne(the, tx, template, { ...period, mode, problem }))
  const modes: Mode[] = { send: ["send", "issue", "draft"], issue: ["issue", "draft"], draft: ["draft"] }[
    template.head.mode
  ] as Mode[]
  let problem: Problem | null = null
  for (const mode of modes) {
    const made = make(mode, problem)
    if ("value" in made) return { problem, isMade: true }
    problem = problemFrom(made.refusal)
  }
  return { problem, isMade: false }
}

const problemFrom = (refusal: Refusal): Problem => failure(refusal).error

function makeOne(
  the: Needs,
  tx: Tx,
  { head, lines }: Recurring,
  { period, span, mode, problem }: Period & { mode: Mode; problem: Problem | null },
): void {
  const { digits } = the.moneyContext(tx.now)
  const fill = filler(the, head, span)
  const text = { ...head, notes: head.notes && fill(head.notes, longestNotes) }
  const filled = lines.map((line) => withText(line, fill))
  const made = copy(invoiceKind, text, filled, digits, {
    isPricedAnew: head.prices === "item",
    status: mode === "draft" ? "draft" : "unpaid",
    send: mode === "send",
  })
  const { source } = made
  the.invoices.createOfPeriod(
    tx,
    { ...made, source: { ...source, keepsInactive: mode === "draft" } },
    {
      recurringInvoice: head.id,
      recurringPeriod: period,
      periodStartDate: span.from,
      periodEndDate: span.to,
      recurringProblem: problem,
      metadata: head.metadata,
    },
    authorOf(head),
  )
}

/** It is made in the name of the person who wrote the template, with the rights that were needed for that. */
const authorOf = ({ createdBy }: RecurringHead): Author => ({
  kind: "user",
  role: "accountant",
  userId: createdBy,
})

const [longestNotes, longestDescription] = [10_000, 1_000]

const withText = (line: Line, fill: ReturnType<typeof filler>): Line =>
  line.description === null ? line : { ...line, description: fill(line.description, longestDescription) }

/** Returns a function that writes the days of the period into a text, in the language of the customer. */
function filler({ customers, settings }: Needs, { customer, currency }: RecurringHead, { from, to }: Span) {
  return (text: string, longest: number): string => {
    if (!/\{(from|to)\}/.test(text)) return text
    const language = customers.forDocument(customer)?.language ?? settings().defaultLanguage
    const { date } = formatsOf(language, currency)
    const filled = text.replaceAll("{from}", date(from)).replaceAll("{to}", date(to))
    return filled.length <= longest ? filled : filled.slice(0, longest).toWellFormed()
  }
}
