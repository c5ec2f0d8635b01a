import type { Tx } from "../../db/writer"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import { newId } from "../../lib/id"
import { lower } from "../../lib/text"
import { isExact, lineAmounts, type Totals } from "../../shared/money"
import { fieldError, missingReference, type FieldError } from "../../lib/refusal"
import { readOnlyWarning } from "../../lib/warning"
import type { ItemService } from "../items/service"
import type { GivenLine, Line } from "./model"

type Reading = {
  /** The stored lines. A line of the body that has the id of one of them replaces it and has the same id. */
  before: readonly Line[]
  idPrefix: string
  now: string
  digits: number
  errors: FieldError[]
}

/** Converts the lines of a body to stored lines: looks up items, sets default rates and computes amounts. */
export function readLines(items: ItemService, given: readonly GivenLine[], reading: Reading): Line[] {
  const { before, idPrefix, now, digits, errors } = reading
  const named = given.map((line, i) => itemIdOf(items, line, `items[${i}]`, errors))
  const sold = items.forLines(named.flatMap((item) => item ?? []))
  const seen = new Set<unknown>()
  const givenIds = new Set(given.map(({ id }) => id))
  return given.flatMap((line, i) => {
    const at = `items[${i}]`
    const isNamed = line.id !== undefined && line.id !== null
    const known = before.find(({ id }) => id === line.id)
    if (isNamed && (!known || seen.has(line.id)))
      errors.push(lineIdError(`${at}.id`, line.id, known !== undefined))
    seen.add(line.id)
    const itemId = named[i] ?? null
    if (itemId === null) return []
    const item = sold.get(itemId)
    const stays = known?.item === itemId
    if (!item) errors.push(missingReference(`${at}.item`, itemId))
    else if (!item.isActive && !stays) errors.push(inactiveItem(`${at}.item`, item.itemCode))
    if (item && line.item && line.itemCode && !isCodeOf(line.itemCode, [item, known]))
      errors.push(mismatch(`${at}.itemCode`, "is not the code of item"))
    if (!item || line.quantity == null) return []
    // An existing line keeps its rate and discount, unless the body sets new ones.
    const figures = {
      quantity: inUnits(line.quantity),
      rate: line.rate == null ? (stays ? known.rate : item.sellingPrice) : inUnits(line.rate),
      discount: line.discount == null ? (stays ? known.discount : 0) : inUnits(line.discount),
    }
    const { itemCode, itemName, uom, taxRate } = stays ? known : item
    const same = before[i]
    // A line without an id that equals the stored line at its place is that line: a document that is sent again does
    // not change.
    if (!isNamed && same && !givenIds.has(same.id) && isSameLine(same, { item: itemId, ...figures }))
      return [same]
    const id = known ? known.id : newId(idPrefix, now)
    return [
      { id, item: itemId, itemCode, itemName, uom, taxRate, ...figures, ...lineAmounts(figures, digits) },
    ]
  })
}

function lineIdError(field: string, id: unknown, isKnown: boolean): FieldError {
  if (isKnown) return fieldError(field, "RULE", "is given more than once", { rule: "REPEATED" })
  return typeof id === "string"
    ? fieldError(field, "NOT_FOUND", "is not a line of this document", { value: id })
    : fieldError(field, "TYPE", "must be an id", { type: "string" })
}

const inactiveItem = (field: string, itemCode: string): FieldError =>
  fieldError(field, "RULE", `${itemCode} is inactive`, { rule: "INACTIVE", name: itemCode })

const mismatch = (field: string, message: string): FieldError =>
  fieldError(field, "RULE", message, { rule: "MISMATCH" })

/** Returns the id of the item that a line names by `item`, `itemExternalId` or `itemCode`, or null. */
function itemIdOf(items: ItemService, line: GivenLine, at: string, errors: FieldError[]): string | null {
  const refuse = (error: FieldError): null => {
    errors.push(error)
    return null
  }
  const { item, itemCode, itemExternalId: externalId } = line
  // A line that is not an object, and an invalid value, have their error already.
  const hasError = externalId === undefined && Object.hasOwn(line, "itemExternalId")
  if (item === undefined || itemCode === undefined || hasError) return null
  const found = externalId == null ? null : items.findId("externalId", externalId)
  if (externalId != null && found === null)
    return refuse(missingReference(`${at}.itemExternalId`, externalId))
  if (item != null && found !== null && found !== item)
    return refuse(mismatch(`${at}.itemExternalId`, "is not the externalId of item"))
  if (item != null || found !== null) return item ?? found
  if (itemCode == null) return refuse(fieldError(`${at}.item`, "REQUIRED", "is required"))
  return items.findId("itemCode", itemCode) ?? refuse(missingReference(`${at}.itemCode`, itemCode))
}

/** True when a code belongs to the item, or did when the line was stored: lines can be sent back unchanged. */
const isCodeOf = (code: string, owners: readonly ({ itemCode: string } | undefined)[]): boolean =>
  owners.some((owner) => owner && lower(owner.itemCode) === lower(code))

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
    for (const name of own) {
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

type LineFigures = Pick<Line, "item" | "quantity" | "rate" | "discount">

const isSameLine = (a: LineFigures, b: LineFigures): boolean =>
  a.item === b.item && a.quantity === b.quantity && a.rate === b.rate && a.discount === b.discount

/** True when two lists of lines are equal in all fields that a caller sets. */
export const sameLines = (a: readonly Line[], b: readonly Line[]): boolean =>
  a.length === b.length &&
  a.every(({ id, item, quantity, rate, discount }, i) =>
    Bun.deepEquals(
      [id, item, quantity, rate, discount],
      [b[i]?.id, b[i]?.item, b[i]?.quantity, b[i]?.rate, b[i]?.discount],
    ),
  )

/** Returns an error per line whose item is inactive. A document with such a line cannot be submitted or issued. */
export function inactiveErrors(items: ItemService, lines: readonly Line[]): FieldError[] {
  const sold = items.forLines(lines.map(({ item }) => item))
  return lines.flatMap(({ item, itemCode }, i) =>
    sold.get(item)?.isActive ? [] : [inactiveItem(`items[${i}].item`, itemCode)],
  )
}

const inUnits = (value: number): number => toUnits(value, priceDigits) ?? 0
