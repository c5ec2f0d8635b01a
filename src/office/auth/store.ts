import type { Database } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"
import type { Audience } from "../../core/caller"
import type { Role, Scope } from "../../shared/rights"
import { real } from "../../core/lib/clock"
import type { PlanName } from "../../shared/plans"
import type { Tx } from "../../core/write/writer"
import { digestOf, newSecret, sameSecret } from "../../core/lib/secret"

export type SessionUser = {
  id: string
  email: string
  name: string
  role: Role
  plan: PlanName | null
  hasFactor: boolean
  /** True if a provider has proved who it is. */
  isProved: boolean
  /** The OAuth client that acts for the user, with its granted scopes; null for a person. */
  client: { id: string; name: string; scopes: Scope[] } | null
  /** When the session ends, whatever is done with it; null if it has no such end. */
  endsAt: string | null
}

/** The grant and scopes of a session that belongs to an OAuth client, and what its tokens are for. */
export type Allowed = { grant: string; scopes: readonly Scope[]; audience: Audience }

export function insertSession(
  db: Database,
  session: {
    id: string
    user: string
    now: string
    endsAt: string | null
    ip: string | null
    userAgent: string | null
  },
  allowed: Allowed | null,
): void {
  db.query(
    `INSERT INTO sessions (id, user, created_at, last_used_at, grant_id, scopes, ip, user_agent, audience, ends_at)
     VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
  ).run(
    session.id,
    session.user,
    session.now,
    allowed?.grant ?? null,
    allowed ? JSON.stringify(allowed.scopes) : null,
    session.ip,
    session.userAgent,
    allowed?.audience ?? "api",
    session.endsAt,
  )
}

/** The columns of a user for its sessions. */
const userColumns = `users.id, users.email, users.name, users.role, users.plan,
  CASE WHEN EXISTS (SELECT 1 FROM factors WHERE factors.user = users.id AND confirmed_at IS NOT NULL)
    THEN 1 ELSE 0 END AS "hasFactor"`

type UserRow = Omit<SessionUser, "client" | "hasFactor" | "isProved" | "endsAt"> & { hasFactor: number }
type SessionRow = UserRow & {
  createdAt: string
  lastUsedAt: string
  endsAt: string | null
  isProved: number
  clientId: string | null
  clientName: string | null
  clientScopes: string | null
  scopes: string | null
}

/**
 * Finds the user of a session; null when the user is disabled, or the session has ended or is dated in the future. The query
 * has no times, so that a write on PostgreSQL asks the same again and again, and sends it with its lock.
 */
export function findSessionUser(db: Database, sessionId: string): SessionUser | null {
  const row = db
    .query<SessionRow, [string]>(
      `SELECT ${userColumns}, sessions.scopes, sessions.created_at AS createdAt, last_used_at AS lastUsedAt, ends_at AS endsAt,
         CASE WHEN ends_at IS NOT NULL OR EXISTS (SELECT 1 FROM oidc_sessions WHERE session = sessions.id)
           THEN 1 ELSE 0 END AS "isProved",
         oauth_clients.id AS clientId, oauth_clients.name AS clientName, oauth_clients.scopes AS clientScopes
       FROM sessions JOIN users ON users.id = sessions.user
         LEFT JOIN oauth_grants ON oauth_grants.id = sessions.grant_id
         LEFT JOIN oauth_clients ON oauth_clients.id = oauth_grants.client
       WHERE sessions.id = ? AND users.is_active = 1 AND (grant_id IS NULL OR oauth_clients.id IS NOT NULL)`,
    )
    .get(sessionId)
  if (!row) return null
  const { clientId, clientName, clientScopes, scopes, createdAt, lastUsedAt, ...found } = row
  const latest = real.latest()
  if (createdAt > latest || lastUsedAt > latest) return null
  if (found.endsAt !== null && found.endsAt <= real.now()) return null
  const user = { ...found, hasFactor: found.hasFactor === 1, isProved: found.isProved === 1 }
  if (clientId === null || clientName === null) return { ...user, client: null }
  // An OAuth client has the scopes that it was granted and is still registered for.
  const registered = JSON.parse(clientScopes ?? "[]") as Scope[]
  const allowed = (JSON.parse(scopes ?? "[]") as Scope[]).filter((scope) => registered.includes(scope))
  return { ...user, client: { id: clientId, name: clientName, scopes: allowed } }
}

/** Finds an active user without a session, for a job of that user. */
export function findActiveUser(db: Database, id: string): SessionUser | null {
  const row = db
    .query<UserRow, [string]>(`SELECT ${userColumns} FROM users WHERE users.id = ? AND is_active = 1`)
    .get(id)
  return row && { ...row, hasFactor: row.hasFactor === 1, isProved: false, client: null, endsAt: null }
}

export const findGrantId = (db: Database, user: string, client: string): string | null =>
  valueOf(db, "SELECT id FROM oauth_grants WHERE user = ? AND client = ?", user, client)

/** Finds the session of a grant that has no refresh token. */
export const findOwnSession = (db: Database, { grant, audience }: Allowed): string | null =>
  valueOf(
    db,
    `SELECT id FROM sessions WHERE grant_id = ? AND audience = ?
       AND NOT EXISTS (SELECT 1 FROM refresh_tokens WHERE session = sessions.id)`,
    grant,
    audience,
  )

export function renewOwnSession(db: Database, id: string, scopes: readonly Scope[], now: string): void {
  db.query("UPDATE sessions SET last_used_at = ?, scopes = ? WHERE id = ?").run(
    now,
    JSON.stringify(scopes),
    id,
  )
}

export type RefreshRow = {
  session: string
  user: string
  /** Both null for a person. */
  grant: string | null
  client: string | null
  audience: Audience
  replacedAt: string | null
  createdAt: string
  lastUsedAt: string
  endsAt: string | null
}

export function findRefreshToken(db: Database, digest: string): RefreshRow | null {
  return db
    .query<RefreshRow, [string]>(
      `SELECT refresh_tokens.session, sessions.user, replaced_at AS replacedAt, sessions.created_at AS createdAt,
         last_used_at AS lastUsedAt, grant_id AS "grant", client, audience, ends_at AS endsAt
       FROM refresh_tokens JOIN sessions ON sessions.id = refresh_tokens.session
         LEFT JOIN oauth_grants ON oauth_grants.id = grant_id
       WHERE digest = ? AND (grant_id IS NULL OR client IS NOT NULL)`,
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
  db.query("DELETE FROM sessions WHERE user = ? AND id IS DISTINCT FROM ?").run(user, exceptId)
}

/** Deletes the unused authorization codes of a user. */
export function deleteOpenCodesOf(db: Database, user: string): void {
  db.query(
    "DELETE FROM oauth_codes WHERE session IS NULL AND grant_id IN (SELECT id FROM oauth_grants WHERE user = ?)",
  ).run(user)
}

/** Deletes a grant. The sessions and codes of the grant are deleted with it. */
export function deleteGrant(db: Database, id: string): void {
  db.query("DELETE FROM oauth_grants WHERE id = ?").run(id)
}

/**
 * Deletes the sessions that can no longer be refreshed, and those that are dated after `latest`. The sessions of OAuth
 * clients have a separate idle time.
 */
export function deleteEndedSessions(
  db: Database,
  before: { idle: string; idleClient: string; created: string; latest: string; now: string },
): void {
  db.query(
    `DELETE FROM sessions WHERE created_at < ?1 OR last_used_at < CASE WHEN grant_id IS NULL THEN ?2 ELSE ?3 END
       OR created_at > ?4 OR last_used_at > ?4 OR ends_at < ?5`,
  ).run(before.created, before.idle, before.idleClient, before.latest, before.now)
}

/** True when the user has signed in from the network since that time. */
export const hasPlace = (db: Database, user: string, network: string, since: string): boolean =>
  db
    .query("SELECT 1 FROM sign_in_places WHERE user = ? AND network = ? AND last_at >= ?")
    .get(user, network, since) !== null

/** Records a sign-in, and deletes the oldest places of a user who has more than `most`. */
export function writePlace(
  db: Database,
  { user, network, at }: { user: string; network: string; at: string },
  most: number,
): void {
  db.query(
    `INSERT INTO sign_in_places (user, network, last_at) VALUES (?, ?, ?)
     ON CONFLICT (user, network) DO UPDATE SET last_at = excluded.last_at`,
  ).run(user, network, at)
  db.query(
    `DELETE FROM sign_in_places WHERE user = ?1 AND network IN (
       SELECT network FROM sign_in_places WHERE user = ?1 ORDER BY last_at DESC, network LIMIT 1000 OFFSET ?2)`,
  ).run(user, most)
}

export function deletePlacesBefore(db: Database, time: string): void {
  db.query("DELETE FROM sign_in_places WHERE last_at < ?").run(time)
}

/** The names of the setup link in the table of secrets: the digest of its token, and the URL of the server. */
type SetupPart = "setup-token" | "setup-address"

export const findSetupPart = (db: Database, name: SetupPart): string | null =>
  valueOf(db, "SELECT value FROM secrets WHERE name = ?", name)

export function writeSetupPart(db: Database, name: SetupPart, value: string): void {
  db.query(
    "INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  ).run(name, value)
}

export function deleteSetupParts(db: Database): void {
  db.query("DELETE FROM secrets WHERE name IN ('setup-token', 'setup-address')").run()
}

/** The failed sign-ins of a key, see `tries.ts`. */
type Tried = { failures: number; blockedUntil: number; waits: number; last: number }

export const findTries = (db: Database, scope: string, key: string): Tried | null =>
  db
    .query<Tried, [string, string]>(
      `SELECT failures, blocked_until AS blockedUntil, waits, last_at AS last
       FROM sign_in_tries WHERE scope = ? AND key = ?`,
    )
    .get(scope, key)

export function writeTries(db: Database, scope: string, key: string, tried: Tried): void {
  db.query(
    `INSERT INTO sign_in_tries (scope, key, failures, waits, blocked_until, last_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (scope, key) DO UPDATE SET failures = excluded.failures, waits = excluded.waits,
       blocked_until = excluded.blocked_until, last_at = excluded.last_at`,
  ).run(scope, key, tried.failures, tried.waits, tried.blockedUntil, tried.last)
}

export function deleteTries(db: Database, scope: string, key: string): void {
  db.query("DELETE FROM sign_in_tries WHERE scope = ? AND key = ?").run(scope, key)
}

/** Deletes counters beyond a number: those that do not block first, and the oldest of them. */
export function deleteExcessTries(db: Database, scope: string, most: number, now: number): void {
  const n = valueOf<number>(db, "SELECT count(*) FROM sign_in_tries WHERE scope = ?", scope) ?? 0
  if (n <= most) return
  db.query(
    `DELETE FROM sign_in_tries WHERE scope = ?1 AND key IN (
       SELECT key FROM sign_in_tries WHERE scope = ?1
       ORDER BY CASE WHEN blocked_until > ?2 THEN 1 ELSE 0 END, last_at LIMIT ?3)`,
  ).run(scope, now, n - most)
}

export function deleteTriesBefore(db: Database, time: number): void {
  db.query("DELETE FROM sign_in_tries WHERE last_at < ?").run(time)
}

/**
 * The link that creates the first admin. The file contains the digest of its token, so that `kontor setup-link` can
 * replace the link while the server runs.
 */
export function setupLink(db: Database) {
  return {
    /** Creates a new link. The one before it no longer works. */
    renew(_tx: Tx, address: string): string {
      const token = newSecret()
      writeSetupPart(db, "setup-token", digestOf(token))
      writeSetupPart(db, "setup-address", address)
      return `${address}/setup#token=${token}`
    },

    /** The URL of the last server without an admin; null if there was none. */
    address: (): string | null => findSetupPart(db, "setup-address"),

    isToken(token: unknown): boolean {
      const digest = findSetupPart(db, "setup-token")
      return digest !== null && typeof token === "string" && sameSecret(digestOf(token), digest)
    },

    /** Runs when there is an admin. */
    remove: (_tx: Tx): void => deleteSetupParts(db),
  }
}

export type SetupLink = ReturnType<typeof setupLink>
