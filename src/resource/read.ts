import type { Warning } from "../db/writer"
import type { Detail } from "../lib/refusal"
import { fieldsOf, type Kept, type Resource, type Shared } from "./define"
import type { Field } from "./field"
import { isObject, tellUnknown } from "./object"

/** A JSON object as it came in: nothing about it is known yet. */
export type Input = Record<string, unknown>

/** The fields a caller may set, with their values; what was not served by us. */
type Given = Record<string, unknown>

/** Reads a body that creates a record. Absent and null both mean "not given". */
export function readDraft(resource: Resource, input: Input, faults: Detail[]): Given {
  tellUnknown(input, resource.fields, faults)
  const draft: Given = {}
  for (const [name, field] of fieldsOf(resource)) {
    const value = Object.hasOwn(input, name) ? (input[name] ?? null) : null
    if (field.access === "served") {
      if (value !== null) faults.push({ field: name, message: "is read-only: the service sets it" })
    } else if (value === null) {
      if (field.access === "required") faults.push({ field: name, message: "is required" })
      draft[name] = field.fallback ?? null
    } else {
      draft[name] = withoutEmptyParts(field, field.read(value, name, faults, "create"))
    }
  }
  return draft
}

/**
 * Reads a body that changes `record`. Absent keeps, null clears, objects merge by the same rule. A stored value that
 * is sent back unchanged is taken as it is, whatever rules have come since it was stored. What only the
 * service sets is ignored, so that a record can be read, edited and sent back; a differing value adds a warning.
 */
export function readChange<R extends Resource>(
  resource: R,
  record: Kept<R> & Shared,
  input: Input,
  faults: Detail[],
  warnings: Warning[],
): Given {
  tellUnknown(input, resource.fields, faults)
  const change: Given = {}
  for (const [name, value] of Object.entries(input)) {
    const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
    const before = record[name as keyof typeof record]
    if (!field) continue
    if (field.access === "served") {
      if (Bun.deepEquals(value, before)) continue
      if (name === "id") faults.push({ field: "id", message: `must be ${record.id}, as in the URL` })
      else
        warnings.push({
          code: "READ_ONLY_FIELD",
          field: name,
          message: `${name} is read-only and was ignored.`,
        })
    } else if (value === null) {
      if (field.access === "required") faults.push({ field: name, message: "is required" })
      change[name] = field.fallback ?? null
    } else if (Bun.deepEquals(value, before)) {
      change[name] = before
    } else {
      change[name] = withoutEmptyParts(
        field,
        field.read(mergeParts(field, before, value), name, faults, "update", before),
      )
    }
    if (field.fixed && name in change && !Bun.deepEquals(change[name], before))
      faults.push({ field: name, message: "cannot be changed any more" })
  }
  return change
}

const mergeParts = (field: Field, before: unknown, value: unknown) =>
  field.parts && isObject(before) && isObject(value) ? { ...before, ...value } : value

const withoutEmptyParts = (field: Field, value: unknown) =>
  field.parts && isObject(value) && Object.values(value).every((part) => part === null) ? null : value
