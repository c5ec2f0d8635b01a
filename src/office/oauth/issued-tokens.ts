import type { Actor, Writer } from "../../core/write/writer"
import { Refusal } from "../../core/lib/refusal"
import type { SessionStore } from "../auth/sessions"
import type { AccessTokens } from "../auth/tokens"
import type { Prove } from "./authenticate"
import type { OAuthClient } from "./model"
import { scopesWithin } from "./rules"

type Deps = { writer: Writer; sessions: SessionStore; tokens: AccessTokens; issuer: () => string }

/** Ends the session of a token. An unknown token, or a token of another client, is ignored. */
export async function revoke(deps: Deps, prove: Prove, token: string, by: Actor): Promise<void> {
  const { writer, sessions } = deps
  const id = await sessionOf(deps, prove(), token)
  if (id === null) return
  await writer((tx) => {
    const client = prove()
    const user = sessions.ownerOf(id)?.id ?? null
    sessions.end(tx, id)
    const changes = { user: { from: user, to: null } }
    tx.audit("oauth.revoke", client.id, changes, { kind: "oauth-clients" })
  }, by)
}

/** Returns what a token may be used for. Only the client that it was issued to gets more than `active: false`. */
export async function introspect(deps: Deps, client: OAuthClient, token: string): Promise<object> {
  const { sessions, tokens, issuer } = deps
  const id = await sessionOf(deps, client, token)
  const owner = id === null ? null : sessions.ownerOf(id)
  if (!owner?.client) return { active: false }
  const held = sessions.find(token)
  if (held && !held.isValid) return { active: false }
  const shared = {
    active: true,
    client_id: client.id,
    sub: owner.id,
    username: owner.email,
    iss: issuer(),
  }
  const allowed = scopesWithin(owner.client.scopes, owner.role)
  if (allowed.length === 0) return { active: false }
  if (held) return { ...shared, scope: allowed.join(" ") }
  const claims = tokens.read(token)
  if (claims instanceof Refusal) return { active: false }
  const scopes = allowed.filter((scope) => claims.scopes?.includes(scope))
  if (scopes.length === 0) return { active: false }
  return {
    ...shared,
    token_type: "Bearer",
    scope: scopes.join(" "),
    iat: claims.issuedAt,
    exp: claims.expiresAt,
  }
}

/** Returns the session of an access token or a refresh token, if it belongs to this client. */
async function sessionOf(
  { sessions, tokens }: Deps,
  client: OAuthClient,
  token: string,
): Promise<string | null> {
  const held = sessions.find(token)
  if (held) return held.client === client.id ? held.id : null
  await tokens.ready(token)
  const claims = tokens.read(token)
  if (claims instanceof Refusal) return null
  const owner = sessions.ownerOf(claims.sessionId)
  return owner?.client?.id === client.id ? claims.sessionId : null
}
