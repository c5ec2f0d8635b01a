import type { Tx } from "../../core/write/writer"
import { readValue, type Keyed } from "../../core/http/route/by-key"
import type { Removable } from "../../core/http/route/kind-routes"
import { fieldError, missingReference, Refusal, type FieldError } from "../../core/lib/refusal"
import type { Resource, Shared } from "../../core/kind/define"
import type { Field } from "../../core/kind/field"
import { readDraft, type Input } from "../../core/kind/read"
import { keyOf } from "../../core/kind/keys"
import { columnsOf } from "../sheets/columns"
import { importModes } from "./model"
import type { ImportField, ImportKind, RowContext, RowOutcome, RowUndo } from "./kind"

type Described<T> = Pick<ImportKind, "noun" | "labels" | "resembling" | "standIns" | "titlesBeside"> & {
  resource: Resource
  service: Keyed<T> & Removable
  /** The unique fields that find a record, the preferred one first. */
  keys: readonly string[]
  /** Unique fields that find a record too, but only in a row without any of `keys`. */
  otherKeys?: readonly string[]
  /** The fields that are percent. */
  percents?: readonly string[]
  /** Fields of files that `prepare` turns into those of the kind. */
  more?: readonly ImportField[]
  storedSense?: ImportKind["storedSense"]
  /** The number that the server assigns, and which ones of a file new records keep. */
  assigned?: { field: string; isKept: (number: string) => boolean }
  /** Changes a row to the body of a request, such as the code of a tax code to its id. */
  prepare?: (input: Input, context: RowContext) => Input
  /** Adds to a row that creates a record what the shop would give it, and the file does not. */
  complete?: (input: Input) => Input
}

/** The import of a kind of record: each row is created or updated as a request would do it. */
export function recordImport<T extends Shared>(described: Described<T>): ImportKind {
  const { resource, noun, labels, resembling, standIns, titlesBeside } = described
  const keys = keysOf(described)
  const keyFields = keys.map((name) => ({ name, field: resource.fields[name] as Field }))
  return {
    name: resource.name,
    noun,
    right: resource.rights.write,
    fields: fieldsOf(described),
    keys: keyFields.map(({ name, field }) => ({ name, form: keyOf(field) })),
    foundBy: keys,
    labels,
    modes: importModes,
    exported: resource,
    ...(resembling ? { resembling } : {}),
    ...(standIns ? { standIns } : {}),
    ...(titlesBeside ? { titlesBeside } : {}),
    ...(described.storedSense ? { storedSense: described.storedSense } : {}),
    undo: undoOf(described),
    write: (tx, input, context) =>
      writeRow(described, tx, described.prepare?.(input, context) ?? input, context),
  }
}

const keysOf = <T>({ keys, otherKeys = [] }: Described<T>): string[] => [...keys, ...otherKeys]

/** The fields that a caller can set, and the keys, even if the server assigns them. */
const fieldsOf = <T>({ resource, keys, percents = [], more = [] }: Described<T>): ImportField[] => [
  ...columnsOf(resource)
    .filter(({ field, isSettable }) => isSettable || keys.includes(field))
    .map(({ field, type, isSettable, money }) => ({
      name: field,
      type,
      isRequired: resource.fields[field]?.access === "required",
      isAssigned: !isSettable,
      ...(money ? { unit: "money" as const } : percents.includes(field) ? { unit: "percent" as const } : {}),
    })),
  ...more,
]

const undoOf = <T extends Shared>({ resource, service }: Described<T>): RowUndo => ({
  right: resource.rights.remove,
  records: resource.name,
  versionOf: (id, caller) => versionOf(() => service.get(id, caller)),
  remove: (tx, id, caller) => service.remove(tx, id, null, caller),
  restore: (tx, id, values, caller) => void service.update(tx, id, values, null, caller),
})

