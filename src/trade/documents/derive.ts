// One document from another: an invoice from an order, a credit note from an invoice, an order from an order.
import { noteFigures } from "../../core/kind/record-events"
import type { Resource } from "../../core/kind/define"
import { type Draft, readDraft } from "../../core/kind/read"
import { assertNoErrors, fieldError, type FieldError, type Refusal, reporter } from "../../core/lib/refusal"
import type { Tx } from "../../core/write/writer"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import { applyTax, type Carried, taxKeyOf, type TaxSum, type Totals, totalsOf } from "../../shared/money"
import type { Source } from "./create"
import type { Documents } from "./documents"
import type { Doc, Head, Values } from "./kind"
import type { GivenLine, Line } from "./model"
import type { TakenTax } from "./store"

/** A quantity of a line, in 1/10000. */
export type Quantity = { quantity: number }

/** What a new document takes of a line of its source: a quantity, or what else its kind allows, such as an amount. */
export type Part<L, Other = never> = { line: L } & (Quantity | Other)

/**
 * How the documents of one kind are made from those of another. Each takes a part of what is left of the lines of its
 * source. `I` is a line of the body.
 */
export type Derivation<L extends { id: string } & Quantity, I, Other extends object = never> = {
  /** The new document in messages: "invoice". */
  noun: string
  /** The field by which a line of the body names its line of the source: `orderLine`. */
  lineField: keyof I & string
  /** What earlier documents have taken of a line, in 1/10000. */
  takenOf(line: L): number
  /** What may be taken of a line altogether, if that is not its quantity. */
  wholeOf?(line: L): number
  /** The whole and the taken quantity in messages and parameters: "ordered 5, invoiced 3, remaining 2". */
  words: readonly [whole: string, taken: string]
  /** Reads what a line of the body takes; null after an error. */
  read(item: I, at: string, errors: FieldError[]): Quantity | Other | null
  /** The error of taking more than is left in another way than by quantity. */
  overError?(line: L, part: Quantity | Other, at: string): FieldError | null
  /** The refusal to take more than is left of the source with this number. */
  refuseOver(number: string | null, details: FieldError[]): Refusal
}

type SourceLines<L> = { number: string | null; lines: readonly L[] }

/** Returns the parts that the lines of a body take of a source: without lines, all that is left. */
export function chooseParts<L extends { id: string } & Quantity, I, Other extends object = never>(
  derivation: Derivation<L, I, Other>,
  source: SourceLines<L>,
  items: readonly I[] | null,
  errors: FieldError[] = [],
): Part<L, Other>[] {
  const leftOf = (line: L) => Math.max(0, wholeOf(derivation, line) - derivation.takenOf(line))
  if (!items)
    return source.lines.filter((line) => leftOf(line) > 0).map((line) => ({ line, quantity: leftOf(line) }))
  const over: FieldError[] = []
  const parts = items.flatMap((item, i): Part<L, Other>[] => {
    const at = `items[${i}]`
    const line = namedLine(derivation.lineField, source, items, i, errors)
    const part = derivation.read(item, at, errors)
    if (!line || !part) return []
    if ("quantity" in part && part.quantity > leftOf(line)) over.push(overQuantity(derivation, line, at))
    const other = derivation.overError?.(line, part, at)
    if (other) over.push(other)
    return [{ line, ...part }]
  })
  assertNoErrors(errors, `The ${derivation.noun} has invalid values.`)
  if (over.length > 0) throw derivation.refuseOver(source.number, over)
  return parts
}

const wholeOf = <L extends { id: string } & Quantity, I, Other extends object>(
  derivation: Derivation<L, I, Other>,
  line: L,
): number => derivation.wholeOf?.(line) ?? line.quantity

/** Reads the quantity of a line of a body. */
export const quantityIn = ({ quantity }: Quantity): Quantity => ({
  quantity: toUnits(quantity, priceDigits) ?? 0,
})

