import type { Database } from "bun:sqlite"
import type { Actor, Tx, Writer } from "../../db/writer"
import type { Scope } from "../../shared/rights"
import { later, latestCredible, wallClock } from "../../lib/clock"
import { Refusal } from "../../lib/refusal"
import { digestOf } from "../../lib/secret"
import type { OpenSession, SessionStore } from "../auth/sessions"
import type { AccessTokens } from "../auth/tokens"
import type { UserService } from "../users/service"
import type { OAuthClientService } from "./client-service"
import { consent } from "./consent"
import { OAuthFailure } from "./failure"
import type { OAuthClient } from "./model"
import { provesChallenge, readScopes, scopesWithin } from "./rules"
import { deleteCodesBeyond, findCode, setCodeUsed } from "./store"

/** How long a code is good, and how long a used one is remembered to be recognised. */
const codeLifetime = 60_000
const codeMemory = 24 * 60 * 60_000

/** Authenticates the client again on each call, because its secret may be rotated while a write waits. */
export type Prove = () => OAuthClient

export type TokenAnswer = {
  access_token: string
  token_type: "Bearer"
  expires_in: number
  refresh_token: string
  scope: string
}

type Deps = {
  db: Database
  writer: Writer
  users: UserService
  clients: OAuthClientService
  sessions: SessionStore
  tokens: AccessTokens
  issuer: () => string
}

/** The code flow: what a user allows an application (see consent), and the tokens for the code that it gets for that. */
export function oauthService({ db, writer, users, clients, sessions, tokens, issuer }: Deps) {
  const answer = async (session: OpenSession, scopes: readonly Scope[]): Promise<TokenAnswer> => ({
    access_token: await tokens.issue(session.user, session.id, scopes),
    token_type: "Bearer",
    expires_in: tokens.lifetime,
    refresh_token: session.refreshToken,
    scope: scopes.join(" "),
  })

  /** Uses a code up. Returned and not thrown: what a replay does to its session must be kept. */
  const redeem = (
    tx: Tx,
    digest: string,
    clientScopes: readonly Scope[],
  ): { session: OpenSession; scopes: Scope[] } | OAuthFailure => {
    const code = findCode(db, digest)
    if (!code) return invalidCode()
    if (code.session !== null) {
      sessions.end(tx, code.session)
      const changes = { user: { from: null, to: code.user } }
      tx.audit("oauth.code-reuse", code.client, changes, { kind: "oauth-clients", outcome: "refused" })
      return invalidCode()
    }
    const isOld = code.createdAt < later(wallClock(), -codeLifetime)
    if (isOld || code.createdAt > latestCredible()) return invalidCode()
    const user = users.get(code.user)
    const scopes = scopesWithin(code.scopes, user.role).filter((scope) => clientScopes.includes(scope))
    if (!user.isActive || scopes.length === 0) return invalidCode()
    const session = sessions.open(tx, code.user, { grant: code.grant, scopes })
    setCodeUsed(db, digest, session.id)
    const changes = { user: { from: null, to: code.user }, scopes: { from: null, to: scopes } }
    tx.audit("oauth.token", code.client, changes, { kind: "oauth-clients" })
    return { session, scopes }
  }

  return {
    ...consent({ db, writer, clients, sessions }),

    async exchange(
      prove: Prove,
      { code, redirectUri, verifier }: { code: string; redirectUri: string | null; verifier: string },
      by: Actor,
    ): Promise<TokenAnswer> {
      const digest = digestOf(code)
      const known = findCode(db, digest)
      // Whoever cannot prove to be the one it was made for neither uses it up nor ends what it was exchanged for.
      if (
        !known ||
        known.client !== prove().id ||
        known.redirectUri !== redirectUri ||
        !provesChallenge(verifier, known.challenge)
      )
        throw invalidCode()
      const done = await writer((tx) => redeem(tx, digest, prove().scopes), by)
      if (done instanceof OAuthFailure) throw done
      return answer(done.session, done.scopes)
    },

    async refresh(
      prove: Prove,
      { refreshToken, scope }: { refreshToken: string; scope: string | null },
      by: Actor,
    ): Promise<TokenAnswer> {
      const done = await writer((tx) => {
        const client = prove()
        const held = sessions.find(refreshToken)
        if (!held || held.client !== client.id) return invalidRefresh()
        // One that was used or is too old is dealt with as such, whatever else is wrong.
        if (!held.isGood) return sessions.refresh(tx, refreshToken, client.id) && invalidRefresh()
        const user = users.get(held.user)
        const allowed = scopesWithin(sessions.scopesOf(held.id), user.role)
        const asked =
          scope === null || scope.trim() === "" ? allowed : readScopes(scope, sessions.scopesOf(held.id))
        if (asked === null) return new OAuthFailure("invalid_scope", "More was asked for than was allowed.")
        const scopes = scopesWithin(asked, user.role)
        // Nothing to give is no reason to use the token up: what is missing may come back.
        if (!user.isActive || scopes.length === 0) return invalidRefresh()
        const session = sessions.refresh(tx, refreshToken, client.id)
        return session instanceof Refusal ? invalidRefresh() : { session, scopes }
      }, by)
      if (done instanceof OAuthFailure) throw done
      return answer(done.session, done.scopes)
    },

    /** Ends what a token belongs to. One that is not known, or not this application's, is no matter. */
    async revoke(prove: Prove, token: string, by: Actor): Promise<void> {
      const id = await this.sessionOf(prove(), token)
      if (id === null) return
      await writer((tx) => {
        const client = prove()
        const user = sessions.ownerOf(id)?.id ?? null
        sessions.end(tx, id)
        const changes = { user: { from: user, to: null } }
        tx.audit("oauth.revoke", client.id, changes, { kind: "oauth-clients" })
      }, by)
    },

    /** The session of a token of either kind, if it is this application's. */
    async sessionOf(client: OAuthClient, token: string): Promise<string | null> {
      const held = sessions.find(token)
      if (held) return held.client === client.id ? held.id : null
      await tokens.ready(token)
      const claims = tokens.read(token)
      if (claims instanceof Refusal) return null
      const owner = sessions.ownerOf(claims.sessionId)
      return owner?.client?.id === client.id ? claims.sessionId : null
    },

    /** What a token is good for, to the application it was given to; to others no token is any good. */
    async introspect(client: OAuthClient, token: string): Promise<object> {
      const id = await this.sessionOf(client, token)
      const owner = id === null ? null : sessions.ownerOf(id)
      if (!owner?.client) return { active: false }
      const held = sessions.find(token)
      if (held && !held.isGood) return { active: false }
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
    },

    /** Upkeep: forgets codes that nobody will bring again. */
    deleteExpired: () =>
      deleteCodesBeyond(db, { earliest: later(wallClock(), -codeMemory), latest: latestCredible() }),
  }
}

export type OAuthService = ReturnType<typeof oauthService>

const invalidCode = () =>
  new OAuthFailure(
    "invalid_grant",
    "The code is not valid: unknown, used, expired, or made for another request.",
  )

const invalidRefresh = () => new OAuthFailure("invalid_grant", "The refresh token is not valid any more.")
