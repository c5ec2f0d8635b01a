import { Type, type TSchema } from "@sinclair/typebox"
import { assertNoErrors, fieldError, type FieldError, reporter } from "../../lib/refusal"
import type { Resource } from "../../kind/define"
import { isObject, tellUnknown } from "../../kind/object"
import { keysOf } from "../../kind/keys"
import type { Input } from "../../kind/read"
import { type Expected, readTags } from "../../kind/tag"
import { Failure, Warnings } from "../openapi/envelope-schemas"
import { assignedNumber, changeExampleOf, dryRunName, exampleOf, ref } from "../openapi/kind-schemas"
import { writtenSchema } from "../request/write-only"
import { isKeyed, type Key, type Offered, readValue, type SendOperation } from "./by-key"
import { has, pluralOf } from "./kind-routes"

const mostBytes = 5 * 1024 * 1024

/** The body of a batch. An operation that only creates records names no stored one. */
export const batchBody = (kind: Resource, operations: readonly Name[], sent?: SendOperation) => ({
  isOptional: false,
  mostBytes,
  hasParts: true,
  schema: Type.Object(
    {
      mode: Type.Unsafe({ type: "string", enum: ["each", "all"] }),
      operations: Type.Array(
        Type.Object({
          op: Type.Unsafe({ type: "string", enum: operations }),
          ...(onlyCreates(operations)
            ? { body: ref(`${kind.title}Draft`) }
            : {
                id: Type.Optional(Type.String()),
                by: Type.Optional(Type.Object({ field: Type.String(), value: Type.String() })),
                ifMatch: Type.Optional(
                  Type.String({ description: "The ETag or the version that the record must have." }),
                ),
                body: Type.Optional(
                  Type.Unsafe({
                    anyOf: [
                      ref(`${kind.title}Change`),
                      ref(`${kind.title}Draft`),
                      ...(sent ? [ref(sent.body)] : []),
                    ],
                  }),
                ),
              }),
        }),
        { minItems: 1, maxItems: mostOperations.each },
      ),
    },
    { $id: `${kind.title}Batch` },
  ),
  example: {
    mode: "each",
    operations: [
      onlyCreates(operations)
        ? { op: "create", body: exampleOf(kind) }
        : { op: "update", by: keyExampleOf(kind), body: changeExampleOf(kind) },
    ],
  },
})

const onlyCreates = (operations: readonly Name[]): boolean => operations.every((op) => op === "create")

/** A key of a record, as a variable of the samples. */
const keyExampleOf = ({ fields }: Resource) =>
  fields.externalId ? { field: "externalId", value: "$EXTERNAL_ID" } : { field: "code", value: "$CODE" }

/** What the result of an operation can have: the record, or what is known of it. */
const shownSchemas = (kind: Resource, sent?: SendOperation): TSchema[] => [
  ref(kind.title),
  ...(sent ? [ref(sent.answer)] : []),
  ...(assignedNumber(kind) ? [ref(dryRunName(kind.title))] : []),
  writtenSchema(),
  Type.Null(),
]

/** The response to a batch. */
export const resultsSchema = (kind: Resource, sent?: SendOperation) =>
  Type.Object(
    {
      results: Type.Array(
        Type.Object({
          status: Type.Integer(),
          data: Type.Optional(Type.Unsafe({ anyOf: shownSchemas(kind, sent) })),
          warnings: Type.Optional(Warnings),
          error: Type.Optional(Failure.properties.error),
        }),
      ),
    },
    { $id: `${kind.title}BatchResults` },
  )

const operationNames = ["create", "update", "upsert", "delete", "send"] as const
type Name = (typeof operationNames)[number]

/** The operations for which a service has functions. */
export const operationsOf = <T>(service: Offered<T>): Name[] => [
  ...(has(service, "create") ? ["create" as const] : []),
  ...(has(service, "update") ? ["update" as const] : []),
  ...(isKeyed(service) ? ["upsert" as const] : []),
  ...(has(service, "remove") ? ["delete" as const] : []),
  ...(has(service, "send") ? ["send" as const] : []),
]