/** Returns the line of the source that a line of a body names. */
function namedLine<L extends { id: string }, I>(
  field: keyof I & string,
  { number, lines }: SourceLines<L>,
  items: readonly I[],
  i: number,
  errors: FieldError[],
): L | undefined {
  const id: unknown = items[i]?.[field]
  // An invalid value has its error already.
  if (typeof id !== "string") return undefined
  const line = lines.find((each) => each.id === id)
  const error = reporter(errors, `items[${i}].${field}`)
  if (!line) error("NOT_FOUND", `is not a line of ${number}`, { value: id.slice(0, 64), number })
  else if (items.findIndex((each) => each[field] === id) < i)
    error("RULE", "is given more than once", { rule: "REPEATED" })
  return line
}

function overQuantity<L extends { id: string } & Quantity, I, Other extends object>(
  derivation: Derivation<L, I, Other>,
  line: L,
  at: string,
): FieldError {
  const plain = (units: number) => fromUnits(units, priceDigits)
  const [whole, taken] = derivation.words
  const [all, before] = [wholeOf(derivation, line), derivation.takenOf(line)]
  const figures = { [whole]: plain(all), [taken]: plain(before) }
  const max = plain(Math.max(0, all - before))
  const said = Object.entries({ ...figures, remaining: max }).map(([word, figure]) => `${word} ${figure}`)
  return fieldError(`${at}.quantity`, "TOO_LARGE", said.join(", "), { max, ...figures })
}

/** What the earlier documents from a source contain. */
export type Earlier<L> = {
  /** The money that they have of a line, with tax if the prices include it. */
  chargedOf(line: L): number
  /** Their tax per category and rate. */
  taxes: readonly TakenTax[]
  /** The taxes of the source, if they do not follow from its lines: an invoice may itself be a part of an order. */
  whole?: readonly TaxSum[]
}

/**
 * Computes the amounts of a document from the lines that it takes. The tax per category and rate is that of everything
 * up to this document, minus that of the earlier ones. So for any split, the documents add up to their source, to the
 * last minor unit.
 */
export function amountsOf<L extends Line, N extends Line>(
  { head: { pricesIncludeTax }, lines: whole }: Doc<Pick<Head, "pricesIncludeTax">, L>,
  taken: readonly Omit<N, "grossAmount">[],
  earlier: Earlier<L>,
): { lines: N[]; taxes: TaxSum[]; totals: Totals } {
  const gross = taken.map((line) => ({ ...line, grossAmount: pricesIncludeTax ? line.amount : null }) as N)
  const { lines, taxes } = applyTax(gross, pricesIncludeTax, carriedBy(whole, earlier, pricesIncludeTax))
  return { lines: [...lines], taxes, totals: totalsOf(lines, taxes) }
}

/** Returns what the earlier documents contain per category and rate. */
function carriedBy<L extends Line>(
  lines: readonly L[],
  { chargedOf, taxes, whole = [] }: Earlier<L>,
  includesTax: boolean,
): Map<string, Carried> {
  const taxOf = new Map(taxes.map((each) => [taxKeyOf(each), each.tax]))
  const wholeOf = new Map(
    whole.map(({ category, rate, base, tax }) => [
      taxKeyOf({ taxCategory: category, taxRate: rate }),
      { charged: includesTax ? base + tax : base, tax },
    ]),
  )
  const groups = Map.groupBy(lines, taxKeyOf)
  return new Map(
    [...groups].map(([key, group]) => {
      const charged = group.reduce((sum, line) => sum + chargedOf(line), 0)
      return [key, { charged, tax: taxOf.get(key) ?? 0, whole: wholeOf.get(key) }]
    }),
  )
}

/** What a document adds to the figures of a line of its source. One that is cancelled adds negative numbers. */
export type Taken<L> = { id: string; figures: Partial<Record<keyof L, number>> }

type Taking<H, L> = {
  taken: readonly Taken<L>[]
  /** Returns the sums and the status that follow from the new lines; null if the caller stores the head. */
  headBy: ((lines: readonly L[]) => Partial<H>) | null
  /** The field of the source that lists the new document; null if that list stays the same. */
  list: string | null
}

