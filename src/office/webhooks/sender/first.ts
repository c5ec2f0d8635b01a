import type { Event } from "../../events/model"
import { kindOf } from "../../events/query"
import { countPending, mostPending } from "../deliveries/store"
import { attemptOf, isSuccess, type Attempt } from "../request"
import { findTarget, type Target } from "../store"
import { bodyFor, typesOf } from "./allowed"
import type { Bell } from "./bell"
import { isSent, merged, progressAt } from "../progress"
import { skipLost } from "./settle"
import { openShare, type Share } from "./share"
import { isSending, type Sender } from "./state"

/** A position that has moved less without a matching event is stored only when the server stops. */
const furthestUnstored = 1_000

/** The requests of a webhook that run, and what they share. */
type Lane = {
  id: string
  share: Share
  running: Set<Promise<void>>
  /** Rings when there may be more to send, or when a request has ended. */
  bell: Bell
  /** The types that the webhook gets, and how many at a time. With a change of that, the lane begins again. */
  plan: string
  /** True when nothing more is sent in this lane, because the webhook may get nothing more for now. */
  isOver: boolean
  failure: { error: unknown } | null
}

/** Sends the events that a webhook has not got yet. Returns true if there may be more by now. */
export async function sendFirst(sender: Sender, id: string, bell: Bell): Promise<boolean> {
  const target = findTarget(sender.db, id, sender.clock(), { isSent: true })
  if (!target) return false
  const progress = merged(target.progress, sender.progress.get(id) ?? progressAt(0))
  const kept = sender.events.oldest() - 1
  if (progress.position < kept) {
    const skipping = { db: sender.db, log: () => sender.running?.log ?? null }
    await sender.writer((tx) => skipLost(skipping, tx, id, progress.position, kept))
    return true
  }
  const types = typesOf(sender, target)
  const share = openShare({ kinds: [...new Set(types.map(kindOf))], parallel: target.parallel, progress })
  const plan = planOf(target, types)
  const lane: Lane = { id, share, running: new Set(), bell, plan, isOver: false, failure: null }
  try {
    const isChanged = await runLane(sender, lane, types)
    return isChanged || (!lane.isOver && share.isBehind(sender.events.latest()))
  } finally {
    await Promise.all(lane.running)
    const reached = share.progress()
    sender.progress.set(id, reached)
    if (reached.position - target.progress.position >= furthestUnstored) sender.results.move(id, reached)
  }
}

/** Sends until nothing is left. Returns true if the webhook was changed meanwhile. */
async function runLane(sender: Sender, lane: Lane, types: readonly string[]): Promise<boolean> {
  const { id, share, running, bell } = lane
  for (;;) {
    bell.mute()
    if (sender.events.oldest() - 1 > share.progress().position) return true
    await fill(sender, share, types)
    if (lane.failure) throw lane.failure.error
    if (lane.isOver || !isSending(sender)) return false
    const target = findTarget(sender.db, id, sender.clock(), { isSent: true })
    if (!target) return false
    if (planOf(target, typesOf(sender, target)) !== lane.plan) return true
    while (running.size < target.parallel) {
      const event = share.take()
      if (!event) break
      startEvent(sender, lane, target, event)
    }
    // While requests run, the feed is read for the queues that have nothing yet.
    if (share.wanted(sender.events.latest()).length > 0) continue
    if (running.size === 0) return false
    await bell.rings()
  }
}

/** Reads what the share wants of the feed. */
async function fill({ events }: Sender, share: Share, types: readonly string[]): Promise<void> {
  for (const part of share.wanted(events.latest())) {
    const some = types.filter((type) => part.kinds.includes(kindOf(type)))
    share.add(part, await events.read(part.after, some, part.limit, null))
  }
}

const planOf = ({ parallel }: Target, types: readonly string[]): string => JSON.stringify([parallel, types])

function startEvent(sender: Sender, lane: Lane, target: Target, event: Event): void {
  const sent = sendEvent(sender, lane, target, event)
    .catch((error: unknown) => void (lane.failure ??= { error }))
    .finally(() => {
      lane.running.delete(sent)
      lane.bell.ring()
    })
  lane.running.add(sent)
}

/** Sends an event for the first time. */
async function sendEvent(sender: Sender, lane: Lane, target: Target, event: Event): Promise<void> {
  const { results, clock, network, running, progress, db } = sender
  const { id, share } = lane
  // The webhook was activated again meanwhile, and begins at a later event.
  if (isSent(target.progress, event)) return share.end(event)
  if (!running) return
  const body = await bodyFor(sender, target, event)
  const began = clock()
  const attempt = await attemptOf(network, target, { event: event.id, body }, running.signal)
  if (!attempt) return void (lane.isOver = true)
  if (isRepeatable(attempt) && countPending(db, id) >= mostPending) {
    sender.holds.hold(id)
    lane.isOver = true
    return
  }
  sender.holds.end(id)
  share.end(event)
  progress.set(id, share.progress())
  if (attempt.status === 410) lane.isOver = true
  await results.add({ webhook: id, event, began, at: clock(), attempt }, share.progress())
}

/** True when a failed event is sent again. After 410 nothing more is sent. */
const isRepeatable = (attempt: Attempt): boolean => !isSuccess(attempt) && attempt.status !== 410
