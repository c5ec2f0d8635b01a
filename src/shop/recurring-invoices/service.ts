import type { Caller } from "../../core/caller"
import type { Database } from "../../core/engine/engine"
import { fieldError, type FieldError, Refusal } from "../../core/lib/refusal"
import type { Warning } from "../../core/lib/warning"
import type { Draft } from "../../core/kind/read"
import type { Tx } from "../../core/write/writer"
import { daysLater } from "../../shared/dates"
import { firstPeriodFrom, periodStart, type Schedule } from "../../shared/recurrence/periods"
import { newHead, readContents } from "../../trade/documents/create"
import { dateOrderErrors } from "../../trade/documents/dates"
import type { DocumentKind, Effects, Revision } from "../../trade/documents/kind"
import { type Line, lineToApi } from "../../trade/documents/model"
import { documentDeps, type DocumentDeps, type Trade } from "../../trade/documents/documents"
import { foreignFields } from "../../trade/documents/rules"
import { documentService } from "../../trade/documents/service"
import { lineTable } from "../../trade/documents/store"
import { type RecurringHead, type RecurringInvoice, recurringInvoices, type RecurringStatus } from "./model"

/** The transitions that a caller can request. */
export const transitions = {
  active: ["paused", "ended"],
  paused: ["active", "ended"],
  ended: [],
} as const satisfies Record<RecurringStatus, readonly RecurringStatus[]>

/** A template can be updated until it has ended. */
const editable: Record<RecurringStatus, readonly string[] | "all"> = {
  active: "all",
  paused: "all",
  ended: foreignFields,
}

const nameOf = ({ customerName }: RecurringHead): string => `The recurring invoice of ${customerName}`

const recurringLines = lineTable<Line>(recurringInvoices, [])

const recurringDocument: DocumentKind<RecurringHead, Line> = {
  resource: recurringInvoices,
  lines: recurringLines,
  lineIdPrefix: "ril",
  withOwnPart: (line) => line,
  ownParts: [],
  lineToApi,
  transitions,
  editable,
  nameOf,
}

export function recurringInvoiceService(the: Trade) {
  const deps = documentDeps<RecurringHead, Trade>(the, recurringInvoices)
  const templates = documentService<RecurringHead, Line, RecurringInvoice>(
    recurringDocument,
    effectsOf(deps),
    deps,
  )
  return {
    ...templates,

    hasActive: (): boolean =>
      deps.db.query("SELECT 1 FROM recurring_invoices WHERE status = 'active' LIMIT 1").get() !== null,

    create(tx: Tx, draft: Draft, caller: Caller): RecurringInvoice {
      const { values } = draft
      const { today } = deps.moneyContext(tx.now)
      const check = () => [...scheduleErrors(values), ...startErrors(values.startsOn, today)]
      const contents = readContents(templates, tx, draft, check)
      const { customer, lines } = contents
      const usualTerms = customer.paymentTerms ?? deps.settings().defaultPaymentTerms
      const schedule = {
        every: values.every,
        startsOn: values.startsOn,
        endsOn: values.endsOn ?? null,
        occurrences: values.occurrences ?? null,
      } as Schedule
      warnOfCatchingUp(tx.warnings, schedule, { period: 1, today })
      const head: RecurringHead = {
        ...newHead(templates, tx, contents, caller),
        ...schedule,
        status: "active",
        customerName: customer.name,
        mode: values.mode as RecurringHead["mode"],
        prices: values.prices as RecurringHead["prices"],
        nextDate: schedule.startsOn,
        nextPeriod: 1,
        skippedPeriods: 0,
        lastSkippedAt: null,
        problem: null,
        needsAttention: false,
        paymentTerms: (values.paymentTerms as string | null) ?? usualTerms,
      }
      return templates.create(tx, { head, lines })
    },
  }
}

export type RecurringInvoiceService = ReturnType<typeof recurringInvoiceService>

