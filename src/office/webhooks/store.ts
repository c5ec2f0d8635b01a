import type { Database } from "../../core/engine/engine"
import { valueOf, valuesOf } from "../../core/engine/sql"
import { isOwned, type DisabledReason, type Webhook } from "./model"
import { merged, progressAt, type Progress } from "./progress"

export const countWebhooks = (db: Database): number => valueOf(db, "SELECT count(*) FROM webhooks") ?? 0

export const countOf = (db: Database, owner: string): number =>
  valueOf(db, "SELECT count(*) FROM webhooks WHERE owner = ?", owner) ?? 0

/** The state of a webhook: `paused` if its owner may no longer manage webhooks, and `failing` since an attempt failed. */
export type WebhookState = "active" | "failing" | "paused" | "disabled"

export const countByState = (db: Database): { state: WebhookState; webhooks: number }[] =>
  db
    .query<{ state: WebhookState; webhooks: number }, []>(
      `SELECT state, count(*) AS webhooks FROM (
         SELECT CASE WHEN is_active = 0 THEN 'disabled' WHEN NOT ${isOwned} THEN 'paused'
           WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'active' END AS state FROM webhooks
       ) AS webhook GROUP BY state`,
    )
    .all()

/** What the sender needs to know of a webhook. */
export type Target = Pick<Webhook, "id" | "url" | "types" | "payload" | "parallel" | "owner"> & {
  /** How far the events were sent, as it is stored. */
  progress: Progress
  secrets: readonly [string, ...string[]]
}

type TargetRow = Omit<Target, "types" | "secrets" | "progress"> & {
  types: string
  position: number
  ahead: string
  secret: string
  previous: string | null
}

/**
 * Finds a webhook with its secrets. Without a secret, nothing can be sent to it. `isSent` finds only a webhook that gets
 * events: it is active, and its owner may still manage webhooks.
 */
export function findTarget(
  db: Database,
  id: string,
  now: string,
  { isSent }: { isSent: boolean },
): Target | null {
  const row = db
    .query<TargetRow, [string, string]>(
      `SELECT id, url, types, payload, parallel, owner, position, ahead, secret, CASE WHEN previous_until > ? THEN previous END AS previous
       FROM webhooks JOIN webhook_positions AS p ON p.webhook = id JOIN webhook_secrets AS s ON s.webhook = id
       WHERE id = ?${isSent ? ` AND is_active = 1 AND ${isOwned}` : ""}`,
    )
    .get(now, id)
  if (!row) return null
  const { secret, previous, types, position, ahead, ...rest } = row
  const secrets: Target["secrets"] = previous === null ? [secret] : [secret, previous]
  return { ...rest, types: JSON.parse(types) as string[], progress: progressIn({ position, ahead }), secrets }
}

/** A webhook that gets events, or whose events wait because its owner may no longer manage webhooks. */
export type Active = { id: string; owner: string | null; isPaused: boolean }

export const findActive = (db: Database): Active[] =>
  db
    .query<{ id: string; owner: string | null; paused: number }, []>(
      `SELECT id, owner, CASE WHEN ${isOwned} THEN 0 ELSE 1 END AS paused
       FROM webhooks JOIN webhook_secrets ON webhook = id WHERE is_active = 1 ORDER BY webhooks.seq`,
    )
    .all()
    .map(({ paused, ...rest }) => ({ ...rest, isPaused: paused === 1 }))

/** Returns the ids of all active webhooks, also of those without a secret. */
export const findAllActive = (db: Database): string[] =>
  valuesOf(db, "SELECT id FROM webhooks WHERE is_active = 1 ORDER BY seq")

export const findAll = (db: Database): string[] => valuesOf(db, "SELECT id FROM webhooks ORDER BY seq")

/** Returns the ids of the webhooks that are not active and have deliveries that would be sent again. */
export const findUnended = (db: Database): string[] =>
  valuesOf(
    db,
    `SELECT id FROM webhooks WHERE is_active = 0 AND EXISTS (
       SELECT 1 FROM webhook_deliveries WHERE webhook = webhooks.id AND next_attempt_at IS NOT NULL)`,
  )

/** Stores where a new webhook begins. */
export function insertPosition(db: Database, webhook: string, position: number): void {
  db.query("INSERT INTO webhook_positions (webhook, position) VALUES (?, ?)").run(webhook, position)
}

type ProgressRow = { position: number; ahead: string }

const progressIn = ({ position, ahead }: ProgressRow): Progress => ({
  position,
  ahead: JSON.parse(ahead) as Progress["ahead"],
})

/** Stores how far the events were sent. It never goes back. */
export function saveProgress(db: Database, webhook: string, progress: Progress): void {
  const stored = db
    .query<ProgressRow, [string]>("SELECT position, ahead FROM webhook_positions WHERE webhook = ?")
    .get(webhook)
  if (!stored) return
  const { position, ahead } = merged(progressIn(stored), progress)
  db.query("UPDATE webhook_positions SET position = ?, ahead = ? WHERE webhook = ?").run(
    position,
    JSON.stringify(ahead),
    webhook,
  )
}

/** Stores that all events up to one were sent, or are not to be sent. */
export const savePosition = (db: Database, webhook: string, position: number): void =>
  saveProgress(db, webhook, progressAt(position))

