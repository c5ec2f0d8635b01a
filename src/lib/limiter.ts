import { today, unixMillis } from "./clock"
import type { Plan } from "../shared/plans"

const windowLength = 60_000
const mostSubjects = 100_000

/** The window with fewer requests left, as the three headers show it. */
export type Allowance = { limit: number; remaining: number; resetAt: number }
export type Verdict = Allowance & {
  isAllowed: boolean
  window: "minute" | "day"
  /** Milliseconds until the window ends. */
  wait: number
}

type Counter = { windowEnd: number; used: number; day: string; usedToday: number; isDirty: boolean }

export type DayCount = { subject: string; day: string; count: number }

/** What earlier runs remember of a subject's day. */
export type DayMemory = { find(subject: string, day: string): number }

/**
 * Counts requests in a minute that begins with a subject's first request, and in the UTC day. A refused request uses
 * up nothing. The number of subjects is bounded: the one seen first is forgotten first, its day written before.
 */
export function limiter(memory: DayMemory) {
  const counters = new Map<string, Counter>()
  const forgotten = new Map<string, Counter>()

  const counterOf = (subject: string, plan: Plan): Counter => {
    const now = unixMillis()
    const day = today()
    const counter = counters.get(subject) ?? recall(subject, plan, now, day)
    if (now >= counter.windowEnd || counter.windowEnd > now + windowLength) {
      counter.windowEnd = now + windowLength
      counter.used = 0
    }
    if (counter.day !== day) {
      counter.day = day
      counter.usedToday = 0
    }
    return counter
  }

  function recall(subject: string, { perDay }: Plan, now: number, day: string): Counter {
    const counter = forgotten.get(subject) ?? {
      windowEnd: now + windowLength,
      used: 0,
      day,
      usedToday: perDay === null ? 0 : memory.find(subject, day),
      isDirty: false,
    }
    counters.set(subject, counter)
    forgotten.delete(subject)
    if (counters.size > mostSubjects) forgetOldest()
    return counter
  }

  function forgetOldest(): void {
    const [subject, counter] = counters.entries().next().value ?? []
    if (subject === undefined || !counter) return
    counters.delete(subject)
    if (counter.isDirty) forgotten.set(subject, counter)
  }

  return {
    /** Counts one request of `subject`, unless a window is used up. */
    take(subject: string, plan: Plan): Verdict {
      const counter = counterOf(subject, plan)
      const verdict = verdictOf(counter, plan)
      if (!verdict.isAllowed) return verdict
      counter.used++
      if (plan.perDay !== null) {
        counter.usedToday++
        counter.isDirty = true
      }
      // Both windows have one less now; which of them has fewer can only change where one is used up.
      if (verdict.remaining > 1) {
        verdict.remaining--
        return verdict
      }
      return { ...verdictOf(counter, plan), isAllowed: true }
    },

    /** What `subject` has left, without counting. */
    peek: (subject: string, plan: Plan): Verdict => verdictOf(counterOf(subject, plan), plan),

    /** Both windows of a subject, for its own eyes. */
    usage(subject: string, plan: Plan) {
      const counter = counterOf(subject, plan)
      const left = (limit: number | null, used: number) => (limit === null ? null : Math.max(0, limit - used))
      return {
        minute: {
          limit: plan.perMinute,
          remaining: left(plan.perMinute, counter.used),
          resetAt: minuteReset(counter),
        },
        day: { limit: plan.perDay, remaining: left(plan.perDay, counter.usedToday), resetAt: dayReset() },
      }
    },

    /** The days that are not written to the file yet. */
    unwrittenDays(): DayCount[] {
      return [...forgotten, ...counters]
        .filter(([, counter]) => counter.isDirty)
        .map(([subject, counter]) => ({ subject, day: counter.day, count: counter.usedToday }))
    },

    /** Takes note that these are on the disk now. */
    markWritten(days: readonly DayCount[]): void {
      for (const { subject, count } of days) {
        const counter = counters.get(subject) ?? forgotten.get(subject)
        if (counter?.usedToday === count) counter.isDirty = false
        forgotten.delete(subject)
      }
    },
  }
}

export type Limiter = ReturnType<typeof limiter>

/** A plan without any limit still answers with numbers: as many as can be written. */
const boundless = 2 ** 31 - 1

function verdictOf(counter: Counter, { perMinute, perDay }: Plan): Verdict {
  const minute = { limit: perMinute ?? boundless, remaining: (perMinute ?? boundless) - counter.used }
  const day = { limit: perDay ?? Infinity, remaining: (perDay ?? Infinity) - counter.usedToday }
  // When both are used up, the one that ends later is what the caller has to wait for.
  const isDay = day.remaining < minute.remaining || (day.remaining <= 0 && minute.remaining <= 0)
  const { limit, remaining } = isDay ? day : minute
  return {
    isAllowed: minute.remaining > 0 && day.remaining > 0,
    window: isDay ? "day" : "minute",
    limit,
    remaining: Math.max(0, remaining),
    resetAt: isDay ? dayReset() : minuteReset(counter),
    wait: (isDay ? dayReset() * 1000 : counter.windowEnd) - unixMillis(),
  }
}

const minuteReset = (counter: Counter) => Math.ceil(counter.windowEnd / 1000)
const dayReset = () => Math.floor(unixMillis() / 86_400_000) * 86_400 + 86_400
