import type { Identify } from "../../http/access"
import { scopesOf, unauthorized, type Caller } from "../../http/rights"
import { Refusal } from "../../lib/refusal"
import type { AccessTokens } from "./tokens"
import type { SessionUser } from "./store"

type Sessions = { get(sessionId: string): SessionUser | null }

/** Who is behind a request's credential, as things stand now: a disabled user or an ended session counts at once. */
export function identifyBy(tokens: AccessTokens, sessions: Sessions): Identify {
  const identify = (request: Request): Caller | Refusal => {
    if (request.headers.has("authorization") && request.headers.has("x-api-key"))
      return new Refusal("BAD_REQUEST", "Send one credential: either Authorization or X-API-Key.")
    if (request.headers.has("x-api-key")) return new Refusal("INVALID_API_KEY", "The API key is not valid.")
    const token = bearerOf(request)
    if (token === null) return unauthorized()
    const claims = tokens.read(token)
    if (claims instanceof Refusal) return claims
    const user = sessions.get(claims.sessionId)
    if (user?.id !== claims.userId)
      return new Refusal("TOKEN_REVOKED", "The session of this access token has ended. Sign in again.")
    const { id, email, name, role } = user
    return {
      kind: "user",
      userId: id,
      email,
      name,
      role,
      scopes: scopesOf(role),
      sessionId: claims.sessionId,
    }
  }
  const ready = (request: Request) => {
    const token = bearerOf(request)
    return token === null ? null : tokens.ready(token)
  }
  return Object.assign(identify, { ready })
}

const bearerOf = (request: Request): string | null =>
  /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null
