import { languages } from "../../shared/languages"
import { describeDocument } from "./describe"
import { xmlForms } from "./xml-forms"
import { money, number, words } from "../../console/format"
import type { AuditEntry, Kind } from "../../console/api/types"
import { t as common } from "../../console/texts"
import { t } from "./timeline-texts"
import { actionInWords } from "../../office/audit/page/actions"
import { fieldName, inSentence, statusName } from "../../console/texts/fields"
import { shown } from "../../console/parts/shown"

/** The record whose timeline is told, and the currency of its amounts. */
export type Story = {
  kind: Kind
  record: {
    id: string
    createdAt: string
    /** The fields of documents. */
    issuedAt?: string | null
    orderNumber?: string | null
    invoiceNumber?: string | null
    isOpening?: boolean
    writtenOff?: number
    creditNoteNumber?: string
    applications?: readonly { id: string; invoiceNumber: string; creditNoteNumber: string }[]
    customer?: string
    customerName?: string
    items?: readonly { item: string | null; itemCode: string | null }[]
  }
  currency: string
  /** True if an entry of its own tells that the invoice was issued. */
  isFinalizedLater: boolean
}

/** True for an entry that tells that an invoice was issued, or an order submitted. */
export const isFinalized = ({ action, changes }: AuditEntry): boolean =>
  action.endsWith(".status") && changes["status"]?.from === "draft" && changes["status"].to !== "cancelled"

/** Returns who did it. */
export function actorOf({ actorType, actorName, changes }: AuditEntry): string {
  // Without signing in, customers answer quotations.
  if (actorType === "anonymous") return String(changes["acceptedBy"]?.to ?? t(($) => $.theCustomer))
  if (actorType === "system") return "Kontor"
  if (actorType === "apiKey")
    return actorName ? t(($) => $.apiKey, { name: actorName }) : t(($) => $.anApiKey)
  if (actorType === "oauthClient") return actorName ?? t(($) => $.anApp)
  return actorName ?? t(($) => $.somebody)
}

/** Tells what somebody did, with their name in it. */
export type Sentence = (actor: string) => string

/** The record as the object of a sentence. */
const theRecord = ({ kind }: Story): string => common(($) => $.kinds[kind].the)

/**
 * Returns what the actor of an entry did. An entry that only follows from another one, such as the status after a
 * payment, has no sentence.
 */
export function sentencesOf(story: Story, entry: AuditEntry): Sentence[] {
  const { changes } = entry
  const action = entry.action.split(".").at(-1) ?? ""
  switch (action) {
    case "create":
      return [story.kind === "payments" ? ofAmount(story, "paymentRecorded", changes) : created(story)]
    case "update":
      return updated(story, entry)
    case "status":
      return statusChanged(story, changes)
    case "merge":
      return [merged(changes)]
    case "order":
    case "link":
    case "unlink":
      return [(actor) => t(($) => $[action], { actor, the: theRecord(story) })]
    case "paper":
      return Object.keys(changes).map(paperCreated)
    default:
      return [
        moneyMoved(story, action, changes) ??
          ((actor) => t(($) => $.other, { actor, action: inSentence(actionInWords(action)) })),
      ]
  }
}

/** Two customers became one. Each of them tells it with the number and the name of the other. */
function merged({ mergedInto, other }: Changes): Sentence {
  const customer = String(other?.to)
  return (actor) => t(($) => (mergedInto ? $.mergedInto : $.merged), { actor, customer })
}

/** True for an entry that tells that a file of a document was created. */
export const isOfPaper = ({ action }: AuditEntry): boolean => action.endsWith(".paper")

/** `form` is the name of the stored file, such as pdf-de or cii-xrechnung. */
function paperCreated(form: string): Sentence {
  const [format, rest = ""] = form.split("-")
  const [variant] = rest.split(".")
  const language = languages.find((each) => each === variant)
  if (format === "pdf" && language)
    return (actor) => t(($) => $.pdfCreated, { actor, language: common(($) => $.values.language[language]) })
  const xml = xmlForms.find((each) => `${each.format}-${each.profile}` === form)
  return (actor) => t(($) => $.xmlCreated, { actor, form: xml?.name ?? form })
}

