import type { Caller } from "../../core/caller"
import type { Draft } from "../../core/kind/read"
import { noteFigures } from "../../core/kind/record-events"
import { business } from "../../core/lib/clock"
import { Refusal } from "../../core/lib/refusal"
import type { Tx } from "../../core/write/writer"
import { newHead, readContents } from "../../trade/documents/create"
import { warnOfDate, warnOfMovedDate } from "../../trade/documents/dates"
import { copy, type Copy } from "../../trade/documents/derive"
import { documentDeps, type DocumentDeps, type Trade } from "../../trade/documents/documents"
import type { DocumentKind, Effects } from "../../trade/documents/kind"
import { type Line, lineToApi } from "../../trade/documents/model"
import { documentService } from "../../trade/documents/service"
import type { Language } from "../../shared/languages"
import { moveStatus } from "../../trade/documents/status"
import type { DocumentCustomer } from "../../trade/needs"
import { lineTable } from "../../trade/documents/store"
import { type DocumentMail, sendOperation } from "../../trade/mail/service"
import type { SalesOrder } from "../sales-orders/model"
import type { SalesOrderService } from "../sales-orders/service"
import { type Quotation, type QuotationDoc, type QuotationHead, quotations } from "./model"
import { linksOf } from "./links"
import {
  assertDeletable,
  assertOrderable,
  editable,
  isExpired,
  isRevision,
  nameOf,
  transitions,
  validityErrors,
} from "./rules"
import { findLinks } from "./store"

/** What an acceptance is bound to: a revision, and the PDF of it. */
export type Proof = { revision: number; sha256: string }

/** What the customer answers on the public page. */
export type Answer =
  | { isAccepted: true; name: string; ip: string; proof: Proof }
  | { isAccepted: false; reason: string | null; revision: number }

const quotationDocument: DocumentKind<QuotationHead, Line> = {
  resource: quotations,
  lines: lineTable<Line>(quotations, []),
  lineIdPrefix: "qul",
  withOwnPart: (line) => line,
  ownParts: [],
  lineToApi,
  transitions,
  editable,
  nameOf,
}

type Needs = Trade & {
  salesOrders: SalesOrderService
  /** Mail needs quotations too. */
  mail: DocumentMail
  /** The URL that others know this server by. */
  issuer: () => string
}

export function quotationService(the: Needs) {
  const deps = documentDeps<QuotationHead, Needs>(the, quotations)
  const documents = documentsOf(deps)
  const { db } = deps
  const { load, get, changeStatus } = documents
  /** Counts a change that is no edit. */
  const noteFigure = (tx: Tx, id: string, field: "link" | "salesOrder"): void => {
    const [row] = db
      .query<{ version: number }, [string, string]>(
        "UPDATE quotations SET change_count = change_count + 1, updated_at = ? WHERE id = ? RETURNING version",
      )
      .all(tx.now, id)
    if (row) noteFigures(tx, quotations, { id, version: row.version }, [field])
  }
  const links = linksOf({
    ...documents,
    db,
    settings: the.settings,
    issuer: the.issuer,
    note: (tx, id) => noteFigure(tx, id, "link"),
  })
  return {
    ...documents,
    ...links,
    related: { ...documents.related, salesOrder: the.salesOrders.asRelated },

    create: (tx: Tx, draft: Draft, caller: Caller): Quotation =>
      createQuotation(documents, tx, draft, caller),

    /** Sends a quotation by mail, as an operation of a batch. */
    send: sendOperation(the, quotations),

    /** Creates a new draft with the same lines. */
    duplicate(tx: Tx, id: string, caller: Caller): Quotation {
      const { head, lines } = load(id)
      const { digits } = deps.moneyContext()
      const { draft, ...copied } = copy(quotations, head, lines, digits, { terms: head.terms })
      return createQuotation(documents, tx, draft, caller, copied)
    },

    /** Makes a draft order of a quotation, once. One that was not accepted yet is accepted with it. */
    order(tx: Tx, id: string, prepared: unknown, caller: Caller): SalesOrder {
      const { salesOrder } = get(id)
      const { head: before } = load(id)
      assertOrderable(before, salesOrder)
      if (before.status === "sent")
        changeStatus(tx, id, { status: "accepted", reason: null, override: false, prepared, caller })
      const { head, lines } = load(id)
      const source = { ...head, keepsInactive: true }
      const order = the.salesOrders.createCopy(tx, source, lines, caller, { quotation: id })
      noteFigure(tx, id, "salesOrder")
      tx.audit("quotations.order", id, { salesOrder: { from: null, to: order.id } })
      return order
    },

    /** Notes that the order of a quotation is gone. */
    noteOrder: (tx: Tx, id: string): void => noteFigure(tx, id, "salesOrder"),

    /** Makes a draft a quotation that was sent. Others stay as they are. */
    markSent(tx: Tx, id: string): void {
      const before = load(id)
      if (before.head.status !== "draft") return
      const sent = () => ({ head: sentHead(deps, tx, before.head) })
      moveStatus(documents, tx, before, { status: "sent", reason: null }, sent)
    },

    /** Stores the answer of the customer on the public page. */
    answer: (tx: Tx, id: string, answer: Answer): boolean => answerTo(documents, tx, load(id), answer),
  }
}