/** Returns how far the events of each active webhook were sent, the types that it gets, and for whom. */
export const findPositions = (
  db: Database,
): { webhook: string; progress: Progress; patterns: readonly string[]; owner: string | null }[] =>
  db
    .query<ProgressRow & { webhook: string; types: string; owner: string | null }, []>(
      `SELECT webhook, position, ahead, types, owner FROM webhook_positions JOIN webhooks ON id = webhook
       WHERE is_active = 1`,
    )
    .all()
    .map(({ types, webhook, owner, ...row }) => ({
      webhook,
      owner,
      progress: progressIn(row),
      patterns: JSON.parse(types) as string[],
    }))

export const hasSecret = (db: Database, webhook: string): boolean =>
  db.query("SELECT 1 FROM webhook_secrets WHERE webhook = ?").get(webhook) !== null

/** Replaces the secret. The one before it is still used until a time. */
export function saveSecret(db: Database, webhook: string, secret: string, previousUntil: string): void {
  db.query(
    `INSERT INTO webhook_secrets (webhook, secret) VALUES (?1, ?2)
     ON CONFLICT (webhook) DO UPDATE SET previous = webhook_secrets.secret, previous_until = ?3, secret = excluded.secret`,
  ).run(webhook, secret, previousUntil)
}

/** Deletes secrets that are no longer used: until a time that has passed, or after one that no secret is used until. */
export function deleteOldSecrets(db: Database, now: string, latest: string): void {
  db.query(
    `UPDATE webhook_secrets SET previous = NULL, previous_until = NULL
     WHERE previous_until <= ? OR previous_until > ?`,
  ).run(now, latest)
}

/** Removes what the server has noted while the webhook failed, because it is active again. */
export function clearFailure(db: Database, webhook: string): void {
  db.query(
    "UPDATE webhooks SET disabled_reason = NULL, disabled_at = NULL, failing_since = NULL WHERE id = ?",
  ).run(webhook)
}

/** Activates a webhook that was disabled. */
export function activate(db: Database, webhook: string, now: string): void {
  db.query("UPDATE webhooks SET is_active = 1, version = version + 1, updated_at = ? WHERE id = ?").run(
    now,
    webhook,
  )
  clearFailure(db, webhook)
}

/** Returns the API key or the client of the app that has set up a webhook; null if a person did. */
export const findProgram = (db: Database, webhook: string): string | null =>
  valueOf(db, "SELECT program FROM webhook_programs WHERE webhook = ?", webhook)

export function saveProgram(db: Database, webhook: string, program: string | null): void {
  db.query("DELETE FROM webhook_programs WHERE webhook = ?").run(webhook)
  if (program !== null)
    db.query("INSERT INTO webhook_programs (webhook, program) VALUES (?, ?)").run(webhook, program)
}

/**
 * Makes a user responsible for a webhook. `version` is the one after the whole write. The time in which nothing was sent
 * does not count as a time of failures.
 */
export function saveOwner(
  db: Database,
  { id, pausedReason, version }: Webhook,
  owner: string,
  now: string,
): void {
  db.query("UPDATE webhooks SET owner = ?, version = ?, updated_at = ? WHERE id = ?").run(
    owner,
    version + 1,
    now,
    id,
  )
  if (pausedReason) db.query("UPDATE webhooks SET failing_since = NULL WHERE id = ?").run(id)
}

/** Disables a webhook. Returns false if it was not active. */
export const disable = (db: Database, webhook: string, reason: DisabledReason, now: string): boolean =>
  db
    .query(
      `UPDATE webhooks SET is_active = 0, disabled_reason = ?, disabled_at = ?, version = version + 1, updated_at = ?
       WHERE id = ? AND is_active = 1`,
    )
    .run(reason, now, now, webhook).changes > 0

export function noteSuccess(db: Database, webhook: string, now: string): void {
  db.query("UPDATE webhooks SET failing_since = NULL, last_success_at = ? WHERE id = ?").run(now, webhook)
}

/**
 * Notes that an attempt failed, and returns since when all have failed; null if the webhook was deleted. A time of the
 * future was written while the clock was ahead.
 */
export const noteFailure = (db: Database, webhook: string, now: string): string | null =>
  valueOf(
    db,
    `UPDATE webhooks SET failing_since = CASE WHEN failing_since <= ?1 THEN failing_since ELSE ?1 END
     WHERE id = ?2 RETURNING failing_since`,
    now,
    webhook,
  )

/** The feed that is sent, and whether sending is paused. */
export type Sending = { feed: string; isPaused: boolean }

export function findSending(db: Database): Sending | null {
  const row = db
    .query<{ feed: string; paused: number }, []>("SELECT feed, is_paused AS paused FROM webhook_sending")
    .get()
  return row && { feed: row.feed, isPaused: row.paused === 1 }
}

export function saveSending(db: Database, { feed, isPaused }: Sending): void {
  db.query(
    `INSERT INTO webhook_sending (only, feed, is_paused) VALUES (1, ?, ?)
     ON CONFLICT (only) DO UPDATE SET feed = excluded.feed, is_paused = excluded.is_paused`,
  ).run(feed, isPaused ? 1 : 0)
}

/** Forgets which feed is sent, so that the next one is not taken for that of a restored file. */
export const forgetSending = (db: Database): void => void db.run("DELETE FROM webhook_sending")

/** True when a webhook is active; null if it does not exist. */
export const isActive = (db: Database, webhook: string): boolean | null => {
  const active = valueOf<number>(db, "SELECT is_active FROM webhooks WHERE id = ?", webhook)
  return active === null ? null : active === 1
}
