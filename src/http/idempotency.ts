import { fieldError, Refusal } from "../lib/refusal"
import { signatureOf } from "../lib/secret"
import type { StoredAnswer } from "../db/idempotency"
import type { Input } from "../resource/read"
import type { Call } from "./call"

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
 * from a plain digest.
 */
export const fingerprintOf = (secret: string, { method, path, query }: Call, input: Input): string =>
  signatureOf(secret, JSON.stringify([method, path, query, input]))

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
