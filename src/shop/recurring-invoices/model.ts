import { Type } from "@sinclair/typebox"
import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import {
  boolean,
  choice,
  date,
  derived,
  type Field,
  field,
  integer,
  notStored,
  readOnly,
  readOnlyNullable,
  reference,
  required,
  status,
  structure,
  timestamp,
  withDefault,
} from "../../core/kind/field"
import { lines } from "../../core/kind/lines"
import { isObject, refuseOther, tellUnknown } from "../../core/kind/object"
import { becomes } from "../../core/kind/record-events"
import { externalFields } from "../../core/kind/tag"
import { text } from "../../core/kind/text-field"
import { problemOf } from "../invoices/model"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import { type Every, recurrenceUnits } from "../../shared/recurrence/periods"
import { correctionRoles, rightsOf } from "../../shared/rights"
import { documentChecks, taxCheck } from "../../trade/documents/checks"
import type { Doc } from "../../trade/documents/kind"
import {
  documentFields,
  documentOptions,
  type Line,
  lineFields,
  lineOptions,
  type ShownLine,
  totalFields,
} from "../../trade/documents/model"

const tables = {
  noun: "recurring invoice",
  table: "recurring_invoices",
  lines: { table: "recurring_invoice_lines", owner: "recurring_invoice" },
  name: "recurring_invoices.id",
  isSent: false,
}

/** One invoice of each period at most, of a period that there is, and the next date while it is not ended. */
const recurringChecks: readonly Check[] = [
  ...documentChecks(tables),
  taxCheck(tables),
  {
    says: ({ name, is }) => `There are ${is} invoices of one period of the recurring invoice ${name}.`,
    sql: `SELECT recurring_invoice AS name, count(*) AS "is" FROM invoices
      WHERE recurring_invoice IS NOT NULL GROUP BY recurring_invoice, recurring_period HAVING count(*) > 1`,
  },
  {
    says: ({ name }) => `Invoice ${name} is of a period that its recurring invoice has not reached.`,
    sql: `SELECT coalesce(invoice_number, invoices.id) AS name FROM invoices
      JOIN recurring_invoices ON recurring_invoices.id = invoices.recurring_invoice
      WHERE recurring_period >= next_period OR recurring_period < 1 OR period_start_date < starts_on
        OR period_end_date < period_start_date OR invoice_date < period_start_date`,
  },
  {
    says: ({ name }) => `The next date of the recurring invoice ${name} does not match its status.`,
    sql: `SELECT id AS name FROM recurring_invoices
      WHERE (status = 'ended') <> (next_date IS NULL) OR next_date < starts_on OR skipped_periods >= next_period
        OR next_date > ends_on OR next_period > occurrences + 1`,
  },
]

export const recurringStatuses = ["active", "paused", "ended"] as const
export type RecurringStatus = (typeof recurringStatuses)[number]

export const recurringModes = ["draft", "issue", "send"] as const
export const priceSources = ["template", "item"] as const

const words = structure<string[]>(Type.Array(Type.String()))

const count = integer({ min: 1, max: 120 })
const intervalSchema = Type.Unsafe<Every>({
  type: "object",
  properties: {
    unit: { type: "string", enum: [...recurrenceUnits] },
    count: { ...count.schema, description: "1 if it is left out" },
  },
  required: ["unit"],
  additionalProperties: false,
  description:
    "How long a period is. Months and years keep the day of `startsOn`; in a shorter month it is the last day.",
  examples: [{ unit: "month", count: 1 }],
})

function readInterval(value: unknown, at: string, errors: FieldError[]): Every | undefined {
  if (!isObject(value)) return refuseOther(at, errors)
  const found = errors.length
  tellUnknown(value, ["unit", "count"], errors, `${at}.`)
  const unit = recurrenceUnits.find((each) => each === value.unit)
  if (!unit)
    errors.push(
      value.unit == null
        ? fieldError(`${at}.unit`, "REQUIRED", "is required")
        : fieldError(`${at}.unit`, "FORMAT", `must be one of ${recurrenceUnits.join(", ")}`, {
            allowed: recurrenceUnits,
          }),
    )
  const read = value.count == null ? 1 : count.read(value.count, `${at}.count`, errors, "create")
  return errors.length > found || !unit || read == null ? undefined : { unit, count: read }
}

/** True for an invoice `made` of a template that could not be issued or sent by itself, and waits for a person. */
export const waits = `made.recurring_problem IS NOT NULL AND (made.status = 'draft'
  OR made.status IN ('unpaid', 'partially_paid') AND made.last_sent_at IS NULL)`
/** True for a template of which not even a draft could be made. The pause of a person forgets the problem. */
export const isStuck = "status = 'paused' AND problem IS NOT NULL"
const needsAttention = `(${isStuck} OR EXISTS (SELECT 1 FROM invoices AS made
  WHERE made.recurring_invoice = recurring_invoices.id AND ${waits}))`

const described = <F extends Field>(of: F, description: string): F => ({
  ...of,
  schema: { ...of.schema, description },
})

const dayFor = (description: string, example: string) => ({
  ...date(),
  schema: Type.String({ format: "date", description, examples: [example] }),
})

