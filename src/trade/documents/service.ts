import type { Tx } from "../../core/write/writer"
import { related } from "../../core/http/answer/expand"
import { settled, whenDone } from "../../core/lib/turns"
import { changesOf } from "../../core/kind/changes"
import type { ListQuery } from "../../core/store/list"
import type { ValueCounts } from "../../core/store/values"
import { type Input, readChange } from "../../core/kind/read"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { count, createDocument, type NewDocument, priceSense, shippingAddressOf, taxRulesOf } from "./create"
import { completer, type DocumentDeps, type Documents, documentsOf } from "./documents"
import type { Counted, Doc, DocumentKind, Effects, Head, Revision, StatusRequest, Values } from "./kind"
import { type GivenLine, type Line, readOnlyParts } from "./model"
import { changeStatus } from "./status"
import { assertNoErrors, type FieldError } from "../../core/lib/refusal"
import { takenErrors } from "../../core/store/crud"
import type { Warning } from "../../core/lib/warning"
import type { RecordOf, Resource, Shared } from "../../core/kind/define"
import { fromUnits, priceDigits } from "../../shared/decimal"
import type { DocumentCustomer } from "../needs"
import type { PriceSense } from "../../shared/documents/line"
import { discountChange, takeDiscount } from "./discount"
import { readLines, sameLines, warnOfLines } from "./lines"
import { readCustomer } from "./customer"
import { assertUnlocked } from "./rules"

/** The functions that all kinds of documents share. A kind consists of its description, transitions and effects. */
export function documentService<H extends Head, L extends Line, R extends { id: string; version: number }>(
  kind: DocumentKind<H, L>,
  effects: Effects<H, L>,
  deps: DocumentDeps<H>,
) {
  const documents = documentsOf<H, L, R>(kind, effects, deps)
  const { store, load, get } = documents
  const completeAll = completer<H, L, R>(kind, effects, deps)
  const findMany = async (ids: readonly string[], signal: AbortSignal | null) =>
    settled(completeAll(await store.findMany(ids, signal)), signal)
  return {
    ...documents,
    /** Returns the stored head of a document, or null. */
    findHead: (id: string): H | null => store.load(id),

    /** The customer and the items of documents, for `expand`. */
    related: {
      customer: deps.customers.asRelated,
      "items.item": deps.items.asRelated,
    },

    /** Returns the id of the document with this value of a unique field, or null. */
    findId: (name: string, value: string): string | null => store.findId(name, value),

    list: (query: ListQuery) =>
      whenDone(store.list(query), (page) => whenDone(completeAll(page.rows), (rows) => ({ ...page, rows }))),
    values: (query: ListQuery, name: string, signal: AbortSignal | null): Promise<ValueCounts> =>
      store.values(query, name, signal),
    findMany,
    /** For `expand` of what refers to these documents. */
    asRelated: related(kind.resource, { findMany }),

    create: (tx: Tx, made: NewDocument<H, L>): R => createDocument(documents, tx, made),
    update: (tx: Tx, id: string, input: Input, expected: Expected): R =>
      reviseDocument(documents, tx, id, input, expected),
    changeStatus: (tx: Tx, id: string, request: StatusRequest<H["status"]>, expected: Expected = null): R =>
      changeStatus(documents, tx, id, request, expected),

    remove(tx: Tx, id: string, expected: Expected): void {
      const { head } = load(id)
      assertVersion(head, expected)
      effects.assertDeletable(head)
      const before = get(id)
      effects.unbook?.(tx, head)
      store.remove(tx, id)
      tx.audit(`${kind.resource.name}.delete`, id, changesOf(kind.resource, before, null))
    },
  }
}

/** Updates a document. Throws an error that names each field that is invalid, or that its status locks. */
function reviseDocument<H extends Head, L extends Line, R extends object>(
  documents: Documents<H, L, R>,
  tx: Tx,
  id: string,
  input: Input,
  expected: Expected,
): R {
  const { kind, effects, load, get, moneyContext } = documents
  const before = load(id)
  const shown = get(id)
  assertVersion(before.head, expected)
  const errors: FieldError[] = []
  const change = readChange(kind.resource, shown as RecordOf<Resource> & Shared, input, errors, tx.warnings)
  if (change.discountAmount === null) change.discountAmount = 0
  const party = partyAfter(documents, before.head, change, { errors, warnings: tx.warnings })
  const lines = reviseLines(documents, tx, before, { change, party, input, shown, errors })
  effects.fill?.(change, moneyContext(tx.now))
  const differing = differingFields(change, shown)
  const { digits } = moneyContext(tx.now)
  const discount = discountChange({ ...before.head, ...before }, takeDiscount(change), party.sense, digits)
  const linesDiffer = lines !== null && !sameLines(lines, before.lines)
  const isRecounted = linesDiffer || differing.some((name) => ofDiscount.includes(name))
  if (linesDiffer) differing.push("items")
  // Locked fields are checked before other errors are reported: a new value of a locked field returns DOCUMENT_LOCKED,
  // even if the value is invalid.
  assertUnlocked(kind.editable[before.head.status as H["status"]], documents.named(before.head), differing)
  const found = { before: before.head, input, change, differing, moved: party.moved, warnings: tx.warnings }
  settle(documents, found, errors)
  errors.push(...takenErrors(kind.resource, documents.store, change, id))
  const { includesTax } = party.sense
  const counting = { ...party, includesTax, discount }
  const counted = isRecounted ? count(documents, lines ?? before.lines, counting, errors) : null
  assertNoErrors(errors, `The ${kind.resource.noun} has invalid values.`)
  if (differing.length === 0) return shown
  const head = revisedHead(documents, tx, found, counted)
  documents.save(tx, before, { head, lines: counted?.lines ?? before.lines })
  const after = get(id)
  tx.audit(`${kind.resource.name}.update`, id, changesOf(kind.resource, shown as Values, after as Values))
  return after
}

