import type { Tx } from "../../core/write/writer"
import { newId } from "../../core/lib/id"
import { fieldError, type FieldError, missingReference } from "../../core/lib/refusal"
import { readOnlyWarning } from "../../core/lib/warning"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import {
  type Figures,
  figuresBy,
  keptDiscount,
  type PriceSense,
  taxOfLine,
  type TaxRules,
  usualRate,
} from "../../shared/documents/line"
import { type Discount, noDiscount } from "../../shared/documents/discount"
import { fullAmount, isExact, type Totals } from "../../shared/money"
import type { Items, SoldItem, TaxCodes } from "../needs"
import { chosenDiscount } from "./discount"
import type { GivenLine, Line } from "./model"
import { mismatch } from "./rules"

/** How lines are taxed, and which tax codes they may name. */
export type LineTaxRules = TaxRules & Pick<TaxCodes, "choiceErrors">

export type Reading = {
  /** The stored lines. A line of the body that has the id of one of them replaces it and has the same id. */
  before: readonly Line[]
  idPrefix: string
  now: string
  digits: number
  currency: string
  sense: PriceSense
  taxRules: LineTaxRules
  errors: FieldError[]
  /** True when lines that copy others may have the inactive items of those. */
  keepsInactive?: boolean
}

/**
 * Converts the lines of a body to stored lines: looks up items and tax codes, sets default rates and computes amounts.
 * In a document whose prices include tax, `amount` is still to be set, and in all the discount of the document: only
 * unchanged lines have their share in it.
 */
export function readLines(items: Items, given: readonly GivenLine[], reading: Reading): Line[] {
  const { before, errors } = reading
  const found = given.map((line, i) => {
    const at = `items[${i}]`
    const known = before.find(({ id }) => id === line.id)
    return { line, at, known, subject: subjectOf(line, known, at, errors) }
  })
  const sold = items.forLines(found.flatMap(({ subject }) => itemIn(subject) ?? []))
  assertLineIds(found, errors)
  const givenIds = new Set(given.map(({ id }) => id))
  return found.flatMap((each, i) => {
    if (!each.subject) return []
    const own: FieldError[] = []
    const item = soldItem(each as FoundLine, sold, reading.keepsInactive ?? false, own)
    const read = item === undefined ? null : readLine(each as FoundLine, item, { ...reading, errors: own })
    const same = before[i]
    // A line without an id that equals the stored line at its place is that line: a document that is sent again does
    // not change, and what has become inactive since may stay.
    const isStored = read && same && each.line.id == null && !givenIds.has(same.id)
    if (isStored && isSameLine(same, read, each.line))
      return [keptLine(same, read, reading.taxRules.isRetaxed)]
    errors.push(...own)
    return read ?? []
  })
}

/** What a line sells: an item, or something that only a description names. */
type Subject = { itemId: string } | { description: string }

/** Returns what a line of a body sells, or null after reporting an error. `known` is the stored line it replaces. */
function subjectOf(
  line: GivenLine,
  known: Line | undefined,
  at: string,
  errors: FieldError[],
): Subject | null {
  if (!isFree(line)) return itemOf(line, at, errors)
  // An invalid description has its error already.
  if (line.description === undefined && Object.hasOwn(line, "description")) return null
  const description = line.description ?? known?.description
  if (description != null) return { description }
  errors.push(
    fieldError(`${at}.item`, "REQUIRED", "is required, or a description for a line without an item"),
  )
  return null
}

/** True when a line names no item. An invalid value is undefined, and has its error already. */
const isFree = ({ item }: GivenLine): boolean => item === null

function itemOf({ item, description }: GivenLine, at: string, errors: FieldError[]): Subject | null {
  if (item == null) return null
  if (description != null)
    errors.push(
      fieldError(`${at}.description`, "RULE", "is only for a line without an item", {
        rule: "EXCLUSIVE",
        other: "item",
      }),
    )
  return { itemId: item }
}

/** A line of a body, with what it sells and the stored line it replaces. */
type FoundLine = { line: GivenLine; at: string; known: Line | undefined; subject: Subject }

const itemIn = (subject: Subject | null): string | null =>
  subject && "itemId" in subject ? subject.itemId : null

