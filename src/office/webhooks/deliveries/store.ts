import type { Database } from "../../../core/engine/engine"
import { valueOf } from "../../../core/engine/sql"
import { isOwned, type Delivery } from "../model"

/** The number of deliveries of a webhook that are kept, in addition to those that are sent again. */
export const keptDeliveries = 1_000
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
export function updateDelivery(db: Database, id: string, row: AttemptRow): void {
  db.query<void, (string | number | null)[]>(
    `UPDATE webhook_deliveries SET attempts = attempts + 1, status = ?, next_attempt_at = ?, request_headers = ?,
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

/** The part of a delivery that decides what another attempt may change. */
export type DeliveryState = Pick<Delivery, "status" | "attempts" | "nextAttemptAt">

export const findState = (db: Database, id: string): DeliveryState | null =>
  db
    .query<DeliveryState, [string]>(
      "SELECT status, attempts, next_attempt_at AS nextAttemptAt FROM webhook_deliveries WHERE id = ?",
    )
    .get(id)

/** What is sent again. */
export type Due = Pick<Delivery, "id" | "event" | "type" | "request" | "attempts">

/** Finds the delivery of a webhook that has been due for the longest time. */
export const findDue = (db: Database, webhook: string, now: string): Due | null =>
  db
    .query<Due, [string, string]>(
      `SELECT id, event, type, request, attempts FROM webhook_deliveries
       WHERE webhook = ? AND next_attempt_at <= ? ORDER BY next_attempt_at, seq LIMIT 1`,
    )
    .get(webhook, now)

/** Returns the time when the next delivery is due; null if there is none. Those of a paused webhook wait. */
export const findNextDue = (db: Database): string | null =>
  valueOf(
    db,
    `SELECT min((SELECT min(next_attempt_at) FROM webhook_deliveries
       WHERE webhook = webhooks.id AND next_attempt_at IS NOT NULL))
     FROM webhooks WHERE is_active = 1 AND ${isOwned}`,
  )

export const countPending = (db: Database, webhook: string): number =>
  valueOf(
    db,
    "SELECT count(*) FROM webhook_deliveries WHERE webhook = ? AND next_attempt_at IS NOT NULL",
    webhook,
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
