import type { Author, Caller } from "../../core/caller"
import type { Database } from "../../core/engine/engine"
import type { SendOperation } from "../../core/http/route/by-key"
import type { Reading } from "../../core/kind/body"
import type { MailText, Resource } from "../../core/kind/define"
import { keyOfName } from "../../core/kind/define"
import type { Input } from "../../core/kind/read"
import { noteFigures } from "../../core/kind/record-events"
import { assertNoErrors, fieldError, type FieldError, Refusal } from "../../core/lib/refusal"
import { mailKey } from "../../core/lib/text"
import type { Tx } from "../../core/write/writer"
import { mailRefusals, type Message, messages } from "../../office/mail/model"
import type { NewFile } from "../../office/mail/store"
import type { MessageService } from "../../office/mail/service"
import type { Settings } from "../../office/settings/model"
import type { Customers, DocumentCustomer } from "../needs"
import { dueOf } from "../paper/due"
import { asCancelled, type Loaded } from "../paper/contents"
import { fileNameOf, isXrechnung, keepXml, pdfFormOf, type WantedXml, xmlParts } from "../paper/files"
import type { Paper } from "../paper/model"
import type { PaperStore } from "../paper/papers"
import type { Mailed, Papers } from "../paper/routes"
import { withoutLink } from "../../shared/mail"
import { companyOf, textsFor } from "./filled"
import { countErrors, linkErrors, mailBody, type MailBody, unrepeated } from "./body"

/** A kind whose documents are sent, and how they are put on paper. */
export type MailedPapers = Papers & { kind: Resource }

type Deps = {
  db: Database
  settings: () => Settings
  customers: Pick<Customers, "forDocument">
  papers: PaperStore
  messages: Pick<MessageService, "queue">
  /** All kinds. */
  kinds: readonly Resource[]
  /** Finds how the documents of a kind are put on paper. */
  papersOf: (kind: string) => MailedPapers
}

/** What is wanted of the message about a document. */
export type Wanted = { kind: string; id: string; caller: Author; isAutomatic?: boolean }

/** A letter to a customer that is no document of its own. */
export type Letter = {
  customer: string
  /** The key of its texts in the settings. */
  texts: string
  paper: Paper
  balance: number
  fileName: string
  caller: Caller
}
type LetterMail = Pick<MailBody, "to" | "cc" | "subject" | "message" | "externalId" | "metadata">

/** The documents of a kind that one message to their customer is about. */
export type Together = {
  kind: string
  ids: readonly string[]
  customer: string
  createdBy: string | null
  isAutomatic: boolean
}

export const documentMail = (deps: Deps) => ({
  /** Writes the message about a document. It is sent after the write. */
  send: (tx: Tx, wanted: Wanted, reading: Reading<MailBody>): Message => send(deps, tx, wanted, reading),

  /** The same for a body that was not read yet; without one, everything is as usual. */
  sendBy: (tx: Tx, wanted: Wanted, input: Input = {}): Message =>
    send(deps, tx, wanted, mailBody.read(input)),

  /** Writes one message to a customer about several documents of a kind. Returns null if the customer has no address. */
  sendTogether: (tx: Tx, wanted: Together): Message | null => sendTogether(deps, tx, wanted),

  /** Writes the message with a letter to a customer. */
  sendLetter: (tx: Tx, letter: Letter, given: LetterMail): Message => sendLetter(deps, tx, letter, given),

  /** Returns the text of a message that is sent now. A link in it is made now, because its secret is stored nowhere. */
  textOf(tx: Tx, { kind, record, message }: Pick<Message, "kind" | "record" | "message">): string {
    if (!message.includes("{link}")) return message
    const link = deps.kinds.find(({ name }) => name === kind)?.mailPlaceholders?.includes("link")
      ? deps.papersOf(kind).page?.open(tx, record)
      : undefined
    return link === undefined
      ? message
      : link === null
        ? withoutLink(message)
        : message.replaceAll("{link}", link)
  },

  /** Notes on documents that a server has taken a message about them. */
  noteSent(tx: Tx, { record, records, sentAt }: Pick<Message, "record" | "records" | "sentAt">): void {
    for (const id of records.length > 0 ? records : [record]) {
      const kind = deps.kinds.find(
        ({ idPrefix, fields }) => id.startsWith(`${idPrefix}_`) && fields["lastSentAt"],
      )
      if (!kind) continue
      const [row] = deps.db
        .query<{ version: number }, [string | null, string, string]>(
          `UPDATE ${kind.table} SET last_sent_at = ?, change_count = change_count + 1, updated_at = ? WHERE id = ?
           RETURNING version`,
        )
        .all(sentAt, tx.now, id)
      if (row) noteFigures(tx, kind, { id, version: row.version }, ["lastSentAt"])
    }
  },
})

