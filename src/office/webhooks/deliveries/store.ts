import type { Database } from "../../../core/engine/engine"
import { valueOf } from "../../../core/engine/sql"
import { isOwned, type Delivery } from "../model"

/** The number of deliveries of a webhook that are kept, in addition to those that are sent again. */
export const keptDeliveries = 1_000
/** If so many events of a webhook wait to be sent again, another one that fails is not stored, and holds the next ones. */
export const mostPending = 5_000
/** The number of deliveries that one write ends or deletes. */
const atOnce = 500

/** The result of an attempt, in the form of the table. */
export type AttemptRow = Pick<
  Delivery,
  | "status"
  | "nextAttemptAt"
  | "requestHeaders"
  | "responseStatus"
  | "response"
  | "error"
  | "errorCode"
  | "errorParams"
  | "durationMs"
  | "updatedAt"
>

export type NewDelivery = AttemptRow &
  Pick<Delivery, "id" | "webhook" | "event" | "type" | "request" | "createdAt">

export function insertDelivery(db: Database, row: NewDelivery): void {
  db.query<void, (string | number | null)[]>(
    `INSERT INTO webhook_deliveries (id, webhook, event, type, request, created_at, attempts, status, next_attempt_at,
       request_headers, response_status, response, error, error_code, error_params, duration_ms, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(row.id, row.webhook, row.event, row.type, row.request, row.createdAt, ...valuesOf(row))
}

/** Stores another attempt. */
export const updateDelivery = (db: Database, id: string, row: AttemptRow): void =>
  storeAttempt(db, id, row, "attempts = attempts + 1, was_early = 0")

/** Stores an attempt before its time. It does not count, and is made once between two regular ones. */
export const updateEarly = (db: Database, id: string, row: AttemptRow): void =>
  storeAttempt(db, id, row, "was_early = 1")

function storeAttempt(db: Database, id: string, row: AttemptRow, counted: string): void {
  db.query<void, (string | number | null)[]>(
    `UPDATE webhook_deliveries SET ${counted}, status = ?, next_attempt_at = ?, request_headers = ?,
       response_status = ?, response = ?, error = ?, error_code = ?, error_params = ?, duration_ms = ?, updated_at = ?
     WHERE id = ?`,
  ).run(...valuesOf(row), id)
}

const valuesOf = (row: AttemptRow): (string | number | null)[] => [
  row.status,
  row.nextAttemptAt,
  JSON.stringify(row.requestHeaders),
  row.responseStatus,
  row.response,
  row.error,
  row.errorCode,
  row.errorParams && JSON.stringify(row.errorParams),
  row.durationMs,
  row.updatedAt,
]

/** Ends a delivery that may not be sent again. */
export function endRefused(
  db: Database,
  id: string,
  { error, errorCode, updatedAt }: Pick<AttemptRow, "error" | "errorCode" | "updatedAt">,
): void {
  db.query<void, (string | null)[]>(
    `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, response_status = NULL, response = NULL,
       error = ?, error_code = ?, error_params = '{}', updated_at = ?
     WHERE id = ? AND next_attempt_at IS NOT NULL`,
  ).run(error, errorCode, updatedAt, id)
}

/** The part of a delivery that decides what another attempt may change. */
export type DeliveryState = Pick<Delivery, "status" | "attempts" | "nextAttemptAt">

export const findState = (db: Database, id: string): DeliveryState | null =>
  db
    .query<DeliveryState, [string]>(
      "SELECT status, attempts, next_attempt_at AS nextAttemptAt FROM webhook_deliveries WHERE id = ?",
    )
    .get(id)

/** What is sent again. `isEarly` tells that it is sent before its time. */
export type Due = Pick<Delivery, "id" | "event" | "type" | "request" | "attempts"> & { isEarly: boolean }

type DueRow = Omit<Due, "isEarly"> & { nextAttemptAt: string }

/**
 * Finds the delivery of a webhook to send again now. While the receiver answers, that is the oldest one that was not sent
 * before its time yet, and otherwise the one that has been due for the longest time.
 */
export function findDue(db: Database, webhook: string, now: string): Due | null {
  const columns = "id, event, type, request, attempts, next_attempt_at AS nextAttemptAt"
  const row =
    db
      .query<DueRow, [string]>(
        `SELECT ${columns} FROM webhook_deliveries WHERE webhook = ?1 AND next_attempt_at IS NOT NULL AND was_early = 0
           AND EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = ?1 AND failing_since IS NULL)
         ORDER BY seq LIMIT 1`,
      )
      .get(webhook) ??
    db
      .query<DueRow, [string, string]>(
        `SELECT ${columns} FROM webhook_deliveries
         WHERE webhook = ? AND next_attempt_at <= ? ORDER BY next_attempt_at, seq LIMIT 1`,
      )
      .get(webhook, now)
  if (!row) return null
  const { nextAttemptAt, ...due } = row
  return { ...due, isEarly: nextAttemptAt > now }
}

/** Stands for a time that has passed. */
const atOnceTime = "1970-01-01T00:00:00.000Z"

/** Returns the time when the next delivery is due; null if there is none. Those of a paused webhook wait. */
export const findNextDue = (db: Database): string | null =>
  valueOf(
    db,
    `SELECT min(CASE WHEN failing_since IS NULL AND EXISTS (SELECT 1 FROM webhook_deliveries
         WHERE webhook = webhooks.id AND next_attempt_at IS NOT NULL AND was_early = 0) THEN '${atOnceTime}'
       ELSE (SELECT min(next_attempt_at) FROM webhook_deliveries
         WHERE webhook = webhooks.id AND next_attempt_at IS NOT NULL) END)
     FROM webhooks WHERE is_active = 1 AND ${isOwned}`,
  )

/** Sends again now what would be sent again after a time. */
export function bringForward(db: Database, now: string, after: string): void {
  db.query("UPDATE webhook_deliveries SET next_attempt_at = ? WHERE next_attempt_at > ?").run(now, after)
}

export const countPending = (db: Database, webhook: string): number =>
  valueOf(
    db,
    "SELECT count(*) FROM webhook_deliveries WHERE webhook = ? AND next_attempt_at IS NOT NULL",
    webhook,
  ) ?? 0

/** The number of deliveries that are counted at most, because counting blocks other requests. */
const mostCounted = 100_000

/** Counts what is to be sent again to all webhooks. */
export const countAllPending = (db: Database): number =>
  valueOf(
    db,
    `SELECT count(*) FROM (
       SELECT 1 FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL LIMIT ${mostCounted}) AS pending`,
  ) ?? 0

/**
 * Ends some deliveries of a webhook that would be sent again, because it is not active. Returns true if there may be
 * more.
 */
export const endPending = (db: Database, webhook: string): boolean =>
  db
    .query(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE seq IN (
         SELECT seq FROM webhook_deliveries WHERE webhook = ? AND next_attempt_at IS NOT NULL
         ORDER BY next_attempt_at LIMIT ?)`,
    )
    .run(webhook, atOnce).changes === atOnce

/** Ends all deliveries that would be sent again, because it is not known what happened after the backup. */
export function endAllPending(db: Database): void {
  db.query(
    `UPDATE webhook_deliveries SET status = 'uncertain', next_attempt_at = NULL
     WHERE next_attempt_at IS NOT NULL`,
  ).run()
}

/** Deletes the oldest deliveries of a webhook, except those that are sent again. Returns true if there may be more. */
export const deleteOld = (db: Database, webhook: string): boolean =>
  db
    .query(
      `DELETE FROM webhook_deliveries WHERE seq IN (
         SELECT seq FROM webhook_deliveries WHERE webhook = ?1 AND next_attempt_at IS NULL AND seq <= (
           SELECT seq FROM webhook_deliveries WHERE webhook = ?1 AND next_attempt_at IS NULL
           ORDER BY seq DESC LIMIT 1 OFFSET ?2)
         ORDER BY seq LIMIT ?3)`,
    )
    .run(webhook, keptDeliveries, atOnce).changes === atOnce
