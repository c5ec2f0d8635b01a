// What an update of a document keeps, because other documents name its lines: an invoice or a delivery of an order.
import { fieldError, type FieldError, type Refusal } from "../../../core/lib/refusal"
import { amountText, fromUnits, priceDigits, toUnits } from "../../../shared/decimal"
import { discountBy, spreadRest, sumBeforeDiscount } from "../../../shared/documents/discount"
import { type DiscountChange, documentDiscount, type HeadDiscount, inFields } from "../discount"
import type { GivenLine, Line } from "../model"

/** The lines that others name. Of them only the quantity can be updated. */
export type Held<L> = {
  /** The fields of the document that stay as long as there is such a line. */
  fields: readonly string[]
  has(line: { id: string }): boolean
  /** Returns a line with another quantity, and what follows from it; an error for one that it cannot have. */
  resize(line: L, quantity: number, field: string): L | FieldError
  refuse(details: FieldError[]): Refusal
}

/** A stored line as a body gives it that changes nothing. */
export const asGiven = ({ id, item, quantity }: Line): GivenLine => ({
  id,
  item,
  quantity: fromUnits(quantity, priceDigits),
  rate: null,
})

/** A line of a body that has the id of one that is held stands for that one as it is. */
export function withoutHeld(
  line: GivenLine,
  before: readonly Line[],
  held: Pick<Held<never>, "has">,
): GivenLine {
  const stored = before.find(({ id }) => id === line.id)
  return stored && held.has(stored) ? asGiven(stored) : line
}

/** Gives the lines that are held the quantities of a body, and tells what else the body would change in them. */
export function resizeHeld<L extends Line>(
  read: readonly L[],
  given: readonly GivenLine[],
  before: readonly L[],
  { held, digits }: { held: Held<L>; digits: number },
): { lines: L[]; kept: FieldError[] } {
  const stored = new Map(before.filter(held.has).map((line) => [line.id, line]))
  const places = new Map(given.map(({ id }, i) => [id, i]))
  const kept: FieldError[] = []
  const lines = read.map((line) => {
    const known = stored.get(line.id)
    if (!known) return line
    const i = places.get(line.id)
    const body = i === undefined ? undefined : given[i]
    // Without an id in the body, it equals the stored line at its place.
    if (!body || body.quantity == null) return known
    const quantity = toUnits(body.quantity, priceDigits) ?? 0
    const resized = quantity === known.quantity ? known : held.resize(known, quantity, `items[${i}].quantity`)
    const isError = !("id" in resized)
    const after = isError ? known : resized
    if (isError) kept.push(resized)
    kept.push(...changedParts(body, known, after, digits).map((part) => heldPart(`items[${i}].${part}`)))
    return after
  })
  const ids = new Set(read.map(({ id }) => id))
  const givenIds = new Set(given.map(({ id }) => id))
  for (const line of stored.values())
    if (!ids.has(line.id) && !givenIds.has(line.id)) kept.push(leftOut(line))
  return { lines, kept }
}

const heldPart = (field: string): FieldError =>
  fieldError(field, "READ_ONLY", "cannot be updated, because an invoice or a delivery names the line")

const leftOut = ({ id, itemCode, description }: Line): FieldError =>
  fieldError(
    "items",
    "RULE",
    `must contain the line ${id} (${itemCode ?? description}), because an invoice or a delivery names it`,
    { rule: "LINE_IN_USE", name: itemCode ?? description ?? "" },
  )

/** Returns the names of the parts of a line that a body changes beside its quantity. `after` has the new quantity. */
function changedParts(line: GivenLine, stored: Line, after: Line, digits: number): string[] {
  const { item, description, uom, rate, discount, discountAmount, taxCode, cleared = [] } = line
  const isOther = (value: number | null | undefined, places: number, ...units: number[]) =>
    value != null && !units.includes(toUnits(value, places) ?? -1)
  const isFree = stored.item === null
  const changes = {
    item: item != null && item !== stored.item,
    description: description != null && description !== stored.description,
    // A different unit of a line with an item adds a warning instead.
    uom: isFree && uom != null && uom !== stored.uom,
    rate: isOther(rate, priceDigits, stored.rate),
    discount: isOther(discount, priceDigits, stored.discount, after.discount),
    discountAmount: isOther(discountAmount, digits, stored.discountAmount, after.discountAmount),
    taxCode: (taxCode != null || cleared.includes("taxCode")) && (taxCode ?? null) !== stored.taxCode,
  }
  return Object.entries(changes).flatMap(([name, isChanged]) => (isChanged ? [name] : []))
}

