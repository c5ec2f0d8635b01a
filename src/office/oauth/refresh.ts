import type { Actor, Tx, Writer } from "../../core/write/writer"
import { Refusal } from "../../core/lib/refusal"
import type { Scope } from "../../shared/rights"
import type { OpenSession, SessionStore } from "../auth/sessions"
import type { AccessTokens } from "../auth/tokens"
import type { UserService } from "../users/service"
import type { Prove } from "./authenticate"
import { OAuthFailure } from "./failure"
import type { OAuthClient } from "./model"
import { readScopes, scopesWithin } from "./rules"
import { tokenAnswer, type TokenAnswer } from "./token-answer"

type Deps = { writer: Writer; users: UserService; sessions: SessionStore; tokens: AccessTokens }
type Wanted = { refreshToken: string; scope: string | null }

/** Returns new tokens for a refresh token. */
export async function refresh(deps: Deps, prove: Prove, wanted: Wanted, by: Actor): Promise<TokenAnswer> {
  const done = await deps.writer((tx) => renew(deps, tx, prove(), wanted), by)
  if (done instanceof OAuthFailure) throw done
  return tokenAnswer(deps.tokens, done)
}

/** A failure is returned and not thrown, because the end of a reused token's session must be committed. */
function renew(
  { users, sessions }: Deps,
  tx: Tx,
  client: OAuthClient,
  { refreshToken, scope }: Wanted,
): { session: OpenSession; scopes: Scope[] } | OAuthFailure {
  const held = sessions.find(refreshToken)
  if (!held || held.client !== client.id) return invalidRefresh()
  // A used or expired token is handled first, because it ends the session in any case.
  if (!held.isValid) return sessions.refresh(tx, refreshToken, client.id) && invalidRefresh()
  const user = users.get(held.user)
  const allowed = scopesWithin(sessions.scopesOf(held.id), user.role)
  const requested =
    scope === null || scope.trim() === "" ? allowed : readScopes(scope, sessions.scopesOf(held.id))
  if (requested === null)
    return new OAuthFailure("invalid_scope", "The requested scopes exceed the granted scopes.")
  const scopes = scopesWithin(requested, user.role)
  // The refresh token stays valid when the user has none of the scopes now, because the user may get them again.
  if (!user.isActive || scopes.length === 0) return invalidRefresh()
  const session = sessions.refresh(tx, refreshToken, client.id)
  return session instanceof Refusal ? invalidRefresh() : { session, scopes }
}

const invalidRefresh = () => new OAuthFailure("invalid_grant", "The refresh token is no longer valid.")
