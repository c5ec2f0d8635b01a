import type { Database } from "bun:sqlite"
import type { Role } from "../../http/rights"

export type SessionUser = { id: string; email: string; name: string; role: Role }

export function insertSession(
  db: Database,
  session: { id: string; user: string; refreshDigest: string; now: string },
) {
  db.query(
    "INSERT INTO sessions (id, user, refresh_digest, created_at, last_used_at) VALUES (?, ?, ?, ?, ?)",
  ).run(session.id, session.user, session.refreshDigest, session.now, session.now)
}

/** The user of a live session; a disabled user has none. */
export function findSessionUser(db: Database, sessionId: string): SessionUser | null {
  return db
    .query<SessionUser, [string]>(
      `SELECT users.id, users.email, users.name, users.role FROM sessions JOIN users ON users.id = sessions.user
       WHERE sessions.id = ? AND users.is_active = 1`,
    )
    .get(sessionId)
}