const documentsOf = (deps: DocumentDeps<QuotationHead>) =>
  documentService<QuotationHead, Line, Quotation>(quotationDocument, effectsOf(deps), deps)

export type QuotationService = ReturnType<typeof quotationService>

type Documents = ReturnType<typeof documentsOf>

function createQuotation(
  documents: Documents,
  tx: Tx,
  draft: Draft,
  caller: Caller,
  copied?: Omit<Copy, "draft">,
): Quotation {
  const { values, extras } = draft
  const { today } = documents.moneyContext(tx.now)
  const quotationDate = String(values.quotationDate ?? today)
  warnOfDate(tx.warnings, "quotationDate", quotationDate, today)
  const check = () => validityErrors(quotationDate, values.validUntil)
  const contents = readContents(documents, tx, draft, check, copied?.source)
  const { customer, lines } = contents
  const usualTerms = customer.paymentTerms ?? documents.settings().defaultPaymentTerms
  const paymentTerms = copied?.paymentTerms === null ? null : usualTerms
  const { number, series, counter } = documents.nextNumber(tx, quotations, quotationDate)
  const head: QuotationHead = {
    ...newHead(documents, tx, contents, caller),
    status: "draft",
    customerName: customer.name,
    quotationNumber: number,
    numberSeries: series,
    numberCounter: counter,
    revision: 1,
    quotationDate,
    validUntil: (values.validUntil ?? null) as string | null,
    paymentTerms: (values.paymentTerms as string | null) ?? paymentTerms,
    terms: (values.terms ?? null) as string | null,
    language: null,
    sentAt: null,
    acceptedAt: null,
    acceptedBy: null,
    acceptedReference: null,
    acceptedIp: null,
    acceptedRevision: null,
    acceptedPdfHash: null,
    declinedAt: null,
    withdrawnAt: null,
    reason: null,
  }
  const created = documents.create(tx, { head, lines })
  if (extras.status !== "sent") return created
  return documents.changeStatus(tx, head.id, { status: "sent", reason: null, override: false, caller })
}

