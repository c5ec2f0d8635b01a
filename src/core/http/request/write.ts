import type { Database } from "../../engine/engine"
import { type PartOutcome, tryPart } from "../../write/write-parts"
import { answerRead, findAnswer, storeAnswer, type StoredAnswer } from "../../write/idempotency"
import type { Planned, Tx, Writer } from "../../write/writer"
import type { Warning } from "../../lib/warning"
import { fieldError, Refusal } from "../../lib/refusal"
import type { Input } from "../../kind/read"
import type { Right } from "../../../shared/rights"
import { etagOf, readTags, type Expected } from "../../kind/tag"
import { actorOf, callerOf, type Call } from "./call"
import type { Authenticator } from "./access"
import { ok } from "../answer/envelope"
import { assertMay } from "../../caller"
import { assertSameRequest, fingerprintOf, readIdempotencyKey, replay, storedBytes } from "./idempotency"
import { isWriteOnly, warningWithoutStoredValues, withoutStoredValues } from "./write-only"
import { dryRunHeader, endWrite, readDryRun, resultOfUndo, type Done } from "./dry-run"

/** The response to a POST. `once` is added to the response but not stored: a secret that is shown once. */
export type Reply = { status: number; headers: Record<string, string>; data: object; once?: object }

type Posted = {
  /** Set if the write can run again: what it is going to read. */
  planned?: Planned | undefined
  call: Call
  request: Request
  set: { status?: number | string; headers: Record<string, string | number> }
}

/** A response to a POST, new or stored. */
type Answered = { status: number; headers: Record<string, string>; body: object }

type Given = { db: Database; writer: Writer; authenticator: Authenticator; secret: string }
type Deps = Given & {
  /** Counts what is stored for an Idempotency-Key, and refuses too much of one user. */
  countStored: (user: string, bytes: number) => void
}

/** The methods by which a request writes. They resolve when the write is on disk. */
export const requestWrites = (given: Given) => writesOf({ ...given, countStored: storedBytes() })

const writesOf = (deps: Deps) => ({
  /** Runs a write: PUT, PATCH, DELETE, and POSTs that are safe to repeat. A dry run is rolled back. */
  runWrite: <T>(call: Call, work: (tx: Tx) => T): Promise<Done<T>> => runWrite(deps, call, work),

  /** Runs a POST that creates something, once for each Idempotency-Key. */
  runPost: (posted: Posted, input: Input, work: (tx: Tx) => Reply): Promise<unknown> =>
    runPost(deps, posted, input, work),

  /** Begins a request whose operations are written one by one. */
  openParts: (call: Call, request: Request, input: Input): Promise<Parts | null> =>
    openParts(deps, call, request, input),

  /** Writes one operation of such a request, or returns its stored result. */
  runPart: <T extends PartResult>(
    call: Call,
    right: Right,
    part: Part | null,
    work: (tx: Tx) => T,
  ): Promise<T | KeptResult> => runPart(deps, call, right, part, work),

  /** Runs a part of a write, and undoes it alone if it is refused. */
  tryPart: <T>(tx: Tx, work: () => T): PartOutcome<T> => tryPart(deps.db, tx, work),

  /** Runs a write that a read needs, such as keeping what it returns. Its query belongs to the read. */
  runInRead: <T>(call: Call, work: (tx: Tx) => T): Promise<T> =>
    deps.writer((tx) => {
      assertStillMay(deps, call, call.right)
      return work(tx)
    }, actorOf(call)),

  isDryRun: (call: Call): boolean => readDryRun(call.query, call.right),

  /**
   * Checks that the caller still has a right, by default that of the route: inside a write, or before a part of a long
   * response. An access token that has expired since the request began does not matter, while its session goes on.
   */
  assertStillMay: (call: Call, right = call.right): void => assertStillMay(deps, call, right),
})

export type Writes = ReturnType<typeof writesOf>