/** Stores in a source what a document has taken of its lines: in the lines, in its sums and in its status. */
export function take<H extends Head, L extends Line, R>(
  { db, kind, save }: Documents<H, L, R>,
  tx: Tx,
  before: Doc<H, L>,
  { taken, headBy, list }: Taking<H, L>,
): void {
  const { resource } = kind
  const byId = new Map(taken.map((each) => [each.id, each]))
  const lines = before.lines.map((line) => raised(line, byId.get(line.id)))
  if (headBy) {
    const change = { ...headBy(lines), version: before.head.version + 1, updatedAt: tx.now }
    const head: H = { ...before.head, ...change }
    save(tx, before, { head, lines })
    const [from, to] = [before.head.status, head.status]
    if (from !== to) tx.audit(`${resource.name}.status`, head.id, { status: { from, to } })
  } else kind.lines.replace(db, before.head.id, lines, before.lines)
  if (list !== null) noteFigures(tx, resource, before.head, ["items", list])
}

const raised = <L extends Line>(line: L, taken: Taken<L> | undefined): L => {
  const sums = Object.entries<number | undefined>(taken?.figures ?? {}).map(([name, more = 0]) => [
    name,
    Number(line[name as keyof L]) + more,
  ])
  return taken ? { ...line, ...Object.fromEntries(sums) } : line
}

/** The stored contents of a document, which a copy takes over. */
export type Copied = Omit<Source, "lines"> & {
  customer: string
  paymentTerms: string | null
  buyerReference: string | null
  shippingAddress: unknown
  notes: string | null
}

/** A draft with the contents of another document. */
export type Copy = {
  draft: Draft
  /** How the other document is taxed. */
  source: Source
  /** Null also replaces the payment terms of the customer, which a body cannot say. */
  paymentTerms: string | null
}

/**
 * Copies the whole of a document to a draft of a kind. `more` are values that only this kind has. With `isPricedAnew`, lines
 * with an item get the price that it has now.
 */
export function copy(
  resource: Resource,
  document: Copied,
  lines: readonly Line[],
  digits: number,
  { isPricedAnew = false, ...more }: Values & { isPricedAnew?: boolean } = {},
): Copy {
  const { customer, paymentTerms, pricesIncludeTax, buyerReference, shippingAddress, notes } = document
  const contents = { customer, paymentTerms, pricesIncludeTax, buyerReference, shippingAddress, notes }
  const items = lines.map((line) => {
    const { rate, ...rest } = lineToDraft(line, digits)
    return isPricedAnew && line.item !== null ? rest : { ...rest, rate }
  })
  const draft = readDraft(resource, { ...contents, items, ...more })
  return { draft: withCopied(draft, lines, isPricedAnew), source: { ...document, lines }, paymentTerms }
}

/** Returns a line as a body gives it that creates the same line in another document, with `withCopied`. */
const lineToDraft = (line: Line, digits: number): GivenLine => ({
  ...(line.item === null ? { description: line.description, uom: line.uom } : { item: line.item }),
  quantity: fromUnits(line.quantity, priceDigits),
  rate: fromUnits(line.rate, priceDigits),
  ...(line.isDiscountAmount === 1
    ? { discountAmount: fromUnits(line.discountAmount, digits) }
    : { discount: fromUnits(line.discount, priceDigits) }),
  ...(hasNoCode(line) || line.hasOwnTaxCode === 1 ? { taxCode: line.taxCode } : {}),
})

/** True for a line without an item whose caller did not want the default tax code. */
const hasNoCode = ({ item, taxCode, taxCategory }: Line): boolean =>
  item === null && taxCode === null && taxCategory === null

/** Adds to the lines of a draft which line each of them copies: a copy keeps a tax code of its own. */
const withCopied = (draft: Draft, lines: readonly Line[], isPricedAnew: boolean): Draft => ({
  ...draft,
  values: {
    ...draft.values,
    items: (draft.values.items as GivenLine[]).map((line, i) => {
      const copied = lines[i] as Line
      // The body of a new line has a discount of 0 percent unless it sets one.
      return { ...line, copied, isPricedAnew, discount: copied.isDiscountAmount === 1 ? null : line.discount }
    }),
  },
})
