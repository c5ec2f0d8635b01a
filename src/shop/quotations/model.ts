import { Type } from "@sinclair/typebox"
import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import {
  boolean,
  choice,
  date,
  derived,
  type Field,
  integer,
  notStored,
  readOnly,
  readOnlyNullable,
  reference,
  required,
  serverDefault,
  status,
  structure,
  timestamp,
  withDefault,
} from "../../core/kind/field"
import { lines } from "../../core/kind/lines"
import { becomes } from "../../core/kind/record-events"
import { externalFields } from "../../core/kind/tag"
import { code, text } from "../../core/kind/text-field"
import { refusalsOf } from "../../core/lib/refusal"
import { languages } from "../../shared/languages"
import { rightsOf } from "../../shared/rights"
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
  noun: "quotation",
  table: "quotations",
  lines: { table: "quotation_lines", owner: "quotation" },
  name: "quotation_number",
}

/** What was accepted must be what the quotation is now, and its PDF must be kept. */
const quotationChecks: readonly Check[] = [
  ...documentChecks(tables),
  taxCheck(tables),
  {
    says: ({ name }) => `What was accepted of quotation ${name} is not its last revision.`,
    sql: `SELECT quotation_number AS name FROM quotations WHERE status = 'accepted'
      AND (accepted_revision <> revision OR accepted_pdf_hash IS NULL OR length(accepted_pdf_hash) <> 64)`,
  },
  {
    says: ({ name }) => `The PDF that was accepted of quotation ${name} is missing.`,
    sql: `SELECT quotation_number AS name FROM quotations WHERE status = 'accepted' AND NOT EXISTS (
        SELECT 1 FROM papers WHERE document = quotations.id AND sha256 = accepted_pdf_hash)`,
  },
  {
    says: ({ name, is }) => `There are ${is} orders of quotation ${name}, or it was not accepted.`,
    sql: `SELECT quotation_number AS name, count(*) AS "is" FROM sales_orders
      JOIN quotations ON quotations.id = sales_orders.quotation
      GROUP BY quotations.id HAVING count(*) > 1 OR quotations.status <> 'accepted'`,
  },
  {
    says: ({ name }) => `The timestamps of ${name} do not match its status.`,
    sql: `SELECT 'quotation ' || quotation_number AS name FROM quotations
      WHERE (status <> 'draft' AND sent_at IS NULL) OR (status = 'accepted') <> (accepted_at IS NOT NULL)
        OR (status = 'declined') <> (declined_at IS NOT NULL) OR (status = 'withdrawn') <> (withdrawn_at IS NOT NULL)`,
  },
  {
    says: ({ name }) => `${name} is not in the currency of the settings.`,
    sql: `WITH now AS (SELECT coalesce((SELECT body ->> 'currency' FROM settings), 'USD') AS currency)
      SELECT 'Quotation ' || quotation_number AS name FROM quotations, now WHERE quotations.currency <> now.currency`,
  },
]

export const quotationStatuses = ["draft", "sent", "accepted", "declined", "withdrawn"] as const
export type QuotationStatus = (typeof quotationStatuses)[number]

/** Why no order can be made of a quotation, or no public page. */
export const quotationRefusals = refusalsOf({
  QUOTATION_ALREADY_ORDERED: {
    about: "There is an order from the quotation already: `params.salesOrder`",
    de: "Aus dem Angebot {{number}} gibt es schon einen Auftrag.",
  },
  QUOTATION_NOT_ACCEPTED: {
    about: "An order is made only of a quotation that is sent or accepted",
    de: "Ein Auftrag entsteht nur aus einem Angebot, das gesendet oder angenommen ist.",
  },
  PUBLIC_PAGES_OFF: {
    about: "The setting `publicPages` is off, so there are no links for customers",
    de: "Seiten für Kunden sind ausgeschaltet.",
  },
})

/** What mail with one of them says. A paragraph with `{link}` is left out while there are no public pages. */
const quotationMail = {
  en: {
    subject: "Quotation {number} from {company}",
    message:
      "Hello,\n\nthank you for your enquiry. Please find attached our quotation {number} for {total}.\n\nYou can read and accept it here:\n{link}\n\nKind regards\n{company}",
  },
  de: {
    subject: "Angebot {number} von {company}",
    message:
      "Guten Tag,\n\nvielen Dank für Ihre Anfrage. Im Anhang finden Sie unser Angebot {number} über {total}.\n\nHier können Sie es ansehen und annehmen:\n{link}\n\nMit freundlichen Grüßen\n{company}",
  },
  fr: {
    subject: "Devis {number} de {company}",
    message:
      "Bonjour,\n\nmerci de votre demande. Veuillez trouver ci-joint notre devis {number} d’un montant de {total}.\n\nVous pouvez le consulter et l’accepter ici :\n{link}\n\nCordialement\n{company}",
  },
}

