import { jwt } from "@elysiajs/jwt"
import { real } from "../../core/lib/clock"
import type { Audience } from "../../core/caller"
import { asDate } from "../../shared/dates"
import { Refusal } from "../../core/lib/refusal"

/**
 * The content of an access token: the user and the session. Everything else is looked up, so that it is never stale.
 */
export type Claims = {
  userId: string
  sessionId: string
  issuedAt: number
  expiresAt: number
  /** The scopes of an OAuth client's token; null for a person. */
  scopes: readonly string[] | null
  audience: Audience
}

export const tokenLifetime = 3600
const longestToken = 2_048
const mostRemembered = 10_000
const issuer = "kontor"
/** The value of the claim `aud` for each. */
const claimOf: Readonly<Record<Audience, string>> = { api: "kontor-api", mcp: "kontor-mcp" }
const strictly = {
  algorithms: ["HS256"],
  issuer,
  audience: Object.values(claimOf),
  requiredClaims: ["exp", "sub", "sid"],
  // The library does not check the expiry, because its result does not distinguish expired from forged. `read` does.
  currentDate: asDate(0),
}

/** Signs and verifies access tokens. The library verifies a token once; then the result is cached by its whole text. */
export function accessTokens(secret: string) {
  const { decorator } = jwt({ name: "jwt", secret, alg: "HS256", iss: issuer })
  const { sign, verify } = decorator.jwt
  const verdicts = new Map<string, Claims | null>()

  const check = async (token: string): Promise<void> => {
    const payload = await verify(token, strictly)
    if (verdicts.size >= mostRemembered) verdicts.delete(verdicts.keys().next().value ?? "")
    verdicts.set(token, payload ? claimsOf(payload) : null)
  }

  return {
    /** In seconds. */
    lifetime: tokenLifetime,

    issue: (
      userId: string,
      sessionId: string,
      scopes: readonly string[] | null = null,
      audience: Audience = "api",
    ): Promise<string> =>
      sign({
        sub: userId,
        aud: claimOf[audience],
        sid: sessionId,
        iat: true,
        exp: real.seconds() + tokenLifetime,
        ...(scopes ? { scope: scopes.join(" ") } : {}),
      }),

    /** Resolves when `read` can decide about this token; null when it already can. */
    ready: (token: string): Promise<void> | null =>
      token.length > longestToken || verdicts.has(token) ? null : check(token),

    read(token: string): Claims | Refusal {
      const claims = verdicts.get(token)
      if (!claims) return new Refusal("INVALID_TOKEN", token.startsWith("kon_") ? keyAsToken : notValid)
      if (claims.expiresAt <= real.seconds() || claims.issuedAt * 1000 > real.latestMillis())
        return new Refusal(
          "TOKEN_EXPIRED",
          "The access token has expired. Get a new one from POST /api/v1/auth/refresh.",
        )
      return claims
    },
  }
}

const notValid = "The access token is not valid. Sign in again."
const keyAsToken = "This is an API key and not an access token. Send it in the header X-API-Key."

export type AccessTokens = ReturnType<typeof accessTokens>

type Payload = { sub?: string; aud?: string | string[]; iat?: number; exp?: number; [claim: string]: unknown }

const claimsOf = (payload: Payload): Claims => ({
  userId: String(payload.sub),
  sessionId: String(payload["sid"]),
  issuedAt: Number(payload.iat ?? 0),
  expiresAt: Number(payload.exp),
  scopes: typeof payload["scope"] === "string" ? payload["scope"].split(" ") : null,
  audience: payload.aud === claimOf.mcp ? "mcp" : "api",
})
