import { assertMay, type Caller } from "../../../core/caller"
import { invalid, Refusal } from "../../../core/lib/refusal"
import type { Tx } from "../../../core/write/writer"
import type { Event } from "../../events/model"
import { kindOf } from "../../events/query"
import type { EventService } from "../../events/service"
import { type JobHandler, type RunningJob, savesBetween } from "../../jobs/handler"
import type { Job, JobCaller } from "../../jobs/model"
import type { JobService } from "../../jobs/service"
import { findUnfinishedOf } from "../../jobs/store"
import { countPending, deleteOld, mostPending } from "../deliveries/store"
import { webhookRefusals, webhookRight, type Webhook } from "../model"
import { isSent } from "../progress"
import { attemptOf, isSuccess } from "../request"
import { bodyFor, typesOf } from "../sender/allowed"
import { settleFirst, type First } from "../sender/settle"
import type { SenderDeps } from "../sender/state"
import { findSending, findTarget, type Target } from "../store"

export const replayKind = "webhook-replays"

/** Replays at the same time: as many as jobs of a kind can wait, so that none waits for the receiver of another. */
const atOnce = 20
const readAtOnce = 50
/** The number of results that are stored together at most. After a crash, so many are sent again. */
const mostCollected = 20
/** A replay ends after so many failures in a row. */
const mostFailures = 10
/** The time between two requests in milliseconds, in which other requests run. */
const pause = 2

/** Which events are sent again: those after `from`, up to `through`. */
type Input = { webhook: string; from: number; through: number }
type State = { position: number; counts: { sent: number; failed: number }; failuresInRow: number }

type Deps = SenderDeps & {
  events: Pick<EventService, "before">
  getWebhook: (id: string, caller: Caller | null) => Webhook
}

/** Sends events to a webhook again, as a job. Its requests run beside those of new events. */
export function replays(deps: Deps) {
  return {
    /** Begins to send the events since a time again. */
    begin: (tx: Tx, jobs: JobService, wanted: Wanted): Job => begin(deps, tx, jobs, wanted),
    handler: {
      kind: replayKind,
      lane: replayKind,
      atOnce,
      run: (running) => run(deps, running),
    } satisfies JobHandler,
  }
}

export type Replays = ReturnType<typeof replays>

type Wanted = { id: string; since: string; viewer: Caller; caller: JobCaller }

function begin(deps: Deps, tx: Tx, jobs: JobService, { id, since, viewer, caller }: Wanted): Job {
  const { db, events, getWebhook, isSwitchedOn } = deps
  const webhook = getWebhook(id, viewer)
  if (!isSwitchedOn)
    throw invalid("webhook", "RULE", "cannot be called: the server was started with --no-sending", {
      rule: "NO_SENDING",
    })
  if (!targetOf(deps, id)) throw notNow("must be active and not paused")
  if (findUnfinishedOf(db, replayKind, "webhook", id)) throw notNow("is being replayed already")
  const [from, through] = [events.before(since), events.latest()]
  const input: Input = { webhook: webhook.id, from, through }
  const state: State = { position: from, counts: { sent: 0, failed: 0 }, failuresInRow: 0 }
  const job = jobs.begin(tx, { kind: replayKind, idPrefix: "job", caller, input, state })
  tx.audit("webhooks.replay", id, { since: { from: null, to: since }, job: { from: null, to: job.id } })
  return job
}

const notNow = (message: string): Refusal => invalid("webhook", "RULE", message, { rule: "STATUS" })

/** Returns where to send to; null if the webhook gets nothing now. */
const targetOf = ({ db, clock, isSwitchedOn }: Deps, webhook: string): Target | null =>
  isSwitchedOn && findSending(db)?.isPaused !== true
    ? findTarget(db, webhook, clock(), { isSent: true })
    : null

/** The webhook may be changed at any time, so it is looked up before each request. */
function targetNow(deps: Deps, webhook: string): Target {
  const target = targetOf(deps, webhook)
  if (target) return target
  throw new Refusal(
    webhookRefusals.WEBHOOK_NOT_SENDING,
    "The webhook gets nothing any more: it is inactive, paused or deleted. What was sent before stays.",
  )
}

async function run(deps: Deps, running: RunningJob): Promise<void> {
  const { webhook, through } = running.job.input as Input
  const progress = collector(deps, running)
  for (;;) {
    const types = typesOf(deps, targetNow(deps, webhook))
    const found = await deps.events.read(progress.position(), types, readAtOnce, running.signal)
    for (const event of found.events.filter(({ seq }) => seq <= through)) {
      if (running.signal.aborted) return progress.store()
      await send(deps, running, event, progress)
    }
    await progress.reach(Math.min(found.last, through))
    if (found.last >= through || !found.hasMore) return progress.store()
  }
}

type Collector = ReturnType<typeof collector>

/** Sends one event. One that was not sent for the first time yet is left to the sender. */
async function send(
  deps: Deps,
  { signal, job }: RunningJob,
  event: Event,
  progress: Collector,
): Promise<void> {
  const { clock, network } = deps
  const { webhook } = job.input as Input
  const target = targetNow(deps, webhook)
  const isRead = typesOf(deps, target).some((type) => type === event.type)
  if (!isRead || !isSent(target.progress, { kind: kindOf(event.type), seq: event.seq }))
    return progress.reach(event.seq)
  const body = await bodyFor(deps, target, event)
  const began = clock()
  const attempt = await attemptOf(network, target, { event: event.id, body }, signal)
  if (!attempt) return
  await progress.add({ webhook, event, began, at: clock(), attempt })
  await Bun.sleep(pause)
}

/** How far a replay has come, and the results that were not stored yet. */
function collector(deps: Deps, running: RunningJob) {
  const { db } = deps
  const { webhook, from, through } = running.job.input as Input
  let state = running.job.state as State
  let results: First[] = []
  const store = async (): Promise<void> => {
    const stored = results
    results = []
    await running.write((tx, caller) => {
      assertMay(caller, webhookRight)
      deps.getWebhook(webhook, caller)
      for (const result of stored) settleFirst({ db, log: () => null }, tx, result)
      deleteOld(db, webhook)
      const share = (state.position - from) / Math.max(through - from, 1)
      return { status: "applying", state: { ...state }, progress: Math.floor(share * 100) }
    })
    if (state.failuresInRow >= mostFailures || countPending(db, webhook) >= mostPending)
      throw new Refusal(
        webhookRefusals.RECEIVER_FAILS,
        "The receiver fails too often. What was sent before stays, and what has failed is sent again later.",
      )
  }
  const save = savesBetween(store)
  return {
    position: (): number => state.position,
    store,

    reach(position: number): Promise<void> {
      state = { ...state, position: Math.max(state.position, position) }
      return save()
    },

    async add(result: First): Promise<void> {
      const isDone = isSuccess(result.attempt)
      const { sent, failed } = state.counts
      state = {
        position: result.event.seq,
        counts: { sent: sent + 1, failed: failed + (isDone ? 0 : 1) },
        failuresInRow: isDone ? 0 : state.failuresInRow + 1,
      }
      results.push(result)
      const isLast = results.length >= mostCollected || state.failuresInRow >= mostFailures
      await save({ isLast: isLast || result.attempt.status === 410 })
    },
  }
}