function runWrite<T>(
  deps: Deps,
  call: Call,
  work: (tx: Tx) => T,
  right = call.right,
  planned?: Planned,
): Promise<Done<T>> {
  const isDry = readDryRun(call.query, right)
  const written = deps.writer(
    (tx) => {
      assertStillMay(deps, call, right)
      const isUnseen = isWriteOnly(call.caller, right)
      // What a dry run tells, nobody sees afterwards.
      if (isDry && isUnseen && right) assertMay(call.caller, { ...right, scope: "read" })
      const value = isUnseen ? unseen(() => work(tx)) : work(tx)
      return endWrite(tx, { value, warnings: shownWarnings(call, right, tx), isDry })
    },
    actorOf(call),
    planned,
  )
  return isDry ? written.catch(resultOfUndo<T>) : written
}

/** The warnings of a write, as its caller may see them. */
const shownWarnings = ({ caller }: Call, right: Right | null, { warnings }: Tx): Warning[] =>
  isWriteOnly(caller, right) ? warnings.flatMap(warningWithoutStoredValues) : warnings

/** Runs a write for a caller who may not read: its errors have no values of stored records. */
function unseen<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Refusal ? withoutStoredValues(error) : error
  }
}

/**
 * With an Idempotency-Key, the response is stored in the same transaction as its effect. The same request with the same
 * key gets that response again, without a second effect.
 */
async function runPost(
  deps: Deps,
  { call, request, set, planned }: Posted,
  input: Input,
  work: (tx: Tx) => Reply,
): Promise<unknown> {
  const { db, secret } = deps
  const isDry = readDryRun(call.query, call.right)
  const key = isDry ? null : readIdempotencyKey(request)
  const { subject } = callerOf(call)
  const fingerprint = key === null ? "" : await fingerprintOf(secret, call, input)
  const kept = key === null ? [] : [answerRead(subject, key)]
  // A dry run ends with an error.
  const early = isDry || !planned ? undefined : { reads: [...kept, ...planned.reads] }
  const create = (tx: Tx): Answered => {
    const stored = key === null ? null : findAnswer(db, subject, key)
    if (stored) return replay(stored, fingerprint)
    const { status, headers, data, once } = work(tx)
    const body = ok(data, shownWarnings(call, call.right, tx))
    if (key !== null) store(deps, call, key, { fingerprint, status, headers, body: JSON.stringify(body) })
    if (once) call.isSecret = true
    return { status, headers, body: once ? { ...body, data: { ...data, ...once } } : body }
  }
  const { value } = await runWrite(deps, call, create, call.right, early)
  set.status = value.status
  Object.assign(set.headers, isDry ? dryRunHeader : value.headers)
  return value.body
}

/** Stores a response under the key of its caller. */
function store({ db, countStored }: Deps, call: Call, key: string, answer: StoredAnswer): void {
  const { subject, userId } = callerOf(call)
  // The row has both in its primary key too.
  countStored(userId, Buffer.byteLength(answer.body) + 2 * (key.length + subject.length) + 200)
  storeAnswer(db, subject, key, answer)
}

/** An Idempotency-Key, its caller, and the request that it belongs to. */
type Parts = {
  key: string
  subject: string
  fingerprint: string
  /** True if an earlier request with this key has begun them. */
  isRepeated: boolean
}

/** One operation of such a request. */
export type Part = Parts & { index: number }

/** Checks the right of the route inside a write, and binds the Idempotency-Key to the request; null without a key. */
async function openParts(deps: Deps, call: Call, request: Request, input: Input): Promise<Parts | null> {
  const { db, secret } = deps
  const { subject } = callerOf(call)
  const key = readDryRun(call.query, call.right) ? null : readIdempotencyKey(request)
  const fingerprint = key === null ? "" : await fingerprintOf(secret, call, input)
  const { value: isRepeated } = await runWrite(deps, call, () => {
    if (key === null) return false
    const stored = findAnswer(db, subject, key)
    if (stored) assertSameRequest(stored, fingerprint)
    else store(deps, call, key, { fingerprint, status: 200, headers: {}, body: "{}" })
    return stored !== null
  })
  return key === null ? null : { key, subject, fingerprint, isRepeated }
}

/** The result of one operation. */
export type PartResult = { status: number; data?: unknown }