/** "Create, update and delete many records". */
export function summaryOf(operations: readonly Name[]): string {
  const verbs = operations
    .filter((op) => op !== "upsert")
    .join(", ")
    .replace(/, (?=\w+$)/, " and ")
  return `${verbs.charAt(0).toUpperCase()}${verbs.slice(1)} many records`
}

/** What is done to a record by an operation. */
const doneBy: Record<Name, string> = {
  create: "created",
  update: "updated",
  upsert: "updated",
  delete: "deleted",
  send: "sent",
}

/** One operation of a batch. All but a create and an upsert name the record by its id or by another key. */
export type Operation = { op: Name; id: string | null; key: Key | null; expected: Expected; body: Input }
export type Batch = { mode: "each" | "all"; operations: Operation[] }

export const mostOperations = { each: 1_000, all: 100 }
export const mostLines = 500

/** Parses the body of a batch. The bodies of its operations are parsed when they run. */
export function readBatch(kind: Resource, offered: readonly Name[], input: Input): Batch {
  const errors: FieldError[] = []
  tellUnknown(input, ["mode", "operations"], errors)
  const mode = modes.find((each) => each === input.mode)
  if (!mode) errors.push(notOneOf("mode", modes))
  const given = Array.isArray(input.operations) ? input.operations : null
  const max = mostOperations[mode ?? "each"]
  const error = reporter(errors, "operations")
  if (!given) error("TYPE", "must be an array", { type: "array" })
  else if (given.length === 0) error("TOO_SHORT", "must have at least 1 operation", { min: 1 })
  else if (given.length > max) error("TOO_LONG", `must have at most ${max} operations`, { max })
  // A batch that is too long is refused without looking at its operations.
  assertNoErrors(errors, "The batch has invalid values.")
  const operations = (given ?? []).map((each, i) =>
    readOperation(kind, offered, each, `operations[${i}]`, errors),
  )
  if (mode === "all" && linesIn(kind, operations) > mostLines)
    error("TOO_LONG", `must have at most ${mostLines} lines in all ${pluralOf(kind.noun)} together`, {
      max: mostLines,
    })
  assertNoErrors(errors, "The batch has invalid values.")
  return { mode: mode ?? "each", operations: operations as Operation[] }
}

const modes = ["each", "all"] as const

const notOneOf = (field: string, allowed: readonly string[], why = ""): FieldError =>
  fieldError(field, "FORMAT", `must be ${allowed.length > 1 ? "one of " : ""}${allowed.join(", ")}${why}`, {
    allowed,
  })

/** The number of lines in the bodies of a batch. */
const linesIn = (kind: Resource, operations: readonly (Operation | null)[]): number =>
  operations.reduce((sum, each) => sum + linesOf(kind, each?.body), 0)

function readOperation(
  kind: Resource,
  offered: readonly Name[],
  given: unknown,
  at: string,
  errors: FieldError[],
): Operation | null {
  if (!isObject(given)) {
    errors.push(fieldError(at, "TYPE", "must be an object", { type: "object" }))
    return null
  }
  tellUnknown(given, ["op", "id", "by", "ifMatch", "body"], errors, `${at}.`)
  const op = operationNames.find((name) => name === given.op)
  if (!op || !offered.includes(op)) {
    const why = op ? `: ${pluralOf(kind.noun)} cannot be ${doneBy[op]}` : ""
    errors.push(notOneOf(`${at}.op`, offered, why))
    return null
  }
  const { id = null, by = null, ifMatch = null, body = null } = given
  const key = by === null ? null : readKey(kind, by, `${at}.by`, errors)
  errors.push(...partErrors(op, { id, by, body }, at))
  const expected = readExpected(ifMatch)
  if (expected === undefined)
    errors.push(
      fieldError(`${at}.ifMatch`, "FORMAT", 'must be an ETag such as "3.7", or a version such as "3"', {
        format: "etag",
      }),
    )
  return { op, id: id as string | null, key, expected: expected ?? null, body: isObject(body) ? body : {} }
}

