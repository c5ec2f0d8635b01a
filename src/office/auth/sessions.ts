import type { Database } from "../../core/engine/engine"
import type { Changes, Tx } from "../../core/write/writer"
import type { Audience } from "../../core/caller"
import type { Scope } from "../../shared/rights"
import { real } from "../../core/lib/clock"
import { later } from "../../shared/dates"
import { newRandomId } from "../../core/lib/id"
import { Refusal } from "../../core/lib/refusal"
import { digestOf, newRandomSecret, signatureOf } from "../../core/lib/secret"
import {
  deleteEndedSessions,
  deleteGrant,
  deleteOpenCodesOf,
  deleteSession,
  deleteSessionsOf,
  findGrantId,
  findOwnSession,
  findRefreshToken,
  findSessionUser,
  insertRefreshToken,
  insertSession,
  renewOwnSession,
  replaceRefreshToken,
  type Allowed,
  type RefreshRow,
  type SessionUser,
} from "./store"

const grace = 10_000
const longestLife = 90 * 24 * 60 * 60_000
/** How long a session of an OAuth client may be idle. The setting applies to sessions of people only. */
const idleClient = 30 * 24 * 60 * 60_000

export type OpenSession = { id: string; user: string; refreshToken: string }

type Deps = {
  db: Database
  /** The key from which the next refresh tokens are derived. */
  secret: string
  idleMinutes: () => number
  onEnd: (tx: Tx) => void
  /** Called when sessions are taken from somebody. A session that is signed out or too old only ends. */
  onRevoke: (tx: Tx, isOf: (holder: SessionHolder) => boolean) => void
}

/** The user and the session, by which the work of a session is found. */
export type SessionHolder = { userId: string; credentialId: string }

/**
 * Sessions and their refresh tokens. All times are real time. The time of a write is not suitable: it never goes
 * backwards, so it stays ahead after the clock was wrong.
 */
export function sessionStore(deps: Deps) {
  const { db, onEnd } = deps
  return {
    /** Opens a session for a person, or for an OAuth client with the scopes it was granted. It may have a fixed end. */
    open(tx: Tx, user: string, allowed: Allowed | null = null, endsAt: string | null = null): OpenSession {
      const { ip, userAgent } = tx.by
      // People stay signed in when a demo is set back, so that no other session may have the same ID or token later.
      const session = { id: newRandomId("ses", tx.now), user, refreshToken: newRandomSecret() }
      insertSession(db, { ...session, now: real.now(), endsAt, ip, userAgent }, allowed)
      insertRefreshToken(db, digestOf(session.refreshToken), session.id)
      return session
    },

    /**
     * The session of a client that acts by itself. It has no refresh token, and each grant has one for each audience, so
     * that a client that asks for a token before each request fills nothing.
     */
    openOwn(tx: Tx, user: string, allowed: Allowed): { id: string; isNew: boolean } {
      const known = findOwnSession(db, allowed)
      if (known !== null) {
        renewOwnSession(db, known, allowed.scopes, real.now())
        onEnd(tx)
        return { id: known, isNew: false }
      }
      const { ip, userAgent } = tx.by
      const id = newRandomId("ses", tx.now)
      insertSession(db, { id, user, now: real.now(), endsAt: null, ip, userAgent }, allowed)
      return { id, isNew: true }
    },

    refresh: (tx: Tx, token: string, client: string | null = null) => refresh(deps, tx, token, client),

    /** Finds the session of a refresh token, even when the token has been replaced. */
    find(
      token: string,
    ): { id: string; user: string; client: string | null; audience: Audience; isValid: boolean } | null {
      const found = findRefreshToken(db, digestOf(token))
      if (!found) return null
      const isValid = found.replacedAt === null && !isTooOld(deps, found)
      const { session: id, user, client, audience } = found
      return { id, user, client, audience, isValid }
    },

    ownerOf: (id: string): SessionUser | null => findSessionUser(db, id),

    scopesOf: (id: string): Scope[] => findSessionUser(db, id)?.client?.scopes ?? [],

    end: (tx: Tx, id: string): void => end(deps, tx, id),
    endGrant: (tx: Tx, id: string): void => endGrant(deps, tx, id),
    /** Ends what a user has allowed a client. */
    endGrantOf(tx: Tx, user: string, client: string): void {
      const id = findGrantId(db, user, client)
      if (id !== null) endGrant(deps, tx, id)
    },

    /** Takes all sessions from a user, except `exceptId`. */
    endAll(tx: Tx, user: string, exceptId: string | null): void {
      deleteSessionsOf(db, user, exceptId)
      deleteOpenCodesOf(db, user)
      onEnd(tx)
      deps.onRevoke(tx, ({ userId, credentialId }) => userId === user && credentialId !== exceptId)
    },

    deleteExpired: (tx: Tx): void => deleteExpired(deps, tx),
  }
}