/** What is kept of a result whose record is large: where the record is found. */
export type KeptResult = {
  status: number
  kept: { id: string; version: number | null }
  warnings?: unknown[]
}

/** In characters. A batch of 1,000 operations with 63 kB could otherwise store 650 MB for a day. */
const longestStoredResult = 4_096

/** The text of a result to store. */
function storedResult(result: PartResult & { warnings?: unknown[] }): string {
  const text = JSON.stringify(result)
  const { status, data, warnings } = result
  if (text.length <= longestStoredResult || !hasId(data)) return text
  const kept = { id: data.id, version: hasVersion(data) ? data.version : null }
  return JSON.stringify({ status, kept, ...(warnings ? { warnings } : {}) } satisfies KeptResult)
}

const hasId = (value: unknown): value is { id: string } =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string"

/** The result is stored under the key and the index, in the same transaction as the operation. */
async function runPart<T extends PartResult>(
  deps: Deps,
  call: Call,
  right: Right,
  part: Part | null,
  work: (tx: Tx) => T,
): Promise<T | KeptResult> {
  const { db } = deps
  // A key has only printable characters, so no other key is the same as this one.
  const key = part && `${part.key}\n${part.index}`
  const write = (tx: Tx): T | KeptResult => {
    const run = () => withWarnings(work(tx), shownWarnings(call, right, tx))
    if (!part || key === null) return run()
    const { fingerprint } = part
    const stored = findAnswer(db, part.subject, key)
    // A result of another request with the same key, from the day before, does not count.
    if (stored?.fingerprint === fingerprint) return JSON.parse(stored.body) as T | KeptResult
    const result = run()
    const { status } = result
    store(deps, call, key, { fingerprint, status, headers: {}, body: storedResult(result) })
    return result
  }
  return (await runWrite(deps, call, write, right)).value
}

const withWarnings = <T extends object>(result: T, warnings: readonly Warning[]): T =>
  warnings.length > 0 ? { ...result, warnings } : result

/** Checks the right again, because the caller may have lost it since the request began. */
function assertStillMay({ authenticator }: Deps, call: Call, right: Right | null): void {
  if (!right) return
  const caller = authenticator.again(callerOf(call), call.address)
  if (caller instanceof Refusal) throw caller
  if (caller.blocked) throw caller.blocked
  assertMay(caller, right)
  call.caller = caller
}

/** The states in If-Match. `*` and a missing header match every state. */
export function readIfMatch(request: Request): Expected {
  const header = request.headers.get("if-match")
  if (header === null || header.trim() === "*") return null
  if (!/^\s*(W\/)?"[^"]*"\s*(,\s*(W\/)?"[^"]*"\s*)*$/.test(header))
    throw new Refusal(
      "BAD_REQUEST",
      'If-Match must be the ETag of the record, such as "3.7", or its version, such as "3".',
      { details: [fieldError("If-Match", "FORMAT", "is not an ETag", { format: "etag" })] },
    )
  return readTags(header)
}

/** True for If-None-Match: *, which only creates a record. */
export function readIsNew(request: Request): boolean {
  const header = request.headers.get("if-none-match")
  if (header === null || header.trim() === "*") return header !== null
  throw new Refusal("BAD_REQUEST", "If-None-Match must be * in a write.", {
    details: [fieldError("If-None-Match", "FORMAT", "must be *", { allowed: ["*"] })],
  })
}

/** True when a record must exist: any If-Match says so, also `*`. */
export const readMustExist = (request: Request): boolean => request.headers.get("if-match") !== null

/** True for records with a version. Ledger records never change, so they have none. */
export const hasVersion = (value: unknown): value is { version: number } =>
  typeof value === "object" && value !== null && "version" in value

/** The response to a POST that created a record. */
export const created = (path: string, record: { id: string }, once?: object): Reply => ({
  status: 201,
  headers: {
    location: `${path}/${record.id}`,
    ...(hasVersion(record) ? { etag: etagOf(record) } : {}),
  },
  data: record,
  ...(once ? { once } : {}),
})
