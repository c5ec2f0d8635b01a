import type { Subscribe } from "../../../core/engine/others-writes"
import { type Clock, real } from "../../../core/lib/clock"
import { newId } from "../../../core/lib/id"
import type { Log } from "../../../core/lib/process/log"
import { messageOf } from "../../../core/lib/refusal"
import type { Writer } from "../../../core/write/writer"
import { later, millisOf } from "../../../shared/dates"
import type { Network } from "../../webhooks/addresses"
import type { Message } from "../model"
import { compose, type Content, type MailFile } from "../transport/compose"
import type { deliver, Outcome } from "../transport/deliver"
import type { AccessTokens } from "../transport/oauth"
import type { MailServer } from "../transport/server"
import { recover, settle, type SettleDeps } from "./settle"
import { findDue, findNextDue, findTime, findWork, markEnding, noteTime, saveWork } from "../store"

/** What a message is made of when it is sent. */
export type Prepared = Pick<Content, "message" | "logo" | "company"> & { files: MailFile[] }

export type SenderDeps = SettleDeps & {
  writer: Writer
  /** Business time. Tests replace it. */
  clock: Clock
  network: Network
  tokens: AccessTokens
  /** Hands a message to a server. The demo keeps it. */
  deliver: typeof deliver
  /** True while only `settle` sends. The demo decides when. */
  isHeld?: () => boolean
  subscribe: Subscribe
  /** False while nothing is sent: after a restore, or with --no-sending. */
  isSending: () => boolean
  /** The server of the settings; null if it lacks something. */
  server: () => MailServer | null
  /** Makes the files of a message. */
  prepare: (message: Message, signal: AbortSignal) => Promise<Prepared>
  /** The kind whose messages are sent before all others. */
  first: string
}

/** The time after a commit before it is looked for messages of other servers, in milliseconds. */
const pause = 200
/** The timer for the next message, in milliseconds. It is never set for longer, because the clock may be adjusted. */
const [shortestTimer, longestTimer] = [50, 60_000]
/** How often it is looked whether messages can be sent that wait for something else than their time, in milliseconds. */
const idleTimer = 5_000
/** The time before anything is tried again after an unexpected error, in milliseconds. */
const againAfter = 1_000
/** How long a server that stops waits for an answer after the last byte, in milliseconds. */
const lastWait = 10_000
const minute = 60_000

type Current = { abort: AbortController; isEnding: boolean }

type Sender = SenderDeps & {
  log: Log | null
  lane: Promise<void> | null
  /** True when something has happened since the lane has looked for messages. */
  isRung: boolean
  /** How many wait for everything to be sent. */
  settling: number
  timer: Timer | undefined
  current: Current | null
}

/**
 * Sends messages one after the other: they all go to the same server, and so only one message with its files is in
 * memory. A row is claimed before anything is sent, and marked before the last byte, so that after a crash everybody knows
 * which messages the other server cannot have taken.
 */
export function mailSender(deps: SenderDeps) {
  const sender: Sender = {
    ...deps,
    log: null,
    lane: null,
    isRung: false,
    settling: 0,
    timer: undefined,
    current: null,
  }
  let unsubscribe = () => {}
  let soon: Timer | undefined
  const wake = () => ring(sender)
  return {
    /** Settles what another process has left, and sends what is due from then on. */
    start(log: Log): void {
      sender.log = log
      sender.lane = deps
        .writer((tx) => recover(deps, tx))
        .catch((error: unknown) =>
          log.error("Interrupted messages could not be read.", { error: String(error) }),
        )
        .then(() => {
          sender.lane = null
          wake()
        })
      unsubscribe = deps.subscribe(() => {
        soon ??= setTimeout(() => {
          soon = undefined
          wake()
        }, pause)
      })
    },

    /** Looks for messages that are due. */
    wake,

    /** Sends what can be sent now, also while it is held. */
    async settle(): Promise<void> {
      sender.settling++
      wake()
      while (sender.lane) await sender.lane
      sender.settling--
    },

    /** Gives up what has not been sent to its last byte, and waits a moment for the answer to what has. */
    async stop(): Promise<void> {
      sender.log = null
      unsubscribe()
      clearTimeout(soon)
      clearTimeout(sender.timer)
      const { current } = sender
      const late = setTimeout(() => current?.abort.abort(), current?.isEnding ? lastWait : 0)
      await sender.lane
      clearTimeout(late)
    },
  }
}

export type MailSender = ReturnType<typeof mailSender>

/** Starts the lane, or lets the one that runs look again. */
function ring(sender: Sender): void {
  if (!sender.log || (sender.settling === 0 && sender.isHeld?.())) return
  sender.isRung = true
  sender.lane ??= run(sender)
    .catch((error: unknown) => {
      sender.log?.error("Sending mail failed.", { error: String(error) })
      return failed
    })
    .then((wait) => {
      sender.lane = null
      if (!sender.log) return
      // Something may have come while the lane ended.
      if (sender.isRung && wait !== failed) return ring(sender)
      clearTimeout(sender.timer)
      const left = wait === failed ? againAfter : Math.max(wait, shortestTimer)
      sender.timer = setTimeout(() => ring(sender), left)
    })
}

/** Stands for a lane that has failed. */
const failed = -1

