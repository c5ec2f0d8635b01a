import type { Database } from "../../../core/engine/engine"
import type { Tx } from "../../../core/write/writer"
import { later } from "../../../shared/dates"
import { newId } from "../../../core/lib/id"
import type { Log } from "../../../core/lib/process/log"
import type { Event } from "../../events/model"
import { NoResponse } from "../failure"
import { isSuccess, type Attempt } from "../request"
import {
  deleteOld,
  endPending,
  findState,
  endRefused,
  insertDelivery,
  updateDelivery,
  updateEarly,
  type AttemptRow,
  type Due,
} from "../deliveries/store"
import { requestOf } from "../message"
import type { DisabledReason } from "../model"
import { disable, isActive, noteFailure, noteSuccess, savePosition } from "../store"

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 24 * 3_600_000]

/** The time before each attempt after the first one, counted from the attempt before it, in milliseconds. */
export const retryAfter = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

export const longestRetry = Math.max(...retryAfter)

/** A webhook whose attempts have all failed for this time is disabled. */
const longestFailure = 5 * day

export type SettleDeps = { db: Database; log: () => Log | null }

export type First = {
  webhook: string
  event: Event
  /** When it began, and when it ended. */
  began: string
  at: string
  attempt: Attempt
}

/** Stores a first attempt, or one of a replay. */
export function settleFirst(deps: SettleDeps, tx: Tx, { webhook, event, began, at, attempt }: First): void {
  const { db } = deps
  // It may have been deleted since the attempt began.
  if (isActive(db, webhook) === null) return
  insertDelivery(db, {
    ...resultOf(deps, tx, webhook, attempt, 1, at),
    id: newId("whd", tx.now),
    webhook,
    event: event.id,
    type: event.type,
    request: requestOf(event),
    createdAt: began,
  })
  endIfInactive(db, webhook)
}

/**
 * Stores another attempt. A failure changes nothing if a redelivery has succeeded, or the delivery has ended, meanwhile.
 * One that failed before its time is sent again at its time, as if it had not been sent now.
 */
export function settleAgain(
  deps: SettleDeps,
  tx: Tx,
  { webhook, due, at, attempt }: { webhook: string; due: Due; at: string; attempt: Attempt },
): void {
  const { db } = deps
  if (isActive(db, webhook) === null) return
  const state = findState(db, due.id)
  const row = resultOf(deps, tx, webhook, attempt, (state?.attempts ?? due.attempts) + 1, at)
  if (isSuccess(attempt)) updateDelivery(db, due.id, row)
  else if (state?.status === "pending" && due.isEarly)
    updateEarly(db, due.id, rowOf(attempt, "pending", state.nextAttemptAt, at))
  else if (state?.status === "pending") updateDelivery(db, due.id, row)
  endIfInactive(db, webhook)
  deleteOld(db, webhook)
}

/** Ends a delivery of a kind that the owner of the webhook may not read any more. */
export function settleRefused(db: Database, { id }: Due, at: string): void {
  const failure = new NoResponse("NOT_ALLOWED")
  endRefused(db, id, { error: failure.message, errorCode: failure.code, updatedAt: at })
}

/** A webhook that is not active has no deliveries that are sent again. The sender ends the rest if there are many. */
export function endIfInactive(db: Database, webhook: string): void {
  if (isActive(db, webhook) === false) endPending(db, webhook)
}

/** Notes a success or a failure of the webhook, disables it if necessary, and returns what is stored of an attempt. */
function resultOf(
  deps: SettleDeps,
  tx: Tx,
  webhook: string,
  attempt: Attempt,
  attempts: number,
  at: string,
): AttemptRow {
  const { db } = deps
  if (isSuccess(attempt)) {
    noteSuccess(db, webhook, at)
    return rowOf(attempt, "succeeded", null, at)
  }
  const since = noteFailure(db, webhook, at)
  if (attempt.status === 410) disableFor(deps, tx, webhook, "gone", at)
  else if (since !== null && since <= later(at, -longestFailure)) disableFor(deps, tx, webhook, "failing", at)
  const wait = retryAfter[attempts - 1]
  return wait === undefined
    ? rowOf(attempt, "failed", null, at)
    : rowOf(attempt, "pending", later(at, wait), at)
}

export const rowOf = (
  { headers: requestHeaders, status: responseStatus, text: response, failure, millis: durationMs }: Attempt,
  status: AttemptRow["status"],
  nextAttemptAt: string | null,
  updatedAt: string,
): AttemptRow => ({
  status,
  nextAttemptAt,
  requestHeaders,
  responseStatus,
  response,
  error: failure?.message ?? null,
  errorCode: failure?.code ?? null,
  errorParams: failure?.params ?? null,
  durationMs,
  updatedAt,
})

function disableFor(
  { db, log }: SettleDeps,
  tx: Tx,
  webhook: string,
  reason: DisabledReason,
  at: string,
): void {
  if (!disable(db, webhook, reason, at)) return
  auditDisabled(tx, webhook, reason)
  tx.afterCommit.push(() => log()?.warn("A webhook was disabled.", { webhook, reason }))
}

export const auditDisabled = (tx: Tx, webhook: string, reason: DisabledReason): void =>
  tx.audit("webhooks.disable", webhook, {
    isActive: { from: true, to: false },
    disabledReason: { from: null, to: reason },
  })

/** Moves a webhook to the oldest event that is kept, because those before it were deleted and cannot be sent. */
export function skipLost({ db, log }: SettleDeps, tx: Tx, webhook: string, from: number, to: number): void {
  savePosition(db, webhook, to)
  const skipped = to - from
  tx.audit("webhooks.events-lost", webhook, { skipped: { from: null, to: skipped } })
  tx.afterCommit.push(() => log()?.warn("Events were deleted before they were sent.", { webhook, skipped }))
}