/** Returns the item of a line; null when it has none, and undefined after reporting that it does not exist. */
function soldItem(
  { line, at, known, subject }: FoundLine,
  sold: ReadonlyMap<string, SoldItem>,
  keepsInactive: boolean,
  errors: FieldError[],
): SoldItem | null | undefined {
  const itemId = itemIn(subject)
  if (itemId === null) return null
  const item = sold.get(itemId)
  const before = known ?? (keepsInactive ? line.copied : undefined)
  if (!item) errors.push(missingReference(`${at}.item`, itemId))
  else if (!item.isActive && before?.item !== itemId) errors.push(inactiveItem(`${at}.item`, item.itemCode))
  return item
}

function readLine(found: FoundLine, item: SoldItem | null, reading: Reading): Line | null {
  const { line, at, known } = found
  const { idPrefix, now, digits, currency, sense, taxRules, errors } = reading
  // A line that sells something else keeps only its id.
  const stays = known && known.item === (item?.id ?? null) ? known : undefined
  if (stays && isUnchanged(line, stays, reading)) return stays
  const about = aboutOf(found, item, stays, errors)
  const source = known ?? line.copied
  const taxed = stays ?? (line.copied?.hasOwnTaxCode === 1 ? line.copied : undefined)
  const tax = taxOf(line, taxed, item, `${at}.taxCode`, { taxRules, source, errors })
  const figures = figuresOf(line, stays ?? line.copied, item, at, { sense, digits, currency, errors })
  if (!figures) return null
  const grossAmount = sense.includesTax ? figures.amount : null
  const amounts = { ...figures, grossAmount, documentDiscount: 0 }
  return { id: known?.id ?? newId(idPrefix, now), ...about, ...amounts, ...tax }
}

/**
 * Returns the tax of a line of a body. `known` is the stored line with the same item: it keeps its tax. `source` is the
 * line before the update, or the line that is copied: its code is only sent back, and null takes it away.
 */
function taxOf(
  line: GivenLine,
  known: Line | undefined,
  item: SoldItem | null,
  field: string,
  { taxRules, source, errors }: { taxRules: LineTaxRules; source: Line | undefined; errors: FieldError[] },
): Pick<Line, "taxCode" | "taxCategory" | "taxRate" | "hasOwnTaxCode"> {
  const code = line.taxCode === source?.taxCode ? null : (line.taxCode ?? null)
  if (code !== null) errors.push(...taxRules.choiceErrors(field, code))
  // The null of a stored line without a code is only sent back.
  const isCleared = isTaxCodeCleared(line) && (line.copied !== undefined || source?.taxCode !== null)
  const stored = isCleared ? null : (known ?? null)
  const hasOwnCode = stored?.hasOwnTaxCode === 1
  const rules = isCleared ? { ...taxRules, defaultTaxCode: null } : taxRules
  const { from, ...tax } = taxOfLine({ code, stored, hasOwnCode, item }, rules)
  return { ...tax, hasOwnTaxCode: from === "code" || (from === "stored" && hasOwnCode) ? 1 : 0 }
}

/** True when a line says that it has no tax code of its own. */
const isTaxCodeCleared = ({ cleared }: GivenLine): boolean => cleared?.includes("taxCode") ?? false

/**
 * True when a body changes nothing in a stored line. Then its amounts stay as they are: those of a part of an order are
 * what the other parts have left, and cannot be computed from the line.
 */
function isUnchanged(line: GivenLine, stored: Line, { digits, sense, taxRules }: Reading): boolean {
  const isOfSense = (stored.grossAmount !== null) === sense.includesTax
  if (!isOfSense || (taxRules.isRetaxed && stored.hasOwnTaxCode === 0)) return false
  const isSame = (value: number | null | undefined, units: number, places: number) =>
    value == null || toUnits(value, places) === units
  return (
    isSame(line.quantity, stored.quantity, priceDigits) &&
    isSame(line.rate, stored.rate, priceDigits) &&
    isSame(line.discount, stored.discount, priceDigits) &&
    isSame(line.discountAmount, stored.discountAmount, digits) &&
    (line.description ?? stored.description) === stored.description &&
    (line.uom ?? stored.uom) === stored.uom &&
    isSameCode(line, stored)
  )
}