/** The actions that add or void an amount, and their texts. */
const amountTexts = {
  payment: "paymentAdded",
  "payment-removed": "paymentDeleted",
  allocation: "allocated",
  "allocation-removed": "allocationVoided",
  credit: "credited",
  "application-removed": "applicationVoided",
  refund: "refunded",
  "refund-removed": "refundVoided",
  "write-off": "writtenOff",
  "write-off-removed": "writeOffVoided",
  deduction: "deducted",
  "deduction-removed": "deductionRemoved",
} as const
const isOfAmount = (action: string): action is keyof typeof amountTexts => Object.hasOwn(amountTexts, action)

/** Tells that an amount was paid, credited, applied or refunded, or that this was undone; null for other actions. */
function moneyMoved(story: Story, action: string, changes: Changes): Sentence | null {
  if (action === "application") return applied(story, changes)
  if (!isOfAmount(action)) return null
  const sentence = ofAmount(story, amountTexts[action], changes)
  return action === "write-off" ? because(changes["reason"]?.to, sentence) : sentence
}

/** Tells an amount, and the invoice of an allocation. */
function ofAmount(
  story: Story,
  text: (typeof amountTexts)[keyof typeof amountTexts] | "paymentRecorded",
  changes: Changes,
): Sentence {
  const { invoiceNumber } = changes
  const number = String(invoiceNumber?.to ?? invoiceNumber?.from)
  return (actor) => t(($) => $[text], { actor, amount: amountIn(story, changes), number })
}

const amountIn = ({ currency }: Story, { amount }: Changes): string =>
  money(Number(amount?.to ?? amount?.from), currency)

/** The record lists its applications with their numbers, but not those that were voided. */
function applied(story: Story, changes: Changes): Sentence {
  const amount = amountIn(story, changes)
  const found = story.record.applications?.find(({ id }) => id === changes["application"]?.to)
  if (story.kind === "invoices") {
    const creditNote = found?.creditNoteNumber ?? t(($) => $.aCreditNote)
    return (actor) => t(($) => $.applied, { actor, amount, creditNote })
  }
  const invoice = found?.invoiceNumber ?? t(($) => $.anInvoice)
  return (actor) => t(($) => $.appliedTo, { actor, amount, invoice })
}

/** An invoice can be issued by the same request that creates it. A credit note always is, an opening invoice never. */
function created(story: Story): Sentence {
  const {
    isOpening,
    createdAt,
    issuedAt,
    invoiceNumber,
    orderNumber,
    creditNoteNumber: number,
  } = story.record
  if (story.kind === "credit-notes" && number)
    return (actor) => t(($) => $.noteIssued, { actor, number, invoice: `${invoiceNumber}` })
  if (story.isFinalizedLater || story.kind !== "invoices" || issuedAt !== createdAt)
    return (actor) => t(($) => $.created, { actor, the: theRecord(story) })
  const issued = `${invoiceNumber}`
  if (isOpening) return (actor) => t(($) => $.imported, { actor, number: issued })
  return orderNumber
    ? (actor) => t(($) => $.issuedForOrder, { actor, number: issued, order: orderNumber })
    : (actor) => t(($) => $.issued, { actor, number: issued })
}

type Changes = AuditEntry["changes"]

function statusChanged(story: Story, changes: Changes): Sentence[] {
  const { from, to } = changes["status"] ?? {}
  const reason = changes["cancelReason"]?.to ?? changes["reason"]?.to
  if (to === "cancelled")
    return [because(reason, (actor) => t(($) => $.cancelled, { actor, the: theRecord(story) }))]
  if (story.kind === "quotations") return [answered(story, changes)]
  if (story.kind === "invoices") {
    if (from === "draft") return [issued(story, changes)]
    if (to === "credited") return [(actor) => t(($) => $.fullyCredited, { actor })]
    // The entry of the payment tells the rest.
    const text = story.record.writtenOff ? "nothingLeft" : "settled"
    return to === "paid" ? [(actor) => t(($) => $[text], { actor })] : []
  }
  if (from === "completed" && to === "submitted") return [(actor) => t(($) => $.reopened, { actor })]
  if (to === "submitted") return [submitted(changes)]
  if (to === "completed") return [because(reason, (actor) => t(($) => $.completed, { actor }))]
  const status = inSentence(statusName(String(to)))
  return [(actor) => t(($) => $.statusChanged, { actor, status })]
}

