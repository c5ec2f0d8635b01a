import type { Database } from "../../core/engine/engine"
import type { Role, Scope } from "../../shared/rights"
import type { PlanName } from "../../shared/plans"
import type { KeyHolder } from "./model"

type Row = {
  id: string
  name: string
  scopes: string
  expiresAt: string | null
  allowedIps: string
  plan: PlanName | null
  secretTag: string
  userId: string
  email: string
  userName: string
  role: Role
  userPlan: PlanName | null
}

/** Finds the key with this digest or id, if its owner is active. */
export function findHolder(db: Database, by: { digest: string } | { id: string }): KeyHolder | null {
  const row = db
    .query<Row, [string]>(
      `SELECT api_keys.id, api_keys.name, scopes, expires_at AS expiresAt, allowed_ips AS allowedIps, api_keys.plan,
         substr(api_key_digests.digest, 1, 16) AS secretTag,
         users.id AS userId, users.email, users.name AS userName, users.role, users.plan AS userPlan
       FROM api_key_digests JOIN api_keys ON api_keys.id = api_key_digests.key JOIN users ON users.id = api_keys.user
       WHERE ${"id" in by ? "api_keys.id" : "api_key_digests.digest"} = ? AND users.is_active = 1`,
    )
    .get("id" in by ? by.id : by.digest)
  if (!row) return null
  const { userId, email, userName, role, userPlan, scopes, allowedIps, ...key } = row
  return {
    ...key,
    scopes: JSON.parse(scopes) as Scope[],
    allowedIps: JSON.parse(allowedIps) as string[],
    user: { id: userId, email, name: userName, role, plan: userPlan },
  }
}

/** The user whom a key belongs to, also if the user or the key can no longer be used; null if the key was deleted. */
export const findOwner = (db: Database, key: string): { id: string; name: string } | null =>
  db
    .query<{ id: string; name: string }, [string]>(
      "SELECT users.id, users.name FROM api_keys JOIN users ON users.id = api_keys.user WHERE api_keys.id = ?",
    )
    .get(key)

/** Counts the keys of a user that have not expired. */
export function countLive(db: Database, user: string, now: string): number {
  return (
    db
      .query<{ n: number }, [string, string]>(
        "SELECT count(*) AS n FROM api_keys WHERE user = ? AND (expires_at IS NULL OR expires_at > ?)",
      )
      .get(user, now)?.n ?? 0
  )
}

export function setDigest(db: Database, key: string, digest: string): void {
  db.query(
    "INSERT INTO api_key_digests (digest, key) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET digest = excluded.digest",
  ).run(digest, key)
}

export function setPrefix(db: Database, key: string, prefix: string, now: string): void {
  db.query("UPDATE api_keys SET prefix = ?, version = version + 1, updated_at = ? WHERE id = ?").run(
    prefix,
    now,
    key,
  )
}

export function setLastUse(db: Database, key: string, at: string, ip: string): void {
  db.query("UPDATE api_keys SET last_used_at = ?, last_used_ip = ? WHERE id = ?").run(at, ip, key)
}
