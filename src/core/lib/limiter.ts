import { clock, real } from "./clock"
import type { Plan } from "../../shared/plans"

const windowLength = 60_000
const mostSubjects = 100_000

/** The window with fewer requests left, as in the three rate-limit headers. */
export type Allowance = { limit: number; remaining: number; resetAt: number }
export type Verdict = Allowance & {
  isAllowed: boolean
  window: "minute" | "day"
  /** Milliseconds until the window ends. */
  wait: number
}

/** `unwritten` is the part of `usedToday` that is not stored yet. */
type Counter = { windowEnd: number; used: number; day: string; usedToday: number; unwritten: number }

/** Requests of a subject on a day, and after they were stored, all that are stored. */
export type DayCount = { subject: string; day: string; count: number }
export type StoredCount = DayCount & { total: number }

/** Reads the stored daily counts. */
export type DayMemory = { find(subject: string, day: string): number }

type State = {
  memory: DayMemory
  counters: Map<string, Counter>
  /** Evicted counters whose daily counts are not stored yet. */
  evicted: Map<string, Counter>
}

/**
 * Counts the requests of a subject per minute, which begins with its first request, and per UTC day. A refused request
 * is not counted. The number of subjects is bounded: the oldest is evicted first, and its daily count is still stored.
 * Servers that share a database add their daily counts together, and each learns the sum when it stores its own.
 */
export function limiter(memory: DayMemory) {
  const state: State = { memory, counters: new Map(), evicted: new Map() }
  return {
    /** Counts one request of `subject`, unless a limit is reached. */
    take(subject: string, plan: Plan): Verdict {
      const counter = counterOf(state, subject, plan)
      const verdict = verdictOf(counter, plan)
      if (!verdict.isAllowed) return verdict
      count(counter, plan, 1)
      // Both windows have one request less, so the same window still has fewer left, unless one is exhausted.
      if (verdict.remaining > 1) {
        verdict.remaining--
        return verdict
      }
      return { ...verdictOf(counter, plan), isAllowed: true }
    },

    /** Counts more requests at once, or none if fewer are left. */
    takeMore(subject: string, plan: Plan, requests: number): Verdict {
      const counter = counterOf(state, subject, plan)
      const verdict = verdictOf(counter, plan)
      if (verdict.remaining < requests) return { ...verdict, isAllowed: false }
      count(counter, plan, requests)
      return { ...verdictOf(counter, plan), isAllowed: true }
    },

    /** The requests that `subject` has left, without counting. */
    peek: (subject: string, plan: Plan): Verdict => verdictOf(counterOf(state, subject, plan), plan),

    /** Both windows of a subject, for the caller itself. */
    usage: (subject: string, plan: Plan) => usageOf(counterOf(state, subject, plan), plan),

    /** The requests of this day that are not stored yet. */
    unwrittenDays: (): DayCount[] =>
      [...state.evicted, ...state.counters]
        .filter(([, { unwritten, day }]) => unwritten > 0 && day === real.today())
        .map(([subject, { unwritten, day }]) => ({ subject, day, count: unwritten })),

    /** Marks these requests as stored. */
    markWritten: (days: readonly StoredCount[]): void => markWritten(state, days),
  }
}

export type Limiter = ReturnType<typeof limiter>

function count(counter: Counter, { perDay }: Plan, requests: number): void {
  counter.used += requests
  if (perDay === null) return
  counter.usedToday += requests
  counter.unwritten += requests
}

function counterOf(state: State, subject: string, plan: Plan): Counter {
  const now = clock.real()
  const day = real.today()
  const counter = state.counters.get(subject) ?? loadCounter(state, subject, plan, now, day)
  if (now >= counter.windowEnd || counter.windowEnd > now + windowLength) {
    counter.windowEnd = now + windowLength
    counter.used = 0
  }
  if (counter.day !== day) {
    counter.day = day
    counter.usedToday = 0
    counter.unwritten = 0
  }
  return counter
}

/** Returns the counter of a subject that has none: an evicted one that is not stored yet, or a new one. */
function loadCounter(state: State, subject: string, { perDay }: Plan, now: number, day: string): Counter {
  const { memory, counters, evicted } = state
  const counter = evicted.get(subject) ?? {
    windowEnd: now + windowLength,
    used: 0,
    day,
    usedToday: perDay === null ? 0 : memory.find(subject, day),
    unwritten: 0,
  }
  counters.set(subject, counter)
  evicted.delete(subject)
  if (counters.size > mostSubjects) evictOldest(state)
  return counter
}

function evictOldest({ counters, evicted }: State): void {
  const [subject, counter] = counters.entries().next().value ?? []
  if (subject === undefined || !counter) return
  counters.delete(subject)
  if (counter.unwritten > 0) evicted.set(subject, counter)
}

function markWritten({ counters, evicted }: State, days: readonly StoredCount[]): void {
  for (const { subject, day, count: written, total } of days) {
    const counter = counters.get(subject) ?? evicted.get(subject)
    evicted.delete(subject)
    if (counter?.day !== day) continue
    counter.unwritten -= written
    counter.usedToday = total + counter.unwritten
  }
}

function usageOf(counter: Counter, { perMinute, perDay }: Plan) {
  const left = (limit: number | null, used: number) => (limit === null ? null : Math.max(0, limit - used))
  return {
    minute: { limit: perMinute, remaining: left(perMinute, counter.used), resetAt: minuteReset(counter) },
    day: { limit: perDay, remaining: left(perDay, counter.usedToday), resetAt: dayReset() },
  }
}

/** The number that the headers show for a plan without a limit. */
const unlimited = 2 ** 31 - 1

function verdictOf(counter: Counter, { perMinute, perDay }: Plan): Verdict {
  const minute = { limit: perMinute ?? unlimited, remaining: (perMinute ?? unlimited) - counter.used }
  const day = { limit: perDay ?? Infinity, remaining: (perDay ?? Infinity) - counter.usedToday }
  // When both are exhausted, the caller must wait for the window that ends later, which is the day.
  const isDay = day.remaining < minute.remaining || (day.remaining <= 0 && minute.remaining <= 0)
  const { limit, remaining } = isDay ? day : minute
  return {
    isAllowed: minute.remaining > 0 && day.remaining > 0,
    window: isDay ? "day" : "minute",
    limit,
    remaining: Math.max(0, remaining),
    resetAt: isDay ? dayReset() : minuteReset(counter),
    wait: (isDay ? dayReset() * 1000 : counter.windowEnd) - clock.real(),
  }
}

const minuteReset = (counter: Counter) => Math.ceil(counter.windowEnd / 1000)
const dayReset = () => Math.floor(clock.real() / 86_400_000) * 86_400 + 86_400