/** What has become of an offer. */
function answered(story: Story, { status, acceptedBy, reason }: Changes): Sentence {
  const the = theRecord(story)
  const name = acceptedBy?.to ? String(acceptedBy.to) : null
  const text = isAnswer(status?.to) ? status.to : "withdrawn"
  return because(reason?.to, (actor) =>
    text === "accepted" && name !== null && name !== actor
      ? t(($) => $.acceptedFor, { actor, name, the })
      : t(($) => $[text], { actor, the }),
  )
}

const answers = ["sent", "accepted", "declined", "withdrawn"] as const
const isAnswer = (status: unknown): status is (typeof answers)[number] =>
  answers.some((each) => each === status)

const because =
  (reason: unknown, sentence: Sentence): Sentence =>
  (actor) =>
    reason
      ? t(($) => $.because, { sentence: sentence(actor), reason: shown("cancelReason", reason) })
      : sentence(actor)

const issued =
  ({ record }: Story, { creditOverride }: Changes): Sentence =>
  (actor) =>
    t(($) => (creditOverride ? $.issuedAboveLimit : $.issued), {
      actor,
      number: `${record.invoiceNumber}`,
    })

const submitted =
  ({ creditOverride }: Changes): Sentence =>
  (actor) =>
    t(($) => (creditOverride ? $.submittedAboveLimit : $.submitted), { actor })

/** The number of changed fields that are told one by one. */
const mostFields = 6

function updated(story: Story, { changes }: AuditEntry): Sentence[] {
  const told = Object.entries(changes).map(([field, change]) => fieldChanged(story, field, change))
  const count = told.length - mostFields
  if (count <= 0) return told
  const more: Sentence = (actor) => t(($) => $.moreChanged, { actor, count, shown: number(count) })
  return [...told.slice(0, mostFields), more]
}

function fieldChanged(story: Story, key: string, change: Changes[string]): Sentence {
  if (key === "isActive")
    return (actor) => t(($) => (change.to ? $.activated : $.deactivated), { actor, the: theRecord(story) })
  const field = nameInSentence(story.kind, key)
  const [from, to] = [inWords(story, key, change.from), inWords(story, key, change.to)]
  // The tax code of a line, for example, is not part of its words.
  if (from === null || to === null || from === to) return (actor) => t(($) => $.changed, { actor, field })
  if (isEmpty(change.from)) return (actor) => t(($) => $.set, { actor, field, to })
  if (isEmpty(change.to)) return (actor) => t(($) => $.removed, { actor, field, from })
  return (actor) => t(($) => $.changedFromTo, { actor, field, from, to })
}

const nameInSentence = (kind: Kind, field: string): string => {
  const name = fieldName(field, { of: kind })
  return t(($) => $.fields[field as keyof typeof t.texts.en.fields], {
    defaultValue: inSentence(name === field ? words(field) : name),
  })
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)

/** A longer text is not told. The page shows the current one. */
const longestText = 80

/** Returns a value in words; null if it is too long or not readable. */
function inWords({ kind, record }: Story, field: string, value: unknown): string | null {
  if (isEmpty(value)) return ""
  const { customer = "", customerName = "", items } = record
  const described = items && describeDocument({ customer, customerName, items })(field, value)
  const text = described ?? shown(field, value, kind)
  return isId(text) || (text.length > longestText && field !== "items") ? null : text
}

const isId = (text: string): boolean => /^[a-z]{2,3}_[0-9a-z]{26}$/.test(text)
