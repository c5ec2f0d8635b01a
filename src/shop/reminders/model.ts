import { type Static, Type } from "@sinclair/typebox"
import { body, type BodyOf } from "../../core/kind/body"
import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import {
  amount,
  boolean,
  choice,
  date,
  derived,
  integer,
  readOnly,
  readOnlyNullable,
  reference,
  structure,
  timestamp,
  withDefault,
} from "../../core/kind/field"
import { externalFields } from "../../core/kind/tag"
import { code, text } from "../../core/kind/text-field"
import { refusalsOf } from "../../core/lib/refusal"
import { languages } from "../../shared/languages"
import { longestMessage, longestSubject } from "../../shared/mail"
import { rightsOf } from "../../shared/rights"
import { seriesChecks } from "../../trade/documents/checks"
import { type Buyer, buyerSchema, type Seller, sellerSchema } from "../../trade/documents/parties"

/** A reminder claims no more than its invoice, has the customer of it, and follows the one of the level before. */
const reminderChecks: readonly Check[] = [
  ...seriesChecks({ noun: "reminder", table: "reminders", prefix: "REM" }),
  {
    says: ({ name, is, should }) =>
      `Reminder ${name} says that ${is} is open, with a fee; the total of its invoice is ${should}.`,
    sql: `SELECT reminder_number AS name, reminders.balance AS "is", total AS should
      FROM reminders JOIN invoices ON invoices.id = invoice
      WHERE reminders.balance NOT BETWEEN 1 AND total OR fee < 0`,
  },
  {
    says: ({ name }) => `Reminder ${name} is of another customer or currency than its invoice.`,
    sql: `SELECT reminder_number AS name FROM reminders JOIN invoices ON invoices.id = invoice
      WHERE reminders.customer <> invoices.customer OR reminders.currency <> invoices.currency`,
  },
  {
    says: ({ name, is }) =>
      `Reminder ${name} has level ${is}, but there is none of the level before, or it is later.`,
    sql: `SELECT reminder_number AS name, level AS "is" FROM reminders WHERE level > 1 AND NOT EXISTS (
      SELECT 1 FROM reminders AS earlier WHERE earlier.invoice = reminders.invoice
        AND earlier.level = reminders.level - 1 AND earlier.date <= reminders.date)`,
  },
  {
    says: ({ name }) => `Reminder ${name} was sent at another time than its messages say.`,
    sql: `SELECT reminder_number AS name FROM reminders WHERE last_sent_at IS DISTINCT FROM (
      SELECT max(sent_at) FROM messages WHERE record = reminders.id OR (kind = 'customers'
        AND record = reminders.customer AND records LIKE '%"' || reminders.id || '"%'))`,
  },
]

/** Why there is no reminder of an invoice now. */
export const reminderRefusals = refusalsOf({
  REMINDER_NOT_DUE: {
    about: "No reminder of the invoice is due: `params.reason` says why",
    de: "Für die Rechnung {{number}} ist jetzt keine Mahnung fällig.",
  },
})

/** Why no reminder is due. Only the last two can be overridden. */
export type NotDue = "NOT_OPEN" | "NO_LEVEL_LEFT" | "PAUSED" | "EARLY"

/** What mail with several reminders says. One alone says what its level says. */
const reminderMail = {
  en: {
    subject: "Payment reminders from {company}",
    message:
      "Hello,\n\nplease find attached our reminders {number}. {balance} is open.\n\nKind regards\n{company}",
  },
  de: {
    subject: "Zahlungserinnerungen von {company}",
    message:
      "Guten Tag,\n\nim Anhang finden Sie unsere Mahnungen {number}. Offen sind {balance}.\n\nMit freundlichen Grüßen\n{company}",
  },
  fr: {
    subject: "Rappels de paiement de {company}",
    message:
      "Bonjour,\n\nveuillez trouver ci-joint nos rappels {number}. Le montant dû est de {balance}.\n\nCordialement\n{company}",
  },
}