export type DocumentMail = ReturnType<typeof documentMail>

/** The names of the schemas of a body that sends a document, and of the message. */
export const mailSchemas = { body: "MailRequest", answer: messages.title } as const

/** Sends the documents of a kind as operations of a batch. */
export const sendOperation = (the: { mail: DocumentMail }, { name: kind }: Resource): SendOperation => ({
  ...mailSchemas,
  run: (tx, id, input, caller) => the.mail.sendBy(tx, { kind, id, caller }, input),
})

function send(deps: Deps, tx: Tx, wanted: Wanted, { values, errors }: Reading<MailBody>): Message {
  const { caller, id } = wanted
  const papers = deps.papersOf(wanted.kind)
  papers.beforeSending?.(tx, id)
  const mailed = papers.mailed(id)
  const loaded = papers.load(id, values.language)
  assertNotDraft(papers.kind, mailed)
  const paper = values.language === null ? loaded.paper : { ...loaded.paper, language: values.language }
  const customer = deps.customers.forDocument(mailed.customer)
  const to = values.to ?? usualAddress(customer, mailed)
  const cc = unrepeated(values.cc ?? [], to)
  const found = [
    ...errors,
    ...linkErrors(papers.kind, values),
    ...countErrors(to, cc),
    ...attachErrors(papers, values),
    ...languageErrors(papers, loaded.paper, values),
  ]
  if (to.length === 0 && found.length === 0) found.push(noAddress(customer))
  assertNoErrors(found, "The message cannot be sent.")
  assertMaySendTo(caller, customer, [...to, ...cc])
  const texts = textsOf(deps, papers, paper, mailed, values)
  const files = filesOf(deps, tx, papers, { ...loaded, paper }, values)
  return deps.messages.queue(tx, {
    kind: papers.kind.name,
    record: loaded.id,
    number: paper.number,
    to,
    cc,
    ...texts,
    language: paper.language,
    externalId: values.externalId,
    metadata: values.metadata,
    createdBy: caller.userId,
    isAutomatic: wanted.isAutomatic ?? false,
    files,
  })
}

function sendTogether(deps: Deps, tx: Tx, { kind, ids, customer: id, ...by }: Together): Message | null {
  const papers = deps.papersOf(kind)
  const customer = deps.customers.forDocument(id)
  const found = ids.map((each) => ({ loaded: papers.load(each, null), mailed: papers.mailed(each) }))
  const [first] = found
  if (!customer || !first) return null
  const to = usualAddress(customer, first.mailed)
  if (to.length === 0) return null
  const { paper } = first.loaded
  const mailed = {
    ...first.mailed,
    balance: found.reduce((sum, { mailed: { balance } }) => sum + balance, 0),
  }
  const numbers = found.flatMap(({ loaded }) => loaded.paper.number ?? []).join(", ")
  const isOne = found.length === 1
  const texts = isOne
    ? textsOf(deps, papers, paper, mailed, noTexts)
    : textsOf(deps, papers, { ...paper, number: numbers }, { ...mailed, text: undefined }, noTexts)
  return deps.messages.queue(tx, {
    kind: "customers",
    record: customer.id,
    records: [...ids],
    number: customer.customerNumber,
    to,
    cc: [],
    ...texts,
    language: paper.language,
    externalId: null,
    metadata: {},
    ...by,
    files: found.flatMap(({ loaded }) => filesOf(deps, tx, papers, loaded, usualFiles)),
  })
}

