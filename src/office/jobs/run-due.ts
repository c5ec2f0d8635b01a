import { business, steadyMillis } from "../../core/lib/clock"
import type { Log } from "../../core/lib/process/log"
import { millisOf } from "../../shared/dates"

/** Something that runs by time. */
export type Work = {
  name: string
  /** Finds in the database when the next of it is due, as a timestamp; null if nothing waits. */
  nextDue: () => string | null
  /**
   * Runs what is due now. It resolves when that is done, or has begun if others decide how long it takes: mail servers
   * and the receivers of webhooks.
   */
  run: () => Promise<void>
  /** Begins what is due now, if `run` may take long: a server has other work meanwhile. */
  begin?: () => void
}

/** How often a work has run while the clock was moved. */
export type Ran = { work: string; times: number; firstAt: string; lastAt: string }

type Next = { work: Work; due: string }

/** Finds the work that is due first, up to a time. What a work was run for is not due again. */
function queueOf(works: readonly Work[]) {
  const done = new Map<Work, string>()
  const isDone = (work: Work, due: string): boolean => {
    const last = done.get(work)
    // A time in the future is that of a clock that was ahead.
    return last !== undefined && due <= last && last <= business.now()
  }
  return {
    next(until: string): Next | null {
      let first: Next | null = null
      for (const work of works) {
        const due = work.nextDue()
        if (due === null || due > until || isDone(work, due)) continue
        if (first === null || due < first.due) first = { work, due }
      }
      return first
    },
    note: ({ work, due }: Next): void => void done.set(work, due),
  }
}

type Movable = { moveTo: (time: string) => void }

/**
 * Moves the clock to a time, and runs what becomes due on the way in the order of its due times, each with the clock at
 * that time. So it is the same as waiting.
 */
export async function runUntil(works: readonly Work[], { moveTo }: Movable, until: string): Promise<Ran[]> {
  const ran = new Map<string, Ran>()
  const queue = queueOf(works)
  for (let next = queue.next(until); next; next = queue.next(until)) {
    // What should have run before now runs now.
    if (next.due > business.now()) moveTo(next.due)
    queue.note(next)
    await next.work.run()
    const at = business.now()
    const before = ran.get(next.work.name) ?? { work: next.work.name, times: 0, firstAt: at, lastAt: at }
    ran.set(next.work.name, { ...before, times: before.times + 1, lastAt: at })
  }
  moveTo(until)
  return [...ran.values()]
}

/** Runs what is due now. */
export async function runDue(works: readonly Work[]): Promise<void> {
  const [queue, now] = [queueOf(works), business.now()]
  for (let next = queue.next(now); next; next = queue.next(now)) {
    queue.note(next)
    await next.work.run()
  }
}

/** It is looked no more and no less often, in milliseconds, because the clock of the machine may be adjusted. */
const [shortestWait, longestWait] = [1_000, 60_000]

/** Runs each work when it is due, until `stop`. After `notice`, because something was written, it looks soon. */
export function runWhenDue(
  works: readonly Work[],
  log: Log,
): { notice: () => void; stop: () => Promise<void> } {
  let isStopped = false
  /** When it looks next, in the milliseconds of `steadyMillis`; 0 while it looks. */
  let looksAt = 0
  let timer: Timer | undefined
  let queue = queueOf(works)
  let running: Promise<void> = Promise.resolve()

  const runAll = async (): Promise<void> => {
    const now = business.now()
    for (let next = queue.next(now); next && !isStopped; next = queue.next(now)) {
      queue.note(next)
      if (next.work.begin) next.work.begin()
      else await next.work.run()
    }
  }
  const wait = (): number => {
    const [now, next] = [business.now(), queue.next("9999")]
    const left = next === null ? longestWait : millisOf(next.due) - millisOf(now)
    return Math.min(Math.max(left, shortestWait), longestWait)
  }
  const look = async (): Promise<void> => {
    looksAt = 0
    try {
      await runAll()
      schedule(wait())
    } catch (error) {
      log.error("Work that is due could not be done. It is tried again.", { error: String(error) })
      queue = queueOf(works)
      schedule(longestWait)
    }
  }
  const schedule = (millis: number): void => {
    if (isStopped) return
    looksAt = steadyMillis() + millis
    clearTimeout(timer)
    timer = setTimeout(() => void (running = look()), millis)
  }
  running = look()
  return {
    notice(): void {
      if (looksAt - steadyMillis() > shortestWait) schedule(shortestWait)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
