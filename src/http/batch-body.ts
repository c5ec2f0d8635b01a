import { assertNoErrors, type FieldError } from "../lib/refusal"
import type { Resource } from "../resource/define"
import { isObject, tellUnknown } from "../resource/object"
import type { Input } from "../resource/read"
import { keysOf } from "../resource/table-shape"
import { readTags, type Expected } from "../resource/tag"
import { readValue, type Key } from "./by-key"

export const operationNames = ["create", "update", "upsert", "delete"] as const
type Name = (typeof operationNames)[number]

/** One operation of a batch. An update and a delete name the record by its id or by another key. */
export type Operation = { op: Name; id: string | null; key: Key | null; expected: Expected; body: Input }
export type Batch = { mode: "each" | "all"; operations: Operation[] }

export const mostOperations = { each: 1_000, all: 100 }
const mostLines = 500

/** Parses the body of a batch. The bodies of its operations are parsed when they run. */
export function readBatch(kind: Resource, input: Input): Batch {
  const errors: FieldError[] = []
  tellUnknown(input, ["mode", "operations"], errors)
  const mode = input.mode === "all" || input.mode === "each" ? input.mode : null
  if (mode === null) errors.push({ field: "mode", message: "must be each or all" })
  const given = Array.isArray(input.operations) ? input.operations : null
  const most = mostOperations[mode ?? "each"]
  if (!given) errors.push({ field: "operations", message: "must be an array" })
  else if (given.length === 0) errors.push({ field: "operations", message: "must have at least 1 operation" })
  else if (given.length > most)
    errors.push({ field: "operations", message: `must have at most ${most} operations in mode ${mode}` })
  // A batch that is too long is refused without looking at its operations.
  assertNoErrors(errors, "The batch has invalid values.")
  const operations = (given ?? []).map((each, i) => readOperation(kind, each, `operations[${i}]`, errors))
  if (mode === "all" && linesIn(operations) > mostLines)
    errors.push({
      field: "operations",
      message: `must have at most ${mostLines} lines in all documents together`,
    })
  assertNoErrors(errors, "The batch has invalid values.")
  return { mode: mode ?? "each", operations: operations as Operation[] }
}

/** The number of document lines in a batch. */
const linesIn = (operations: readonly (Operation | null)[]): number =>
  operations.reduce((sum, each) => sum + (Array.isArray(each?.body.items) ? each.body.items.length : 0), 0)

function readOperation(kind: Resource, given: unknown, at: string, errors: FieldError[]): Operation | null {
  const error = (part: string, message: string) => void errors.push({ field: `${at}${part}`, message })
  if (!isObject(given)) return error("", "must be an object") ?? null
  tellUnknown(given, ["op", "id", "by", "ifMatch", "body"], errors, `${at}.`)
  const op = operationNames.find((name) => name === given.op)
  if (!op) return error(".op", `must be one of ${operationNames.join(", ")}`) ?? null
  const { id = null, by = null, ifMatch = null, body = null } = given
  const key = by === null ? null : readKey(kind, by, `${at}.by`, errors)
  if (id !== null && typeof id !== "string") error(".id", "must be an id")
  if (op === "create" && (id !== null || by !== null))
    error(id === null ? ".by" : ".id", "must not be given for create")
  if (op === "upsert" && by === null) error(".by", "is required for upsert")
  if (op === "upsert" && id !== null) error(".id", "must not be given for upsert")
  if ((op === "update" || op === "delete") && (id === null) === (by === null))
    error(".id", "is required, or by instead of it")
  if (op === "delete" ? body !== null : !isObject(body))
    error(".body", op === "delete" ? "must not be given for delete" : "must be an object")
  const expected = readExpected(ifMatch)
  if (expected === undefined) error(".ifMatch", 'must be an ETag such as "3.7", or a version such as "3"')
  return { op, id: id as string | null, key, expected: expected ?? null, body: isObject(body) ? body : {} }
}

function readKey(kind: Resource, by: unknown, at: string, errors: FieldError[]): Key | null {
  const names = keysOf(kind).map(([name]) => name)
  const { field: name, value } = isObject(by) ? by : {}
  const [, field] = keysOf(kind).find(([each]) => each === name) ?? []
  if (isObject(by)) tellUnknown(by, ["field", "value"], errors, `${at}.`)
  if (!field) errors.push({ field: `${at}.field`, message: `must be one of ${names.join(", ")}` })
  if (typeof value !== "string") errors.push({ field: `${at}.value`, message: "must be a string" })
  return field && typeof value === "string" ? { name: String(name), field, value: readValue(value) } : null
}

/** Parses `ifMatch`: an ETag with or without its quotes; undefined when it is neither. */
function readExpected(given: unknown): Expected | undefined {
  if (given === null) return null
  if (typeof given !== "string") return undefined
  const tags = readTags(given.startsWith('"') ? given : `"${given}"`)
  return tags.length === 1 ? tags : undefined
}
