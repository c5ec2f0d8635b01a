import type { Authenticator } from "../../http/access"
import { isWithin, networks } from "../../http/address"
import { unauthorized, type Caller } from "../../http/caller"
import { scopesOf } from "../../shared/rights"
import { unixMillis, wallClock } from "../../lib/clock"
import { smallerPlan, type PlanName } from "../../shared/plans"
import { Refusal } from "../../lib/refusal"
import type { KeyHolder } from "../api-keys/model"
import type { SessionUser } from "./store"
import type { AccessTokens } from "./tokens"

type Known<T> = { get(key: string): T | null }

type Deps = {
  tokens: AccessTokens
  sessions: Known<SessionUser>
  /** By the text of the key. */
  keys: Known<KeyHolder>
  /** Another number once anything has changed that a caller is made from. */
  generation: () => number
  /** The same, looked up in the file and not in a cache: what a write may rely on. */
  fresh: { session(id: string): SessionUser | null; key(id: string): KeyHolder | null }
  noteUse: (key: string, at: string, ip: () => string) => void
  defaultPlan: () => PlanName
}

const mostRemembered = 10_000

/** Who is behind a request's credential, as things stand now: a disabled user or a revoked key counts at once. */
export function authenticator({
  tokens,
  sessions,
  keys,
  generation,
  fresh,
  noteUse,
  defaultPlan,
}: Deps): Authenticator {
  // Apart, because a token is no key: each is good only where it belongs.
  const byTokenText = new Map<string, Caller>()
  const byKeyText = new Map<string, Caller>()
  const remember = (known: Map<string, Caller>, credential: string, caller: Caller): Caller => {
    if (known.size >= mostRemembered) known.clear()
    known.set(credential, caller)
    return caller
  }
  /** Nothing that this caller was made from has changed, and its credential has not ended. */
  const isCurrent = ({ asOf, endsAt }: Caller): boolean => asOf === generation() && endsAt > unixMillis()

  /** The user in person; or an application, which may do what it was allowed and what this token of it says. */
  const asUser = (
    user: SessionUser,
    sessionId: string,
    limit: readonly string[] | null,
    endsAt = Infinity,
  ): Caller => {
    const { id, email, name, role, plan, client } = user
    const shared = {
      userId: id,
      email,
      name,
      role,
      plan: plan ?? defaultPlan(),
      credentialId: sessionId,
      endsAt,
      asOf: generation(),
      blocked: null,
    }
    if (!client)
      return { ...shared, kind: "user", scopes: scopesOf(role), subject: `user:${id}`, credentialName: email }
    return {
      ...shared,
      kind: "oauthClient",
      scopes: client.scopes.filter((scope) => limit?.includes(scope)),
      subject: `grant:${id}:${client.id}`,
      credentialName: client.name,
      clientId: client.id,
    }
  }

  /** A key has its own plan, but never a larger one than its owner has now. */
  const planOf = ({ plan, user }: KeyHolder): PlanName => {
    const owners = user.plan ?? defaultPlan()
    return plan === null ? owners : smallerPlan(plan, owners)
  }

  const asKey = (key: KeyHolder, blocked: Refusal | null): Caller => ({
    kind: "apiKey",
    userId: key.user.id,
    email: key.user.email,
    name: key.user.name,
    role: key.user.role,
    scopes: key.scopes,
    plan: planOf(key),
    subject: `key:${key.id}`,
    credentialId: key.id,
    credentialName: key.name,
    endsAt: key.expiresAt === null ? Infinity : Date.parse(key.expiresAt),
    asOf: generation(),
    blocked,
  })

  const byToken = (token: string): Caller | Refusal => {
    const before = byTokenText.get(token)
    if (before && isCurrent(before)) return before
    const claims = tokens.read(token)
    if (claims instanceof Refusal) return claims
    const user = sessions.get(claims.sessionId)
    // A token of an application is never one of its user, whatever has become of the session.
    const isSame = user?.id === claims.userId && (user.client === null) === (claims.scopes === null)
    if (!user || !isSame) return sessionEnded()
    return remember(
      byTokenText,
      token,
      asUser(user, claims.sessionId, claims.scopes, claims.expiresAt * 1000),
    )
  }

  const byKey = (text: string, address: () => string): Caller | Refusal => {
    const now = wallClock()
    const before = byKeyText.get(text)
    if (before && isCurrent(before)) {
      noteUse(before.credentialId, now, address)
      return before
    }
    const key = keys.get(text)
    if (!key || isOver(key, now)) return invalidKey()
    const caller = asKey(key, blockOf(key, address))
    if (!caller.blocked) noteUse(key.id, now, address)
    return key.allowedIps.length === 0 ? remember(byKeyText, text, caller) : caller
  }

  /** The caller as the file has it now: a write that took its time must not outlive its right. */
  const again = (caller: Caller, address: () => string): Caller | Refusal => {
    const { kind, credentialId, scopes, endsAt } = caller
    if (isCurrent(caller)) return caller
    if (kind !== "apiKey") {
      const user = fresh.session(credentialId)
      return user ? asUser(user, credentialId, scopes, endsAt) : sessionEnded()
    }
    const key = fresh.key(credentialId)
    return key && !isOver(key, wallClock()) ? asKey(key, blockOf(key, address)) : invalidKey()
  }

  // Asked twice of each request, and a look at its headers is dear.
  let latest: { request: Request | null; token: string | null } = { request: null, token: null }
  const tokenOf = (request: Request): string | null => {
    if (latest.request !== request) latest = { request, token: bearerOf(request) }
    return latest.token
  }

  const identify = (request: Request, address: () => string): Caller | Refusal => {
    const key = request.headers.get("x-api-key")
    if (key !== null)
      return request.headers.has("authorization")
        ? new Refusal("BAD_REQUEST", "Send one credential: either Authorization or X-API-Key.")
        : byKey(key, address)
    const token = tokenOf(request)
    return token === null ? unauthorized() : byToken(token)
  }

  const ready = (request: Request) => {
    const token = tokenOf(request)
    return token === null ? null : tokens.ready(token)
  }
  return Object.assign(identify, { ready, again })
}

const isOver = ({ expiresAt }: KeyHolder, now: string) => expiresAt !== null && expiresAt <= now

const invalidKey = () =>
  new Refusal("INVALID_API_KEY", "The API key is not valid: unknown, revoked or expired.")

const sessionEnded = () =>
  new Refusal("TOKEN_REVOKED", "The session of this access token has ended. Sign in again.")

/** Why a key may not be used from an address, if it may not. */
const blockOf = ({ allowedIps }: KeyHolder, address: () => string): Refusal | null =>
  allowedIps.length === 0 || isAllowed(allowedIps, address())
    ? null
    : new Refusal("IP_NOT_ALLOWED", `The API key may not be used from ${address()}.`)

const isAllowed = (entries: string[], address: string): boolean => {
  const list = networks(entries)
  return list !== null && isWithin(list, address)
}

function bearerOf(request: Request): string | null {
  const header = request.headers.get("authorization")
  if (header === null) return null
  // Nearly always just so, and a comparison is cheaper than the pattern.
  if (header.startsWith("Bearer ") && !header.includes(" ", 7)) return header.slice(7) || null
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? null
}
