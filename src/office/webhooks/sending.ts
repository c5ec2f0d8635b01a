import type { Database } from "../../core/engine/engine"
import { listeners } from "../../core/engine/others-writes"
import type { Caller } from "../../core/caller"
import type { Tx } from "../../core/write/writer"
import type { Clock } from "../../core/lib/clock"
import { newId } from "../../core/lib/id"
import { invalid, Refusal } from "../../core/lib/refusal"
import { refuseMissing } from "../../core/store/crud"
import { equals } from "../../core/store/filter"
import type { ListQuery } from "../../core/store/list"
import type { TableStore } from "../../core/store/table-store"
import { type Event, testEvents } from "../events/model"
import { kindOf, readableTypes } from "../events/query"
import type { Deleted } from "../events/service"
import { type Attempt, isSuccess } from "./request"
import {
  countAllPending,
  bringForward,
  deleteOld,
  endAllPending,
  findState,
  insertDelivery,
  updateDelivery,
} from "./deliveries/store"
import { type Delivery, matchedTypes, type SendingStatus, type Webhook, webhookDeliveries } from "./model"
import { bodyOf, eventOf, requestOf } from "./message"
import { positionOf } from "./progress"
import { later } from "../../shared/dates"
import { noSecret, previousFor } from "./rules"
import { webhookSender, type WebhookSender } from "./sender/sender"
import type { SenderDeps } from "./sender/state"
import { auditDisabled, endIfInactive, longestRetry, rowOf } from "./sender/settle"
import {
  countWebhooks,
  deleteOldSecrets,
  disable,
  findAll,
  findAllActive,
  findPositions,
  findSending,
  findTarget,
  noteSuccess,
  savePosition,
  saveSending,
  type Target,
} from "./store"

type Deps = SenderDeps & {
  deliveries: TableStore<typeof webhookDeliveries>
  /** Identifies the feed of this file. */
  feed: string
  /** Returns a webhook that the caller may manage. Null stands for the server itself. */
  getWebhook: (id: string, caller: Caller | null) => Webhook
  /** Mail, which is paused and resumed with the events. */
  mail: {
    /** True when a restored database may have mail that was sent after its backup was made. */
    hasAny: () => boolean
    /** Notes that it is not known what has become of the mail that waited in a backup. */
    doubt: (tx: Tx) => void
    wake: () => void
  }
}

/** Something that a user wants to be sent now. `reader` must be allowed to see its record. */
export type Order = { target: Target; event: Event; delivery: Delivery | null; reader: Caller | null }

/** What is sent to webhooks: the sender, the deliveries, and whether anything is sent at all. */
export function webhookSending(deps: Deps) {
  const { db, writer, clock, deliveries, getWebhook } = deps
  const sender = webhookSender(deps)
  const resumed = listeners()
  const find = (webhook: string, id: string): Delivery => {
    const found = deliveries.find(id) as Delivery | null
    return found?.webhook === webhook ? found : refuseMissing(webhookDeliveries, id)
  }
  return {
    sender,

    /** Looks whether the file was restored since it was last served. Call it before the first request. */
    open: (): Promise<void> => writer((tx) => open(deps, tx)),

    status(): SendingStatus {
      const isPaused = findSending(db)?.isPaused === true
      return { isSending: deps.isSwitchedOn && !isPaused, isPaused, isSwitchedOff: !deps.isSwitchedOn }
    },

    /** How many deliveries are sent again. */
    waiting: (): number => countAllPending(db),

    /** Sends again after a restore. */
    resume(tx: Tx): void {
      if (findSending(db)?.isPaused) tx.audit("webhooks.resume", null)
      saveSending(db, { feed: deps.feed, isPaused: false })
      tx.afterCommit.push(sender.wake, deps.mail.wake, resumed.tell)
    },

    /** Calls a listener when an admin sends again, for what else has waited. */
    onResume: resumed.subscribe,

    list(webhook: string, query: ListQuery, caller: Caller) {
      return deliveries.list(query, [equals("webhook", getWebhook(webhook, caller).id)])
    },

    orderTest: (tx: Tx, webhook: string, caller: Caller | null): Order =>
      orderTest(deps, tx, getWebhook(webhook, caller)),
    orderAgain: (tx: Tx, webhook: string, id: string, caller: Caller): Order =>
      orderAgain(deps, tx, getWebhook(webhook, caller), find(webhook, id), caller),

    /** Sends it, and returns the delivery with the result. */
    async send(order: Order): Promise<Delivery> {
      const id = await send(deps, sender, order)
      return find(order.target.id, id)
    },

    /** Moves webhooks past events that are deleted. */
    passDeleted: (deleted: Deleted): void => passDeleted(deps, deleted),

    /**
     * Deletes old secrets and deliveries. Deliveries that have ended together are deleted some at a time. Times that are
     * further in the future than any that the server sets are from a clock that was ahead.
     */
    async deleteExpired(): Promise<void> {
      sender.tidy()
      await writer(() => {
        deleteOldSecrets(db, clock(), later(clock(), 2 * previousFor))
        bringForward(db, clock(), later(clock(), 2 * longestRetry))
      })
      sender.wake()
      for (const id of findAll(db)) while (await writer(() => deleteOld(db, id))) continue
    },
  }
}

export type WebhookSending = ReturnType<typeof webhookSending>

/**
 * A restored file has a new feed. It is not known what was sent after the backup was made, so that nothing is sent until
 * an admin resumes it. Its webhooks have no secrets, and are disabled until they are rotated.
 */