/** Refuses an update that changes what is held, and lists each field. */
export function assertHeld<L>(
  held: Held<L> | null,
  differing: readonly string[],
  kept: readonly FieldError[],
): void {
  if (!held) return
  const fixed = differing.filter((name) => held.fields.includes(name)).map(fixedField)
  if (fixed.length + kept.length > 0) throw held.refuse([...fixed, ...kept])
}

const fixedField = (name: string): FieldError =>
  fieldError(name, "READ_ONLY", "cannot be updated, because invoices, deliveries or deposits depend on it")

type Counting<L> = { held: Pick<Held<L>, "has">; digits: number; currency: string; errors: FieldError[] }

/**
 * Spreads the discount of a document over the lines that are not held: the others keep their shares. An amount that is not
 * changed falls or rises to what the lines can carry; another discount that they cannot carry is an error.
 */
export function heldDiscount<L extends Line>(
  lines: readonly L[],
  change: DiscountChange,
  { held, digits, currency, errors }: Counting<L>,
): { discount: HeadDiscount; lines: readonly L[] } {
  const full = sumBeforeDiscount(lines)
  const min = lines.filter(held.has).reduce((sum, { documentDiscount }) => sum + documentDiscount, 0)
  const max = min + sumBeforeDiscount(lines.filter((line) => !held.has(line)))
  const { stored } = change
  const isAsked = isChanged(change, digits)
  const wanted = isAsked
    ? documentDiscount(lines, change, { digits, currency, errors })
    : inFields(stored.isDiscountAmount === 1 ? stored : discountBy(full, { discount: stored.discount }))
  const { isDiscountAmount, discountAmount } = wanted
  const within = Math.max(min, Math.min(max, discountAmount))
  // The shares of a percentage were rounded one by one.
  const isClose = isDiscountAmount ? !isAsked : Math.abs(within - discountAmount) <= lines.length
  if (within !== discountAmount && !isClose)
    errors.push(notCarried(wanted, { min, max, full }, { digits, currency }))
  const counted = isDiscountAmount
    ? inFields(discountBy(full, { discountAmount: within }))
    : { ...wanted, discountAmount: within }
  return { discount: counted, lines: spreadRest(lines, within, held.has) }
}

/** True when a body gives another discount than the stored one. */
const isChanged = ({ asked, stored }: DiscountChange, digits: number): boolean =>
  (asked.discount != null && toUnits(asked.discount, priceDigits) !== stored.discount) ||
  (asked.discountAmount != null && toUnits(asked.discountAmount, digits) !== stored.discountAmount)

function notCarried(
  { isDiscountAmount, discountAmount }: HeadDiscount,
  range: { min: number; max: number; full: number },
  money: { digits: number; currency: string },
): FieldError {
  const [min, max, amount] = [range.min, range.max, discountAmount].map((units) =>
    fromUnits(units, money.digits),
  ) as [number, number, number]
  const percent = isDiscountAmount ? null : percentRange(range)
  const [least, most] = [amountText(min, money), amountText(max, money)]
  const possible = percent
    ? `${percent.minPercent} to ${percent.maxPercent} percent, which is ${least} to ${most}`
    : `${least} to ${most}`
  return fieldError(
    isDiscountAmount ? "discountAmount" : "discount",
    "RULE",
    `makes a discount of ${amountText(amount, money)}; it must be from ${possible}, because lines that are invoiced or delivered keep their part of it`,
    { rule: "DISCOUNT_KEPT", min, max, amount, currency: money.currency, ...percent },
  )
}

/**
 * The percentages whose amounts are in a range, with two decimals where that is possible. Where only one amount is
 * possible, it is the nearest percentage: its shares may differ from it by their rounding.
 */
function percentRange({ min, max, full }: { min: number; max: number; full: number }) {
  const within = (places: number) => {
    const steps = 10 ** places
    const [from, to] = [Math.ceil((min / full) * 100 * steps), Math.floor((max / full) * 100 * steps)]
    return from <= to ? { minPercent: from / steps, maxPercent: to / steps } : null
  }
  const nearest = Math.round((min / full) * 100 * 10 ** priceDigits) / 10 ** priceDigits
  return within(2) ?? within(priceDigits) ?? { minPercent: nearest, maxPercent: nearest }
}