function sendLetter(deps: Deps, tx: Tx, letter: Letter, given: LetterMail): Message {
  const { paper, caller } = letter
  const customer = deps.customers.forDocument(letter.customer)
  const to = given.to ?? usualAddress(customer, { isBilling: true })
  const cc = unrepeated(given.cc ?? [], to)
  const found = countErrors(to, cc)
  if (to.length === 0 && found.length === 0) found.push(noAddress(customer))
  assertNoErrors(found, "The message cannot be sent.")
  assertMaySendTo(caller, customer, [...to, ...cc])
  const settings = deps.settings()
  const usual = settings.mailTexts[letter.texts]?.[paper.language]
  const text = {
    subject: given.subject ?? usual?.subject ?? letter.fileName,
    message: given.message ?? usual?.message ?? letter.fileName,
  }
  const company = paper.seller.legalName ?? companyOf(settings)
  return deps.messages.queue(tx, {
    kind: "customers",
    record: letter.customer,
    number: paper.buyer.customerNumber,
    to,
    cc,
    ...textsFor(text, {
      ...paper,
      company,
      number: paper.buyer.customerNumber,
      total: letter.balance,
      balance: letter.balance,
    }),
    language: paper.language,
    externalId: given.externalId,
    metadata: given.metadata,
    createdBy: caller.userId,
    isAutomatic: false,
    files: [{ name: letter.fileName, form: null, paper: packed(paper), sha256: null, bytes: null }],
  })
}

/** What a body says that leaves everything as usual. */
const noTexts = { subject: null, message: null }
const usualFiles = mailBody.read({}).values

function assertNotDraft({ noun }: Resource, { isDraft }: Mailed): void {
  if (!isDraft) return
  throw new Refusal(mailRefusals.DOCUMENT_IS_DRAFT, `The ${noun} is a draft, which is not sent.`, {
    details: [fieldError("status", "RULE", "is draft", { rule: "STATUS", status: "draft" })],
  })
}

/** The addresses that a customer has. */
const addressesOf = (customer: DocumentCustomer | null): string[] =>
  [customer?.invoiceEmail, customer?.email].flatMap((each) => each ?? [])

const usualAddress = (
  customer: DocumentCustomer | null,
  { isBilling }: Pick<Mailed, "isBilling">,
): string[] => {
  const found = (isBilling ? customer?.invoiceEmail : null) ?? customer?.email
  return found ? [found] : []
}

const noAddress = (customer: DocumentCustomer | null): FieldError =>
  fieldError("to", "REQUIRED", `is required: ${customer?.name ?? "the customer"} has no email address`, {
    name: customer?.name ?? null,
  })

/**
 * A key or an app sends only to the addresses of the customer: a person who has stolen one must not send mail in the name of
 * the shop to everybody.
 */
function assertMaySendTo(
  { kind }: Pick<Author, "kind">,
  customer: DocumentCustomer | null,
  wanted: readonly string[],
): void {
  if (kind === "user") return
  const known = new Set(addressesOf(customer).map(mailKey))
  const others = wanted.filter((each) => !known.has(mailKey(each)))
  if (others.length === 0) return
  throw new Refusal(
    "FORBIDDEN",
    "API keys and apps send only to the email addresses of the customer. Store the address there first.",
    { details: [fieldError("to", "RULE", "must be an address of the customer", { rule: "ADDRESS" })] },
  )
}