/** The fields that say what a line sells. A stored line keeps the data of its item. */
function aboutOf(
  { line, at, known, subject }: FoundLine,
  item: SoldItem | null,
  stays: Line | undefined,
  errors: FieldError[],
): Pick<Line, "item" | "itemCode" | "itemName" | "description" | "uom"> {
  if ("description" in subject)
    return {
      item: null,
      itemCode: null,
      itemName: null,
      description: subject.description,
      uom: line.uom ?? stays?.uom ?? "Nos",
    }
  const { itemCode, itemName, uom } = stays ?? (item as SoldItem)
  // In an update, a different unit of a stored line adds a warning instead.
  if (line.uom != null && line.uom !== uom && !known)
    errors.push(mismatch(`${at}.uom`, "is not the unit of the item"))
  return { item: subject.itemId, itemCode, itemName, description: null, uom }
}

function assertLineIds(found: readonly Omit<FoundLine, "subject">[], errors: FieldError[]): void {
  const seen = new Set<unknown>()
  for (const { line, at, known } of found) {
    const isNamed = line.id !== undefined && line.id !== null
    if (isNamed && (!known || seen.has(line.id)))
      errors.push(lineIdError(`${at}.id`, line.id, known !== undefined))
    seen.add(line.id)
  }
}

function lineIdError(field: string, id: unknown, isKnown: boolean): FieldError {
  if (isKnown) return fieldError(field, "RULE", "is given more than once", { rule: "REPEATED" })
  return typeof id === "string"
    ? fieldError(field, "NOT_FOUND", "is not a line of this document", { value: id })
    : fieldError(field, "TYPE", "must be an id", { type: "string" })
}

/** Adds a warning for each read-only field of a line that has a different value in the body. */
export function warnOfLines(
  tx: Tx,
  input: unknown,
  shown: readonly { id: string }[],
  own: readonly string[],
): void {
  if (!Array.isArray(input)) return
  input.forEach((given: Record<string, unknown>, i) => {
    const line = shown.find(({ id }) => id === given?.id) as Record<string, unknown> | undefined
    if (!line) return
    for (const name of line.item === null ? own : [...own, "uom"]) {
      if (!(name in given) || Bun.deepEquals(given[name], line[name])) continue
      tx.warnings.push(readOnlyWarning(`items[${i}].${name}`))
    }
  })
}

/** Returns an error when the totals of a document are too large to count exactly. */
export const totalErrors = ({ subtotal, discountTotal, total }: Totals, digits: number): FieldError[] =>
  [subtotal, discountTotal, total].every(
    (amount) => isExact(amount) && toUnits(fromUnits(amount, digits), digits) === amount,
  )
    ? []
    : [
        fieldError("items", "RULE", "have a total that is too large to count exactly", {
          rule: "TOO_LARGE_TO_COUNT",
        }),
      ]

/** True when a body names the tax code of a stored line, or leaves the code out. */
const isSameCode = (line: GivenLine, { taxCode }: Line): boolean =>
  isTaxCodeCleared(line) ? taxCode === null : (line.taxCode ?? taxCode) === taxCode

/** True when a line of a body equals a stored line. A tax code that the body leaves out does not count. */
const isSameLine = (stored: Line, read: Line, line: GivenLine): boolean =>
  ["item", "description", "uom", "quantity", "rate", "discount", "discountAmount"].every(
    (name) => stored[name as keyof Line] === read[name as keyof Line],
  ) && isSameCode(line, stored)

/** A stored line with the amounts of the document's price sense, which may have changed, and so may its tax. */
function keptLine(stored: Line, read: Line, isRetaxed: boolean): Line {
  if (isRetaxed && stored.hasOwnTaxCode === 0) return { ...read, id: stored.id }
  const { amount, discountAmount, grossAmount, documentDiscount } = read
  return { ...stored, amount, discountAmount, grossAmount, documentDiscount }
}

