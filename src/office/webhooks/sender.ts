import type { Database } from "../../core/engine/engine"
import type { Subscribe } from "../../core/engine/others-writes"
import type { Writer } from "../../core/write/writer"
import { type Clock, steadyMillis } from "../../core/lib/clock"
import { millisOf } from "../../shared/dates"
import type { Log } from "../../core/lib/process/log"
import type { Event } from "../events/model"
import type { EventRecords } from "../events/records"
import type { EventService } from "../events/service"
import { countPending, deleteOld, endPending, findDue, findNextDue } from "./deliveries/store"
import { bodyOf, eventOf } from "./message"
import { type Network, type Attempt, attemptOf, isSuccess, type Message } from "./request"
import { openResults } from "./results"
import { settleAgain, skipLost } from "./settle"
import { type Active, findActive, findSending, findTarget, findUnended, isActive, type Target } from "./store"
import { matchedTypes } from "./model"

/** If so many events of a webhook wait to be sent again, another one that fails is not stored, and holds the next ones. */
const mostPending = 5_000
const eventsAtOnce = 100
/**
 * The time after a commit before its events are sent, in milliseconds. Events of other commits come with them. It is a
 * multiple of the time that looking for what is to be sent takes, so that this is a small part of all work, also with
 * many webhooks.
 */
const [shortestPause, longestPause, pauseFactor] = [20, 1_000, 20]
/** A position that has moved less without a matching event is stored only when the server stops. */
const furthestUnstored = 1_000
/** The timer for the next attempt, in milliseconds. It is never set for longer, because the clock may be adjusted. */
const [shortestTimer, longestTimer] = [250, 60_000]
/** The time before a webhook is tried again after an unexpected error, in milliseconds. */
const againAfter = 1_000

export type SenderDeps = {
  db: Database
  writer: Writer
  events: Pick<EventService, "read" | "kinds" | "latest" | "oldest">
  records: () => EventRecords
  subscribe: Subscribe
  network: Network
  /** Business time. Tests replace it. */
  clock: Clock
  /** False when the server was started with --no-sending. */
  isSwitchedOn: boolean
}

type Running = { log: Log; signal: AbortSignal; stop(): void }

type Sender = SenderDeps & {
  running: Running | null
  /** How far the events of each webhook were sent. What is stored can be behind it. */
  positions: Map<string, number>
  /** What is sent now: the first attempts, or the later ones, of a webhook. */
  lanes: Map<string, Promise<void>>
  results: ReturnType<typeof openResults>
  holds: ReturnType<typeof openHolds>
  tidy: ReturnType<typeof openTidy>
  pauses: ReturnType<typeof openPauses>
  timer: Timer | undefined
}

/**
 * Sends events to webhooks. The first attempts of a webhook are made in the order of the feed, one at a time. What fails
 * is stored and sent again later, apart from them, also one at a time. So a webhook has at most two connections, and no
 * common limit is needed, in which receivers that hang would hold up the others. After a restart, it goes on where it was.
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
      await Promise.all(sender.lanes.values())
      for (const [id, position] of sender.positions) sender.results.move(id, position)
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
  sender.positions.clear()
  wake()
}

function newSender(deps: SenderDeps): Sender {
  const sender: Sender = {
    ...deps,
    running: null,
    positions: new Map(),
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

const isSending = ({ db, running }: Sender): boolean => running !== null && findSending(db)?.isPaused !== true

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
  const { db, clock, events, positions, holds, pauses } = sender
  const [newest, now, due] = [events.latest(), clock(), findNextDue(db)]
  const isDue = due !== null && due <= now
  holds.release()
  for (const webhook of findActive(db)) {
    pauses.tell(webhook)
    if (webhook.isPaused) continue
    const { id } = webhook
    if ((positions.get(id) ?? 0) < newest && !holds.isHeld(id))
      startLane(sender, `${id} first`, () => sendFirst(sender, id))
    if (isDue && findDue(db, id, now)) startLane(sender, `${id} again`, () => sendAgain(sender, id))
  }
  setTimer(sender)
}

function startLane(sender: Sender, name: string, run: () => Promise<boolean>): void {
  const { lanes } = sender
  if (lanes.has(name)) return
  const done = run()
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
  lanes.set(name, done)
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

/** Sends the events after the position of a webhook. Returns true if there may be more by now. */
async function sendFirst(sender: Sender, id: string): Promise<boolean> {
  const { db, events, positions, results, clock } = sender
  while (isSending(sender)) {
    const target = findTarget(db, id, clock(), { isSent: true })
    if (!target) return false
    const from = Math.max(target.position, positions.get(id) ?? 0)
    const kept = events.oldest() - 1
    if (from < kept) {
      await sender.writer((tx) =>
        skipLost({ db, log: () => sender.running?.log ?? null }, tx, id, from, kept),
      )
      continue
    }
    const types = matchedTypes(target.types, events.kinds)
    const found = await events.read(from, types, eventsAtOnce, null)
    const isFull = found.events.length > 0 && countPending(db, id) >= mostPending
    for (const event of found.events) if (!(await sendEvent(sender, id, event, isFull))) return false
    positions.set(id, Math.max(found.last, positions.get(id) ?? 0))
    if (found.events.length === 0 && found.last - target.position >= furthestUnstored)
      results.move(id, found.last)
    if (!found.hasMore && found.events.length === 0) return events.latest() > found.last
  }
  return false
}