const expired = ({ today }: { today: string }) => `status = 'sent' AND valid_until < '${today}'`

const words = structure<string[]>(Type.Array(Type.String()))

/** The public page of a quotation, without its secret. */
export type QuotationLink = { createdAt: string; expiresAt: string | null }
const linkSchema = Type.Object(
  {
    createdAt: timestamp().schema,
    expiresAt: Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time" }),
  },
  { description: "The public page that works now; null without one" },
)

const described = <F extends Field>(of: F, description: string): F => ({
  ...of,
  schema: { ...of.schema, description },
})

/** The names of the fields that only quotations have. */
const fieldNames = {
  en: {
    quotationNumber: "Quotation number",
    quotationDate: "Quotation date",
    validUntil: "Valid until",
    isExpired: "Expired",
    revision: "Revision",
    terms: "Terms",
    link: "Public page",
    acceptedAt: "Accepted at",
    acceptedBy: "Accepted by",
    acceptedReference: "Reference of acceptance",
    acceptedIp: "Accepted from address",
    acceptedRevision: "Accepted revision",
    acceptedPdfHash: "Hash of the accepted PDF",
    declinedAt: "Declined at",
    withdrawnAt: "Withdrawn at",
  },
  de: {
    quotationNumber: "Angebotsnummer",
    quotationDate: "Angebotsdatum",
    validUntil: "Gültig bis",
    isExpired: "Abgelaufen",
    revision: "Fassung",
    terms: "Bedingungen",
    link: "Seite für den Kunden",
    acceptedAt: "Angenommen am",
    acceptedBy: "Angenommen von",
    acceptedReference: "Zeichen der Annahme",
    acceptedIp: "Angenommen von der Adresse",
    acceptedRevision: "Angenommene Fassung",
    acceptedPdfHash: "Prüfsumme des angenommenen PDF",
    declinedAt: "Abgelehnt am",
    withdrawnAt: "Zurückgezogen am",
  },
  fr: {
    quotationNumber: "Numéro de devis",
    quotationDate: "Date du devis",
    validUntil: "Valable jusqu’au",
    isExpired: "Expiré",
    revision: "Révision",
    terms: "Conditions",
    link: "Page publique",
    acceptedAt: "Accepté le",
    acceptedBy: "Accepté par",
    acceptedReference: "Référence d’acceptation",
    acceptedIp: "Accepté depuis l’adresse",
    acceptedRevision: "Révision acceptée",
    acceptedPdfHash: "Empreinte du PDF accepté",
    declinedAt: "Refusé le",
    withdrawnAt: "Retiré le",
  },
}

