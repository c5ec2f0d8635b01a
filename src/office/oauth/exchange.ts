import type { Database } from "../../core/engine/engine"
import type { Actor, Tx, Writer } from "../../core/write/writer"
import { real } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { digestOf } from "../../core/lib/secret"
import type { Scope } from "../../shared/rights"
import type { OpenSession, SessionStore } from "../auth/sessions"
import type { AccessTokens } from "../auth/tokens"
import type { UserService } from "../users/service"
import type { Prove } from "./authenticate"
import { OAuthFailure } from "./failure"
import { provesChallenge, scopesWithin } from "./rules"
import { findCode, setCodeUsed } from "./store"
import { tokenAnswer, type TokenAnswer } from "./token-answer"

const codeLifetime = 60_000

type Deps = {
  db: Database
  writer: Writer
  users: UserService
  sessions: SessionStore
  tokens: AccessTokens
}

/** Returns the tokens for a code. */
export async function exchange(
  deps: Deps,
  prove: Prove,
  { code, redirectUri, verifier }: { code: string; redirectUri: string | null; verifier: string },
  by: Actor,
): Promise<TokenAnswer> {
  const { db, writer, tokens } = deps
  const digest = digestOf(code)
  const known = findCode(db, digest)
  // Only the client that the code was issued to may use it. A replay by another client does not end the session.
  if (
    !known ||
    known.client !== prove().id ||
    known.redirectUri !== redirectUri ||
    !provesChallenge(verifier, known.challenge)
  )
    throw invalidCode()
  const done = await writer((tx) => redeem(deps, tx, digest, prove().scopes), by)
  if (done instanceof OAuthFailure) throw done
  return tokenAnswer(tokens, done)
}

/** Redeems a code. A failure is returned and not thrown, because a replay ends the session, which must be committed. */
function redeem(
  { db, users, sessions }: Deps,
  tx: Tx,
  digest: string,
  clientScopes: readonly Scope[],
): { session: OpenSession; scopes: Scope[] } | OAuthFailure {
  const code = findCode(db, digest)
  if (!code) return invalidCode()
  if (code.session !== null) {
    sessions.end(tx, code.session)
    const changes = { user: { from: null, to: code.user } }
    tx.audit("oauth.code-reuse", code.client, changes, { kind: "oauth-clients", outcome: "refused" })
    return invalidCode()
  }
  const isOld = code.createdAt < later(real.now(), -codeLifetime)
  if (isOld || code.createdAt > real.latest()) return invalidCode()
  const user = users.get(code.user)
  const scopes = scopesWithin(code.scopes, user.role).filter((scope) => clientScopes.includes(scope))
  if (!user.isActive || scopes.length === 0) return invalidCode()
  const session = sessions.open(tx, code.user, { grant: code.grant, scopes })
  setCodeUsed(db, digest, session.id)
  const changes = { user: { from: null, to: code.user }, scopes: { from: null, to: scopes } }
  tx.audit("oauth.token", code.client, changes, { kind: "oauth-clients" })
  return { session, scopes }
}

const invalidCode = () =>
  new OAuthFailure(
    "invalid_grant",
    "The code is not valid: it is unknown, used, expired, or was issued for another request.",
  )
