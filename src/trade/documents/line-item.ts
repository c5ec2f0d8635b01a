import { fieldError, missingReference, type FieldError } from "../../core/lib/refusal"
import { lower } from "../../core/lib/text"
import type { Items } from "../needs"
import type { GivenLine, Line } from "./model"

/** What a line sells: an item, or something that only a description names. */
export type Subject = { itemId: string } | { description: string }

/** Returns what a line of a body sells, or null after reporting an error. `known` is the stored line it replaces. */
export function subjectOf(
  items: Items,
  line: GivenLine,
  known: Line | undefined,
  at: string,
  errors: FieldError[],
): Subject | null {
  if (!isFree(line)) return itemOf(items, line, at, errors)
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
const isFree = ({ item, itemCode, itemExternalId }: GivenLine): boolean =>
  item === null && itemCode === null && itemExternalId == null

function itemOf(items: Items, line: GivenLine, at: string, errors: FieldError[]): Subject | null {
  const itemId = itemIdOf(items, line, at, errors)
  if (itemId === null) return null
  if (line.description != null)
    errors.push(
      fieldError(`${at}.description`, "RULE", "is only for a line without an item", {
        rule: "EXCLUSIVE",
        other: "item",
      }),
    )
  return { itemId }
}

/** Returns the id of the item that a line names by `item`, `itemExternalId` or `itemCode`, or null. */
function itemIdOf(items: Items, line: GivenLine, at: string, errors: FieldError[]): string | null {
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
  if (itemCode === null) return null
  return items.findId("itemCode", itemCode) ?? refuse(missingReference(`${at}.itemCode`, itemCode))
}

export const inactiveItem = (field: string, itemCode: string): FieldError =>
  fieldError(field, "RULE", `${itemCode} is inactive`, { rule: "INACTIVE", name: itemCode })

export const mismatch = (field: string, message: string): FieldError =>
  fieldError(field, "RULE", message, { rule: "MISMATCH" })

/** True when a code belongs to the item, or did when the line was stored: lines can be sent back unchanged. */
export const isCodeOf = (
  code: string,
  owners: readonly ({ itemCode: string | null } | undefined)[],
): boolean => owners.some((owner) => owner?.itemCode != null && lower(owner.itemCode) === lower(code))
