import type { Database } from "../../core/engine/engine"
import type { Audience } from "../../core/caller"
import { newId } from "../../core/lib/id"
import type { Actor, Tx, Writer } from "../../core/write/writer"
import type { Scope } from "../../shared/rights"
import type { SessionStore } from "../auth/sessions"
import type { AccessTokens } from "../auth/tokens"
import type { UserService } from "../users/service"
import { audienceOf } from "./audience"
import type { Prove } from "./authenticate"
import { OAuthFailure } from "./form"
import type { OAuthClient } from "./model"
import { readScopes, scopesWithin } from "./rules"
import { findGrant, writeGrant } from "./store"

type Deps = {
  db: Database
  writer: Writer
  users: UserService
  sessions: SessionStore
  tokens: AccessTokens
  issuer: () => string
}

type Wanted = { scope: string | null; resource: string | null }

/**
 * The tokens of a client that acts by itself, as the user whom an admin has named (RFC 6749, 4.4). It gets no refresh token,
 * because it can ask again.
 */
export async function ownTokens(deps: Deps, prove: Prove, { scope, resource }: Wanted, by: Actor) {
  const audience = audienceOf(resource, deps.issuer())
  if (audience === null) throw new OAuthFailure("invalid_target", "resource is not one of this server.")
  const { user, session, scopes } = await deps.writer((tx) => open(deps, tx, prove(), scope, audience), by)
  return {
    access_token: await deps.tokens.issue(user, session, scopes, audience),
    token_type: "Bearer" as const,
    expires_in: deps.tokens.lifetime,
    scope: scopes.join(" "),
  }
}

function open(
  { db, users, sessions }: Deps,
  tx: Tx,
  client: OAuthClient,
  scope: string | null,
  audience: Audience,
): { user: string; session: string; scopes: Scope[] } {
  const user = client.actsAs === null ? null : users.find(client.actsAs)
  if (client.type !== "confidential" || !user?.isActive)
    throw new OAuthFailure(
      "unauthorized_client",
      "An admin must name the active user as whom this confidential client acts (actsAs).",
    )
  const wanted = readScopes(scope, client.scopes)
  const scopes = wanted && scopesWithin(wanted, user.role)
  if (!scopes || scopes.length === 0)
    throw new OAuthFailure("invalid_scope", `This client may request ${client.scopes.join(", ")}.`)
  const grant = grantOf(db, tx, client.id, user.id)
  const session = sessions.openOwn(tx, user.id, { grant, scopes: client.scopes, audience })
  const changes = { user: { from: null, to: user.id }, scopes: { from: null, to: scopes } }
  if (session.isNew) tx.audit("oauth.token", client.id, changes, { kind: "oauth-clients" })
  return { user: user.id, session: session.id, scopes }
}

/** The grant by which the user sees the client and can disconnect it. It allows the client nothing at the consent page. */
function grantOf(db: Database, tx: Tx, client: string, user: string): string {
  const known = findGrant(db, user, client)
  if (known) return known.id
  const id = newId("grt", tx.now)
  writeGrant(db, { id, user, client, scopes: [], mcpScopes: [], createdAt: tx.now, updatedAt: tx.now })
  return id
}
