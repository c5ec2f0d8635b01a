import type { Database } from "bun:sqlite"
import type { Role } from "../../http/rights"
import type { PlanName } from "../../lib/plans"

export type SessionUser = { id: string; email: string; name: string; role: Role; plan: PlanName | null }

export function insertSession(db: Database, session: { id: string; user: string; now: string }): void {
  db.query("INSERT INTO sessions (id, user, created_at, last_used_at) VALUES (?, ?, ?, ?)").run(
    session.id,
    session.user,
    session.now,
    session.now,
  )
}

/** The user of a live session; a disabled user has none. */
export function findSessionUser(db: Database, sessionId: string): SessionUser | null {
  return db
    .query<SessionUser, [string]>(
      `SELECT users.id, users.email, users.name, users.role, users.plan
       FROM sessions JOIN users ON users.id = sessions.user WHERE sessions.id = ? AND users.is_active = 1`,
    )
    .get(sessionId)
}

export type RefreshRow = {
  session: string
  user: string
  replacedAt: string | null
  createdAt: string
  lastUsedAt: string
}

export function findRefreshToken(db: Database, digest: string): RefreshRow | null {
  return db
    .query<RefreshRow, [string]>(
      `SELECT refresh_tokens.session, sessions.user, replaced_at AS replacedAt, created_at AS createdAt,
         last_used_at AS lastUsedAt
       FROM refresh_tokens JOIN sessions ON sessions.id = refresh_tokens.session WHERE digest = ?`,
    )
    .get(digest)
}

export function insertRefreshToken(db: Database, digest: string, session: string): void {
  db.query("INSERT INTO refresh_tokens (digest, session) VALUES (?, ?)").run(digest, session)
}

export function replaceRefreshToken(db: Database, digest: string, session: string, now: string): void {
  db.query("UPDATE refresh_tokens SET replaced_at = ? WHERE digest = ?").run(now, digest)
  db.query("UPDATE sessions SET last_used_at = ? WHERE id = ?").run(now, session)
}

export function deleteSession(db: Database, id: string): void {
  db.query("DELETE FROM sessions WHERE id = ?").run(id)
}

export function deleteSessionsOf(db: Database, user: string, exceptId: string | null): void {
  db.query("DELETE FROM sessions WHERE user = ? AND id IS NOT ?").run(user, exceptId)
}

/** Takes away the sessions that can no longer be refreshed. */
export function deleteEndedSessions(db: Database, idleSince: string, createdBefore: string): void {
  db.query("DELETE FROM sessions WHERE last_used_at < ? OR created_at < ?").run(idleSince, createdBefore)
}