/** The text of a letter was written in one language. */
const languageErrors = ({ isLetter }: MailedPapers, paper: Paper, { language }: MailBody): FieldError[] =>
  isLetter && language !== null && language !== paper.language
    ? [
        fieldError("language", "FORMAT", `must be ${paper.language}, as the letter is`, {
          allowed: [paper.language],
        }),
      ]
    : []

/** Only issued documents have an e-invoice. */
const attachErrors = ({ issued, kind }: MailedPapers, { attach }: MailBody): FieldError[] =>
  attach?.includes("xml") && !issued
    ? [
        fieldError("attach", "FORMAT", `must be pdf: a ${kind.noun} has no e-invoice`, {
          allowed: ["pdf"],
        }),
      ]
    : []

/** Fills in the texts of the body, or else those of the document or of the settings. */
function textsOf(
  { settings }: Deps,
  { kind, page }: Pick<MailedPapers, "kind" | "page">,
  paper: Paper,
  mailed: Mailed,
  given: Pick<MailBody, "subject" | "message">,
): MailText {
  const usual = mailed.text ?? settings().mailTexts[keyOfName(kind.name)]?.[paper.language]
  const text = {
    subject: given.subject ?? usual?.subject ?? "{number}",
    message: given.message ?? usual?.message ?? "{number}",
  }
  const company = paper.seller.legalName ?? companyOf(settings())
  return textsFor(text, {
    ...paper,
    company,
    // What is to be paid, without the deposits that are taken off.
    total: dueOf(paper),
    balance: mailed.balance,
    hasLink: page?.isOn() ?? false,
  })
}

/** What a body attaches. A customer who gives a reference usually gets the XRechnung too, in the syntax that most authorities use. */
function wantedFiles(loaded: Loaded, isIssued: boolean, { attach, format, profile }: MailBody) {
  const asXrechnung = isIssued && loaded.isCancelled !== true && isXrechnung(loaded)
  const usual = profile ?? (asXrechnung ? "xrechnung" : "en16931")
  return {
    attach: attach ?? (asXrechnung ? (["pdf", "xml"] as const) : (["pdf"] as const)),
    xml: { profile: usual, format: format ?? (usual === "xrechnung" ? "ubl" : "cii") } satisfies WantedXml,
  }
}

/** The files of a message. An e-invoice is made at once; a PDF that is not kept yet before the message is sent. */
function filesOf(
  { papers }: Deps,
  tx: Tx,
  { issued, keptAs }: MailedPapers,
  loaded: Loaded,
  body: MailBody,
): NewFile[] {
  const { paper } = loaded
  const { attach, xml } = wantedFiles(loaded, issued !== undefined, body)
  return [...new Set(attach)].map((each): NewFile => {
    if (each === "xml" && issued) {
      const kept = keepXml(papers, tx, { loaded, kind: issued }, xml)
      const name = fileNameOf(paper, xmlParts(xml))
      return { name, form: kept.form, paper: null, sha256: kept.sha256, bytes: kept.bytes.length }
    }
    const name = fileNameOf(paper, ["pdf"])
    const shown = loaded.isCancelled === true ? asCancelled(loaded) : loaded
    const form = pdfFormOf({ ...shown, paper })
    const isKept = shown.isIssued && Boolean(issued ?? keptAs)
    const kept = isKept ? papers.find(loaded.id, form) : null
    // What can be revised is sent as it is now.
    if (!isKept || (!kept && shown.revision !== undefined))
      return { name, form: null, paper: packed(shown.paper), sha256: null, bytes: null }
    return { name, form, paper: null, sha256: kept?.sha256 ?? null, bytes: kept?.bytes.length ?? null }
  })
}

/** The content of a document that may change before its PDF is made. */
const packed = (paper: Paper): Uint8Array =>
  Bun.gzipSync(new TextEncoder().encode(JSON.stringify(paper)), { level: 1, library: "libdeflate" })
