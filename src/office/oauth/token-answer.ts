import type { Scope } from "../../shared/rights"
import type { OpenSession } from "../auth/sessions"
import type { AccessTokens } from "../auth/tokens"

/** RFC 6749, 5.1. */
export type TokenAnswer = {
  access_token: string
  token_type: "Bearer"
  expires_in: number
  refresh_token: string
  scope: string
}

export const tokenAnswer = async (
  tokens: AccessTokens,
  { session, scopes }: { session: OpenSession; scopes: readonly Scope[] },
): Promise<TokenAnswer> => ({
  access_token: await tokens.issue(session.user, session.id, scopes),
  token_type: "Bearer",
  expires_in: tokens.lifetime,
  refresh_token: session.refreshToken,
  scope: scopes.join(" "),
})
