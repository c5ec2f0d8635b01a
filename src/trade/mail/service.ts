import type { Caller } from "../../core/caller"
import type { Database } from "../../core/engine/engine"
import type { SendOperation } from "../../core/http/route/by-key"
import type { Reading } from "../../core/kind/body"
import type { Resource } from "../../core/kind/define"
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
import { filledIn, longestMessage, longestSubject, type Placeholder } from "../../shared/mail"
import type { Customers, DocumentCustomer } from "../needs"
import { asCancelled, formatsOf, type Loaded } from "../paper/contents"
import { fileNameOf, keepXml, xmlParts } from "../paper/files"
import type { Form, Paper } from "../paper/model"
import type { PaperStore } from "../paper/papers"
import type { Mailed, Papers } from "../paper/routes"
import { countErrors, mailBody, type MailBody, unrepeated } from "./body"

/** A kind whose documents are sent, and how they are put on paper. */
export type MailedPapers = Papers & { kind: Resource }

type Deps = {
  db: Database
  settings: () => Settings
  customers: Pick<Customers, "forDocument">
  papers: PaperStore
  messages: Pick<MessageService, "queue">
  /** Finds how the documents of a kind are put on paper. */
  papersOf: (kind: string) => MailedPapers
}

/** What is wanted of the message about a document. */
export type Wanted = { kind: string; id: string; caller: Caller; isAutomatic?: boolean }

export const documentMail = (deps: Deps) => ({
  /** Writes the message about a document. It is sent after the write. */
  send: (tx: Tx, wanted: Wanted, reading: Reading<MailBody>): Message => send(deps, tx, wanted, reading),

  /** The same for a body that was not read yet; without one, everything is as usual. */
  sendBy: (tx: Tx, wanted: Wanted, input: Input = {}): Message =>
    send(deps, tx, wanted, mailBody.read(input)),

  /** Notes on a document that a server has taken a message about it. */
  noteSent(tx: Tx, { kind: name, record, sentAt }: Pick<Message, "kind" | "record" | "sentAt">): void {
    const { kind } = deps.papersOf(name)
    const [row] = deps.db
      .query<{ version: number }, [string | null, string, string]>(
        `UPDATE ${kind.table} SET last_sent_at = ?, change_count = change_count + 1, updated_at = ? WHERE id = ?
         RETURNING version`,
      )
      .all(sentAt, tx.now, record)
    if (row) noteFigures(tx, kind, { id: record, version: row.version }, ["lastSentAt"])
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
  const mailed = papers.mailed(id)
  const loaded = papers.load(id, values.language)
  assertNotDraft(papers.kind, mailed)
  const paper = values.language === null ? loaded.paper : { ...loaded.paper, language: values.language }
  const customer = deps.customers.forDocument(mailed.customer)
  const to = values.to ?? usualAddress(customer, mailed)
  const cc = unrepeated(values.cc ?? [], to)
  const found = [...errors, ...countErrors(to, cc), ...attachErrors(papers, values)]
  if (to.length === 0 && found.length === 0) found.push(noAddress(customer))
  assertNoErrors(found, "The message cannot be sent.")
  assertMaySendTo(caller, customer, [...to, ...cc])
  const texts = textsOf(deps, papers.kind, paper, mailed, values)
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

function assertNotDraft({ noun }: Resource, { isDraft }: Mailed): void {
  if (!isDraft) return
  throw new Refusal(mailRefusals.DOCUMENT_IS_DRAFT, `The ${noun} is a draft, which is not sent.`, {
    details: [fieldError("status", "RULE", "is draft", { rule: "STATUS", status: "draft" })],
  })
}

/** The addresses that a customer has. */
const addressesOf = (customer: DocumentCustomer | null): string[] =>
  [customer?.invoiceEmail, customer?.email].flatMap((each) => each ?? [])

const usualAddress = (customer: DocumentCustomer | null, { isBilling }: Mailed): string[] => {
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
  { kind }: Caller,
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

/** Only issued documents have an e-invoice. */
const attachErrors = ({ issued, kind }: MailedPapers, { attach }: MailBody): FieldError[] =>
  attach?.includes("xml") && !issued
    ? [
        fieldError("attach", "FORMAT", `must be pdf: a ${kind.noun} has no e-invoice`, {
          allowed: ["pdf"],
        }),
      ]
    : []

/** Fills in the texts of the body, or else those of the settings. */
function textsOf(
  { settings }: Deps,
  kind: Resource,
  paper: Paper,
  mailed: Mailed,
  given: Pick<MailBody, "subject" | "message">,
): { subject: string; message: string } {
  const { mailTexts, companyName, legalName, smtp } = settings()
  const usual = mailTexts[keyOfName(kind.name)]?.[paper.language] ?? {
    subject: "{number}",
    message: "{number}",
  }
  const { money, date } = formatsOf(paper.language, paper.currency)
  const { buyer, number, dueDate, total } = paper
  const values: Record<Placeholder, string> = {
    number: number ?? "",
    company: paper.seller.legalName ?? legalName ?? companyName ?? smtp?.fromName ?? smtp?.from ?? "",
    customer: buyer.name,
    contact: buyer.contactName ?? buyer.name,
    total: money(total),
    balance: money(mailed.balance),
    dueDate: dueDate === null ? "" : date(dueDate),
  }
  return {
    subject: cut(
      filledIn(given.subject ?? usual.subject, values)
        .replace(/\s+/g, " ")
        .trim(),
      longestSubject,
    ),
    message: cut(filledIn(given.message ?? usual.message, values), longestMessage),
  }
}

/** A name in a text can make it longer than a text may be. */
const cut = (text: string, max: number): string =>
  text.length <= max ? text : [...text].slice(0, max).join("").toWellFormed()

/** The files of a message. An e-invoice is made at once; a PDF that is not kept yet before the message is sent. */
function filesOf(
  { papers }: Deps,
  tx: Tx,
  { issued }: MailedPapers,
  loaded: Loaded,
  { attach, format, profile }: MailBody,
): NewFile[] {
  const { paper } = loaded
  return [...new Set(attach ?? [])].map((each): NewFile => {
    if (each === "xml" && issued) {
      const kept = keepXml(papers, tx, { loaded, kind: issued }, { format, profile })
      const name = fileNameOf(paper, xmlParts({ format, profile }))
      return { name, form: kept.form, paper: null, sha256: kept.sha256, bytes: kept.bytes.length }
    }
    const name = fileNameOf(paper, ["pdf"])
    const shown = loaded.isCancelled === true ? asCancelled(loaded) : loaded
    if (!shown.isIssued || !issued)
      return { name, form: null, paper: packed(shown.paper), sha256: null, bytes: null }
    const form: Form = `pdf-${paper.language}`
    const kept = papers.find(loaded.id, form)
    return { name, form, paper: null, sha256: kept?.sha256 ?? null, bytes: kept?.bytes.length ?? null }
  })
}

/** The content of a document that may change before its PDF is made. */
const packed = (paper: Paper): Uint8Array =>
  Bun.gzipSync(new TextEncoder().encode(JSON.stringify(paper)), { level: 1, library: "libdeflate" })
