import { fieldError, type FieldError } from "../lib/refusal"
import { readOnlyWarning, type Warning } from "../lib/warning"
import { fieldsOf, type RecordOf, type Resource, type Shared } from "./define"
import type { Field } from "./field"
import { isObject, tellUnknown } from "./object"

/** A JSON object from a request, not validated yet. */
export type Input = Record<string, unknown>

/** The values of the fields that a caller may set. */
type Values = Record<string, unknown>

/** A parsed body that creates a record. Parsing does not need the database. */
export type Draft = {
  /** The body itself, to tell a field that it leaves out from one that it sets to null. */
  input: Input
  values: Values
  /** The values that only such a body may contain, in addition to the fields of the record. */
  extras: Values
  errors: FieldError[]
}

/** Parses a body that creates a record. A missing field and null both mean that the field is not set. */
export function readDraft(resource: Resource, input: Input): Draft {
  const { onCreate, writeOnly } = resource
  const errors: FieldError[] = []
  const extraFields = onCreate || writeOnly ? { ...onCreate, ...writeOnly } : null
  tellUnknown(input, extraFields ? { ...resource.fields, ...extraFields } : resource.fields, errors)
  const extras: Values = {}
  for (const name in extraFields) extras[name] = readOne(name, extraFields[name] as Field, input, errors)
  const values: Values = {}
  for (const [name, field] of fieldsOf(resource)) {
    // A field may have the same name as a value that is accepted only on create, such as `status`.
    if (extraFields && name in extraFields) continue
    if (field.access !== "readOnly") values[name] = readOne(name, field, input, errors)
    else if (Object.hasOwn(input, name) && (input[name] ?? null) !== null)
      errors.push(fieldError(name, "READ_ONLY", "is read-only: the server sets it"))
  }
  return { input, values, extras, errors }
}

function readOne(name: string, field: Field, input: Input, errors: FieldError[]): unknown {
  const value = Object.hasOwn(input, name) ? (input[name] ?? null) : null
  if (value !== null) return withoutEmptyParts(field, field.read(value, name, errors, "create"))
  if (field.access === "required") errors.push(fieldError(name, "REQUIRED", "is required"))
  return field.fallback ?? null
}

/**
 * Parses a body that updates `record`. A missing field keeps its value, null clears it, and objects merge by the same
 * rule. A stored value that is sent back unchanged is accepted, even if newer rules would reject it. Read-only fields
 * are ignored, so that a client can read a record, edit it and send it back; a different value adds a warning.
 */
export function readChange<R extends Resource>(
  resource: R,
  record: RecordOf<R> & Shared,
  input: Input,
  errors: FieldError[],
  warnings: Warning[],
): Values {
  tellUnknown(input, resource.fields, errors)
  const change: Values = {}
  for (const [name, value] of Object.entries(input)) {
    const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
    const before = record[name as keyof typeof record]
    if (!field) continue
    if (field.access === "readOnly") {
      noteReadOnly(name, value, before, { id: record.id, errors, warnings })
      continue
    }
    change[name] = changedValue(name, field, value, before, errors)
    if (field.createOnly && !Bun.deepEquals(change[name], before))
      errors.push(fieldError(name, "READ_ONLY", "cannot be updated"))
  }
  return change
}

type Findings = { id: string; errors: FieldError[]; warnings: Warning[] }

function noteReadOnly(
  name: string,
  value: unknown,
  before: unknown,
  { id, errors, warnings }: Findings,
): void {
  if (Bun.deepEquals(value, before)) return
  if (name === "id") errors.push(fieldError("id", "READ_ONLY", `must be ${id}, as in the URL`, { value: id }))
  else warnings.push(readOnlyWarning(name))
}

function changedValue(
  name: string,
  field: Field,
  value: unknown,
  before: unknown,
  errors: FieldError[],
): unknown {
  if (value === null) {
    if (field.access === "required") errors.push(fieldError(name, "REQUIRED", "is required"))
    return field.fallback ?? null
  }
  if (Bun.deepEquals(value, before)) return before
  return withoutEmptyParts(
    field,
    field.read(mergeParts(field, before, value), name, errors, "update", before),
  )
}

const mergeParts = (field: Field, before: unknown, value: unknown) =>
  (field.parts || field.isMap) && isObject(before) && isObject(value) ? { ...before, ...value } : value

const withoutEmptyParts = (field: Field, value: unknown) =>
  field.parts && isObject(value) && Object.values(value).every((part) => part === null) ? null : value
