import type { Authenticator } from "../../core/http/request/access"
import { type Audience, type Caller, hasEnded, unauthorized } from "../../core/caller"
import { business } from "../../core/lib/clock"
import { Refusal } from "../../core/lib/refusal"
import type { KeyHolder } from "../api-keys/model"
import { isApiKey } from "../api-keys/rules"
import { type CallerDeps, keyCaller, sessionCaller } from "./callers"
import type { SessionUser } from "./store"
import type { AccessTokens } from "./tokens"

type Cache<T> = { get(key: string): T | null }

type Deps = CallerDeps & {
  tokens: AccessTokens
  sessions: Cache<SessionUser>
  /** By the text of the key. */
  keys: Cache<KeyHolder>
  /** The same, read from the database and not from a cache, because a write depends on it. */
  fresh: { session(id: string): SessionUser | null; key(id: string): KeyHolder | null }
  noteUse: (key: string, at: string, ip: () => string) => void
}

/** Callers by the text of their credential. */
type Callers = Map<string, Caller>

const mostRemembered = 10_000

/** Finds the caller of a request by its credential. A disabled user or a revoked key is refused immediately. */
export function authenticator(deps: Deps): Authenticator {
  const { tokens } = deps
  // Separate maps, because a token must not be accepted as a key, nor a key as a token, nor a token for something else.
  const callersByToken: Record<Audience, Callers> = { api: new Map(), mcp: new Map() }
  const callersByKey: Callers = new Map()

  const identify = (request: Request, address: () => string, audience: Audience): Caller | Refusal => {
    const key = request.headers.get("x-api-key")
    if (key !== null)
      return request.headers.has("authorization")
        ? new Refusal("BAD_REQUEST", "Send one credential: either Authorization or X-API-Key.")
        : byKey(deps, callersByKey, key, address)
    const token = bearerOf(request)
    if (token === null) return audience === "mcp" ? noCredential() : unauthorized()
    // Programs of assistants can often send only a bearer token.
    if (audience === "mcp" && isApiKey(token)) return byKey(deps, callersByKey, token, address)
    return byToken(deps, callersByToken[audience], token, audience)
  }
  const ready = (request: Request) => {
    const token = bearerOf(request)
    return token === null ? null : tokens.ready(token)
  }
  return Object.assign(identify, {
    ready,
    again: (caller: Caller, address: () => string) => again(deps, caller, address),
  })
}

/** True while the caller's user, session, key and settings are unchanged, and its credential has not expired. */
const isCurrent = (deps: Deps, caller: Caller): boolean =>
  caller.generation === deps.generation() && !hasEnded(caller)

function remember(callers: Callers, credential: string, caller: Caller): Caller {
  if (callers.size >= mostRemembered) callers.clear()
  callers.set(credential, caller)
  return caller
}

function byToken(deps: Deps, callers: Callers, token: string, audience: Audience): Caller | Refusal {
  const known = callers.get(token)
  if (known && isCurrent(deps, known)) return known
  const claims = deps.tokens.read(token)
  if (claims instanceof Refusal) return claims
  if (claims.audience !== audience) return otherAudience(audience)
  const { sessionId, userId, scopes, expiresAt } = claims
  const user = deps.sessions.get(sessionId)
  // The token of an OAuth client is never accepted as a token of its user, even if the session has changed.
  const isSame = user?.id === userId && (user.client === null) === (scopes === null)
  if (!user || !isSame) return sessionEnded()
  const caller = sessionCaller(deps, sessionId, user, { scopes, endsAt: expiresAt * 1000 })
  // The session may have a fixed end that has come since it was cached.
  return hasEnded(caller) ? sessionEnded() : remember(callers, token, caller)
}

function byKey(deps: Deps, callers: Callers, text: string, address: () => string): Caller | Refusal {
  const now = business.now()
  const known = callers.get(text)
  if (known && isCurrent(deps, known)) {
    deps.noteUse(known.credentialId, now, address)
    return known
  }
  const key = deps.keys.get(text)
  if (!key || hasExpired(key, now)) return invalidKey()
  const caller = keyCaller(deps, key, address)
  if (!caller.blocked) deps.noteUse(key.id, now, address)
  // With allowed IP addresses, the caller depends on the address and not on the key alone.
  return key.allowedIps.length === 0 ? remember(callers, text, caller) : caller
}

/** Returns the caller with the current data, because its rights may have changed while its write was waiting. */
function again(deps: Deps, caller: Caller, address: () => string): Caller | Refusal {
  if (isCurrent(deps, caller)) return caller
  const { kind, credentialId, secretTag, scopes, endsAt } = caller
  if (kind !== "apiKey") {
    const user = deps.fresh.session(credentialId)
    return user ? sessionCaller(deps, credentialId, user, { scopes, endsAt }) : sessionEnded()
  }
  const key = deps.fresh.key(credentialId)
  // A rotated key is no longer valid for a request that began with its old secret.
  const isValid = key && key.secretTag === secretTag && !hasExpired(key, business.now())
  return isValid ? keyCaller(deps, key, address) : invalidKey()
}

const hasExpired = ({ expiresAt }: KeyHolder, now: string) => expiresAt !== null && expiresAt <= now

const invalidKey = () =>
  new Refusal("INVALID_API_KEY", "The API key is not valid: unknown, revoked or expired.")

const noCredential = () =>
  new Refusal(
    "UNAUTHORIZED",
    "Send an API key in X-API-Key or as Authorization: Bearer, or an access token that was issued for /mcp.",
  )

const otherAudience = (audience: Audience) =>
  new Refusal(
    "INVALID_TOKEN",
    audience === "mcp"
      ? "The access token was not issued for /mcp. Ask for one with the resource that the metadata names, or send an API key."
      : "The access token was issued for /mcp, and not for the API.",
  )

const sessionEnded = () =>
  new Refusal("TOKEN_REVOKED", "The session of this access token has ended. Sign in again.")

let latest: { request: Request | null; token: string | null } = { request: null, token: null }

/** Returns the bearer token of a request, or null. Each request is asked twice, and reading a header is slow in Bun. */
export function bearerOf(request: Request): string | null {
  if (latest.request !== request) latest = { request, token: readBearer(request) }
  return latest.token
}

/** The plain form. */
export const readBearer = (request: Request): string | null =>
  /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null
