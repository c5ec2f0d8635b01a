import type { Tx } from "../../write/writer"
import { gate } from "../../lib/gate"
import { type ErrorParams, fieldError, type FieldError, invalid, Refusal } from "../../lib/refusal"
import { restsBetween } from "../../lib/turns"
import { refuseMissing } from "../../store/crud"
import { draftFieldsOf, type Resource } from "../../kind/define"
import { type Draft, type Input, readDraft } from "../../kind/read"
import {
  type Batch,
  batchBody,
  lineListOf,
  linesOf,
  mostLines,
  mostOperations,
  type Operation,
  operationsOf,
  readBatch,
  resultsSchema,
  summaryOf,
} from "./batch-body"
import { isKeyed, mergeRecord, type Offered } from "./by-key"
import { type Call, callerOf } from "../request/call"
import type { Caller } from "../../caller"
import { dryRunHeader } from "../request/dry-run"
import { failure } from "../answer/envelope"
import { has, pluralOf } from "./kind-routes"
import { resultParts, untilReceived, writtenInSteps } from "../answer/large-answer"
import { handled, type Route, type RouteCall } from "./route"
import { isWriteOnly, writtenOf } from "../request/write-only"
import { created, hasVersion, type KeptResult, type Part, type Writes } from "../request/write"
import { namesByKey } from "../../kind/references"
import { assertVersion } from "../../kind/tag"
import { draftIn, namedIn } from "../../store/named"

/** The number of operations that wait for one commit. The writes of other requests run between them. */
const atOnce = 50

/** In milliseconds. */
const longestStep = 4

/** Lines of the records that a batch in mode `each` writes. Their results are in memory until the last one is written. */
const mostLinesOfEach = 20_000

/** Limits concurrent batches, because the results of each may use some tens of megabytes of memory. */
const fewAtOnce = gate({
  atOnce: 2,
  longest: 1_000,
  message: "The server is busy with other batches. Try again in a moment.",
})

export type BatchDeps = {
  writes: Writes
  /** Counts a batch as one request per 100 operations. The first is counted already. */
  countMore: (context: Pick<RouteCall, "call" | "set">, requests: number) => void
  /** Records an operation that was refused with 403 in the audit log. */
  noteRefused: (call: Call, code: string) => void
}

/** The result of one operation, as in the response. */
type Result = { status: number; data?: object | null; warnings?: unknown[]; error?: unknown }

/** POST /{kind}/batch, with the operations for which the service has functions. */
export const batchRoute = <T extends { id: string }>(
  kind: Resource,
  service: Offered<T>,
  deps: BatchDeps,
): Route =>
  handled<{ batch: Batch; input: Input }>(
    "POST",
    `/${kind.name}/batch`,
    {
      may: kind.rights.write,
      ...(service.remove ? { orMay: [kind.rights.remove] } : {}),
      id: `batch${pluralOf(kind.title)}`,
      tag: kind.name,
      summary: summaryOf(operationsOf(service)),
      description: `In mode \`each\` (up to ${mostOperations.each} operations) every operation succeeds or fails by itself, until the records that were written have ${mostLinesOfEach} lines together. In mode \`all\` (up to ${mostOperations.all}) nothing is stored unless all succeed. With an Idempotency-Key, a repeated request continues where the first one stopped. A repeated result of more than 4 kB has the record as it is then, and \`data: null\` if it was deleted.`,
      readsQuery: true,
      takesIdempotencyKey: true,
      body: {
        ...batchBody(kind, operationsOf(service), service.send),
        read: (input) => ({ batch: readBatch(kind, operationsOf(service), input), input }),
      },
      answer: {
        status: 200,
        description: "One result for each operation, in their order.",
        schema: resultsSchema(kind, service.send),
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
  <T extends object>(service: Offered<T>, call: Call, writes: Writes): Find =>
  (id) => {
    writes.assertStillMay(call)
    try {
      return service.get(id, callerOf(call))
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return null
      throw error
    }
  }

function runOperation<T extends { id: string }>(
  kind: Resource,
  service: Offered<T>,
  ...[tx, { op, id, key, expected, body }, caller, draft]: Parameters<Run>
): Result {
  if (op === "create" && has(service, "create")) {
    const { status, data } = created("", service.create(tx, draft ?? draftIn(tx, kind, body), caller))
    return { status, data }
  }
  if (op === "upsert" && key && isKeyed(service)) {
    const { status, data } = mergeRecord(tx, kind, service, key, body, { expected, caller })
    return { status, data }
  }
  const found = idOf(kind, service, id, key)
  if (op === "update" && has(service, "update")) {
    const change = namedIn(tx, kind.fields, body, () => service.get(found, caller))
    return { status: 200, data: service.update(tx, found, change, expected, caller) }
  }
  if (op === "send" && has(service, "send")) {
    const record: object = service.get(found, caller)
    if (hasVersion(record)) assertVersion(record, expected)
    return { status: 202, data: service.send.run(tx, found, body, caller) }
  }
  if (!has(service, "remove")) throw new Error(`The service of ${kind.name} lacks ${op}.`)
  service.remove(tx, found, expected, caller)
  return { status: 204 }
}

const idOf = <T>(kind: Resource, service: Offered<T>, id: string | null, key: Operation["key"]): string =>
  id ?? (key && service.findId(key.name, key.value)) ?? refuseMissing(kind, key?.value ?? "")

/** The lines of the stored record of an operation; 0 if there is none. */
function storedLines<T>(kind: Resource, service: Offered<T>, { id, key }: Operation, caller: Caller): number {
  const found = lineListOf(kind) === null ? null : (id ?? (key && service.findId(key.name, key.value)))
  try {
    return found === null ? 0 : linesOf(kind, service.get(found, caller))
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return 0
    throw error
  }
}

/** True for an operation whose result is not the document that it reads. */
const readsWhole = ({ op }: Operation): boolean => op === "delete" || op === "send"

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
            if (lines > mostLinesOfEach) throw tooManyLines(kind, mostLinesOfEach)
            const result = run(tx, operation, callerOf(call))
            lines += linesOf(kind, result.data)
            return shownTo(call, kind, result)
          })
          return resultOf(written, (code) => noteRefused(call, code))
        }),
      )),
    )
    if (call.signal().aborted) throw new Refusal("BAD_REQUEST", "The client has disconnected.")
  }
  if (writes.isDryRun(call)) Object.assign(set.headers, dryRunHeader)
  if (parts?.isRepeated) set.headers["idempotent-replayed"] = "true"
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
      const numbered = tx.numbers.length
      // Undone alone, because PostgreSQL runs nothing more after a statement that violates a constraint.
      const outcome = writes.tryPart(tx, () => {
        writes.assertStillMay(call, rightOf(kind, operation))
        // The others return the documents that they have written.
        if (readsWhole(operation)) lines += stored(operation, callerOf(call))
        return lines > mostLines ? null : run(tx, operation, callerOf(call), drafts[i])
      })
      if ("refusal" in outcome) {
        const { refusal } = outcome
        if (refusal.status === 403) noteRefused(call, refusal.code)
        failed.push({ refusal, index: i })
        if (!readsWhole(operation)) lines += stored(operation, callerOf(call))
        if (lines <= mostLines) return null
      } else if (outcome.value !== null) {
        const { status, data } = outcome.value
        lines += linesOf(kind, data)
        if (status === 201 && hasId(data)) made.set(data.id, i)
        for (const number of tx.numbers.slice(numbered)) made.set(number, i)
        if (lines <= mostLines) return shownTo(call, kind, outcome.value)
      }
      throw failed.length > 0
        ? refusalOf(kind, failed, made, i)
        : atOperation(tooManyLines(kind, mostLines), i, made)
    })
    if (failed.length > 0) throw refusalOf(kind, failed, made)
    return { status: 200, headers: {}, data: { results } }
  })
}

