import type { Database } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"

/** The user of a person at a provider; null for somebody who is not known. */
export const findIdentity = (db: Database, issuer: string, subject: string): string | null =>
  valueOf(db, "SELECT user FROM oidc_identities WHERE issuer = ? AND subject = ?", issuer, subject)

export const hasIdentity = (db: Database, user: string, issuer: string): boolean =>
  db.query("SELECT 1 FROM oidc_identities WHERE user = ? AND issuer = ?").get(user, issuer) !== null

/** Records who a user is at a provider, and when the user was last seen there. */
export function saveIdentity(
  db: Database,
  { issuer, subject, user, now }: { issuer: string; subject: string; user: string; now: string },
): void {
  db.query(
    `INSERT INTO oidc_identities (issuer, subject, user, created_at, last_used_at) VALUES (?1, ?2, ?3, ?4, ?4)
     ON CONFLICT (issuer, subject) DO UPDATE SET last_used_at = excluded.last_used_at`,
  ).run(issuer, subject, user, now)
}

/** The session of somebody whom the provider can be asked about again. */
export type Followed = {
  provider: string
  subject: string
  refreshToken: string
  checkedAt: string
  user: string
}

export const findFollowed = (db: Database, session: string): Followed | null =>
  db
    .query<Followed, [string]>(
      `SELECT provider, subject, refresh_token AS refreshToken, checked_at AS checkedAt, sessions.user
       FROM oidc_sessions JOIN sessions ON sessions.id = session WHERE session = ?`,
    )
    .get(session)

export function saveFollowed(
  db: Database,
  session: string,
  { provider, subject, refreshToken, checkedAt }: Omit<Followed, "user">,
): void {
  db.query(
    `INSERT INTO oidc_sessions (session, provider, subject, refresh_token, checked_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (session) DO UPDATE
     SET refresh_token = excluded.refresh_token, checked_at = excluded.checked_at`,
  ).run(session, provider, subject, refreshToken, checkedAt)
}
