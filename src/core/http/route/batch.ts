import type { Tx } from "../../write/writer"
import { gate } from "../../lib/gate"
import { assertNoErrors, fieldError, type FieldError, invalid, Refusal, reporter } from "../../lib/refusal"
import { restsBetween } from "../../lib/turns"
import { refuseMissing } from "../../store/crud"
import type { Resource, Shared } from "../../kind/define"
import { type Draft, type Input, readDraft } from "../../kind/read"
import { type Key, type Keyed, mergeRecord, readValue } from "./by-key"
import { type Call, callerOf } from "../request/call"
import type { Caller } from "../../caller"
import { dryRunHeader } from "../request/dry-run"
import { failure } from "../answer/envelope"
import type { Removable } from "./kind-routes"
import { resultParts, untilReceived, writtenInSteps } from "../answer/large-answer"
import { handled, type Route, type RouteCall } from "./route"
import { isWriteOnly, writtenOf, writtenSchema } from "../request/write-only"
import { created, type KeptResult, type Part, type Writes } from "../request/write"
import { Type } from "@sinclair/typebox"
import { Failure, Warnings } from "../openapi/envelope-schemas"
import { changeExampleOf, ref } from "../openapi/kind-schemas"
import { isObject, tellUnknown } from "../../kind/object"
import { keysOf } from "../../kind/keys"
import { namesByKey } from "../../kind/references"
import { draftIn, namedIn } from "../../store/named"
import { type Expected, readTags } from "../../kind/tag"

/** The number of operations that wait for one commit. The writes of other requests run between them. */
const atOnce = 50

/** In milliseconds. */
const longestStep = 4

/** Lines of the documents that a batch in mode `each` writes. Their results are in memory until the last one is written. */
const mostLinesOfEach = 20_000

/** Limits concurrent batches, because the results of each may use some tens of megabytes of memory. */
const fewAtOnce = gate({
  atOnce: 2,
  longest: 1_000,
  message: "The server is busy with other batches. Try again in a moment.",
})

type Service<T> = Keyed<T> & Removable
export type BatchDeps = {
  writes: Writes
  /** Counts a batch as one request per 100 operations. The first is counted already. */
  countMore: (context: Pick<RouteCall, "call" | "set">, requests: number) => void
  /** Records an operation that was refused with 403 in the audit log. */
  noteRefused: (call: Call, code: string) => void
}

/** The result of one operation, as in the response. */
type Result = { status: number; data?: object | null; warnings?: unknown[]; error?: unknown }

/** POST /{kind}/batch. */
export const batchRoute = <T extends Shared>(kind: Resource, service: Service<T>, deps: BatchDeps): Route =>
  handled<{ batch: Batch; input: Input }>(
    "POST",
    `/${kind.name}/batch`,
    {
      may: kind.rights.write,
      orMay: kind.rights.remove,
      id: `batch${kind.title}s`,
      tag: kind.name,
      summary: "Create, update and delete many records",
      description: `In mode \`each\` (up to ${mostOperations.each} operations) every operation succeeds or fails by itself, until the documents that were written have ${mostLinesOfEach} lines together. In mode \`all\` (up to ${mostOperations.all}) nothing is stored unless all succeed. With an Idempotency-Key, a repeated request continues where the first one stopped. A repeated result of more than 4 kB has the record as it is then, and \`data: null\` if it was deleted.`,
      readsQuery: true,
      takesIdempotencyKey: true,
      body: { ...batchBody(kind), read: (input) => ({ batch: readBatch(kind, input), input }) },
      answer: {
        status: 200,
        description: "One result for each operation, in their order.",
        schema: resultsSchema(kind),
      },
      refuses: [422],
    },
    async (context) => {
      const { batch, input } = context.body
      deps.countMore(context, Math.ceil(batch.operations.length / 100) - 1)
      const run: Run = (...operation) => runOperation(kind, service, ...operation)
      if (batch.mode === "each") {
        const find = finder(service, context.call, deps.writes)
        context.call.keepOpen()
        return untilReceived(context.call, () =>
          fewAtOnce(callerOf(context.call).userId, () =>
            runEach(kind, deps, context, batch, input, { run, find }),
          ),
        )
      }
      return runAll(kind, deps, context, batch, input, {
        run,
        stored: (operation, caller) => storedLines(kind, service, operation, caller),
      })
    },
  )

type Run = (tx: Tx, operation: Operation, caller: Caller, draft?: Draft | null) => Result
type Find = (id: string) => object | null

