import type { Event } from "../../events/model"
import { isSent, merged, positionOf, type Progress } from "../progress"

/** The number of events that are read at a time, and of those of a queue that wait. */
const readAtOnce = 100
/** A queue gets more events when fewer wait. */
const fewWaiting = 20
/**
 * The number of events of a queue after its position, with those that were sent. An event that the receiver answers
 * late does not let the others get further ahead, because what is ahead is stored event by event.
 */
const mostAhead = 300

/** Events that are sent in turn with those of other queues. */
type Queue = {
  kinds: readonly string[]
  /** The feed was read up to this event. */
  read: number
  /** Events that were not sent yet, in their order. */
  waiting: Event[]
  running: Set<Event>
  /** The numbers of events that were sent while an earlier one was not. */
  sent: Set<number>
  /** When it had its last turn. */
  turn: number
}

/** Which part of the feed is to be read. */
export type Part = { after: number; kinds: readonly string[]; limit: number }

type Given = {
  /** The kinds whose events the webhook gets. */
  kinds: readonly string[]
  /** The number of requests that may run at the same time. */
  parallel: number
  progress: Progress
}

/**
 * Decides which event is sent next. With one request at a time, there is one queue in the order of the feed. Otherwise
 * each kind has a queue: the one with the fewest requests is next, so that many events of one kind do not hold up those of
 * another, and events of a record stay in order.
 */
export function openShare({ kinds, parallel, progress }: Given) {
  const groups = parallel === 1 || kinds.length === 0 ? [kinds] : kinds.map((kind) => [kind])
  const queues = groups.map((group) => newQueue(group, progress))
  let turns = 0
  return {
    /** Returns the parts of the feed to read, up to the newest event. Queues that have come equally far share one. */
    wanted(newest: number): Part[] {
      const open = queues.filter((queue) => queue.read < newest && hasRoom(queue))
      return [...Map.groupBy(open, ({ read }) => read)].map(([after, some]) => ({
        after,
        kinds: some.flatMap((queue) => queue.kinds),
        limit: readAtOnce,
      }))
    },

    /** Adds the events of a part. `last` is the number up to which it was read. */
    add({ after, kinds: read }: Part, { events, last }: { events: readonly Event[]; last: number }): void {
      for (const queue of queues)
        if (queue.read === after && queue.kinds.every((kind) => read.includes(kind))) queue.read = last
      for (const event of events) if (!isSent(progress, event)) queueOf(queues, event)?.waiting.push(event)
    },

    /** Returns the event to send next; null if none can be sent now. */
    take(): Event | null {
      const turn = queues.toSorted((a, b) => a.running.size - b.running.size || a.turn - b.turn)
      for (const queue of turn) {
        const event = nextOf(queue)
        if (!event) continue
        queue.turn = ++turns
        return event
      }
      return null
    },

    /** Notes that an event was sent. One that was taken and not sent holds up the position of its queue. */
    end(event: Event): void {
      const queue = queueOf(queues, event)
      queue?.running.delete(event)
      queue?.sent.add(event.seq)
      if (queue) forgetPassed(queue)
    },

    /** True if there may be events up to the newest one that were not read yet. */
    isBehind: (newest: number): boolean => queues.some(({ read }) => read < newest),

    progress: (): Progress => merged(progress, progressOf(queues)),
  }
}

export type Share = ReturnType<typeof openShare>

const newQueue = (kinds: readonly string[], progress: Progress): Queue => {
  const [only] = kinds
  const isOne = kinds.length === 1 && only !== undefined
  return {
    kinds,
    read: isOne ? positionOf(progress, only) : progress.position,
    waiting: [],
    running: new Set(),
    sent: new Set(isOne ? progress.ahead[only]?.sent : []),
    turn: 0,
  }
}

const hasRoom = ({ waiting, running, sent }: Queue): boolean =>
  waiting.length < fewWaiting && waiting.length + running.size + sent.size < mostAhead

const queueOf = (queues: readonly Queue[], { kind }: Event): Queue | undefined =>
  queues.find(({ kinds }) => kinds.includes(kind))

/** Takes the first event of a queue of whose record no other one is being sent. */
function nextOf({ waiting, running, sent }: Queue): Event | null {
  if (running.size + sent.size >= mostAhead) return null
  const busy = new Set([...running].map(({ recordId }) => recordId))
  const index = waiting.findIndex(({ recordId }) => !busy.has(recordId))
  const [event = null] = index < 0 ? [] : waiting.splice(index, 1)
  if (event) running.add(event)
  return event
}

/** The number of the event up to which all events of a queue were sent. */
const passed = ({ read, waiting, running }: Queue): number =>
  Math.min(read, ...[...running, ...waiting.slice(0, 1)].map(({ seq }) => seq - 1))

function forgetPassed(queue: Queue): void {
  const position = passed(queue)
  for (const seq of queue.sent) if (seq <= position) queue.sent.delete(seq)
}

function progressOf(queues: readonly Queue[]): Progress {
  const position = Math.min(...queues.map(passed))
  const ahead = queues.flatMap((queue) =>
    queue.kinds.map((kind) => [kind, { position: passed(queue), sent: [...queue.sent] }] as const),
  )
  return { position, ahead: Object.fromEntries(ahead) }
}