const ofDiscount: readonly string[] = ["discount", "discountAmount"]

/** The customer of an updated document, and what follows from it for prices and tax. */
type PartyAfter = {
  customer: DocumentCustomer | null
  /** The new customer, if the update changes the customer. */
  moved: DocumentCustomer | null
  sense: PriceSense
  /** True when lines are taxed again, because the customer has another treatment than the lines were taxed by. */
  isRetaxed: boolean
}

function partyAfter<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  before: H,
  change: Values,
  { errors, warnings }: { errors: FieldError[]; warnings: Warning[] },
): PartyAfter {
  const { customers, kind } = documents
  const isOpen = kind.editable[before.status as H["status"]] === "all"
  const isAffected = isOpen && taxedBy.some((name) => name in change)
  const named = change.customer ?? before.customer
  const customer = readCustomer(customers, named, before.customer, { errors, warnings })
  if (customer && "customer" in change) change.customer = customer.id
  const isMoved = customer !== null && customer.id !== before.customer
  const isRetaxed = isAffected && customer !== null && customer.taxTreatment !== before.taxTreatment
  const asked = { given: change.pricesIncludeTax, stored: before.pricesIncludeTax, isRetaxed }
  const sense = priceSense(documents, customer, asked, errors)
  delete change.pricesIncludeTax
  if (sense.includesTax !== before.pricesIncludeTax) change.pricesIncludeTax = sense.includesTax
  if (isRetaxed) change.taxTreatment = customer.taxTreatment
  return { customer, moved: isMoved ? customer : null, sense, isRetaxed }
}

/** An update that contains one of these taxes the lines again if the customer has another treatment by now. */
const taxedBy = ["customer", "items", "pricesIncludeTax"]

/** Removes the lines from an update and returns them, because they are in a separate table. */
function takeLines(change: Values): GivenLine[] | undefined {
  const given = change.items as GivenLine[] | undefined
  delete change.items
  return given
}

type RevisedLines = { change: Values; party: PartyAfter; input: Input; shown: object; errors: FieldError[] }

/** Returns the new lines, or null when neither the body nor the customer changes them. */
function reviseLines<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  tx: Tx,
  before: Doc<H, L>,
  { change, party, input, shown, errors }: RevisedLines,
): L[] | null {
  const { kind, items, moneyContext } = documents
  const { items: shownLines } = shown as { items: { id: string }[] }
  const { customer, sense, isRetaxed } = party
  const isRecounted = isRetaxed || sense.includesTax !== before.head.pricesIncludeTax
  const given = takeLines(change) ?? (isRecounted ? before.lines.map(asGiven) : null)
  warnOfLines(tx, input.items, shownLines, [...readOnlyParts, ...kind.ownParts])
  if (!given) return null
  const { digits } = moneyContext(tx.now)
  const taxRules = taxRulesOf(documents, customer, isRetaxed)
  const stored = { before: before.lines, idPrefix: kind.lineIdPrefix, now: tx.now }
  return readLines(items, given, { ...stored, digits, sense, taxRules, errors }).map((line) =>
    kind.withOwnPart(
      line,
      before.lines.find(({ id }) => id === line.id),
    ),
  )
}

/** A stored line as a body gives it that changes nothing. */
const asGiven = ({ id, item, quantity }: Line): GivenLine => ({
  id,
  item,
  quantity: fromUnits(quantity, priceDigits),
  rate: null,
})

const differingFields = (change: Values, shown: object): string[] =>
  Object.keys(change).filter((name) => !Bun.deepEquals(change[name], shown[name as keyof object]))

/** Sets the fields that follow from another customer, and lets the kind set those that depend on the update. */
function settle<H extends Head, L extends Line, R>(
  { effects, settings }: Documents<H, L, R>,
  revision: Revision<H>,
  errors: FieldError[],
): void {
  const { change, moved } = revision
  // With a new customer, the document gets the customer's data, unless the body sets it.
  if (moved && !("paymentTerms" in change))
    change.paymentTerms = moved.paymentTerms ?? settings().defaultPaymentTerms
  if (moved && !("buyerReference" in change)) change.buyerReference = moved.buyerReference
  if (moved && !("shippingAddress" in change)) change.shippingAddress = shippingAddressOf(moved)
  errors.push(...(effects.settle?.(revision) ?? []))
}

const countedFields = <L>({ discount, taxes, totals }: Counted<L>) => ({ ...discount, taxes, ...totals })

const revisedHead = <H extends Head, L extends Line, R>(
  { effects }: Documents<H, L, R>,
  tx: Tx,
  { before, change, moved }: Revision<H>,
  counted: Counted<L> | null,
): H => ({
  ...before,
  ...change,
  ...(moved ? effects.partyOf?.(moved) : {}),
  ...(counted ? { ...countedFields(counted), ...effects.retotal?.(counted.totals) } : {}),
  version: before.version + 1,
  updatedAt: tx.now,
})
