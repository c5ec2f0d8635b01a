import { fieldError, type FieldError } from "../../core/lib/refusal"
import type { GivenLine, Line } from "./model"

/** What a line sells: an item, or something that only a description names. */
export type Subject = { itemId: string } | { description: string }

/** Returns what a line of a body sells, or null after reporting an error. `known` is the stored line it replaces. */
export function subjectOf(
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

export const inactiveItem = (field: string, itemCode: string): FieldError =>
  fieldError(field, "RULE", `${itemCode} is inactive`, { rule: "INACTIVE", name: itemCode })

export const mismatch = (field: string, message: string): FieldError =>
  fieldError(field, "RULE", message, { rule: "MISMATCH" })