/** Finds the record of a repeated result while the caller still has the right; null if it was deleted. */
const finder =
  <T extends object>(service: Service<T>, call: Call, writes: Writes): Find =>
  (id) => {
    writes.assertStillMay(call)
    try {
      return service.get(id, callerOf(call))
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return null
      throw error
    }
  }

function runOperation<T extends Shared>(
  kind: Resource,
  service: Service<T>,
  ...[tx, { op, id, key, expected, body }, caller, draft]: Parameters<Run>
): Result {
  if (op === "create") {
    const { status, data } = created("", service.create(tx, draft ?? draftIn(tx, kind, body), caller))
    return { status, data }
  }
  if (op === "upsert" && key) {
    const { status, data } = mergeRecord(tx, kind, service, key, body, { expected, caller })
    return { status, data }
  }
  const found = idOf(kind, service, id, key)
  if (op === "update") {
    const change = namedIn(tx, kind.fields, body, () => service.get(found, caller))
    return { status: 200, data: service.update(tx, found, change, expected, caller) }
  }
  service.remove(tx, found, expected, caller)
  return { status: 204 }
}

const idOf = <T>(kind: Resource, service: Service<T>, id: string | null, key: Operation["key"]): string =>
  id ?? (key && service.findId(key.name, key.value)) ?? refuseMissing(kind, key?.value ?? "")

/** The lines of the stored document of an operation; 0 if there is none. */
function storedLines<T>(kind: Resource, service: Service<T>, { id, key }: Operation, caller: Caller): number {
  const found = "items" in kind.fields ? (id ?? (key && service.findId(key.name, key.value))) : null
  try {
    return found === null ? 0 : linesOf(service.get(found, caller))
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return 0
    throw error
  }
}

const rightOf = ({ rights }: Resource, { op }: Operation) => (op === "delete" ? rights.remove : rights.write)

/** Runs every operation in its own write. Its result is stored under the Idempotency-Key in the same write. */
async function runEach(
  kind: Resource,
  { writes, noteRefused }: BatchDeps,
  { call, request, set }: RouteCall,
  { operations }: Batch,
  input: Input,
  { run, find }: { run: Run; find: Find },
): Promise<object> {
  const parts = await writes.openParts(call, request, input)
  const results: (Result | KeptResult)[] = []
  let lines = 0
  for (let from = 0; from < operations.length; from += atOnce) {
    const some = operations.slice(from, from + atOnce)
    results.push(
      ...(await Promise.all(
        some.map((operation, i) => {
          const part: Part | null = parts && { ...parts, index: from + i }
          const written = writes.runPart(call, rightOf(kind, operation), part, (tx) => {
            if (lines > mostLinesOfEach) throw tooManyLines(mostLinesOfEach)
            const result = run(tx, operation, callerOf(call))
            lines += linesOf(result.data)
            return shownTo(call, kind, result)
          })
          return resultOf(written, (code) => noteRefused(call, code))
        }),
      )),
    )
    if (call.signal().aborted) throw new Refusal("BAD_REQUEST", "The client has disconnected.")
  }
  if (writes.isDryRun(call)) Object.assign(set.headers, dryRunHeader)
  // The record of a result that was not kept as a whole is read when its part of the response is written.
  const shown = results
    .values()
    .map((result) => ("kept" in result ? shownTo(call, kind, rebuilt(result, find)) : result))
  return writtenInSteps(resultParts(shown), call)
}

/** A result as the caller may see it. */
const shownTo = ({ caller }: Call, { rights }: Resource, result: Result): Result =>
  result.data && isWriteOnly(caller, rights.write) ? { ...result, data: writtenOf(result.data) } : result

/** A repeated result, with the record as it is now; null if it was deleted. */
const rebuilt = ({ kept, ...rest }: KeptResult, find: Find): Result => ({ ...rest, data: find(kept.id) })

/** Converts the outcome of a write to a result. Only errors that the caller can understand are results. */
const resultOf = (
  written: Promise<Result | KeptResult>,
  noteRefused: (code: string) => void,
): Promise<Result | KeptResult> =>
  written.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 403) noteRefused(error.code)
    return { status: error.status, error: failure(error).error }
  })