export type SessionStore = ReturnType<typeof sessionStore>

/**
 * Returns the session with its next refresh token, or a refusal. The refusal is returned and not thrown, because its
 * effect must be committed: a token that is used long after it was replaced ends the session, because two parties have
 * it. An OAuth client also loses its grant.
 */
function refresh(deps: Deps, tx: Tx, token: string, client: string | null): OpenSession | Refusal {
  const { db, secret } = deps
  const found = findRefreshToken(db, digestOf(token))
  const now = real.now()
  if (!found || found.client !== client) return invalidRefreshToken()
  const { session: id, user, replacedAt } = found
  if (isTooOld(deps, found)) {
    end(deps, tx, id)
    return invalidRefreshToken()
  }
  // Derived and not random: two requests within the grace period get the same token, and its text need not be stored.
  const next = signatureOf(secret, token)
  if (replacedAt === null) {
    replaceRefreshToken(db, digestOf(token), id, now)
    insertRefreshToken(db, digestOf(next), id)
    return { id, user, refreshToken: next }
  }
  const isLatest = findRefreshToken(db, digestOf(next))?.replacedAt === null
  const isRecent = replacedAt >= later(now, -grace) && replacedAt <= real.latest()
  if (isLatest && isRecent) return { id, user, refreshToken: next }
  endReused(deps, tx, found)
  return invalidRefreshToken()
}

/** Ends a session whose replaced refresh token was used again. For an OAuth client this also ends the grant. */
function endReused(deps: Deps, tx: Tx, { session, user, grant }: RefreshRow): void {
  if (grant === null) end(deps, tx, session)
  else endGrant(deps, tx, grant)
  deps.onRevoke(tx, ({ credentialId }) => credentialId === session)
  const changes: Changes = grant ? { grant: { from: grant, to: null } } : {}
  tx.audit("auth.refresh-reuse", user, changes, { kind: "users", outcome: "refused" })
}

function end({ db, onEnd }: Deps, tx: Tx, id: string): void {
  deleteSession(db, id)
  onEnd(tx)
}

function endGrant({ db, onEnd }: Deps, tx: Tx, id: string): void {
  deleteGrant(db, id)
  onEnd(tx)
}

function isTooOld({ idleMinutes }: Deps, { grant, lastUsedAt, createdAt, endsAt }: RefreshRow): boolean {
  if (endsAt !== null && endsAt <= real.now()) return true
  const idle = grant === null ? idleMinutes() * 60_000 : idleClient
  if (lastUsedAt > real.latest() || createdAt > real.latest()) return true
  return lastUsedAt < later(real.now(), -idle) || createdAt < later(real.now(), -longestLife)
}

/** Maintenance: deletes the sessions that can no longer be refreshed. */
function deleteExpired({ db, idleMinutes, onEnd }: Deps, tx: Tx): void {
  const before = (age: number) => later(real.now(), -age)
  deleteEndedSessions(db, {
    created: before(longestLife),
    idle: before(idleMinutes() * 60_000),
    idleClient: before(idleClient),
    latest: real.latest(),
    now: real.now(),
  })
  onEnd(tx)
}

const invalidRefreshToken = () =>
  new Refusal("INVALID_REFRESH_TOKEN", "The refresh token is no longer valid. Sign in again.")