/**
 * An operation that was refused. The others are still run, so that one response names everything that is wrong, as long as
 * the documents have few lines together.
 */
type Failed = { refusal: Refusal; index: number }

/** The refusal of a batch: that of its first wrong operation, with the errors of all up to the last one that was run. */
function refusalOf(kind: Resource, failed: readonly Failed[], made: Made, last?: number): Refusal {
  const [first, ...others] = failed.map(({ refusal, index }) => atOperation(refusal, index, made)) as [
    Refusal,
    ...Refusal[],
  ]
  const notRun =
    last === undefined
      ? ""
      : ` Those after operation ${last} were not run, because ${pluralOf(kind.noun)} of a batch have at most ${mostLines} lines together.`
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
    drafts.push(op === "create" && !namesByKey(draftFieldsOf(kind), body) ? readDraft(kind, body) : null)
    await rest()
  }
  return drafts
}

/** Stored records count too: one transaction must not become long by many updates of large documents. */
const tooManyLines = (kind: Resource, max: number): Refusal =>
  invalid(
    lineListOf(kind) ?? "",
    "TOO_LONG",
    `must be at most ${max} in all ${pluralOf(kind.noun)} of a batch together`,
    { max },
  )

/** Names the operation in an error. The status is 422, whatever the status of the operation would be. */
function atOperation(refusal: Refusal, index: number, made: Made): Refusal {
  const { reason, message, details, params } = refusal
  return new Refusal(reason, `Operation ${index}: ${textWithoutMade(message, made)}`, {
    params: { ...paramsWithoutMade(params, made), operation: index },
    details: details.map((each) => ({
      ...withoutMade(each, made),
      field: `operations[${index}].body.${each.field}`,
    })),
    status: 422,
  })
}

/** The operations of a batch that have made records, by the ids and the numbers of these records. */
type Made = ReadonlyMap<string, number>

const operationAt = (index: number) => `operations[${index}]`

/** A record that the batch itself would have created does not exist, so its operation is named instead. */
function withoutMade({ existing, ...rest }: FieldError, made: Made): FieldError {
  const detail = {
    ...rest,
    message: textWithoutMade(rest.message, made),
    ...(rest.params && { params: paramsWithoutMade(rest.params, made) }),
  }
  if (existing === undefined) return detail
  const index = made.get(existing)
  return index === undefined ? { ...detail, existing } : { ...detail, duplicateOf: operationAt(index) }
}

/** Ids and numbers consist of these characters. */
const words = /[\w-]+/g

const textWithoutMade = (text: string, made: Made): string =>
  text.replaceAll(words, (word) => {
    const index = made.get(word)
    return index === undefined ? word : operationAt(index)
  })

const paramsWithoutMade = (params: ErrorParams = {}, made: Made): ErrorParams =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const index = typeof value === "string" ? made.get(value) : undefined
      return [name, index === undefined ? value : operationAt(index)]
    }),
  )
