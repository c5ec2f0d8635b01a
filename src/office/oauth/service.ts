import type { Database } from "../../core/engine/engine"
import type { Actor, Tx, Writer } from "../../core/write/writer"
import { real } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import type { OpenSession, SessionStore } from "../auth/sessions"
import type { AccessTokens } from "../auth/tokens"
import type { UserService } from "../users/service"
import type { Prove } from "./authenticate"
import type { OAuthClientService } from "./client-service"
import type { Ask, Grant, OAuthClient } from "./model"
import {
  deleteCodesBeyond,
  findCode,
  findGrant,
  findGrantById,
  findGrantsOf,
  insertCode,
  setCodeUsed,
  writeGrant,
} from "./store"
import { Refusal } from "../../core/lib/refusal"
import type { Role, Scope } from "../../shared/rights"
import type { Audience } from "../../core/caller"
import { audienceOf, resourceOf } from "./audience"
import { OAuthFailure } from "./form"
import { ownTokens } from "./own-tokens"
import { provesChallenge, readScopes, scopesWithin } from "./rules"
import { digestOf, newSecret } from "../../core/lib/secret"
import { newId } from "../../core/lib/id"
import { isRegistered } from "./redirect-uri"

/** How long codes are stored. A used code must be recognized when it is used again. */
const codeMemory = 24 * 60 * 60_000

type Deps = {
  db: Database
  writer: Writer
  users: UserService
  clients: OAuthClientService
  sessions: SessionStore
  tokens: AccessTokens
  issuer: () => string
}

/** The authorization code flow: a user allows a client, which gets a code and exchanges it for tokens. */
export const oauthService = (deps: Deps) => ({
  ...consent(deps),

  exchange: (
    prove: Prove,
    given: { code: string; redirectUri: string | null; verifier: string; resource: string | null },
    by: Actor,
  ) => exchange(deps, prove, given, by),

  ownTokens: (prove: Prove, wanted: { scope: string | null; resource: string | null }, by: Actor) =>
    ownTokens(deps, prove, wanted, by),

  refresh: (prove: Prove, wanted: Wanted, by: Actor) => refresh(deps, prove, wanted, by),

  revoke: (prove: Prove, token: string, by: Actor) => revoke(deps, prove, token, by),

  introspect: (client: OAuthClient, token: string) => introspect(deps, client, token),

  /** Maintenance: deletes the codes that no longer need to be recognized. */
  deleteExpired: () =>
    deleteCodesBeyond(deps.db, { earliest: later(real.now(), -codeMemory), latest: real.latest() }),
})

export type OAuthService = ReturnType<typeof oauthService>

type RefreshDeps = {
  writer: Writer
  users: UserService
  sessions: SessionStore
  tokens: AccessTokens
  issuer: () => string
}
type Wanted = { refreshToken: string; scope: string | null; resource: string | null }

/** What tokens are made from. */
type Issued = { session: OpenSession; scopes: Scope[]; audience: Audience }

async function refresh(deps: RefreshDeps, prove: Prove, wanted: Wanted, by: Actor): Promise<TokenAnswer> {
  const done = await deps.writer((tx) => renew(deps, tx, prove(), wanted), by)
  if (done instanceof OAuthFailure) throw done
  return tokenAnswer(deps.tokens, done)
}

/** A failure is returned and not thrown, because the end of a reused token's session must be committed. */
function renew(
  { users, sessions, issuer }: RefreshDeps,
  tx: Tx,
  client: OAuthClient,
  { refreshToken, scope, resource }: Wanted,
): Issued | OAuthFailure {
  const held = sessions.find(refreshToken)
  if (!held || held.client !== client.id) return invalidRefresh()
  const { audience } = held
  if (resource !== null && audienceOf(resource, issuer()) !== audience) return otherResource()
  // A used or expired token is handled first, because it ends the session, unless it was used a moment ago.
  const again = held.isValid ? null : sessions.refresh(tx, refreshToken, client.id)
  if (again instanceof Refusal) return invalidRefresh()
  const user = users.get(held.user)
  const allowed = scopesWithin(sessions.scopesOf(held.id), user.role)
  const requested =
    scope === null || scope.trim() === "" ? allowed : readScopes(scope, sessions.scopesOf(held.id))
  if (requested === null)
    return new OAuthFailure("invalid_scope", "The requested scopes exceed the granted scopes.")
  const scopes = scopesWithin(requested, user.role)
  // The refresh token stays valid when the user has none of the scopes now, because the user may get them again.
  if (!user.isActive || scopes.length === 0) return invalidRefresh()
  const session = again ?? sessions.refresh(tx, refreshToken, client.id)
  return session instanceof Refusal ? invalidRefresh() : { session, scopes, audience }
}

