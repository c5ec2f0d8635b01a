import { steadyMillis } from "../../../core/lib/clock"
import type { Log } from "../../../core/lib/process/log"
import { millisOf } from "../../../shared/dates"
import { findDue, findNextDue } from "../deliveries/store"
import { eventOf } from "../message"
import { attemptOf, type Attempt, type Message } from "../request"
import { findActive, findTarget, type Target } from "../store"
import { bodyFor, mayGet } from "./allowed"
import { openBell, type Bell } from "./bell"
import { sendFirst } from "./first"
import { openHolds, openPauses } from "./holds"
import { openResults } from "./results"
import { settleAgain, settleRefused } from "./settle"
import { isSending, type Sender, type SenderDeps } from "./state"
import { openTidy } from "./tidy"

/**
 * The time after a commit before its events are sent, in milliseconds. Events of other commits come with them. It is a
 * multiple of the time that looking for what is to be sent takes, so that this is a small part of all work, also with
 * many webhooks.
 */
const [shortestPause, longestPause, pauseFactor] = [20, 1_000, 20]
/** The timer for the next attempt, in milliseconds. It is never set for longer, because the clock may be adjusted. */
const [shortestTimer, longestTimer] = [250, 60_000]
/** The time before a webhook is tried again after an unexpected error, in milliseconds. */
const againAfter = 1_000

/**
 * Sends events to webhooks. The first attempts of a webhook are made in the order of the feed, one at a time, or several
 * at a time in the order that `share.ts` describes. What fails is stored and sent again later, apart from them, one at a
 * time. So a webhook has few connections, and no common limit is needed, in which receivers that hang would hold up the
 * others. After a restart, it goes on where it was.
 */
export function webhookSender(deps: SenderDeps) {
  const sender = newSender(deps)
  return {
    start(log: Log): void {
      if (deps.isSwitchedOn) start(sender, log)
    },

    /** Looks for what is to be sent, and for what no longer is. */
    wake(): void {
      startLanes(sender)
      sender.tidy.start()
    },

    /** Ends what webhooks that are not active would send again. */
    tidy: sender.tidy.start,

    /** Sends a message now, and returns what it has led to; null if the server stops meanwhile. */
    attempt: (target: Target, message: Message): Promise<Attempt | null> =>
      attemptOf(deps.network, target, message, sender.running?.signal ?? new AbortController().signal),

    /** Closes all connections. What was not answered yet is sent again after the next start. */
    async stop(): Promise<void> {
      const { running } = sender
      sender.running = null
      running?.stop()
      clearTimeout(sender.timer)
      await Promise.all([...sender.lanes.values()].map(({ done }) => done))
      for (const [id, progress] of sender.progress) sender.results.move(id, progress)
      await sender.results.stop()
      await sender.tidy.stop()
    },
  }
}

export type WebhookSender = ReturnType<typeof webhookSender>

/** Sends what is left, and then the events of each commit. */
function start(sender: Sender, log: Log): void {
  const stopping = new AbortController()
  let soon: Timer | undefined
  let pause = shortestPause
  const wake = () => {
    soon = undefined
    const began = steadyMillis()
    startLanes(sender)
    pause = Math.min(Math.max((steadyMillis() - began) * pauseFactor, shortestPause), longestPause)
  }
  const unsubscribe = sender.subscribe(() => {
    soon ??= setTimeout(wake, pause)
  })
  const stop = () => {
    clearTimeout(soon)
    unsubscribe()
    stopping.abort()
  }
  sender.running = { log, signal: stopping.signal, stop }
  // Another server may have sent in the meantime.
  sender.progress.clear()
  wake()
}

function newSender(deps: SenderDeps): Sender {
  const sender: Sender = {
    ...deps,
    running: null,
    progress: new Map(),
    lanes: new Map(),
    results: openResults({
      db: deps.db,
      writer: deps.writer,
      log: () => sender.running?.log ?? null,
      onStored: () => afterStored(sender),
      isRunning: () => sender.running !== null,
    }),
    holds: openHolds(),
    tidy: openTidy(deps),
    pauses: openPauses(() => sender.running?.log ?? null),
    timer: undefined,
  }
  return sender
}

/** What was stored may be sent again, or have disabled its webhook. */
function afterStored(sender: Sender): void {
  setTimer(sender)
  sender.tidy.start()
}

/** Starts to send to each webhook for which there is something to send. While the database cannot be read, it waits. */
function startLanes(sender: Sender): void {
  try {
    startLanesNow(sender)
  } catch (error) {
    sender.running?.log.error("Webhooks could not be read.", { error: String(error) })
    setTimerIn(sender, againAfter)
  }
}

function startLanesNow(sender: Sender): void {
  if (!isSending(sender)) return
  const { db, clock, events, progress, holds, pauses } = sender
  const [newest, now, due] = [events.latest(), clock(), findNextDue(db)]
  const isDue = due !== null && due <= now
  holds.release()
  for (const webhook of findActive(db)) {
    pauses.tell(webhook)
    if (webhook.isPaused) continue
    const { id } = webhook
    if ((progress.get(id)?.position ?? 0) < newest && !holds.isHeld(id))
      startLane(sender, `${id} first`, (bell) => sendFirst(sender, id, bell))
    if (isDue && findDue(db, id, now)) startLane(sender, `${id} again`, () => sendAgain(sender, id))
  }
  setTimer(sender)
}

/** Starts a lane, or tells the one that runs that there may be more to send. */
function startLane(sender: Sender, name: string, run: (bell: Bell) => Promise<boolean>): void {
  const { lanes } = sender
  const before = lanes.get(name)
  if (before) return before.bell.ring()
  const bell = openBell()
  const done = run(bell)
    .catch(async (error: unknown) => {
      sender.running?.log.error("Sending to a webhook failed.", { lane: name, error: String(error) })
      // The receiver must not get the same event very often while the database cannot be written.
      await Bun.sleep(againAfter)
      return false
    })
    .then((isRepeated) => {
      lanes.delete(name)
      // Something may have come while the lane ended.
      if (isRepeated) startLanes(sender)
      else setTimer(sender)
    })
  lanes.set(name, { done, bell })
}

/** Sets the timer for the next delivery that is due. */
function setTimer(sender: Sender): void {
  try {
    setTimerIn(sender, isSending(sender) ? timeLeft(sender) : longestTimer)
  } catch {
    setTimerIn(sender, againAfter)
  }
}

function timeLeft({ db, clock, holds }: Sender): number {
  const due = findNextDue(db)
  const left = due === null ? longestTimer : millisOf(due) - millisOf(clock())
  return Math.min(Math.max(Math.min(left, holds.left()), shortestTimer), longestTimer)
}

function setTimerIn(sender: Sender, wait: number): void {
  clearTimeout(sender.timer)
  if (sender.running) sender.timer = setTimeout(() => startLanes(sender), wait)
}

async function sendAgain(sender: Sender, id: string): Promise<boolean> {
  const { db, writer, clock, network } = sender
  while (isSending(sender) && sender.running) {
    const { log, signal } = sender.running
    const target = findTarget(db, id, clock(), { isSent: true })
    const due = target && findDue(db, id, clock())
    if (!due) return false
    if (!mayGet(sender, target, due.type)) {
      await writer(() => settleRefused(db, due, clock()))
      continue
    }
    const body = await bodyFor(sender, target, eventOf(due))
    const attempt = await attemptOf(network, target, { event: due.event, body }, signal)
    if (!attempt) return false
    const at = clock()
    await writer((tx) => settleAgain({ db, log: () => log }, tx, { webhook: id, due, at, attempt }))
    sender.tidy.start()
  }
  return false
}
