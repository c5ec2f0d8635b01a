import type { Database } from "bun:sqlite"
import type { Changes, Tx } from "../../db/writer"
import type { Scope } from "../../shared/rights"
import { later, latestCredible, wallClock } from "../../lib/clock"
import { newId } from "../../lib/id"
import { Refusal } from "../../lib/refusal"
import { digestOf, newSecret, signatureOf } from "../../lib/secret"
import {
  deleteEndedSessions,
  deleteGrant,
  deleteOpenCodesOf,
  deleteSession,
  deleteSessionsOf,
  findRefreshToken,
  findSessionUser,
  insertRefreshToken,
  insertSession,
  replaceRefreshToken,
  type Allowed,
  type RefreshRow,
  type SessionUser,
} from "./store"

const grace = 10_000
const longestLife = 90 * 24 * 60 * 60_000
/** An application may be idle for as long as this, whatever people may. */
const idleApplication = 30 * 24 * 60 * 60_000

export type OpenSession = { id: string; user: string; refreshToken: string }

type Deps = {
  db: Database
  /** What successors of refresh tokens are derived with. */
  secret: string
  idleMinutes: () => number
  onEnd: (tx: Tx) => void
}

/**
 * Sign-ins and their refresh tokens. Every function runs inside a write. All goes by the wall clock, because all of it
 * expires: the time of a write never runs backwards, and stays ahead once the clock was wrong.
 */
export function sessionStore({ db, secret, idleMinutes, onEnd }: Deps) {
  /** Derived rather than random: whoever asks twice within the grace gets the same one, and it is kept nowhere. */
  const successorOf = (token: string): string => signatureOf(secret, token)

  const end = (tx: Tx, id: string): void => {
    deleteSession(db, id)
    onEnd(tx)
  }

  const isTooOld = ({ grant, lastUsedAt, createdAt }: RefreshRow): boolean => {
    const idle = grant === null ? idleMinutes() * 60_000 : idleApplication
    if (lastUsedAt > latestCredible() || createdAt > latestCredible()) return true
    return lastUsedAt < later(wallClock(), -idle) || createdAt < later(wallClock(), -longestLife)
  }

  const endGrant = (tx: Tx, id: string): void => {
    deleteGrant(db, id)
    onEnd(tx)
  }

  return {
    /** Opens one for the user in person, or for an application within what it was allowed. */
    open(tx: Tx, user: string, allowed: Allowed | null = null): OpenSession {
      const session = { id: newId("ses", tx.now), user, refreshToken: newSecret() }
      insertSession(db, { ...session, now: wallClock() }, allowed)
      insertRefreshToken(db, digestOf(session.refreshToken), session.id)
      return session
    },

    /**
     * The session with its next refresh token, or a refusal. It is returned and not thrown, because what it does to
     * the session must be kept: a token used long after it was replaced ends the session, for two parties hold it.
     * An application gets no grace, and loses what it was allowed.
     */
    refresh(tx: Tx, token: string, client: string | null = null): OpenSession | Refusal {
      const found = findRefreshToken(db, digestOf(token))
      const now = wallClock()
      if (!found || found.client !== client) return invalidRefreshToken()
      const { session: id, user, grant, replacedAt } = found
      if (isTooOld(found)) {
        end(tx, id)
        return invalidRefreshToken()
      }
      const next = successorOf(token)
      if (replacedAt === null) {
        replaceRefreshToken(db, digestOf(token), id, now)
        insertRefreshToken(db, digestOf(next), id)
        return { id, user, refreshToken: next }
      }
      const isLatest = findRefreshToken(db, digestOf(next))?.replacedAt === null
      const isRecent = replacedAt >= later(now, -grace) && replacedAt <= latestCredible()
      if (grant === null && isLatest && isRecent) return { id, user, refreshToken: next }
      if (grant === null) end(tx, id)
      else endGrant(tx, grant)
      const changes: Changes = grant ? { grant: { from: grant, to: null } } : {}
      tx.audit("auth.refresh-reuse", user, changes, { kind: "users", outcome: "refused" })
      return invalidRefreshToken()
    },

    /** The session that a refresh token belongs to, whether or not it was replaced since. */
    find(token: string): { id: string; user: string; client: string | null; isGood: boolean } | null {
      const found = findRefreshToken(db, digestOf(token))
      if (!found) return null
      const isGood = found.replacedAt === null && !isTooOld(found)
      return { id: found.session, user: found.user, client: found.client, isGood }
    },

    /** Who a session belongs to, as things stand now. */
    ownerOf: (id: string): SessionUser | null => findSessionUser(db, id),

    /** What an application was allowed in a session. */
    scopesOf: (id: string): Scope[] => findSessionUser(db, id)?.client?.scopes ?? [],

    endGrant,

    end,

    /** Refuses when the session has been ended meanwhile. */
    assertOpen(id: string): void {
      if (!findSessionUser(db, id))
        throw new Refusal("TOKEN_REVOKED", "The session of this access token has ended. Sign in again.")
    },

    /** Ends a user's sessions, all but one when that is named. */
    endAll(tx: Tx, user: string, exceptId: string | null): void {
      deleteSessionsOf(db, user, exceptId)
      deleteOpenCodesOf(db, user)
      onEnd(tx)
    },

    /** Upkeep: forgets what can no longer be refreshed. */
    deleteExpired(tx: Tx): void {
      const before = (age: number) => later(wallClock(), -age)
      deleteEndedSessions(db, {
        created: before(longestLife),
        idle: before(idleMinutes() * 60_000),
        idleApplication: before(idleApplication),
        latest: latestCredible(),
      })
      onEnd(tx)
    },
  }
}

export type SessionStore = ReturnType<typeof sessionStore>

const invalidRefreshToken = () =>
  new Refusal("INVALID_REFRESH_TOKEN", "The refresh token is not valid any more. Sign in again.")