const otherResource = () =>
  new OAuthFailure("invalid_target", "The user has not allowed tokens for this resource.")

const invalidRefresh = () => new OAuthFailure("invalid_grant", "The refresh token is no longer valid.")

type RevokeDeps = { writer: Writer; sessions: SessionStore; tokens: AccessTokens; issuer: () => string }

/** Ends the session of a token. An unknown token, or a token of another client, is ignored. */
async function revoke(deps: RevokeDeps, prove: Prove, token: string, by: Actor): Promise<void> {
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
async function introspect(deps: RevokeDeps, client: OAuthClient, token: string): Promise<object> {
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
  const audienceIs = (audience: Audience) => ({ aud: resourceOf(audience, issuer()) })
  const allowed = scopesWithin(owner.client.scopes, owner.role)
  if (allowed.length === 0) return { active: false }
  if (held) return { ...shared, ...audienceIs(held.audience), scope: allowed.join(" ") }
  const claims = tokens.read(token)
  if (claims instanceof Refusal) return { active: false }
  const scopes = allowed.filter((scope) => claims.scopes?.includes(scope))
  if (scopes.length === 0) return { active: false }
  return {
    ...shared,
    ...audienceIs(claims.audience),
    token_type: "Bearer",
    scope: scopes.join(" "),
    iat: claims.issuedAt,
    exp: claims.expiresAt,
  }
}

/** Returns the session of an access token or a refresh token, if it belongs to this client. */
async function sessionOf(
  { sessions, tokens }: RevokeDeps,
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

const codeLifetime = 60_000

type ExchangeDeps = {
  db: Database
  writer: Writer
  users: UserService
  sessions: SessionStore
  tokens: AccessTokens
  issuer: () => string
}

/** Returns the tokens for a code. */
async function exchange(
  deps: ExchangeDeps,
  prove: Prove,
  given: { code: string; redirectUri: string | null; verifier: string; resource: string | null },
  by: Actor,
): Promise<TokenAnswer> {
  const { db, writer, tokens, issuer } = deps
  const { code, redirectUri, verifier, resource } = given
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
  if (resource !== null && audienceOf(resource, issuer()) !== known.audience) throw otherResource()
  const done = await writer((tx) => redeem(deps, tx, digest, prove().scopes), by)
  if (done instanceof OAuthFailure) throw done
  return tokenAnswer(tokens, done)
}

/** Redeems a code. A failure is returned and not thrown, because a replay ends the session, which must be committed. */
function redeem(
  { db, users, sessions }: ExchangeDeps,
  tx: Tx,
  digest: string,
  clientScopes: readonly Scope[],
): Issued | OAuthFailure {
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
  const { grant, audience } = code
  const session = sessions.open(tx, code.user, { grant, scopes, audience })
  setCodeUsed(db, digest, session.id)
  const changes = { user: { from: null, to: code.user }, scopes: { from: null, to: scopes } }
  tx.audit("oauth.token", code.client, changes, { kind: "oauth-clients" })
  return { session, scopes, audience }
}

const invalidCode = () =>
  new OAuthFailure(
    "invalid_grant",
    "The code is not valid: it is unknown, used, expired, or was issued for another request.",
  )

/** RFC 6749, 5.1. */
type TokenAnswer = {
  access_token: string
  token_type: "Bearer"
  expires_in: number
  refresh_token: string
  scope: string
}

const tokenAnswer = async (
  tokens: AccessTokens,
  { session, scopes, audience }: Issued,
): Promise<TokenAnswer> => ({
  access_token: await tokens.issue(session.user, session.id, scopes, audience),
  token_type: "Bearer",
  expires_in: tokens.lifetime,
  refresh_token: session.refreshToken,
  scope: scopes.join(" "),
})

/** The user who is signed in on the consent page, and the session. */
type Grantor = { id: string; role: Role; session: string }

type ConsentDeps = { db: Database; writer: Writer; clients: OAuthClientService; sessions: SessionStore }

/** Creates and withdraws the grants that users give to OAuth clients. */
function consent(deps: ConsentDeps) {
  const { db, writer } = deps
  return {
    isAllowed: (ask: Ask, grantor: Grantor): boolean => isAllowed(deps, ask, grantor),

    /** Returns the code for what the user has just allowed; null when anything has changed since the page was shown. */
    allow: (ask: Ask, grantor: Grantor, by: Actor): Promise<string | null> =>
      writer((tx) => (isUnchanged(deps, ask, grantor) ? allow(deps, tx, ask, grantor) : null), by),

    /** Returns the code for what the user has allowed before; null when it is no longer allowed. */
    allowAgain: (ask: Ask, grantor: Grantor, by: Actor): Promise<string | null> =>
      writer((tx) => {
        const isStillAllowed = isUnchanged(deps, ask, grantor) && isAllowed(deps, ask, grantor)
        return isStillAllowed ? allow(deps, tx, ask, grantor) : null
      }, by),

    /** Records that a user has denied a request. */
    deny: (ask: Ask, by: Actor): Promise<void> =>
      writer((tx) => tx.audit("oauth.deny", ask.client.id, {}, { kind: "oauth-clients" }), by),

    grantsOf: (user: string) => findGrantsOf(db, user),

    withdraw: (tx: Tx, id: string, user: string): void => withdraw(deps, tx, id, user),
  }
}

/** True when the user has allowed these scopes before. The scope admin needs consent every time. */
function isAllowed({ db }: ConsentDeps, ask: Ask, grantor: Grantor): boolean {
  const wanted = scopesWithin(ask.scopes, grantor.role)
  const grant = findGrant(db, grantor.id, ask.client.id)
  const allowed = grant ? scopesIn(grant, ask.audience) : []
  // Only an https redirect proves the identity of the client: any program on the user's machine can receive the others.
  const isProved = ask.redirectUri.startsWith("https:")
  return isProved && !wanted.includes("admin") && wanted.every((scope) => allowed.includes(scope))
}

/** True when the user, the session and the client's registration are unchanged since the page was shown. */
function isUnchanged(
  { clients, sessions }: ConsentDeps,
  { client, redirectUri, scopes }: Ask,
  grantor: Grantor,
): boolean {
  const owner = sessions.ownerOf(grantor.session)
  const registered = clients.findAsking(client.metadataUrl ?? client.id)
  const isSameGrantor = owner?.id === grantor.id && owner.role === grantor.role && owner.client === null
  return (
    isSameGrantor &&
    registered !== null &&
    isRegistered(redirectUri, registered.redirectUris) &&
    scopes.every((scope) => registered.scopes.includes(scope))
  )
}

/** What a user has allowed for the API does not count for assistants, and the reverse: the page says different things. */
const scopesIn = (grant: Grant, audience: Audience): Scope[] =>
  audience === "mcp" ? grant.mcpScopes : grant.scopes

/** Writes the grant and returns a code for it. Earlier scopes stay in the grant. */
function allow({ db, clients }: ConsentDeps, tx: Tx, ask: Ask, grantor: Grantor): string {
  const { audience, redirectUri, challenge } = ask
  const client = clients.keep(tx, ask.client)
  const wanted = scopesWithin(ask.scopes, grantor.role)
  const before = findGrant(db, grantor.id, client)
  const earlier = before ? scopesIn(before, audience) : []
  const scopes = [...new Set([...earlier, ...wanted])]
  const grant: Grant = {
    id: before?.id ?? newId("grt", tx.now),
    user: grantor.id,
    client,
    scopes: audience === "api" ? scopes : (before?.scopes ?? []),
    mcpScopes: audience === "mcp" ? scopes : (before?.mcpScopes ?? []),
    createdAt: before?.createdAt ?? tx.now,
    updatedAt: tx.now,
  }
  if (!before || scopes.length > earlier.length) {
    writeGrant(db, grant)
    const field = audience === "mcp" ? "mcpScopes" : "scopes"
    const changes = { [field]: { from: earlier.length > 0 ? earlier : null, to: scopes } }
    tx.audit("oauth.grant", client, changes, { kind: "oauth-clients" })
  }
  const code = newSecret()
  insertCode(db, {
    digest: digestOf(code),
    grant: grant.id,
    redirectUri,
    challenge,
    scopes: wanted,
    audience,
    createdAt: real.now(),
  })
  return code
}

/** Withdraws a grant of a user. The tokens of the grant stop working immediately. */
function withdraw({ db, sessions }: ConsentDeps, tx: Tx, id: string, user: string): void {
  const grant = findGrantById(db, id)
  if (!grant || grant.user !== user)
    throw new Refusal("NOT_FOUND", `There is no grant ${JSON.stringify(id)}.`, {
      params: { kind: "grants", id },
    })
  sessions.endGrant(tx, id)
  tx.audit("oauth.withdraw", grant.client, {}, { kind: "oauth-clients" })
}