/** Runs all operations in one write. The first error refuses the batch. */
async function runAll(
  kind: Resource,
  { writes, noteRefused }: BatchDeps,
  { call, request, set }: RouteCall,
  { operations }: Batch,
  input: Input,
  { run, stored }: { run: Run; stored: (operation: Operation, caller: Caller) => number },
): Promise<unknown> {
  // What needs no data is done before the write, because nothing else runs until the write has ended.
  const drafts = await draftsOf(kind, operations)
  return writes.runPost({ call, request, set }, input, (tx) => {
    let lines = 0
    const failed: Failed[] = []
    const made = new Map<string, number>()
    const results = operations.map((operation, i) => {
      // Undone alone, because PostgreSQL runs nothing more after a statement that violates a constraint.
      const outcome = writes.tryPart(tx, () => {
        writes.assertStillMay(call, rightOf(kind, operation))
        // The others return the documents that they have written.
        if (operation.op === "delete") lines += stored(operation, callerOf(call))
        return lines > mostLines ? null : run(tx, operation, callerOf(call), drafts[i])
      })
      if ("refusal" in outcome) {
        const { refusal } = outcome
        if (refusal.status === 403) noteRefused(call, refusal.code)
        failed.push({ refusal, index: i })
        if (operation.op !== "delete") lines += stored(operation, callerOf(call))
        if (lines <= mostLines) return null
      } else if (outcome.value !== null) {
        const { status, data } = outcome.value
        lines += linesOf(data)
        if (status === 201 && hasId(data)) made.set(data.id, i)
        if (lines <= mostLines) return shownTo(call, kind, outcome.value)
      }
      throw failed.length > 0 ? refusalOf(failed, made, i) : atOperation(tooManyLines(mostLines), i, made)
    })
    if (failed.length > 0) throw refusalOf(failed, made)
    return { status: 200, headers: {}, data: { results } }
  })
}

/**
 * An operation that was refused. The others are still run, so that one response names everything that is wrong, as long as
 * the documents have few lines together.
 */
type Failed = { refusal: Refusal; index: number }

/** The refusal of a batch: that of its first wrong operation, with the errors of all up to the last one that was run. */
function refusalOf(failed: readonly Failed[], made: ReadonlyMap<string, number>, last?: number): Refusal {
  const [first, ...others] = failed.map(({ refusal, index }) => atOperation(refusal, index, made)) as [
    Refusal,
    ...Refusal[],
  ]
  const notRun =
    last === undefined
      ? ""
      : ` Those after operation ${last} were not run, because documents of a batch have at most ${mostLines} lines together.`
  const { reason, message, params, details } = first
  if (others.length === 0 && notRun === "") return first
  const more = others.length === 0 ? "" : ` ${others.length} more operations are wrong.`
  return new Refusal(reason, `${message}${more}${notRun}`, {
    params: { ...params, operations: failed.map(({ index }) => `${index}`) },
    details: [...details, ...others.flatMap(detailsOf)],
    status: 422,
  })
}

/** The errors of an operation. One that names no field is an error of the operation. */
const detailsOf = ({ code, message, params, details }: Refusal): FieldError[] =>
  details.length > 0
    ? details
    : [fieldError(`operations[${params?.operation}]`, "RULE", message, { rule: "OPERATION", code })]

const hasId = (value: unknown): value is { id: string } =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string"

/** Reads the bodies of the operations that create records, with other requests in between; null if it names others by keys. */
async function draftsOf(kind: Resource, operations: readonly Operation[]): Promise<(Draft | null)[]> {
  const rest = restsBetween(longestStep)
  const drafts: (Draft | null)[] = []
  for (const { op, body } of operations) {
    drafts.push(op === "create" && !namesByKey(kind.fields, body) ? readDraft(kind, body) : null)
    await rest()
  }
  return drafts
}

/** The number of lines of a document; 0 for other records. */
function linesOf(record: unknown): number {
  const { items } = (record ?? {}) as { items?: unknown }
  return Array.isArray(items) ? items.length : 0
}

/** Stored documents count too: one transaction must not become long by many updates of large documents. */
const tooManyLines = (max: number): Refusal =>
  invalid("items", "TOO_LONG", `must be at most ${max} in all documents of a batch together`, { max })

/** Names the operation in an error. The status is 422, whatever the status of the operation would be. */
function atOperation(refusal: Refusal, index: number, made: ReadonlyMap<string, number>): Refusal {
  const { reason, message, details, params } = refusal
  return new Refusal(reason, `Operation ${index}: ${message}`, {
    params: { ...params, operation: index },
    details: details.map((each) => ({
      ...withoutMade(each, made),
      field: `operations[${index}].body.${each.field}`,
    })),
    status: 422,
  })
}

