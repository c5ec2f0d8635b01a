import type { Caller } from "../../../core/caller"
import type { Tx } from "../../../core/write/writer"
import { changesOf } from "../../../core/kind/changes"
import { type Input, readChange } from "../../../core/kind/read"
import { assertVersion, type Expected } from "../../../core/kind/tag"
import { count, priceSense, shippingAddressOf, taxRulesOf } from "../create"
import type { Documents } from "../documents"
import type { Counted, Doc, Head, Revision, Values } from "../kind"
import { type GivenLine, type Line, readOnlyParts } from "../model"
import { assertNoErrors, type FieldError } from "../../../core/lib/refusal"
import { takenErrors } from "../../../core/store/crud"
import type { Warning } from "../../../core/lib/warning"
import type { RecordOf, Resource, Shared } from "../../../core/kind/define"
import type { DocumentCustomer } from "../../needs"
import type { PriceSense } from "../../../shared/documents/line"
import type { TaxTreatment } from "../../../shared/documents/tax"
import { discountChange, takeDiscount } from "../discount"
import { readLines, sameLines, warnOfLines } from "../lines"
import { readCustomer } from "../customer"
import { assertUnlocked } from "../rules"
import { asGiven, assertHeld, type Held, resizeHeld, withoutHeld } from "./held"

/** Updates a document. Throws an error that names each field that is invalid, or that its status locks. */
export function reviseDocument<H extends Head, L extends Line, R extends object>(
  documents: Documents<H, L, R>,
  tx: Tx,
  id: string,
  { input: given, expected, caller }: { input: Input; expected: Expected; caller: Caller },
): R {
  const { kind, effects, load, get, moneyContext } = documents
  const before = load(id)
  const shown = get(id)
  assertVersion(before.head, expected)
  const errors: FieldError[] = []
  const { input, override } = takeOverride(kind.resource, given, errors)
  const change = readChange(kind.resource, shown as RecordOf<Resource> & Shared, input, errors, tx.warnings)
  if (change.discountAmount === null) change.discountAmount = 0
  const held = effects.held?.(tx, before) ?? null
  const party = partyAfter(documents, before.head, change, { errors, warnings: tx.warnings })
  const revised = reviseLines(documents, tx, before, { change, party, input, shown, held, errors })
  const { lines } = revised
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
  assertHeld(held, differing, revised.kept)
  const found = { before: before.head, input, change, differing, moved: party.moved, warnings: tx.warnings }
  settle(documents, found, errors)
  errors.push(...takenErrors(kind.resource, documents.store, change, id))
  const { includesTax } = party.sense
  const counting = { ...party, includesTax, discount, held }
  const counted = isRecounted ? count(documents, lines ?? before.lines, counting, errors) : null
  assertNoErrors(errors, `The ${kind.resource.noun} has invalid values.`)
  if (differing.length === 0) return shown
  const head = revisedHead(documents, tx, found, counted)
  const after = { head, lines: counted?.lines ?? before.lines }
  const settled = effects.revised?.(tx, before, after, { differing, override, caller })
  documents.save(tx, before, { ...after, head: settled?.head ?? head })
  const saved = get(id)
  const changes = { ...changesOf(kind.resource, shown as Values, saved as Values), ...settled?.changes }
  tx.audit(`${kind.resource.name}.update`, id, changes)
  const [from, to] = [before.head.status, settled?.head.status ?? before.head.status]
  if (from !== to) tx.audit(`${kind.resource.name}.status`, id, { status: { from, to } })
  return saved
}

/** Takes the request to override the credit limit out of a body, if those of its kind may have it. */
function takeOverride({ onUpdate }: Resource, given: Input, errors: FieldError[]) {
  const field = onUpdate?.override
  if (!field || !Object.hasOwn(given, "override")) return { input: given, override: false }
  const { override, ...input } = given
  const read = override === null ? false : field.read(override, "override", errors, "update")
  return { input, override: read === true }
}

const ofDiscount: readonly string[] = ["discount", "discountAmount"]

