import { type Static, Type } from "@sinclair/typebox"
import { type Check, defineResource, type RecordOf } from "../../core/kind/define"
import {
  choice,
  list,
  readOnly,
  readOnlyNullable,
  reference,
  status,
  structure,
  timestamp,
  unique,
} from "../../core/kind/field"
import { becomes } from "../../core/kind/record-events"
import { externalFields } from "../../core/kind/tag"
import { email, text } from "../../core/kind/text-field"
import { refusalsOf } from "../../core/lib/refusal"
import { languages } from "../../shared/languages"
import { longestMessage, longestSubject, mostRecipients } from "../../shared/mail"
import { type Right, rightsOf } from "../../shared/rights"

export const messageStatuses = ["queued", "sending", "sent", "failed", "uncertain", "cancelled"] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** How far an attempt came: making the files, and the steps of the protocol. */
export const steps = ["prepare", "connect", "tls", "auth", "sender", "recipient", "data"] as const
export type Step = (typeof steps)[number]

/** A message about several documents has at most this number of them. */
export const mostRecords = 50

/** What a server has answered is cut to this number of characters. */
export const longestAnswer = 500

const stepSchema = Type.Unsafe<Step>({ type: "string", enum: [...steps] })
const codeSchema = Type.Unsafe<number | null>({
  type: ["integer", "null"],
  description: "The code of the answer of the server; null if there was none",
  examples: [250],
})
const textSchema = Type.String({
  description: "The answer of the server, or why there was none",
  examples: ["250 2.0.0 Ok: queued as 4F1D2"],
})

const attemptSchema = Type.Object(
  { at: Type.String({ format: "date-time" }), step: stepSchema, code: codeSchema, text: textSchema },
  { $id: "MessageAttempt" },
)
export type MessageAttempt = Static<typeof attemptSchema>

const attachmentSchema = Type.Object(
  {
    name: Type.String({ examples: ["INV-2026-00001.pdf"] }),
    sha256: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Null until the file is made, which is before the message is sent",
    }),
    bytes: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
  },
  { $id: "MessageAttachment" },
)
export type Attachment = Static<typeof attachmentSchema>

/** Why a message cannot be sent, sent again or cancelled. */
export const mailRefusals = refusalsOf({
  MAIL_NOT_SET_UP: {
    about: "The settings have no server that sends mail, or something of it is missing",
    de: "Der E-Mail-Versand ist noch nicht eingerichtet.",
  },
  DOCUMENT_IS_DRAFT: {
    about: "A draft is not sent; issue or submit it first",
    de: "Ein Entwurf wird nicht verschickt.",
  },
  MESSAGE_NOT_QUEUED: {
    about: "Only a message that waits to be sent can be cancelled",
    de: "Nur eine Nachricht, die noch wartet, lässt sich abbrechen.",
  },
  MESSAGE_NOT_FAILED: {
    about: "Only a message that failed, is uncertain or waits can be sent again",
    de: "Diese Nachricht lässt sich nicht noch einmal senden.",
  },
})

/** A message that was sent must have the answer with which the server took it, and files that do not change. */
const messageChecks: readonly Check[] = [
  {
    says: ({ name }) =>
      `Message ${name} is sent, but no server has taken it: it has no attempt with a code of 2xx.`,
    // A quotation mark in the text of an answer has a backslash before it, so this matches only codes.
    sql: `SELECT id AS name FROM messages WHERE status = 'sent' AND attempts NOT LIKE '%"code":2__,%'`,
  },
  {
    says: ({ name }) => `Message ${name} is sent, but the hash of a file is missing.`,
    sql: `SELECT id AS name FROM messages WHERE status = 'sent' AND attachments LIKE '%"sha256":null%'`,
  },
  {
    says: ({ name }) => `Message ${name} is being sent by nobody, or its attempt has ended.`,
    // What comes of an uncertain one may still be told by the server that has sent it.
    sql: `SELECT id AS name FROM messages JOIN message_work AS work ON work.message = messages.id
      WHERE (status = 'sending' AND attempt IS NULL) OR (attempt IS NOT NULL AND status NOT IN ('sending', 'uncertain'))
        OR (is_ending = 1 AND attempt IS NULL)`,
  },
  {
    says: ({ name }) => `The sender knows nothing of message ${name}.`,
    sql: `SELECT id AS name FROM messages WHERE NOT EXISTS (
      SELECT 1 FROM message_work AS work WHERE work.message = messages.id)`,
  },
]

const documents = {
  ...list(text(), { max: mostRecords }),
  schema: Type.Array(Type.String(), {
    maxItems: mostRecords,
    description: "The documents of a message about several: then `record` is their customer",
  }),
}

const addresses = () => list(email(), { max: mostRecipients })

const { externalId, metadata } = externalFields