/** A letter that reminds a customer of an invoice that is not paid. */
export const reminders = defineResource({
  name: "reminders",
  table: "reminders",
  idPrefix: "rem",
  noun: "reminder",
  title: "Reminder",
  about:
    "Letters that remind customers of invoices that are not paid. `POST /invoices/{id}/reminders` makes one of the next level, and `POST /reminders/run` all that are due. There is one of each level of an invoice at most. The fee is claimed on the letter; it never changes the invoice. A reminder is not deleted, and only `externalId` and `metadata` can be updated.",
  menu: {
    group: "sell",
    place: 7,
    path: "/reminders",
    recordPath: "/reminders/:id",
    icon: "mail-exclamation",
  },
  names: {
    en: {
      title: "Reminders",
      one: "reminder",
      many: "reminders",
      the: "the reminder",
      fields: { fee: "Fee", level: "Level" },
    },
    de: {
      title: "Mahnungen",
      one: "Mahnung",
      many: "Mahnungen",
      the: "die Mahnung",
      fields: { fee: "Mahngebühr", level: "Stufe" },
    },
    fr: { fields: { fee: "Frais", level: "Niveau" } },
  },
  rights: rightsOf("invoices"),
  fixesCurrency: true,
  hasHistory: true,
  mail: reminderMail,
  numbers: {
    field: "reminderNumber",
    prefix: "REM",
    format: "REM-{YYYY}-{#####}",
    german: "MA-{YYYY}-{#####}",
  },
  refusals: reminderRefusals,
  search: ["reminderNumber", "invoiceNumber", "customerName"],
  found: { code: "reminderNumber", title: "customerName", showsCode: true },
  indexed: {
    sort: ["createdAt", "updatedAt", "date"],
    group: ["customer", "invoice"],
    unique: ["reminderNumber", "externalId"],
  },
  bulky: { fields: ["message", "metadata"], from: 26 },
  counted: ["level"],
  countsChanges: true,
  expands: ["customer", "invoice"],
  checks: reminderChecks,
  fields: {
    reminderNumber: readOnly(code("REM-2026-00001")),
    numberSeries: readOnly(code("REM-2026")),
    numberCounter: readOnly(integer()),
    invoice: readOnly(reference("inv")),
    invoiceNumber: readOnly(code("INV-2026-00001")),
    customer: readOnly(reference("cus")),
    customerName: readOnly(text({ examples: ["Nordlicht GmbH"] })),
    level: readOnly(integer({ min: 1 })),
    date: readOnly(date()),
    dueDate: readOnly(date()),
    currency: readOnly(code("EUR")),
    balance: readOnly(amount()),
    fee: readOnly(amount()),
    subject: readOnly(text({ max: longestSubject, examples: ["Payment reminder: invoice INV-2026-00001"] })),
    message: readOnly(text({ max: longestMessage, multiline: true })),
    language: readOnly(choice(languages)),
    sellerVersion: readOnly(reference("slr")),
    seller: derived(
      readOnly(structure<Seller>(sellerSchema)),
      () => "(SELECT body FROM seller_versions WHERE seller_versions.id = seller_version)",
    ),
    buyer: readOnly(structure<Buyer>(buyerSchema)),
    ...externalFields,
    lastSentAt: readOnlyNullable(timestamp()),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

/** A reminder in the form of a response. */
export type Reminder = RecordOf<typeof reminders>

const isSent = {
  ...boolean(),
  schema: Type.Boolean({ description: "Also sends it to the customer by mail, as the usual mail does" }),
}
const isForced = {
  ...boolean(),
  schema: Type.Boolean({
    description:
      "Makes it although it is not due yet or reminders are paused. For accountants, managers and admins",
  }),
}

/** A body that makes a reminder of an invoice. */
export const reminderBody = body(
  { send: withDefault(isSent, false), override: withDefault(isForced, false), ...externalFields },
  { example: { override: true }, isOptional: true },
)
export type ReminderBody = BodyOf<typeof reminderBody>

const runDry = {
  ...boolean(),
  schema: Type.Boolean({ description: "Returns what would be made, and makes nothing" }),
}
const sendsAll = {
  ...boolean(),
  schema: Type.Boolean({
    description:
      "Also sends them by mail: one message per customer, with all its reminders. Those of customers without an email address are only made",
  }),
}

/** A body that makes all reminders that are due. */
export const runBody = body(
  { dryRun: withDefault(runDry, false), send: withDefault(sendsAll, false) },
  { example: { send: false }, isOptional: true },
)
export type RunBody = BodyOf<typeof runBody>

/** A preview has no more reminders than this. */
export const mostPreviewed = 500

/** A reminder that is due. */
export const DueReminder = Type.Object(
  {
    invoice: Type.String({ examples: ["inv_01kb2qk3dvb6r8h5m9x4w7z2nc"] }),
    invoiceNumber: Type.String({ examples: ["INV-2026-00001"] }),
    customer: Type.String({ examples: ["cus_01kb2qk3dvb6r8h5m9x4w7z2nc"] }),
    customerName: Type.String({ examples: ["Nordlicht GmbH"] }),
    email: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Where it would be sent; null when the customer has no email address",
    }),
    dueDate: Type.String({ format: "date" }),
    balance: Type.Number(),
    level: Type.Integer({ minimum: 1 }),
    fee: Type.Number(),
  },
  { $id: "DueReminder" },
)
export type DueReminder = Static<typeof DueReminder>

export const RemindersDue = Type.Object(
  {
    invoices: Type.Integer({ description: "The number of invoices of which a reminder is due" }),
    customers: Type.Integer({ description: "The number of their customers" }),
    balance: Type.Number({ description: "What is open of these invoices" }),
    reminders: Type.Array(DueReminder, {
      maxItems: mostPreviewed,
      description: `The first ${mostPreviewed}, those that were due first before the others`,
    }),
  },
  { $id: "RemindersDue" },
)
export type RemindersDue = Static<typeof RemindersDue>