/** Returns the version of a record, or null if it does not exist. */
export function versionOf(get: () => Shared): number | null {
  try {
    return get().version
  } catch (error) {
    if (error instanceof Refusal && error.code === "NOT_FOUND") return null
    throw error
  }
}

function writeRow<T extends Shared>(
  described: Described<T>,
  tx: Tx,
  input: Input,
  context: RowContext,
): RowOutcome {
  const { resource, service } = described
  const { caller, mode, duplicates } = context
  const id = mode === "create" ? findDuplicate(described, input, context) : findId(described, input)
  if (id !== null) {
    if (mode === "create" && duplicates === "skip") return "unchanged"
    const before = service.get(id, caller).version
    const after = service.update(tx, id, withoutAssigned(resource, input), null, caller)
    return after.version === before ? "unchanged" : "updated"
  }
  if (mode === "update") throw missing(described, input, missingReference)
  const kept = keptNumber(described, input)
  if (mode === "upsert" && kept === null && isAssignedKeyAlone(described, input))
    throw missing(described, input, missingNumber)
  const body = { ...withoutAssigned(resource, input), ...kept }
  service.create(tx, readDraft(resource, described.complete?.(body) ?? body), caller)
  return "created"
}

/** Returns the id of the record that a row to create is already, if such rows are not created. */
function findDuplicate<T extends Shared>(
  described: Described<T>,
  input: Input,
  { duplicates, begunAt }: RowContext,
): string | null {
  const { resembling } = described
  if (duplicates === "create" || !resembling) return null
  return findId(described, input) ?? resembling.findSame(input, begunAt)
}

/** Returns the id of the record that a row is about, by the first key that finds one. */
export function findId<T>(
  {
    resource,
    service,
    keys,
    otherKeys = [],
  }: Pick<Described<T>, "resource" | "keys" | "otherKeys"> & { service: Pick<Keyed<T>, "findId"> },
  input: Input,
): string | null {
  const isNamed = keys.some((name) => typeof input[name] === "string")
  for (const name of isNamed ? keys : otherKeys) {
    const value = input[name]
    if (typeof value !== "string") continue
    const id = service.findId(name, readValue(resource.fields[name] as Field, value))
    if (id !== null) return id
  }
  return null
}

/**
 * True when a row that may be updated has only a key that the server assigns. It is not created, because a repeated import
 * would create it again.
 */
const isAssignedKeyAlone = <T>({ resource, keys }: Described<T>, input: Input): boolean =>
  keys.some((name) => input[name] != null) &&
  keys.every((name) => input[name] == null || resource.fields[name]?.access === "readOnly")

/** The number that a new record keeps, as a part of its body; null if it gets the next one. */
function keptNumber<T>({ assigned }: Described<T>, input: Input): Input | null {
  const number = assigned && input[assigned.field]
  return typeof number === "string" && assigned?.isKept(number) ? { [assigned.field]: number } : null
}

/** A number that the server assigns finds a record, but it is not set. */
const withoutAssigned = ({ fields }: Resource, input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => fields[name]?.access !== "readOnly"))

function missing<T>(
  described: Described<T>,
  input: Input,
  errorOf: (field: string, value: string) => FieldError,
): Refusal {
  const keys = keysOf(described)
  const name = keys.find((key) => typeof input[key] === "string")
  if (!name)
    return new Refusal("VALIDATION_ERROR", `The row has no value for ${keys.join(" or ")}.`, { details: [] })
  return new Refusal("VALIDATION_ERROR", `There is no such ${described.resource.noun}.`, {
    details: [errorOf(name, String(input[name]).slice(0, 64))],
  })
}

/** The error of a number that the server assigns, in a row that would create a record. It says how to create it. */
const missingNumber = (field: string, value: string): FieldError =>
  fieldError(
    field,
    "RULE",
    `${JSON.stringify(value)} does not exist. Numbers of this form are assigned by Kontor: map this column to externalId instead, or leave the cell empty`,
    { rule: "NUMBER_ASSIGNED", value },
  )