/** Mail about records. Who may read the record reads its messages. */
export const messages = defineResource({
  name: "messages",
  table: "messages",
  idPrefix: "msg",
  noun: "message",
  title: "Message",
  about:
    "Mail that was sent, or waits to be sent: `POST /{kind}/{id}/send` creates it. Who may read the record may read its messages. `sent` means that the server of the settings has taken the message (a code of 2xx). When it refuses with 4xx, or fails before the end of the message, it is tried again after 1, 5 and 30 minutes, and 2, 6 and 12 hours; after that, or with 5xx, the message is `failed`. When the connection ends before the last answer, nobody knows whether the server has taken the message: it is `uncertain` and waits for `POST /messages/{id}/retry`.",
  menu: { group: "sell", place: 8, path: "/messages", recordPath: "/messages/:id", icon: "mail" },
  names: {
    en: {
      title: "Messages",
      one: "message",
      many: "messages",
      the: "the message",
      statuses: {
        queued: "Waiting",
        sending: "Being sent",
        sent: "Sent",
        failed: "Failed",
        uncertain: "Uncertain: please check",
      },
      fields: {
        attachments: "Attachments",
        cc: "Copy to",
        message: "Text",
        nextAttemptAt: "Next attempt at",
        number: "Number",
        record: "Record",
        records: "Documents",
        rejected: "Refused addresses",
        sentAt: "Sent at",
        subject: "Subject",
        to: "To",
      },
    },
    de: {
      title: "E-Mails",
      one: "E-Mail",
      many: "E-Mails",
      the: "die E-Mail",
      statuses: {
        queued: "Wartet",
        sending: "Wird gesendet",
        sent: "Gesendet",
        failed: "Fehlgeschlagen",
        uncertain: "Ungewiss: bitte prüfen",
      },
      fields: {
        attachments: "Anhänge",
        cc: "Kopie an",
        message: "Nachricht",
        nextAttemptAt: "Nächster Versuch am",
        number: "Nummer",
        record: "Beleg",
        records: "Belege",
        rejected: "Abgelehnte Adressen",
        sentAt: "Gesendet am",
        subject: "Betreff",
        to: "An",
      },
    },
    fr: {
      fields: {
        attachments: "Pièces jointes",
        cc: "Copie à",
        message: "Texte",
        nextAttemptAt: "Prochaine tentative le",
        number: "Numéro",
        record: "Enregistrement",
        records: "Documents",
        rejected: "Adresses refusées",
        sentAt: "Envoyé le",
        subject: "Objet",
        to: "À",
      },
    },
  },
  colours: { queued: "blue", sending: "blue", sent: "teal", failed: "red", uncertain: "red" },
  rights: rightsOf("invoices"),
  hasHistory: true,
  events: {
    sent: becomes("status", "sent"),
    failed: becomes("status", "failed"),
    uncertain: becomes("status", "uncertain"),
  },
  refusals: mailRefusals,
  checks: messageChecks,
  search: [],
  scan: ["number", "subject", "to"],
  indexed: {
    sort: ["createdAt", "updatedAt"],
    group: ["record", "status"],
    unique: ["externalId"],
  },
  bulky: { fields: ["message", "attempts", "metadata"], from: 26 },
  fields: {
    kind: readOnly(text({ examples: ["invoices"], description: "The kind of the record, as in the URL" })),
    record: readOnly(text({ examples: ["inv_01kb2qk3dvb6r8h5m9x4w7z2nc"] })),
    records: readOnly(documents),
    number: readOnlyNullable(text({ examples: ["INV-2026-00001"] })),
    status: readOnly(status(messageStatuses)),
    to: readOnly(addresses()),
    cc: readOnly(addresses()),
    subject: readOnly(text({ max: longestSubject, examples: ["Invoice INV-2026-00001"] })),
    message: readOnly(text({ max: longestMessage, multiline: true })),
    language: readOnly(choice(languages)),
    attachments: readOnly(structure<Attachment[]>(Type.Array(attachmentSchema))),
    attempts: readOnly(structure<MessageAttempt[]>(Type.Array(attemptSchema))),
    rejected: readOnly(addresses()),
    nextAttemptAt: readOnlyNullable(timestamp()),
    sentAt: readOnlyNullable(timestamp()),
    externalId: readOnlyNullable(unique(externalId)),
    metadata: readOnly(metadata),
    createdBy: readOnlyNullable(reference("usr")),
  },
})

export type Message = RecordOf<typeof messages>

/** The rights that are enough to begin: each message needs the right of its record. */
export const orRead: Right = rightsOf("sales-orders").read
export const orWrite: Right = rightsOf("sales-orders").write

export const MailStatus = Type.Object(
  {
    isSending: Type.Boolean({ description: "True when messages are sent" }),
    isPaused: Type.Boolean({ description: "True after a restore, until POST /messages/resume" }),
    isSwitchedOff: Type.Boolean({ description: "True when the server was started with --no-sending" }),
    isSetUp: Type.Boolean({ description: "True when the settings have a server that can be used" }),
    missing: Type.Array(Type.String(), {
      description: "What the server in the settings lacks: after a restore, its secrets",
      examples: [["password"]],
    }),
  },
  { $id: "MailStatus" },
)
export type MailStatus = Static<typeof MailStatus>

const testStep = Type.Object(
  { step: stepSchema, code: codeSchema, text: textSchema },
  { $id: "MailTestStep" },
)
export type TestStep = Static<typeof testStep>

export const MailTest = Type.Object(
  {
    ok: Type.Boolean({ description: "True when the server has taken the message" }),
    steps: Type.Array(testStep),
  },
  { $id: "MailTest" },
)
export type MailTest = Static<typeof MailTest>