/** A template from which invoices are made, one for each period. */
export const recurringInvoices = defineResource({
  name: "recurring-invoices",
  table: "recurring_invoices",
  ...documentOptions,
  lines: tables.lines,
  idPrefix: "rec",
  noun: "recurring invoice",
  title: "RecurringInvoice",
  about:
    "Templates from which an invoice is made at the beginning of each period, such as each month, without anything that must be set up. There is one invoice of each period at most: its `recurringInvoice` and `recurringPeriod` say which. `{from}` and `{to}` in the notes and in the descriptions of lines become the days of the period. After a restore nothing is made until an admin sends again.",
  menu: {
    group: "sell",
    place: 3,
    path: "/recurring-invoices",
    recordPath: "/recurring-invoices/:id",
    icon: "repeat",
  },
  names: {
    en: {
      title: "Recurring invoices",
      one: "recurring invoice",
      many: "recurring invoices",
      the: "the recurring invoice",
      new: "New recurring invoice",
      statuses: { active: "Active", paused: "Paused", ended: "Ended" },
      events: { failed: "Could not be issued", skipped: "Periods skipped" },
      fields: {
        every: "Every",
        startsOn: "First date",
        endsOn: "Last date",
        occurrences: "Number of invoices",
        mode: "What is made",
        prices: "Prices",
        nextDate: "Next invoice",
        nextPeriod: "Next period",
        skippedPeriods: "Skipped periods",
        lastSkippedAt: "Last skipped",
        problem: "What went wrong",
        needsAttention: "Needs attention",
      },
    },
    de: {
      title: "Serienrechnungen",
      one: "Serienrechnung",
      many: "Serienrechnungen",
      the: "die Serienrechnung",
      new: "Neue Serienrechnung",
      statuses: { active: "Aktiv", paused: "Pausiert", ended: "Beendet" },
      events: { failed: "Konnte nicht ausgestellt werden", skipped: "Zeiträume ausgelassen" },
      fields: {
        every: "Alle",
        startsOn: "Erstes Datum",
        endsOn: "Letztes Datum",
        occurrences: "Anzahl Rechnungen",
        mode: "Was entsteht",
        prices: "Preise",
        nextDate: "Nächste Rechnung",
        nextPeriod: "Nächster Zeitraum",
        skippedPeriods: "Ausgelassene Zeiträume",
        lastSkippedAt: "Zuletzt ausgelassen",
        problem: "Was schiefging",
        needsAttention: "Zu prüfen",
      },
    },
    fr: {
      fields: {
        every: "Tous les",
        startsOn: "Première date",
        endsOn: "Dernière date",
        occurrences: "Nombre de factures",
        mode: "Résultat",
        prices: "Prix",
        nextDate: "Prochaine facture",
        nextPeriod: "Prochaine période",
        skippedPeriods: "Périodes omises",
        lastSkippedAt: "Dernière omission",
        problem: "Problème",
        needsAttention: "À vérifier",
      },
    },
  },
  colours: { active: "teal", paused: "indigo" },
  variable: "RECURRING",
  rights: {
    ...rightsOf("invoices"),
    // A template makes invoices for years, which a web shop or a till does not decide.
    write: { ...rightsOf("invoices").write, roles: correctionRoles },
  },
  events: {
    failed: ({ before, after }) => after.problem !== null && after.problem !== before?.problem,
    skipped: ({ before, after }) => Number(after.skippedPeriods) > Number(before?.skippedPeriods ?? 0),
    ended: becomes("status", "ended"),
  },
  search: ["customerName"],
  searchMore: ["notes"],
  indexed: {
    sort: ["createdAt", "updatedAt"],
    group: ["customer", "status"],
    unique: ["externalId"],
  },
  checks: recurringChecks,
  fields: {
    status: readOnly(status(recurringStatuses)),
    allowedTransitions: notStored(readOnly(words)),
    customer: required(reference("cus")),
    customerName: readOnly(text({ examples: ["Nordlicht GmbH"] })),
    every: required(field<Every>("json", intervalSchema, readInterval)),
    startsOn: required(dayFor("The first day of the first period", "2030-01-31")),
    endsOn: dayFor("No period begins after this day", "2031-12-31"),
    occurrences: described(integer({ min: 1, max: 10_000 }), "The number of periods, if it is limited"),
    mode: described(
      withDefault(choice(recurringModes), "draft"),
      "What is made: a draft, an issued invoice, or one that is also sent to the customer by mail",
    ),
    prices: described(
      withDefault(choice(priceSources), "template"),
      "Where the prices of lines with an item come from: this template, or the item on the day of the invoice",
    ),
    nextDate: described(readOnlyNullable(date()), "The first day of the next period; null when it has ended"),
    nextPeriod: described(readOnly(integer({ min: 1 })), "The number of the next period, counted from 1"),
    skippedPeriods: described(
      readOnly(integer(), 0),
      "How many periods were left out, because more than 12 had passed while no server ran or none could be made",
    ),
    lastSkippedAt: readOnlyNullable(timestamp()),
    needsAttention: derived(
      readOnly(
        boolean({ description: "True while one of its invoices could not be issued or sent by itself" }),
      ),
      () => needsAttention,
    ),
    problem: readOnlyNullable(
      problemOf(
        "Why the last invoice was not issued, not sent or not even made; null if it was, or if a person has paused the template since",
      ),
    ),
    items: notStored(
      required(lines<ShownLine<Line>>(lineFields("ril"), { name: "RecurringInvoiceLine", ...lineOptions })),
    ),
    paymentTerms: text({ max: 64, examples: ["Net 30"] }),
    ...documentFields,
    notes: text({ max: 10_000, multiline: true, examples: ["Hosting from {from} to {to}."] }),
    ...externalFields,
    ...totalFields,
    createdBy: readOnlyNullable(reference("usr")),
  },
})

/** A stored template without its lines: amounts in the minor unit. */
export type RecurringHead = Omit<RecordOf<typeof recurringInvoices>, "items" | "allowedTransitions">

/** A template with its lines, both in stored form. */
export type Recurring = Doc<RecurringHead, Line>

/** A template in the form of a response. */
export type RecurringInvoice = RecordOf<typeof recurringInvoices>