const effectsOf = (deps: DocumentDeps<RecurringHead>): Effects<RecurringHead, Line> => ({
  settle: (revision) => settleSchedule(revision, deps.moneyContext().today),
  partyOf: ({ name }) => ({ customerName: name }),
  become: {
    active(tx, { head }) {
      const { today } = deps.moneyContext(tx.now)
      if (isStuck(head)) {
        warnOfCatchingUp(tx.warnings, head, { period: head.nextPeriod, today, field: "status" })
        return { head: { ...head, status: "active" } }
      }
      // What was due while a person had paused it is not made up for.
      const next = firstPeriodFrom(head, head.nextPeriod, today)
      return { head: next === null ? ended(head) : { ...head, status: "active", ...reached(head, next) } }
    },
    paused: (_, { head }) => ({ head: { ...head, status: "paused", problem: null } }),
    ended: (_, { head }) => ({ head: ended(head) }),
  },
  assertDeletable(head) {
    if (!hasInvoices(deps.db, head.id)) return
    throw new Refusal(
      "DOCUMENT_LOCKED",
      `${nameOf(head)} cannot be deleted: it has made invoices; end it instead.`,
      {
        params: { number: null, status: head.status },
        details: [fieldError("status", "RULE", "has invoices", { rule: "HAS_INVOICES" })],
      },
    )
  },
})

/** True for a template of which not even a draft could be made. The pause of a person forgets the problem. */
const isStuck = ({ status, problem }: RecurringHead): boolean => status === "paused" && problem !== null

const ended = (head: RecurringHead): RecurringHead => ({ ...head, status: "ended", nextDate: null })

/** The fields of a template whose next period is this one. */
export const reached = (schedule: Schedule, period: number) => ({
  nextPeriod: period,
  nextDate: periodStart(schedule, period),
})

const hasInvoices = (db: Database, id: string): boolean =>
  db.query("SELECT 1 FROM invoices WHERE recurring_invoice = ? LIMIT 1").get(id) !== null

function scheduleErrors({ startsOn, endsOn, occurrences }: Record<string, unknown>): FieldError[] {
  const errors = dateOrderErrors(["startsOn", startsOn], ["endsOn", endsOn])
  if (endsOn != null && occurrences != null)
    errors.push(
      fieldError("occurrences", "RULE", "is only for a template without endsOn", {
        rule: "EXCLUSIVE",
        other: "endsOn",
      }),
    )
  return errors
}

/** A year: an older start is a typing error, and would count very many periods. */
const oldestStart = 366

function startErrors(startsOn: unknown, today: string): FieldError[] {
  const min = daysLater(today, -oldestStart)
  if (typeof startsOn !== "string" || startsOn >= min) return []
  return [fieldError("startsOn", "RULE", `must not be before ${min}`, { rule: "TOO_LONG_AGO", min })]
}

/** The date of the next period follows its schedule, which is fixed once a period has been reached. */
function settleSchedule({ before, change, warnings }: Revision<RecurringHead>, today: string): FieldError[] {
  const wanted = { ...before, ...change }
  const errors = scheduleErrors(wanted)
  const isMoved = (name: "every" | "startsOn") =>
    name in change && change[name] !== undefined && !Bun.deepEquals(change[name], before[name])
  if (before.nextPeriod > 1)
    for (const name of ["every", "startsOn"] as const)
      if (isMoved(name))
        errors.push(
          fieldError(name, "RULE", "cannot change after the first period: end this one and create another", {
            rule: "STARTED",
          }),
        )
  if (isMoved("startsOn")) errors.push(...startErrors(wanted.startsOn, today))
  if (errors.length > 0 || !wanted.every || !wanted.startsOn) return errors
  const { nextDate } = reached(wanted, before.nextPeriod)
  if (nextDate === before.nextDate) return errors
  change.nextDate = nextDate
  if (nextDate === null) change.status = "ended"
  else warnOfCatchingUp(warnings, wanted, { period: before.nextPeriod, today })
  return errors
}

/** Tells how many invoices are made immediately, because their periods have begun. */
function warnOfCatchingUp(
  warnings: Warning[],
  schedule: Schedule,
  { period, today, field = "startsOn" }: { period: number; today: string; field?: string },
): void {
  if (schedule.startsOn >= today) return
  const next = firstPeriodFrom(schedule, period, daysLater(today, 1))
  const last = next ?? lastPeriod(schedule, period) + 1
  const count = Math.min(last - period, mostCaughtUp)
  if (count < 1) return
  warnings.push({
    code: "RECURRING_CATCHES_UP",
    field,
    message: `${count} ${count === 1 ? "period has" : "periods have"} begun already: ${count === 1 ? "its invoice is" : "their invoices are"} made now.`,
    params: { count },
  })
}

function lastPeriod(schedule: Schedule, period: number): number {
  let last = period
  while (periodStart(schedule, last + 1) !== null) last++
  return last
}

/** Of the periods that have passed while no server ran, or while none could be made, so many are made up for. The earlier ones are skipped. */
export const mostCaughtUp = 12
