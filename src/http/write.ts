import type { Database } from "bun:sqlite"
import { findAnswer, storeAnswer } from "../db/idempotency"
import type { Tx, Writer } from "../db/writer"
import { Refusal } from "../lib/refusal"
import { signatureOf } from "../lib/secret"
import type { Input } from "../resource/read"
import type { Right } from "../shared/rights"
import { etagOf, readTags, type Expected } from "../resource/tag"
import { actorOf, callerOf, type Call } from "./call"
import type { Authenticator } from "./access"
import { ok } from "./envelope"
import { assertMay } from "./caller"
import { dryRunHeader, endWrite, readDryRun, resultOfUndo, type Done } from "./dry-run"

/** The response to a POST. `once` is added to the response but not stored: a secret that is shown once. */
export type Reply = { status: number; headers: Record<string, string>; data: object; once?: object }

type Posted = {
  call: Call
  request: Request
  set: { status?: number | string; headers: Record<string, string | number> }
}

/** A response to a POST, new or stored. */
type Answered = { status: number; headers: Record<string, string>; body: object }

type Deps = { db: Database; writer: Writer; authenticator: Authenticator; secret: string }

/** The two methods by which a request writes. Both resolve when the write is on disk. */
export function requestWrites({ db, writer, authenticator, secret }: Deps) {
  /** Runs a write: PUT, PATCH, DELETE, and POSTs that are safe to repeat. A dry run is rolled back. */
  const runWrite = <T>(call: Call, work: (tx: Tx) => T, right = call.right): Promise<Done<T>> => {
    const isDry = readDryRun(call.query, right)
    const written = writer((tx) => {
      assertStillMay(authenticator, call, right)
      return endWrite(tx, work(tx), isDry)
    }, actorOf(call))
    return isDry ? written.catch(resultOfUndo<T>) : written
  }

  /**
   * Runs a POST. With an Idempotency-Key, its response is stored in the same transaction as its effect. The same
   * request with the same key gets that response again, without a second effect.
   */
  const runPost = async (
    { call, request, set }: Posted,
    input: Input,
    work: (tx: Tx) => Reply,
  ): Promise<unknown> => {
    const isDry = readDryRun(call.query, call.right)
    const key = isDry ? null : readIdempotencyKey(request)
    const { subject } = callerOf(call)
    const fingerprint = key === null ? "" : fingerprintOf(secret, call, input)
    const { value } = await runWrite<Answered>(call, (tx) => {
      if (key !== null) {
        const stored = findAnswer(db, subject, key)
        if (stored) return replay(stored, fingerprint)
      }
      const { status, headers, data, once } = work(tx)
      const body = ok(data, tx.warnings)
      if (key !== null)
        storeAnswer(db, subject, key, { fingerprint, status, headers, body: JSON.stringify(body) })
      return { status, headers, body: once ? { ...body, data: { ...data, ...once } } : body }
    })
    set.status = value.status
    Object.assign(set.headers, isDry ? dryRunHeader : value.headers)
    return value.body
  }

  /**
   * Begins a request whose operations are written one by one. The Idempotency-Key is bound to the request; the result
   * of each operation is stored under the key and the operation's index. Returns null without a key.
   */
  const openParts = async (call: Call, request: Request, input: Input): Promise<Parts | null> => {
    if (readDryRun(call.query, call.right)) return null
    const key = readIdempotencyKey(request)
    if (key === null) return null
    const { subject } = callerOf(call)
    const fingerprint = fingerprintOf(secret, call, input)
    await runWrite(call, () => {
      const stored = findAnswer(db, subject, key)
      if (stored) assertSameRequest(stored, fingerprint)
      else storeAnswer(db, subject, key, { fingerprint, status: 200, headers: {}, body: "{}" })
    })
    return { key, subject, fingerprint }
  }

  /** Writes one operation of a request with several, or returns its stored result. */
  const runPart = async <T extends { status: number }>(
    call: Call,
    right: Right,
    part: Part | null,
    work: (tx: Tx) => T,
  ): Promise<T> => {
    const { value, warnings } = await runWrite(
      call,
      (tx) => {
        // A key has only printable characters, so no other key is the same as this one.
        const key = part && `${part.key}\n${part.index}`
        const stored = part && key ? findAnswer(db, part.subject, key) : null
        if (stored) return JSON.parse(stored.body) as T
        const result = work(tx)
        if (part && key)
          storeAnswer(db, part.subject, key, {
            fingerprint: part.fingerprint,
            status: result.status,
            headers: {},
            body: JSON.stringify(result),
          })
        return result
      },
      right,
    )
    return warnings.length > 0 ? { ...value, warnings } : value
  }

  return {
    runWrite,
    runPost,
    openParts,
    runPart,
    isDryRun: (call: Call): boolean => readDryRun(call.query, call.right),
    assertStillMay: (call: Call) => assertStillMay(authenticator, call, call.right),
    /** Checks another right than that of the route, inside a write. */
    assertMayNow: (call: Call, right: Right) => assertStillMay(authenticator, call, right),
  }
}