/** Sends what is due. Returns the time until it must be looked again, in milliseconds. */
async function run(sender: Sender): Promise<number> {
  for (;;) {
    sender.isRung = false
    const wait = await sendNext(sender)
    if (wait > 0 || !sender.log) return wait
  }
}

/** Sends the next message. Returns 0 if there may be more, and else the time until there may be one. */
async function sendNext(sender: Sender): Promise<number> {
  const { db, clock } = sender
  const [now, next] = [clock(), findNextDue(db)]
  if (next === null) return longestTimer
  if (next > now) return Math.min(Math.max(millisOf(next) - millisOf(now), shortestTimer), longestTimer)
  if (!sender.log || !sender.isSending()) return idleTimer
  const server = sender.server()
  if (!server) return idleTimer
  const wait = timeUntilAllowed(sender, server.perMinute)
  if (wait > 0) return Math.min(wait, longestTimer)
  const due = findDue(db, now, sender.first)
  if (due === null) return 0
  const claimed = await sender.writer((tx) => {
    // Another server may have sent in between.
    if (timeUntilAllowed(sender, server.perMinute) > 0) return null
    return claim(sender, tx, due)
  })
  if (claimed) await attempt(sender, server, claimed)
  return 0
}

/** The limit per minute holds for the server that gets the messages, so it is real time, and the same after a restart. */
function timeUntilAllowed({ db }: Sender, perMinute: number): number {
  const first = findTime(db, perMinute)
  if (first === null) return 0
  const left = millisOf(first) + minute - millisOf(real.now())
  // A time in the future was written while the clock was wrong.
  return left > minute ? 0 : left
}

type Claimed = { message: Message; attempt: string; isAutomatic: boolean }

/** Notes that a message is being sent now, unless it was cancelled in the meantime. */
function claim({ db, store }: Sender, tx: Parameters<typeof settle>[1], id: string): Claimed | null {
  const before = store.load(id) as Message | null
  const work = findWork(db, id)
  if (before?.status !== "queued" || !work) return null
  const at = real.now()
  noteTime(db, at, later(at, -minute))
  const attempt = newId("att", tx.now)
  saveWork(db, id, { ...work, attempt, isEnding: false })
  const message: Message = {
    ...before,
    status: "sending",
    nextAttemptAt: null,
    version: before.version + 1,
    updatedAt: tx.now,
  }
  store.replace(tx, message, before)
  return { message, attempt, isAutomatic: work.isAutomatic }
}

async function attempt(sender: Sender, server: MailServer, claimed: Claimed): Promise<void> {
  const { message, attempt: id } = claimed
  const current: Current = { abort: new AbortController(), isEnding: false }
  sender.current = current
  try {
    const at = sender.clock()
    const outcome = await outcomeOf(sender, server, claimed, current)
    await stored(sender, { message: message.id, attempt: id, at, outcome })
    if (outcome.result !== "sent" && outcome.result !== "stopped")
      sender.log?.warn("A message was not sent.", {
        message: message.id,
        result: outcome.result,
        step: outcome.step,
        code: outcome.code,
      })
  } finally {
    sender.current = null
  }
}

async function outcomeOf(
  sender: Sender,
  server: MailServer,
  { message, attempt: id, isAutomatic }: Claimed,
  current: Current,
): Promise<Outcome> {
  const { signal } = current.abort
  let content: Content
  let bytes: Uint8Array
  try {
    const files = await unlessAborted(signal, sender.prepare(message, signal))
    content = contentOf(message, server, files, isAutomatic)
    bytes = await compose(content)
  } catch (error) {
    sender.log?.error("A message could not be made.", { message: message.id, error: String(error) })
    const text = `The files could not be made: ${messageOf(error)}`.slice(0, 500)
    const result = signal.aborted ? ("stopped" as const) : ("failed" as const)
    return { result, step: "prepare", code: null, text, rejected: [], steps: [] }
  }
  const { from, bcc } = server
  return sender.deliver(
    server,
    { from, to: [...message.to, ...message.cc], bcc, bytes, content },
    {
      network: sender.network,
      tokens: sender.tokens,
      signal,
      async beforeEnd() {
        current.isEnding = true
        return sender.writer(() => markEnding(sender.db, message.id, id))
      },
    },
  )
}

/** Waits for some work, but not when it is given up: to draw a PDF can take a minute. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error("The server of Kontor is stopping."))
    if (signal.aborted) giveUp()
    signal.addEventListener("abort", giveUp)
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp))
  })
}

const contentOf = (
  { id, to, cc, subject, language }: Message,
  { from, fromName, replyTo }: MailServer,
  prepared: Prepared,
  isAutomatic: boolean,
): Content => ({
  id,
  date: real.now(),
  from: { name: fromName ?? prepared.company, address: from },
  replyTo,
  to,
  cc,
  subject,
  language,
  isAutomatic,
  ...prepared,
})

/** Stores what an attempt has led to. It is tried until it works: to forget it would mean to send twice. */
async function stored(sender: Sender, settled: Parameters<typeof settle>[2]): Promise<void> {
  for (;;) {
    const isStored = await sender
      .writer((tx) => settle(sender, tx, settled))
      .then(
        () => true,
        () => false,
      )
    // A server that stops does not wait for a database that cannot be written. The next one finds the message.
    if (isStored || !sender.log) return
    await Bun.sleep(againAfter)
  }
}
