import type { Identify } from "../../http/access"
import { isWithin, networks } from "../../http/address"
import { scopesOf, unauthorized, type Caller } from "../../http/rights"
import { isApiKey } from "../../lib/api-key"
import type { Clock } from "../../lib/clock"
import type { PlanName } from "../../lib/plans"
import { Refusal } from "../../lib/refusal"
import { digestOf } from "../../lib/secret"
import type { KeyHolder } from "../api-keys/model"
import type { SessionUser } from "./store"
import type { AccessTokens } from "./tokens"

type Known<T> = { get(key: string): T | null }

type Deps = {
  clock: Clock
  tokens: AccessTokens
  sessions: Known<SessionUser>
  keys: Known<KeyHolder>
  noteUse: (key: string, at: string, ip: string) => void
  defaultPlan: () => PlanName
}

/** Who is behind a request's credential, as things stand now: a disabled user or a revoked key counts at once. */
export function identifyBy({ clock, tokens, sessions, keys, noteUse, defaultPlan }: Deps): Identify {
  const byToken = (token: string): Caller | Refusal => {
    const claims = tokens.read(token)
    if (claims instanceof Refusal) return claims
    const user = sessions.get(claims.sessionId)
    if (user?.id !== claims.userId)
      return new Refusal("TOKEN_REVOKED", "The session of this access token has ended. Sign in again.")
    const { id, email, name, role, plan } = user
    return {
      kind: "user",
      userId: id,
      email,
      name,
      role,
      scopes: scopesOf(role),
      plan: plan ?? defaultPlan(),
      subject: `user:${id}`,
      credentialId: claims.sessionId,
      credentialName: email,
      blocked: null,
    }
  }

  const byKey = (text: string, address: () => string): Caller | Refusal => {
    const key = isApiKey(text) ? keys.get(digestOf(text)) : null
    const now = clock()
    if (!key || (key.expiresAt !== null && key.expiresAt <= now))
      return new Refusal("INVALID_API_KEY", "The API key is not valid: unknown, revoked or expired.")
    const ip = address()
    const isBlocked = key.allowedIps.length > 0 && !isAllowed(key.allowedIps, ip)
    if (!isBlocked) noteUse(key.id, now, ip)
    const { user } = key
    return {
      kind: "apiKey",
      userId: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      scopes: key.scopes,
      plan: key.plan ?? user.plan ?? defaultPlan(),
      subject: `key:${key.id}`,
      credentialId: key.id,
      credentialName: key.name,
      blocked: isBlocked ? new Refusal("IP_NOT_ALLOWED", `The API key may not be used from ${ip}.`) : null,
    }
  }

  const identify = (request: Request, address: () => string): Caller | Refusal => {
    const key = request.headers.get("x-api-key")
    if (key !== null)
      return request.headers.has("authorization")
        ? new Refusal("BAD_REQUEST", "Send one credential: either Authorization or X-API-Key.")
        : byKey(key, address)
    const token = bearerOf(request)
    return token === null ? unauthorized() : byToken(token)
  }

  const ready = (request: Request) => {
    const token = bearerOf(request)
    return token === null ? null : tokens.ready(token)
  }
  return Object.assign(identify, { ready })
}

const isAllowed = (entries: string[], address: string): boolean => {
  const list = networks(entries)
  return list !== null && isWithin(list, address)
}

const bearerOf = (request: Request): string | null =>
  /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null