/** Quotations change nothing else: no stock, no balance. */
const effectsOf = (deps: DocumentDeps<QuotationHead>): Effects<QuotationHead, Line> => ({
  beside(heads) {
    const links = findLinks(
      deps.db,
      heads.map(({ id }) => id),
      business.now(),
    )
    return ({ id }) => ({ link: links.get(id) ?? null })
  },
  ofNew: { link: null },
  fill(change, { today }) {
    if ("quotationDate" in change) change.quotationDate ??= today
  },
  settle(revision) {
    const { before, change, differing, moved } = revision
    warnOfMovedDate(revision, "quotationDate", deps.moneyContext().today)
    if (isRevision(before.status, differing)) change.revision = before.revision + 1
    if (before.status === "sent" && moved) change.language = languageOf(deps, moved)
    const { quotationDate, validUntil } = { ...before, ...change }
    return validityErrors(quotationDate, validUntil)
  },
  partyOf: ({ name }) => ({ customerName: name }),
  become: {
    sent: (tx, { head }) => ({ head: sentHead(deps, tx, head) }),
    accepted(tx, { head }, { given = {}, prepared }) {
      const proof = assertProof(head, prepared)
      const by = {
        acceptedBy: (given.acceptedBy as string | null | undefined) ?? null,
        acceptedReference: (given.reference as string | null | undefined) ?? null,
        acceptedIp: null,
      }
      return { head: acceptedHead(tx, head, by, proof), changes: acceptance(by, proof) }
    },
    declined: (tx, { head }, { reason }) => ({ head: declinedHead(tx, head, reason) }),
    withdrawn: (tx, { head }, { reason }) => ({
      head: { ...head, status: "withdrawn", withdrawnAt: tx.now, reason },
    }),
  },
  assertDeletable,
})

type Deps = DocumentDeps<QuotationHead>

/** The language of the customer is that of the PDF from now on, so that an acceptance always names the same PDF. */
const sentHead = (deps: Deps, tx: Tx, head: QuotationHead): QuotationHead => ({
  ...head,
  status: "sent",
  sentAt: tx.now,
  language: languageOf(deps, deps.customers.forDocument(head.customer)),
})

const languageOf = ({ settings }: Deps, customer: DocumentCustomer | null): Language =>
  customer?.language ?? settings().defaultLanguage

const declinedHead = (tx: Tx, head: QuotationHead, reason: string | null): QuotationHead => ({
  ...head,
  status: "declined",
  declinedAt: tx.now,
  reason,
})

type By = Pick<QuotationHead, "acceptedBy" | "acceptedReference" | "acceptedIp">

const acceptedHead = (tx: Tx, head: QuotationHead, by: By, { revision, sha256 }: Proof): QuotationHead => ({
  ...head,
  ...by,
  status: "accepted",
  acceptedAt: tx.now,
  acceptedRevision: revision,
  acceptedPdfHash: sha256,
})

/** What the audit log says of an acceptance. */
const acceptance = ({ acceptedBy, acceptedReference }: By, { revision, sha256 }: Proof) => ({
  acceptedBy: { from: null, to: acceptedBy },
  ...(acceptedReference === null ? {} : { acceptedReference: { from: null, to: acceptedReference } }),
  acceptedRevision: { from: null, to: revision },
  acceptedPdfHash: { from: null, to: sha256 },
})

/** The PDF was drawn before this write. Another edit may have come between. */
function assertProof(head: QuotationHead, prepared: unknown): Proof {
  const proof = prepared as Proof | undefined
  if (proof?.revision === head.revision) return proof
  throw new Refusal("SERVICE_UNAVAILABLE", `${nameOf(head)} was changed at the same moment. Try again.`, {
    headers: { "retry-after": "1" },
  })
}

/**
 * Stores the answer of the customer, who has seen a certain revision. Returns false if the quotation has another one by now,
 * was answered already or has expired: then the page shows what is true now.
 */
function answerTo(documents: Documents, tx: Tx, before: QuotationDoc, answer: Answer): boolean {
  const { head } = before
  const revision = answer.isAccepted ? answer.proof.revision : answer.revision
  const { today } = documents.moneyContext(tx.now)
  if (head.status !== "sent" || head.revision !== revision || isExpired(head, today)) return false
  if (answer.isAccepted) {
    const { name, ip, proof } = answer
    const by = { acceptedBy: name, acceptedReference: null, acceptedIp: ip }
    moveStatus(documents, tx, before, { status: "accepted", reason: null }, () => ({
      head: acceptedHead(tx, head, by, proof),
      changes: acceptance(by, proof),
    }))
  } else {
    const { reason } = answer
    const declined = () => ({ head: declinedHead(tx, head, reason) })
    moveStatus(documents, tx, before, { status: "declined", reason }, declined)
  }
  return true
}