/** A record that the batch itself would have created does not exist, so its operation is named instead. */
function withoutMade({ existing, ...detail }: FieldError, made: ReadonlyMap<string, number>): FieldError {
  if (existing === undefined) return detail
  const index = made.get(existing)
  return index === undefined ? { ...detail, existing } : { ...detail, duplicateOf: `operations[${index}]` }
}

const mostBytes = 5 * 1024 * 1024

/** The body of a batch. */
const batchBody = (kind: Resource) => ({
  isOptional: false,
  mostBytes,
  hasParts: true,
  schema: Type.Object(
    {
      mode: Type.Unsafe({ type: "string", enum: ["each", "all"] }),
      operations: Type.Array(
        Type.Object({
          op: Type.Unsafe({ type: "string", enum: [...operationNames] }),
          id: Type.Optional(Type.String()),
          by: Type.Optional(Type.Object({ field: Type.String(), value: Type.String() })),
          ifMatch: Type.Optional(
            Type.String({ description: "The ETag or the version that the record must have." }),
          ),
          body: Type.Optional(
            Type.Unsafe({ anyOf: [ref(`${kind.title}Change`), ref(`${kind.title}Draft`)] }),
          ),
        }),
        { minItems: 1, maxItems: mostOperations.each },
      ),
    },
    { $id: `${kind.title}Batch` },
  ),
  example: {
    mode: "each",
    operations: [{ op: "update", by: keyExampleOf(kind), body: changeExampleOf(kind) }],
  },
})

/** A key of a record, as a variable of the samples. */
const keyExampleOf = ({ fields }: Resource) =>
  fields.externalId ? { field: "externalId", value: "$EXTERNAL_ID" } : { field: "code", value: "$CODE" }

/** The response to a batch. */
const resultsSchema = (kind: Resource) =>
  Type.Object(
    {
      results: Type.Array(
        Type.Object({
          status: Type.Integer(),
          data: Type.Optional(Type.Unsafe({ anyOf: [ref(kind.title), writtenSchema(), { type: "null" }] })),
          warnings: Type.Optional(Warnings),
          error: Type.Optional(Failure.properties.error),
        }),
      ),
    },
    { $id: `${kind.title}BatchResults` },
  )

const operationNames = ["create", "update", "upsert", "delete"] as const
type Name = (typeof operationNames)[number]

/** One operation of a batch. An update and a delete name the record by its id or by another key. */
type Operation = { op: Name; id: string | null; key: Key | null; expected: Expected; body: Input }
type Batch = { mode: "each" | "all"; operations: Operation[] }

const mostOperations = { each: 1_000, all: 100 }
const mostLines = 500

/** Parses the body of a batch. The bodies of its operations are parsed when they run. */
function readBatch(kind: Resource, input: Input): Batch {
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
  const operations = (given ?? []).map((each, i) => readOperation(kind, each, `operations[${i}]`, errors))
  if (mode === "all" && linesIn(operations) > mostLines)
    error("TOO_LONG", `must have at most ${mostLines} lines in all documents together`, { max: mostLines })
  assertNoErrors(errors, "The batch has invalid values.")
  return { mode: mode ?? "each", operations: operations as Operation[] }
}

const modes = ["each", "all"] as const

const notOneOf = (field: string, allowed: readonly string[]): FieldError =>
  fieldError(field, "FORMAT", `must be one of ${allowed.join(", ")}`, { allowed })

/** The number of document lines in a batch. */
const linesIn = (operations: readonly (Operation | null)[]): number =>
  operations.reduce((sum, each) => sum + (Array.isArray(each?.body.items) ? each.body.items.length : 0), 0)

function readOperation(kind: Resource, given: unknown, at: string, errors: FieldError[]): Operation | null {
  if (!isObject(given)) {
    errors.push(fieldError(at, "TYPE", "must be an object", { type: "object" }))
    return null
  }
  tellUnknown(given, ["op", "id", "by", "ifMatch", "body"], errors, `${at}.`)
  const op = operationNames.find((name) => name === given.op)
  if (!op) {
    errors.push(notOneOf(`${at}.op`, operationNames))
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
  if ((op === "update" || op === "delete") && id === null && by === null)
    errors.push(fieldError(`${at}.id`, "REQUIRED", "is required, or by instead of it"))
  if ((op === "update" || op === "delete") && id !== null && by !== null)
    errors.push(
      fieldError(`${at}.id`, "RULE", "cannot be combined with by", { rule: "EXCLUSIVE", other: "by" }),
    )
  if (op === "delete" && body !== null) unwanted("body")
  if (op !== "delete" && !isObject(body))
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
