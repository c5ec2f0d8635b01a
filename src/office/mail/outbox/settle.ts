import type { Database } from "../../../core/engine/engine"
import type { TableStore } from "../../../core/store/table-store"
import type { Changes, Tx } from "../../../core/write/writer"
import { later } from "../../../shared/dates"
import type { Message, MessageAttempt, messages, MessageStatus } from "../model"
import type { Outcome } from "../transport/deliver"
import { findInterrupted, findQueued, findWork, saveWork, type Work } from "../store"

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** The time before each attempt after the first one, counted from the attempt before it, in milliseconds. */
export const retryAfter = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour]

/** The attempts that a message shows. A person may repeat it as often as they like. */
const shownAttempts = 30

/** How long a message waits after a server ended while it was sent, in milliseconds: it may be what ended the server. */
const [freeInterruptions, longestWait] = [3, 30 * minute]
const waitAfter = (interruptions: number): number =>
  interruptions <= freeInterruptions
    ? 0
    : Math.min(10 * second * 2 ** (interruptions - freeInterruptions), longestWait)

export type SettleDeps = {
  db: Database
  store: TableStore<typeof messages>
  /** Notes on its record that a message was sent. */
  onSent: (tx: Tx, message: Message) => void
}

type Settled = { message: string; attempt: string; at: string; outcome: Outcome }

/** Stores what an attempt has led to, unless another server has taken over since it began. */
export function settle(deps: SettleDeps, tx: Tx, { message: id, attempt, at, outcome }: Settled): void {
  const { db, store } = deps
  const before = store.load(id) as Message | null
  const work = findWork(db, id)
  if (!before || work?.attempt !== attempt) return
  // The other server did not know what came of it. This one does.
  if (before.status !== "sending" && !(before.status === "uncertain" && outcome.result === "sent")) return
  if (outcome.result === "stopped") return stored(deps, tx, before, work, stopped(tx.now))
  const made = attemptOf(at, outcome)
  if (outcome.result === "sent") {
    const change = {
      status: "sent" as const,
      nextAttemptAt: null,
      sentAt: tx.now,
      rejected: outcome.rejected,
    }
    stored(deps, tx, before, { ...work, attempt: null, isEnding: false }, { ...change, made })
    return deps.onSent(tx, { ...before, ...change })
  }
  if (outcome.result === "unknown")
    return stored(deps, tx, before, work, { status: "uncertain", nextAttemptAt: null, made })
  const isRefused = outcome.result === "refused" && (outcome.code ?? 0) >= 500
  const isPermanent = isRefused || outcome.result === "impossible"
  const wait = isPermanent ? undefined : retryAfter[work.tries]
  const next = wait === undefined ? null : later(at, wait)
  stored(
    deps,
    tx,
    before,
    { ...work, tries: work.tries + 1, attempt: null, isEnding: false },
    { status: next === null ? "failed" : "queued", nextAttemptAt: next, made },
  )
}

/** An attempt that was given up before the last byte is as if it had not begun. */
const stopped = (now: string): Change => ({ status: "queued", nextAttemptAt: now })

type Change = {
  status: MessageStatus
  nextAttemptAt: string | null
  sentAt?: string
  rejected?: string[]
  made?: MessageAttempt
}

function stored({ db, store }: SettleDeps, tx: Tx, before: Message, work: Work, change: Change): void {
  const { made, ...rest } = change
  const attempts = made ? [...before.attempts, made].slice(-shownAttempts) : before.attempts
  const isOver = rest.status === "queued"
  saveWork(db, before.id, isOver ? { ...work, attempt: null, isEnding: false } : work)
  store.replace(tx, { ...before, ...rest, attempts, version: before.version + 1, updatedAt: tx.now }, before)
  if (rest.status === "queued") return
  const said: Changes = { status: { from: before.status, to: rest.status } }
  tx.audit(`messages.${rest.status}`, before.id, said, {
    outcome: rest.status === "sent" ? "success" : "failure",
  })
}

const attemptOf = (at: string, { step, code, text }: Outcome): MessageAttempt => ({ at, step, code, text })

/** What a message shows when nobody knows what came of it, because the server of Kontor ended. */
const lost = "The server of Kontor ended before the answer, so it is not known whether the message was taken."

/**
 * Settles what was being sent when a server ended. A message of which the last byte may have been sent is uncertain. Any
 * other was not taken, because the end was missing, and is sent again.
 */
export function recover(deps: SettleDeps, tx: Tx): void {
  const { db, store } = deps
  for (const id of findInterrupted(db)) {
    const before = store.load(id) as Message | null
    const work = findWork(db, id)
    if (!before || !work) continue
    if (work.isEnding) {
      const made: MessageAttempt = { at: tx.now, step: "data", code: null, text: lost }
      stored(deps, tx, before, work, { status: "uncertain", nextAttemptAt: null, made })
      continue
    }
    const interruptions = work.interruptions + 1
    const next = later(tx.now, waitAfter(interruptions))
    stored(deps, tx, before, { ...work, interruptions }, { status: "queued", nextAttemptAt: next })
  }
}

/** In one transaction. */
const restoredAtOnce = 200
const restored =
  "The database was restored from a backup, so it is not known whether the message was sent after that."

/**
 * Makes messages uncertain that waited when a backup was made: they may have been sent since. Returns true if there may
 * be more.
 */
export function doubtQueued(deps: SettleDeps, tx: Tx): boolean {
  const { db, store } = deps
  const queued = findQueued(db, restoredAtOnce)
  for (const id of [...queued, ...findInterrupted(db)]) {
    const before = store.load(id) as Message | null
    const work = findWork(db, id)
    if (!before || !work) continue
    const made: MessageAttempt = { at: tx.now, step: "prepare", code: null, text: restored }
    const idle = { ...work, attempt: null, isEnding: false }
    stored(deps, tx, before, idle, { status: "uncertain", nextAttemptAt: null, made })
  }
  return queued.length === restoredAtOnce
}