/** Which record an operation names, and whether it has a body, depends on the operation. */
function partErrors(
  op: Name,
  { id, by, body }: Record<"id" | "by" | "body", unknown>,
  at: string,
): FieldError[] {
  const errors: FieldError[] = []
  const unwanted = (part: string) =>
    errors.push(fieldError(`${at}.${part}`, "RULE", `must not be given for ${op}`, { rule: "EXCLUSIVE" }))
  if (id !== null && typeof id !== "string")
    errors.push(fieldError(`${at}.id`, "TYPE", "must be an id", { type: "string" }))
  if (id !== null && (op === "create" || op === "upsert")) unwanted("id")
  if (by !== null && op === "create") unwanted("by")
  if (by === null && op === "upsert")
    errors.push(fieldError(`${at}.by`, "REQUIRED", "is required for upsert"))
  const isOfRecord = op !== "create" && op !== "upsert"
  if (isOfRecord && id === null && by === null)
    errors.push(fieldError(`${at}.id`, "REQUIRED", "is required, or by instead of it"))
  if (isOfRecord && id !== null && by !== null)
    errors.push(
      fieldError(`${at}.id`, "RULE", "cannot be combined with by", { rule: "EXCLUSIVE", other: "by" }),
    )
  if (op === "delete" && body !== null) unwanted("body")
  const isOptional = op === "delete" || (op === "send" && body === null)
  if (!isOptional && !isObject(body))
    errors.push(fieldError(`${at}.body`, "TYPE", "must be an object", { type: "object" }))
  return errors
}

function readKey(kind: Resource, by: unknown, at: string, errors: FieldError[]): Key | null {
  const keys = keysOf(kind)
  const { field: name, value } = isObject(by) ? by : {}
  const [, field] = keys.find(([each]) => each === name) ?? []
  if (isObject(by)) tellUnknown(by, ["field", "value"], errors, `${at}.`)
  if (!field)
    errors.push(
      notOneOf(
        `${at}.field`,
        keys.map(([each]) => each),
      ),
    )
  if (typeof value !== "string")
    errors.push(fieldError(`${at}.value`, "TYPE", "must be a string", { type: "string" }))
  return field && typeof value === "string"
    ? { name: String(name), field, value: readValue(field, value) }
    : null
}

const longestTag = 50

/** Parses `ifMatch`: an ETag with or without its quotes; undefined when it is neither. */
function readExpected(given: unknown): Expected | undefined {
  if (given === null) return null
  if (typeof given !== "string" || given.length > longestTag) return undefined
  const tags = readTags(given.startsWith('"') ? given : `"${given}"`)
  return tags.length === 1 ? tags : undefined
}

/** The field with the lines of a kind, which are rows of their own: those of a document, the allocations of a payment. */
export function lineListOf(kind: Resource): string | null {
  const known = lineLists.get(kind)
  if (known !== undefined) return known
  const list = Object.entries({ ...kind.fields, ...kind.onCreate }).find(
    ([, { isNotStored, access }]) => isNotStored && access !== "readOnly",
  )
  const name = list?.[0] ?? null
  lineLists.set(kind, name)
  return name
}

/** A batch asks for each operation, and the fields of a kind do not change. */
const lineLists = new WeakMap<Resource, string | null>()

/** The number of lines of a record or of a body; 0 for a kind without lines. */
export function linesOf(kind: Resource, record: unknown): number {
  const list = (record as Record<string, unknown> | null | undefined)?.[lineListOf(kind) ?? ""]
  return Array.isArray(list) ? list.length : 0
}