/** An Idempotency-Key, its caller, and the request that it belongs to. */
type Parts = { key: string; subject: string; fingerprint: string }

/** One operation of such a request. */
export type Part = Parts & { index: number }

/** Signed with our secret, because the input may contain a password, which could be guessed from a plain digest. */
const fingerprintOf = (secret: string, { method, path, query }: Call, input: Input): string =>
  signatureOf(secret, JSON.stringify([method, path, query, input]))

export type Writes = ReturnType<typeof requestWrites>

/** Checks the right again, because the caller may have lost it since the request began. */
function assertStillMay(authenticator: Authenticator, call: Call, right: Right | null): void {
  if (!right) return
  const caller = authenticator.again(callerOf(call), call.address)
  if (caller instanceof Refusal) throw caller
  if (caller.blocked) throw caller.blocked
  assertMay(caller, right)
  call.caller = caller
}

function replay(
  stored: { fingerprint: string; status: number; headers: Record<string, string>; body: string },
  fingerprint: string,
) {
  assertSameRequest(stored, fingerprint)
  return {
    status: stored.status,
    headers: { ...stored.headers, "idempotent-replayed": "true" },
    body: JSON.parse(stored.body) as object,
  }
}

function assertSameRequest(stored: { fingerprint: string }, fingerprint: string): void {
  if (stored.fingerprint === fingerprint) return
  throw new Refusal(
    "IDEMPOTENCY_KEY_REUSED",
    "This Idempotency-Key belongs to another request. Use a new one.",
    {
      details: [{ field: "Idempotency-Key", message: "was used for another request" }],
    },
  )
}

function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key")
  if (key === null || /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new Refusal("INVALID_IDEMPOTENCY_KEY", "The Idempotency-Key must be 1 to 255 printable characters.", {
    details: [{ field: "Idempotency-Key", message: "must be 1 to 255 printable characters" }],
  })
}

/** The states in If-Match. `*` and a missing header match every state. */
export function readIfMatch(request: Request): Expected {
  const header = request.headers.get("if-match")
  if (header === null || header.trim() === "*") return null
  if (!/^\s*(W\/)?"[^"]*"\s*(,\s*(W\/)?"[^"]*"\s*)*$/.test(header))
    throw new Refusal(
      "BAD_REQUEST",
      'If-Match must be the ETag of the record, such as "3.7", or its version, such as "3".',
      {
        details: [{ field: "If-Match", message: "is not an ETag" }],
      },
    )
  return readTags(header)
}

/** True for If-None-Match: *, which only creates a record. */
export function readIsNew(request: Request): boolean {
  const header = request.headers.get("if-none-match")
  if (header === null || header.trim() === "*") return header !== null
  throw new Refusal("BAD_REQUEST", "If-None-Match must be * in a write.", {
    details: [{ field: "If-None-Match", message: "must be *" }],
  })
}

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