/** Sends an event for the first time. Returns false if the webhook gets no more events. */
async function sendEvent(sender: Sender, id: string, event: Event, isFull: boolean): Promise<boolean> {
  const { db, positions, results, clock, network, running } = sender
  const target = findTarget(db, id, clock(), { isSent: true })
  if (!target || !running || !isSending(sender)) return false
  // The webhook was activated again meanwhile, and begins at a later event.
  if (event.seq <= target.position) return true
  const { signal } = running
  const body = await bodyOf(event, target.payload, sender.records())
  const began = clock()
  const message = { event: event.id, body }
  const attempt = await attemptOf(network, target, message, signal)
  if (!attempt) return false
  if (isFull && isRepeatable(attempt)) {
    sender.holds.hold(id)
    return false
  }
  sender.holds.end(id)
  positions.set(id, Math.max(event.seq, positions.get(id) ?? 0))
  await results.add({ webhook: id, event, began, at: clock(), attempt })
  return attempt.status !== 410
}

/** True when a failed event is sent again. After 410 nothing more is sent. */
const isRepeatable = (attempt: Attempt): boolean => !isSuccess(attempt) && attempt.status !== 410

async function sendAgain(sender: Sender, id: string): Promise<boolean> {
  const { db, writer, clock, network } = sender
  while (isSending(sender) && sender.running) {
    const { log, signal } = sender.running
    const target = findTarget(db, id, clock(), { isSent: true })
    const due = target && findDue(db, id, clock())
    if (!due) return false
    const body = await bodyOf(eventOf(due), target.payload, sender.records())
    const attempt = await attemptOf(network, target, { event: due.event, body }, signal)
    if (!attempt) return false
    const at = clock()
    await writer((tx) => settleAgain({ db, log: () => log }, tx, { webhook: id, due, at, attempt }))
    sender.tidy.start()
  }
  return false
}

/** The webhooks that are paused, each of which is logged once. */
function openPauses(log: () => Log | null) {
  const told = new Set<string>()
  return {
    /** Tells that the events of a webhook wait, unless that was told. */
    tell({ id, owner, isPaused }: Active): void {
      if (!isPaused) return void told.delete(id)
      if (told.has(id)) return
      told.add(id)
      log()?.warn("A webhook is paused: its owner is disabled or no longer an admin.", { webhook: id, owner })
    },
  }
}

/** The time between two such writes, in milliseconds, in which other requests write. */
const pause = 5

/** Ends what webhooks that are not active would send again, and deletes old deliveries, in small writes. */
function openTidy({ db, writer }: { db: Database; writer: Writer }) {
  let isStopped = false
  let running: Promise<void> | null = null
  const repeat = async (work: () => boolean): Promise<void> => {
    while (!isStopped && (await writer(work))) await Bun.sleep(pause)
  }
  const run = async (): Promise<void> => {
    for (const webhook of findUnended(db)) {
      // It may be activated meanwhile.
      await repeat(() => isActive(db, webhook) === false && endPending(db, webhook))
      await repeat(() => deleteOld(db, webhook))
    }
  }
  return {
    /** Starts unless it runs. After a failure it goes on at the next start; the writer has logged the reason. */
    start(): void {
      if (isStopped) return
      running ??= run()
        .catch(() => {})
        .finally(() => (running = null))
    },

    /** Ends what runs. It can be started again. */
    async stop(): Promise<void> {
      isStopped = true
      await running
      isStopped = false
    },
  }
}

/** The time before a full webhook is tried again, in milliseconds. It doubles with each failure. */
const [shortestHold, longestHold] = [5_000, 60_000]

/** The webhooks that are not called for a while, because they failed when they had no room for another failure. */
export function openHolds(now: () => number = steadyMillis) {
  const holds = new Map<string, { until: number | null; wait: number }>()
  return {
    hold(webhook: string): void {
      const wait = Math.min((holds.get(webhook)?.wait ?? shortestHold / 2) * 2, longestHold)
      holds.set(webhook, { until: now() + wait, wait })
    },
    end: (webhook: string): void => void holds.delete(webhook),
    /**
     * Releases the webhooks whose time is over. Until then they are held, so that a timer is always set for one that was
     * not tried yet.
     */
    release(): void {
      const at = now()
      for (const hold of holds.values()) if (hold.until !== null && hold.until <= at) hold.until = null
    },
    isHeld: (webhook: string): boolean => (holds.get(webhook)?.until ?? null) !== null,
    /** The time until the next one is tried again, in milliseconds; infinite without any. */
    left: (): number => Math.min(...[...holds.values()].map(({ until }) => until ?? Infinity)) - now(),
  }
}
