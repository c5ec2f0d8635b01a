import type { Database } from "../../core/engine/engine"
import { valueOf } from "../../core/engine/sql"
import type { FactorType } from "./model"

export type FactorRow = {
  id: string
  user: string
  type: FactorType
  name: string
  /** Of one-time codes, in base 32. */
  secret: string | null
  /** The last step of one-time codes that was used. */
  lastStep: number | null
  /** Of a passkey: its ID, its public key, and how often its device says that it was used. */
  credential: string | null
  publicKey: string | null
  uses: number | null
  transports: string | null
  confirmedAt: string | null
  createdAt: string
  lastUsedAt: string | null
}

const columns = `id, user, type, name, secret, last_step AS lastStep, credential, public_key AS publicKey, uses, transports,
  confirmed_at AS confirmedAt, created_at AS createdAt, last_used_at AS lastUsedAt`

/** The factors of a user that count, in the order in which they were added. */
export const findFactors = (db: Database, user: string): FactorRow[] =>
  db
    .query<FactorRow, [string]>(
      `SELECT ${columns} FROM factors WHERE user = ? AND confirmed_at IS NOT NULL ORDER BY created_at, id`,
    )
    .all(user)

export const findFactor = (db: Database, user: string, id: string): FactorRow | null =>
  db
    .query<FactorRow, [string, string]>(`SELECT ${columns} FROM factors WHERE user = ? AND id = ?`)
    .get(user, id)

export const findPasskey = (db: Database, credential: string): FactorRow | null =>
  db.query<FactorRow, [string]>(`SELECT ${columns} FROM factors WHERE credential = ?`).get(credential)

export const hasFactor = (db: Database, user: string): boolean =>
  db.query("SELECT 1 FROM factors WHERE user = ? AND confirmed_at IS NOT NULL").get(user) !== null

export function insertFactor(db: Database, factor: FactorRow): void {
  db.query(
    `INSERT INTO factors (id, user, type, name, secret, last_step, credential, public_key, uses, transports, confirmed_at,
       created_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    factor.id,
    factor.user,
    factor.type,
    factor.name,
    factor.secret,
    factor.lastStep,
    factor.credential,
    factor.publicKey,
    factor.uses,
    factor.transports,
    factor.confirmedAt,
    factor.createdAt,
    factor.lastUsedAt,
  )
}

/** Deletes what a user has begun to add and not confirmed. */
export function deleteUnconfirmed(db: Database, user: string): void {
  db.query("DELETE FROM factors WHERE user = ? AND confirmed_at IS NULL").run(user)
}

export function confirmFactor(db: Database, id: string, step: number, now: string): void {
  db.query("UPDATE factors SET confirmed_at = ?2, last_step = ?3, last_used_at = ?2 WHERE id = ?1").run(
    id,
    now,
    step,
  )
}

/** Notes the step of a code that is used. */
export function useStep(db: Database, id: string, step: number, now: string): void {
  db.query("UPDATE factors SET last_step = ?, last_used_at = ? WHERE id = ?").run(step, now, id)
}

export function usePasskey(db: Database, id: string, uses: number, now: string): void {
  db.query("UPDATE factors SET uses = ?, last_used_at = ? WHERE id = ?").run(uses, now, id)
}

export function deleteFactor(db: Database, id: string): void {
  db.query("DELETE FROM factors WHERE id = ?").run(id)
}

/** Deletes all factors and recovery codes of a user. Returns the number of factors that counted. */
export function deleteFactorsOf(db: Database, user: string): number {
  const count = findFactors(db, user).length
  db.query("DELETE FROM factors WHERE user = ?").run(user)
  db.query("DELETE FROM recovery_codes WHERE user = ?").run(user)
  return count
}

export function replaceRecoveryCodes(db: Database, user: string, digests: readonly string[]): void {
  db.query("DELETE FROM recovery_codes WHERE user = ?").run(user)
  const insert = db.query("INSERT INTO recovery_codes (user, digest) VALUES (?, ?)")
  for (const digest of digests) insert.run(user, digest)
}

export const countRecoveryCodes = (db: Database, user: string): number =>
  valueOf(db, "SELECT count(*) FROM recovery_codes WHERE user = ?", user) ?? 0

/** Uses up a recovery code. Returns false if the user has no such code. */
export const useRecoveryCode = (db: Database, user: string, digest: string): boolean =>
  db.query("DELETE FROM recovery_codes WHERE user = ? AND digest = ? RETURNING user").get(user, digest) !==
  null

/** Notes that a challenge was answered. Returns false if it was answered before. */
export const useChallenge = (db: Database, digest: string, expiresAt: string): boolean =>
  db
    .query(
      "INSERT INTO used_challenges (digest, expires_at) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING RETURNING digest",
    )
    .get(digest, expiresAt) !== null

export function deleteChallengesBefore(db: Database, time: string): void {
  db.query("DELETE FROM used_challenges WHERE expires_at < ?").run(time)
}

export type SessionRow = {
  id: string
  createdAt: string
  lastUsedAt: string
  ip: string | null
  userAgent: string | null
}

/** The sessions of a person, without those of connected apps; the last used ones first. */
export const findSessions = (db: Database, user: string, most: number): SessionRow[] =>
  db
    .query<SessionRow, [string, number]>(
      `SELECT id, created_at AS createdAt, last_used_at AS lastUsedAt, ip, user_agent AS userAgent FROM sessions
       WHERE user = ? AND grant_id IS NULL ORDER BY last_used_at DESC, id LIMIT ?`,
    )
    .all(user, most)

export const isSessionOf = (db: Database, user: string, id: string): boolean =>
  db.query("SELECT 1 FROM sessions WHERE user = ? AND id = ? AND grant_id IS NULL").get(user, id) !== null
