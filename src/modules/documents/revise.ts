import type { Tx } from "../../db/writer"
import { assertNoErrors, type FieldError } from "../../lib/refusal"
import { changesOf } from "../../resource/changes"
import { takenErrors } from "../../resource/crud"
import type { RecordOf, Resource, Shared } from "../../resource/define"
import { readChange, type Input } from "../../resource/read"
import { assertVersion, type Expected } from "../../resource/tag"
import { taxesOf, totalsOf } from "../../shared/money"
import type { Doc, Head, Revision, Values } from "./kind"
import { readLines, sameLines, totalErrors, warnOfLines } from "./lines"
import { readOnlyParts, type GivenLine, type Line } from "./model"
import { customerIdOf, readCustomer } from "./customer"
import { assertUnlocked } from "./rules"
import type { Documents } from "./documents"

/** Updates a document. Throws an error that names each field that is invalid, or that its status locks. */
export function reviseDocument<H extends Head, L extends Line, R extends object>(
  documents: Documents<H, L, R>,
  tx: Tx,
  id: string,
  given: Input,
  expected: Expected,
): R {
  const { kind, effects, load, get, moneyContext } = documents
  const before = load(id)
  const shown = get(id)
  assertVersion(before.head, expected)
  const errors: FieldError[] = []
  const input = withCustomer(documents, given, errors)
  const change = readChange(kind.resource, shown as RecordOf<Resource> & Shared, input, errors, tx.warnings)
  const lines = reviseLines(documents, tx, before, { given: takeLines(change), input, shown, errors })
  effects.fill(change, moneyContext(tx.now))
  const differing = differingFields(change, shown)
  const linesDiffer = lines !== null && !sameLines(lines, before.lines)
  if (linesDiffer) differing.push("items")
  // Locked fields are checked before other errors are reported: a new value of a locked field returns DOCUMENT_LOCKED,
  // even if the value is invalid.
  assertUnlocked(kind.editable[before.head.status as H["status"]], documents.named(before.head), differing)
  const found = { before: before.head, input, change, differing, moved: null, warnings: tx.warnings }
  const revision = settle(documents, found, errors)
  errors.push(...takenErrors(kind.resource, documents.store, change, id))
  const counted = linesDiffer ? count(documents, tx, lines, errors) : null
  assertNoErrors(errors, `The ${kind.resource.noun} has invalid values.`)
  if (differing.length === 0) return shown
  const head = revisedHead(documents, tx, revision, counted?.totals ?? null)
  documents.save(tx, before, { head, lines: lines ?? before.lines }, counted?.taxes ?? null)
  const after = get(id)
  tx.audit(`${kind.resource.name}.update`, id, changesOf(kind.resource, shown as Values, after as Values))
  return after
}

/** Replaces `customerExternalId` with the id of the customer. */
function withCustomer<H extends Head, L extends Line, R>(
  { customers }: Documents<H, L, R>,
  input: Input,
  errors: FieldError[],
): Input {
  if (!Object.hasOwn(input, "customerExternalId")) return input
  const { customerExternalId, ...rest } = input
  const customer = customerIdOf(customers, { customer: rest.customer, customerExternalId }, errors)
  return customer === undefined ? rest : { ...rest, customer }
}

/** Removes the lines from an update and returns them, because they are in a separate table. */
function takeLines(change: Values): GivenLine[] | undefined {
  const given = change.items as GivenLine[] | undefined
  delete change.items
  return given
}

type GivenLines = { given: GivenLine[] | undefined; input: Input; shown: object; errors: FieldError[] }

/** Returns the new lines, or null when the body does not contain lines. */
function reviseLines<H extends Head, L extends Line, R>(
  { kind, items: itemService, moneyContext }: Documents<H, L, R>,
  tx: Tx,
  before: Doc<H, L>,
  { given, input, shown, errors }: GivenLines,
): L[] | null {
  const { items: shownLines } = shown as { items: { id: string }[] }
  warnOfLines(tx, input.items, shownLines, [...readOnlyParts, ...kind.ownParts])
  if (!given) return null
  const { digits } = moneyContext(tx.now)
  const reading = { before: before.lines, idPrefix: kind.lineIdPrefix, now: tx.now, digits, errors }
  return readLines(itemService, given, reading).map((line) =>
    kind.withOwnPart(
      line,
      before.lines.find(({ id }) => id === line.id),
    ),
  )
}

const differingFields = (change: Values, shown: object): string[] =>
  Object.keys(change).filter((name) => !Bun.deepEquals(change[name], shown[name as keyof object]))

/** Looks up the customer, and lets the kind set the fields that depend on the update. */
function settle<H extends Head, L extends Line, R>(
  { customers, effects }: Documents<H, L, R>,
  revision: Revision<H>,
  errors: FieldError[],
): Revision<H> {
  const { before, change, differing } = revision
  const customer = readCustomer(customers, change.customer ?? before.customer, before.customer, errors)
  const moved = differing.includes("customer") ? customer : null
  // With a new customer, the document gets the customer's payment terms, unless the body sets them.
  if (moved && !("paymentTerms" in change)) change.paymentTerms = moved.paymentTerms
  const settled = { ...revision, moved }
  errors.push(...effects.settle(settled))
  return settled
}

function count<H extends Head, L extends Line, R>(
  { moneyContext }: Documents<H, L, R>,
  tx: Tx,
  lines: readonly L[],
  errors: FieldError[],
) {
  const taxes = taxesOf(lines)
  const totals = totalsOf(lines, taxes)
  errors.push(...totalErrors(totals, moneyContext(tx.now).digits))
  return { taxes, totals }
}

const revisedHead = <H extends Head, L extends Line, R>(
  { effects }: Documents<H, L, R>,
  tx: Tx,
  { before, change, moved }: Revision<H>,
  totals: ReturnType<typeof totalsOf> | null,
): H => ({
  ...before,
  ...change,
  ...(moved ? effects.partyOf(moved) : {}),
  ...totals,
  ...(totals ? effects.retotal(totals) : {}),
  version: before.version + 1,
  updatedAt: tx.now,
})
