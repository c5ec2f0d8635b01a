import type { Database } from "bun:sqlite"
import { findAnswer, storeAnswer } from "../db/idempotency"
import type { Tx, Warning, Writer } from "../db/writer"
import { Refusal } from "../lib/refusal"
import { signatureOf } from "../lib/secret"
import type { Expected } from "../resource/crud"
import { readParams } from "../resource/query"
import type { Input } from "../resource/read"
import { actorOf, callerOf, type Call } from "./call"
import type { Authenticator } from "./access"
import { ok } from "./envelope"
import { assertMay } from "./caller"

/** The response to a POST. `once` is added to the response but not stored: a secret that is shown once. */
export type Reply = { status: number; headers: Record<string, string>; data: object; once?: object }

type Posted = {
  call: Call
  request: Request
  set: { status?: number | string; headers: Record<string, string | number> }
}

type Deps = { db: Database; writer: Writer; authenticator: Authenticator; secret: string }

/** The two methods by which a request writes. Both resolve when the write is on disk. */
export function requestWrites({ db, writer, authenticator, secret }: Deps) {
  /** Runs a write: PUT, PATCH, DELETE, and POSTs that are safe to repeat. */
  const runWrite = <T>(call: Call, work: (tx: Tx) => T): Promise<{ value: T; warnings: Warning[] }> => {
    readParams(call.query)
    return writer((tx) => {
      assertStillMay(authenticator, call)
      return { value: work(tx), warnings: tx.warnings }
    }, actorOf(call))
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
    const key = readIdempotencyKey(request)
    const { subject } = callerOf(call)
    // Signed with our secret, because the input may contain a password, which could be guessed from a plain digest.
    const fingerprint =
      key === null ? "" : signatureOf(secret, JSON.stringify([call.method, call.path, call.query, input]))
    const { value } = await runWrite(call, (tx) => {
      if (key !== null) {
        const stored = findAnswer(db, subject, key)
        if (stored) return replay(stored, fingerprint)
      }
      const { status, headers, data, once } = work(tx)
      const body = ok(data, tx.warnings)
      if (key !== null)
        storeAnswer(db, subject, key, { fingerprint, status, headers, body: JSON.stringify(body) })
      if (once) call.isSecret = true
      return { status, headers, body: once ? { ...body, data: { ...data, ...once } } : body }
    })
    set.status = value.status
    Object.assign(set.headers, value.headers)
    return value.body
  }

  return { runWrite, runPost, assertStillMay: (call: Call) => assertStillMay(authenticator, call) }
}

export type Writes = ReturnType<typeof requestWrites>

/** Checks the right again, because the caller may have lost it since the request began. */
function assertStillMay(authenticator: Authenticator, call: Call): void {
  if (!call.right) return
  const caller = authenticator.again(callerOf(call), call.address)
  if (caller instanceof Refusal) throw caller
  if (caller.blocked) throw caller.blocked
  assertMay(caller, call.right)
  call.caller = caller
}

function replay(
  stored: { fingerprint: string; status: number; headers: Record<string, string>; body: string },
  fingerprint: string,
) {
  if (stored.fingerprint !== fingerprint)
    throw new Refusal(
      "IDEMPOTENCY_KEY_REUSED",
      "This Idempotency-Key belongs to another request. Use a new one.",
      {
        details: [{ field: "Idempotency-Key", message: "was used for another request" }],
      },
    )
  return {
    status: stored.status,
    headers: { ...stored.headers, "idempotent-replayed": "true" },
    body: JSON.parse(stored.body) as object,
  }
}

function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key")
  if (key === null || /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new Refusal("INVALID_IDEMPOTENCY_KEY", "The Idempotency-Key must be 1 to 255 printable characters.", {
    details: [{ field: "Idempotency-Key", message: "must be 1 to 255 printable characters" }],
  })
}

/** The versions in If-Match. `*` and a missing header match every version. */
export function readIfMatch(request: Request): Expected {
  const header = request.headers.get("if-match")
  if (header === null || header.trim() === "*") return null
  if (!/^\s*(W\/)?"[^"]*"\s*(,\s*(W\/)?"[^"]*"\s*)*$/.test(header))
    throw new Refusal("BAD_REQUEST", 'If-Match must be the ETag of the record, such as "3".', {
      details: [{ field: "If-Match", message: "is not an ETag" }],
    })
  return [...header.matchAll(/(?<!W\/)"(0|[1-9]\d{0,14})"/g)].map(([, version]) => Number(version))
}

export const etagOf = ({ version }: { version: number }) => `"${version}"`

/** The response to a POST that created a record. */
export const created = (path: string, record: { id: string; version?: number }, once?: object): Reply => ({
  status: 201,
  headers: {
    location: `${path}/${record.id}`,
    ...(record.version === undefined ? {} : { etag: `"${record.version}"` }),
  },
  data: record,
  ...(once ? { once } : {}),
})