/** The fields of a line that a caller sets, and those that follow from another customer. */
const compared = [
  "id",
  "item",
  "description",
  "uom",
  "quantity",
  "rate",
  "discount",
  "discountAmount",
  "isDiscountAmount",
  "taxCode",
  "taxCategory",
  "taxRate",
] as const satisfies readonly (keyof Line)[]

/** True when two lists of lines are equal in all of these fields and in whether their prices include tax. */
export const sameLines = (a: readonly Line[], b: readonly Line[]): boolean =>
  a.length === b.length &&
  a.every((line, i) => {
    const other = b[i]
    const isOfSense = (line.grossAmount === null) === (other?.grossAmount === null)
    return isOfSense && compared.every((name) => line[name] === other?.[name])
  })

const inactiveItem = (field: string, itemCode: string): FieldError =>
  fieldError(field, "RULE", `${itemCode} is inactive`, { rule: "INACTIVE", name: itemCode })

/** Returns an error per line whose item is inactive. A document with such a line cannot be submitted or issued. */
export function inactiveErrors(items: Items, lines: readonly Line[]): FieldError[] {
  const sold = items.forLines(lines.flatMap(({ item }) => item ?? []))
  return lines.flatMap(({ item, itemCode }, i) =>
    item === null || sold.get(item)?.isActive ? [] : [inactiveItem(`items[${i}].item`, itemCode ?? "")],
  )
}

type Context = { sense: PriceSense; digits: number; currency: string; errors: FieldError[] }

/**
 * Returns the figures of a line, or null after reporting an error. `known` is the stored line with the same item: it
 * keeps its rate and its discount, unless the body sets new ones.
 */
export function figuresOf(
  line: GivenLine,
  known: Line | undefined,
  item: SoldItem | null,
  at: string,
  { sense, digits, currency, errors }: Context,
): Figures | null {
  if (line.quantity == null) return null
  const quantity = inUnits(line.quantity)
  const rate = rateOf(line, known, item, sense)
  if (rate === null) {
    // An invalid rate has its error already.
    if (line.rate === null) errors.push(fieldError(`${at}.rate`, "REQUIRED", "is required"))
    return null
  }
  const stored = storedDiscount(known, sense, digits)
  return discounted({ quantity, rate }, withoutKept(line, known, sense, digits), stored, {
    at,
    digits,
    currency,
    errors,
  })
}

/** A rate that is sent back while tax is removed is converted like one that is not sent. */
function rateOf(
  { rate: given, isPricedAnew }: GivenLine,
  known: Line | undefined,
  item: SoldItem | null,
  sense: PriceSense,
): number | null {
  const rate = given == null ? null : inUnits(given)
  const isKept = rate === null || (sense.isTaxRemoved && rate === known?.rate)
  return isKept ? usualRate(isPricedAnew ? null : (known ?? null), item, sense) : rate
}

/** A discount amount that is sent back while tax is removed is converted like one that is not sent. */
function withoutKept(
  line: GivenLine,
  known: Line | undefined,
  { isTaxRemoved }: PriceSense,
  digits: number,
): GivenLine {
  const { discountAmount } = line
  const isKept = isTaxRemoved && known && discountAmount != null
  return isKept && toUnits(discountAmount, digits) === known.discountAmount
    ? { ...line, discountAmount: null }
    : line
}

function storedDiscount(known: Line | undefined, sense: PriceSense, digits: number): Discount {
  if (!known) return noDiscount
  const { discount, isDiscountAmount } = known
  return { discount, discountAmount: keptDiscount(known, sense, digits), isDiscountAmount }
}

/** Computes the discount of a line; null after an error. */
function discounted(
  figures: { quantity: number; rate: number },
  line: GivenLine,
  stored: Discount,
  { at, digits, currency, errors }: { at: string; digits: number; currency: string; errors: FieldError[] },
): Figures | null {
  const base = {
    full: () => fullAmount(figures, digits),
    amountBy: (discount: number) => figuresBy(figures, { discount }, digits).discountAmount,
  }
  const given = chosenDiscount(line, stored, base, {
    field: `${at}.discountAmount`,
    digits,
    currency,
    errors,
  })
  return given && figuresBy(figures, given, digits)
}

const inUnits = (value: number): number => toUnits(value, priceDigits) ?? 0