function open({ db, feed, clock, mail }: Pick<Deps, "db" | "feed" | "clock" | "mail">, tx: Tx): void {
  const known = findSending(db)
  if (known?.feed === feed) return
  const isRestored = known !== null && (countWebhooks(db) > 0 || mail.hasAny())
  saveSending(db, { feed, isPaused: isRestored })
  if (!isRestored) return
  mail.doubt(tx)
  endAllPending(db)
  for (const id of findAllActive(db))
    if (disable(db, id, "restored", clock())) auditDisabled(tx, id, "restored")
}

type OrderDeps = Pick<Deps, "db" | "clock" | "isSwitchedOn" | "events" | "personOf">

/** Prepares a test event. */
function orderTest(deps: OrderDeps, tx: Tx, webhook: Webhook): Order {
  const target = targetOf(deps, webhook)
  tx.audit("webhooks.test", webhook.id)
  return { target, event: testEvent(webhook, tx.now), delivery: null, reader: null }
}

/**
 * Prepares to send a delivery again. It contains what the owner of the webhook may read. Who sends it for an owner who is
 * disabled is responsible for it.
 */
function orderAgain(deps: OrderDeps, tx: Tx, webhook: Webhook, delivery: Delivery, caller: Caller): Order {
  const target = targetOf(deps, webhook)
  const reader = (webhook.owner === null ? null : deps.personOf(webhook.owner)) ?? caller
  if (delivery.type !== testType && readableTypes([delivery.type], deps.events.kinds, reader).length === 0)
    throw new Refusal("FORBIDDEN", "The owner of the webhook may not read records of this kind any more.")
  tx.audit("webhooks.redeliver", webhook.id, { delivery: { from: null, to: delivery.id } })
  return { target, event: eventOf(delivery), delivery, reader }
}

/** Returns where an admin wants to send something to. The webhook need not be active. */
function targetOf({ db, clock, isSwitchedOn }: OrderDeps, { id }: Webhook): Target {
  if (!isSwitchedOn)
    throw invalid("webhook", "RULE", "cannot be called: the server was started with --no-sending", {
      rule: "NO_SENDING",
    })
  const target = findTarget(db, id, clock(), { isSent: false })
  if (!target)
    throw new Refusal("VALIDATION_ERROR", "The webhook has no secret. Rotate it first.", {
      details: [noSecret("webhook")],
    })
  return target
}

const [testType] = testEvents.types

/** An event that shows whether a webhook works. It is not in the feed. */
const testEvent = ({ id, version }: Webhook, now: string): Event => ({
  id: newId("evt", now),
  seq: 0,
  type: testType,
  kind: testEvents.name,
  recordId: id,
  version,
  at: now,
  changed: [],
})

/** Sends something, and returns the id of its delivery. */
async function send(deps: Deps, sender: WebhookSender, order: Order): Promise<string> {
  const { target, event, reader } = order
  const body = await bodyOf(event, target.payload, deps.records(), reader)
  const began = deps.clock()
  const attempt = await sender.attempt(target, { event: event.id, body })
  if (!attempt) throw new Refusal("SERVICE_UNAVAILABLE", "The server is stopping. Try again in a moment.")
  return deps.writer((tx) => store(deps, tx, order, attempt, began))
}

/** Stores the result of what an admin has sent, and returns the id of the delivery. */
function store(
  { db, clock }: { db: Database; clock: Clock },
  tx: Tx,
  { target, event, delivery }: Order,
  attempt: Attempt,
  began: string,
): string {
  const at = clock()
  if (delivery) {
    storeAgain(db, delivery, attempt, at)
    return delivery.id
  }
  const id = newId("whd", tx.now)
  const row = rowOf(attempt, isSuccess(attempt) ? "succeeded" : "failed", null, at)
  insertDelivery(db, {
    ...row,
    id,
    webhook: target.id,
    event: event.id,
    type: event.type,
    request: requestOf(event),
    createdAt: began,
  })
  deleteOld(db, target.id)
  return id
}

/**
 * Stores a redelivery. A failure changes neither the status nor the next attempt, and nothing at all if another attempt
 * was stored since the redelivery began.
 */
function storeAgain(db: Database, { id, webhook, attempts }: Delivery, attempt: Attempt, at: string): void {
  const state = findState(db, id)
  if (isSuccess(attempt)) {
    noteSuccess(db, webhook, at)
    updateDelivery(db, id, rowOf(attempt, "succeeded", null, at))
  } else if (state?.attempts === attempts)
    updateDelivery(db, id, rowOf(attempt, state.status, state.nextAttemptAt, at))
  endIfInactive(db, webhook)
}

type PassDeletedDeps = Pick<SenderDeps, "db" | "events" | "personOf">

/**
 * Moves each webhook past the events that are deleted, unless one of them was to be sent to it. So a webhook is behind
 * the oldest event only if it has lost an event, however long nothing happened that it gets.
 */
function passDeleted({ db, events, personOf }: PassDeletedDeps, { first, last, types }: Deleted): void {
  for (const { webhook, progress, patterns, owner } of findPositions(db)) {
    const { position } = progress
    if (position < first - 1 || position >= last) continue
    const person = owner === null ? null : personOf(owner)
    const matched = matchedTypes(patterns, events.kinds)
    // While the owner is disabled, all of them wait.
    const wanted = new Set(person ? readableTypes(matched, events.kinds, person) : matched)
    const isLost = types.some(
      ({ type, newest }) => newest > positionOf(progress, kindOf(type)) && wanted.has(type),
    )
    if (!isLost) savePosition(db, webhook, last)
  }
}