/** The customer of an updated document, and what follows from it for prices and tax. */
type PartyAfter = {
  customer: DocumentCustomer | null
  /** The new customer, if the update changes the customer. */
  moved: DocumentCustomer | null
  sense: PriceSense
  /** The treatment by which new lines are taxed. */
  treatment: TaxTreatment
  /** True when lines are taxed again, because the customer has another treatment than the lines were taxed by. */
  isRetaxed: boolean
}

function partyAfter<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  before: H,
  change: Values,
  { errors, warnings }: { errors: FieldError[]; warnings: Warning[] },
): PartyAfter {
  const { customers, effects, kind } = documents
  const isOpen = kind.editable[before.status as H["status"]] === "all"
  const named = change.customer ?? before.customer
  const customer = readCustomer(customers, named, before.customer, { errors, warnings })
  if (customer && "customer" in change) change.customer = customer.id
  const isMoved = customer !== null && customer.id !== before.customer
  const keepsTax = !isMoved && (effects.keepsTax?.(before) ?? false)
  const isAffected = isOpen && !keepsTax && taxedBy.some((name) => name in change)
  const isRetaxed = isAffected && customer !== null && customer.taxTreatment !== before.taxTreatment
  const asked = { given: change.pricesIncludeTax, stored: before.pricesIncludeTax, isRetaxed }
  const sense = priceSense(documents, customer, asked, errors)
  delete change.pricesIncludeTax
  if (sense.includesTax !== before.pricesIncludeTax) change.pricesIncludeTax = sense.includesTax
  if (isRetaxed) change.taxTreatment = customer.taxTreatment
  const treatment = (keepsTax ? before.taxTreatment : customer?.taxTreatment) ?? "domestic"
  return { customer, moved: isMoved ? customer : null, sense, treatment, isRetaxed }
}

/** An update that contains one of these taxes the lines again if the customer has another treatment by now. */
const taxedBy = ["customer", "items", "pricesIncludeTax"]

/** Removes the lines from an update and returns them, because they are in a separate table. */
function takeLines(change: Values): GivenLine[] | undefined {
  const given = change.items as GivenLine[] | undefined
  delete change.items
  return given
}

type RevisedLines<L> = {
  change: Values
  party: PartyAfter
  input: Input
  shown: object
  held: Held<L> | null
  errors: FieldError[]
}

/**
 * Returns the new lines, or null when neither the body nor the customer changes them, and what the body must not change in
 * lines that are held.
 */
function reviseLines<H extends Head, L extends Line, R>(
  documents: Documents<H, L, R>,
  tx: Tx,
  before: Doc<H, L>,
  { change, party, input, shown, held, errors }: RevisedLines<L>,
): { lines: L[] | null; kept: FieldError[] } {
  const { kind, items, moneyContext } = documents
  const { items: shownLines } = shown as { items: { id: string }[] }
  const { customer, sense, treatment, isRetaxed } = party
  const isRecounted = isRetaxed || sense.includesTax !== before.head.pricesIncludeTax
  const given = takeLines(change) ?? (isRecounted ? before.lines.map(asGiven) : null)
  warnOfLines(tx, input.items, shownLines, [...readOnlyParts, ...kind.ownParts])
  if (!given) return { lines: null, kept: [] }
  const { digits, currency } = moneyContext(tx.now)
  const taxRules = { ...taxRulesOf(documents, customer, isRetaxed), treatment }
  const stored = { before: before.lines, idPrefix: kind.lineIdPrefix, now: tx.now }
  const asRead = held ? given.map((line) => withoutHeld(line, before.lines, held)) : given
  const read = readLines(items, asRead, { ...stored, digits, currency, sense, taxRules, errors }).map(
    (line) =>
      kind.withOwnPart(
        line,
        before.lines.find(({ id }) => id === line.id),
      ),
  )
  return held ? resizeHeld(read, given, before.lines, { held, digits }) : { lines: read, kept: [] }
}

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