/** An offer to a customer, which becomes an order when it is accepted. */
export const quotations = defineResource({
  name: "quotations",
  table: "quotations",
  ...documentOptions,
  expands: [...documentOptions.expands, "salesOrder"],
  lines: tables.lines,
  idPrefix: "quo",
  noun: "quotation",
  title: "Quotation",
  about:
    "Offers to customers. They reserve no stock. An edit after a quotation was sent raises its `revision`; an accepted one is locked. `expired` is a sent one after `validUntil`.",
  menu: {
    group: "sell",
    place: 0,
    path: "/quotations",
    recordPath: "/quotations/:id",
    icon: "file-description",
  },
  names: {
    en: {
      title: "Quotations",
      one: "quotation",
      many: "quotations",
      the: "the quotation",
      new: "New quotation",
      statuses: {
        sent: "Sent",
        accepted: "Accepted",
        declined: "Declined",
        withdrawn: "Withdrawn",
        expired: "Expired",
      },
      fields: fieldNames.en,
    },
    de: {
      title: "Angebote",
      one: "Angebot",
      many: "Angebote",
      the: "das Angebot",
      new: "Neues Angebot",
      statuses: {
        sent: "Gesendet",
        accepted: "Angenommen",
        declined: "Abgelehnt",
        withdrawn: "Zurückgezogen",
        expired: "Abgelaufen",
      },
      fields: fieldNames.de,
    },
    fr: { fields: fieldNames.fr },
  },
  colours: { accepted: "teal", declined: "red" },
  rights: rightsOf("sales-orders"),
  mail: quotationMail,
  draftTool: "draft_quotation",
  mailPlaceholders: ["link"],
  numbers: {
    field: "quotationNumber",
    prefix: "QUO",
    format: "QUO-{YYYY}-{#####}",
    german: "AN-{YYYY}-{#####}",
  },
  events: {
    sent: becomes("status", "sent"),
    accepted: becomes("status", "accepted"),
    declined: becomes("status", "declined"),
    withdrawn: becomes("status", "withdrawn"),
  },
  refusals: quotationRefusals,
  search: ["quotationNumber", "customerName"],
  searchMore: ["notes"],
  found: {
    code: "quotationNumber",
    title: "customerName",
    showsCode: true,
    amounts: [{ field: "total", score: 0.94 }],
  },
  indexed: {
    sort: ["createdAt", "updatedAt", "quotationDate"],
    group: ["customer", "status"],
    unique: ["quotationNumber", "externalId"],
  },
  countsChanges: true,
  onCreate: { status: withDefault(choice(["draft", "sent"]), "draft") },
  checks: quotationChecks,
  fields: {
    quotationNumber: readOnly(code("QUO-2026-00001")),
    numberSeries: readOnly(code("QUO-2026")),
    numberCounter: readOnly(integer()),
    status: readOnly(status(quotationStatuses, { expired })),
    isExpired: derived(readOnly(boolean()), expired),
    revision: readOnly(integer({ min: 1 }), 1),
    allowedTransitions: notStored(readOnly(words)),
    customer: required(reference("cus")),
    customerName: readOnly(text({ examples: ["Nordlicht GmbH"] })),
    quotationDate: serverDefault(date()),
    validUntil: described(date(), "The last day on which the customer can accept it"),
    items: notStored(
      required(lines<ShownLine<Line>>(lineFields("qul"), { name: "QuotationLine", ...lineOptions })),
    ),
    paymentTerms: text({ max: 64, examples: ["Net 30"] }),
    ...documentFields,
    terms: text({
      max: 10_000,
      multiline: true,
      examples: ["Delivery within three weeks."],
      description: "The terms of the offer. They are printed, and shown before the customer accepts",
    }),
    notes: text({ max: 10_000, multiline: true, examples: ["We are looking forward to your order."] }),
    ...externalFields,
    ...totalFields,
    salesOrder: derived(
      described(readOnlyNullable(reference("so")), "The order that was made of it"),
      () => "(SELECT id FROM sales_orders WHERE quotation = quotations.id)",
    ),
    link: notStored(readOnlyNullable(structure<QuotationLink>(linkSchema))),
    language: described(
      readOnlyNullable(choice(languages)),
      "The language of its PDF and of its page since it was sent; null in a draft",
    ),
    sentAt: readOnlyNullable(timestamp()),
    acceptedAt: readOnlyNullable(timestamp()),
    acceptedBy: readOnlyNullable(text()),
    acceptedReference: readOnlyNullable(text()),
    acceptedIp: described(
      readOnlyNullable(text({ max: 64 })),
      "The address from which the customer accepted it; null if staff did",
    ),
    acceptedRevision: readOnlyNullable(integer({ min: 1 })),
    acceptedPdfHash: described(
      readOnlyNullable(text({ max: 64 })),
      "The SHA-256 of the PDF that was accepted, which is kept",
    ),
    declinedAt: readOnlyNullable(timestamp()),
    withdrawnAt: readOnlyNullable(timestamp()),
    reason: described(
      readOnlyNullable(text({ max: 500, multiline: true })),
      "Why it was declined or withdrawn",
    ),
    lastSentAt: readOnlyNullable(timestamp()),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

/** A stored quotation without its lines: amounts in the minor unit. */
export type QuotationHead = Omit<
  RecordOf<typeof quotations>,
  "items" | "allowedTransitions" | "link" | "salesOrder" | "isExpired"
>

/** A quotation with its lines, both in stored form. */
export type QuotationDoc = Doc<QuotationHead, Line>

/** A quotation in the form of a response. */
export type Quotation = RecordOf<typeof quotations>
