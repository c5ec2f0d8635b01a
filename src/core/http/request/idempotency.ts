import { fieldError, Refusal } from "../../lib/refusal"
import { signing } from "../../lib/secret"
import { restsBetween } from "../../lib/turns"
import type { StoredAnswer } from "../../write/idempotency"
import { isObject } from "../../kind/object"
import type { Input } from "../../kind/read"
import type { Call } from "./call"
import { steadyMillis } from "../../lib/clock"

/** In milliseconds. */
const longestStep = 4
/** In characters. */
const signedAtOnce = 64 * 1024

export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key")
  if (key === null || /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new Refusal("INVALID_IDEMPOTENCY_KEY", "The Idempotency-Key must be 1 to 255 printable characters.", {
    params: { min: 1, max: 255 },
    details: [
      fieldError("Idempotency-Key", "FORMAT", "must be 1 to 255 printable characters", {
        format: "printable",
        min: 1,
        max: 255,
      }),
    ],
  })
}

/**
 * Identifies a request by its parsed body. It is signed with our secret, because the input may contain a password, which could be guessed
 * from a plain digest. A large body is signed in steps, with other requests in between.
 */
export async function fingerprintOf(
  secret: string,
  { method, path, query }: Call,
  input: Input,
): Promise<string> {
  const hash = signing(secret).update(JSON.stringify([method, path, query]).slice(0, -1))
  const rest = restsBetween(longestStep)
  let text = ",{"
  for (const part of partsOf(input)) {
    text += part
    if (text.length < signedAtOnce) continue
    hash.update(text)
    text = ""
    await rest()
  }
  return hash.update(`${text}}]`).digest("base64url")
}

/** The fields of an object as JSON in the order of their names, its lists entry by entry. */
function* partsOf(input: Input): Generator<string, undefined> {
  let before = ""
  for (const [name, value] of sorted(input)) {
    yield `${before}${JSON.stringify(name)}:`
    before = ","
    if (!Array.isArray(value)) {
      yield sortedJson(value)
      continue
    }
    yield "["
    for (const [i, entry] of value.entries()) yield `${i > 0 ? "," : ""}${sortedJson(entry)}`
    yield "]"
  }
  return undefined
}

const sorted = (value: object): [string, unknown][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))

/** JSON that does not depend on the order in which a client writes the fields of its objects. */
const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (isObject(each) ? Object.fromEntries(sorted(each)) : each))

/** Refuses a key that belongs to another request. */
export function assertSameRequest(stored: Pick<StoredAnswer, "fingerprint">, fingerprint: string): void {
  if (stored.fingerprint === fingerprint) return
  throw new Refusal(
    "IDEMPOTENCY_KEY_REUSED",
    "This Idempotency-Key belongs to another request. Use a new one.",
    {
      details: [
        fieldError("Idempotency-Key", "RULE", "was used for another request", { rule: "KEY_REUSED" }),
      ],
    },
  )
}

/** The stored response, in the form of a new one. */
export function replay(stored: StoredAnswer, fingerprint: string) {
  assertSameRequest(stored, fingerprint)
  return {
    status: stored.status,
    headers: { ...stored.headers, "idempotent-replayed": "true" },
    body: JSON.parse(stored.body) as object,
  }
}

/** The bytes that the responses of one user may take in a day, in all credentials of the user. */
const mostBytes = 512 * 1024 ** 2

const hour = 60 * 60_000
const hoursKept = 24

/**
 * Counts the bytes that are stored for Idempotency-Keys, by user and hour, as long as they are kept. A restart forgets the
 * counts, so this limits how fast a file can be filled, and not what is in it.
 */
export function storedBytes(most = mostBytes, now: () => number = steadyMillis) {
  const counts = new Map<string, Map<number, number>>()
  return (user: string, bytes: number): void => {
    const current = Math.floor(now() / hour)
    const hours = counts.get(user) ?? new Map<number, number>()
    counts.set(user, hours)
    for (const each of hours.keys()) if (each <= current - hoursKept) hours.delete(each)
    const stored = hours.values().reduce((sum, each) => sum + each, 0)
    if (stored + bytes > most)
      throw new Refusal(
        "RATE_LIMIT_EXCEEDED",
        "The responses that are stored for the Idempotency-Keys of your last 24 hours are too large. Repeat the request later, or without a key.",
        { headers: { "retry-after": "3600" } },
      )
    hours.set(current, (hours.get(current) ?? 0) + bytes)
  }
}
