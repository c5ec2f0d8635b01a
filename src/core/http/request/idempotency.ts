import { fieldError, Refusal } from "../../lib/refusal"
import { signing } from "../../lib/secret"
import { restsBetween } from "../../lib/turns"
import type { StoredAnswer } from "../../write/idempotency"
import type { Input } from "../../kind/read"
import type { Call } from "./call"

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
 * Identifies a request. It is signed with our secret, because the input may contain a password, which could be guessed
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

/** The fields of an object as JSON, its lists entry by entry. */
function* partsOf(input: Input): Generator<string, undefined> {
  let before = ""
  for (const [name, value] of Object.entries(input)) {
    yield `${before}${JSON.stringify(name)}:`
    before = ","
    if (!Array.isArray(value)) {
      yield JSON.stringify(value)
      continue
    }
    yield "["
    for (const [i, entry] of value.entries()) yield `${i > 0 ? "," : ""}${JSON.stringify(entry)}`
    yield "]"
  }
  return undefined
}

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
