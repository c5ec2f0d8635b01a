import { scopes as known, scopesOf, type Role, type Scope } from "../../shared/rights"
import { sameSecret } from "../../core/lib/secret"

const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/
const challengeForm = /^[A-Za-z0-9_-]{43}$/

/** Returns the scopes of a request without duplicates; null when one is unknown or not registered for the client. */
export function readScopes(text: string | null, client: readonly Scope[]): Scope[] | null {
  // A request without scopes is for `read`, or for all scopes of a client that is not registered for `read`.
  if (text === null || text.trim() === "") return client.includes("read") ? ["read"] : [...client]
  const names = [...new Set(text.split(" ").filter((name) => name !== ""))]
  return names.every((name) => client.includes(name as Scope))
    ? known.filter((scope) => names.includes(scope))
    : null
}

/** Returns the scopes that a user with this role can grant: nobody can grant a scope they do not have. */
export const scopesWithin = (requested: readonly Scope[], role: Role): Scope[] =>
  requested.filter((scope) => scopesOf(role).includes(scope))

export const isChallenge = (text: string): boolean => challengeForm.test(text)

/** True when the challenge is the digest of this verifier (RFC 7636, S256). */
export const provesChallenge = (verifier: string, challenge: string): boolean =>
  verifierForm.test(verifier) &&
  sameSecret(new Bun.CryptoHasher("sha256").update(verifier).digest("base64url"), challenge)
