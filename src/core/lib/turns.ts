import { steadyMillis } from "./clock"
import { Refusal } from "./refusal"

/** Lets other requests run and resolves when it is this task's turn. Rejects when the client has disconnected. */
export type NextStep = (signal?: AbortSignal | null) => Promise<void>

/** Call it between two slices of a long task. It lets other requests run if the task has run for long enough. */
export type Rest = () => Promise<void>

/** Continues in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** False if work takes longer than some milliseconds. It goes on. */
export const isDoneWithin = (work: Promise<unknown>, millis: number): Promise<boolean> =>
  Promise.race([work.then(() => true), Bun.sleep(millis).then(() => false)])

const waiting: (() => void)[] = []

/**
 * Resolves when the next slice of a long task may run. Only one slice runs per turn of the event loop, so that a
 * request waits for one slice at most, regardless of the number of long tasks.
 */
export const nextStep: NextStep = async (signal) => {
  await new Promise<void>((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(runNext)
  })
  assertConnected(signal)
}

/** Throws when the client has disconnected, because nobody would read the response. */
export function assertConnected(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw new Refusal("BAD_REQUEST", "The client has disconnected.")
}

function runNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(runNext)
}

/**
 * Returns a `Rest` that lets other requests run when the task has blocked the event loop for `longest` milliseconds.
 */
export function restsBetween(
  longest: number,
  signal: AbortSignal | null = null,
  next: NextStep = nextStep,
): Rest {
  let since = steadyMillis()
  return async () => {
    if (steadyMillis() - since < longest) return
    await next(signal)
    since = steadyMillis()
  }
}

/** A long task that computes a value. It starts when there is capacity, and ends when the client disconnects. */
export type LongWork<T> = (signal: AbortSignal | null) => Promise<T>

/** A value, or the task that computes it. */
export type Later<T> = T | LongWork<T>

export const isLongWork = <T extends object>(value: Later<T>): value is LongWork<T> =>
  typeof value === "function"

/** Calls `next` with a value: immediately if the value is available, otherwise when its task is done. */
export const whenDone = <T extends object, U extends object>(
  value: Later<T>,
  next: (value: T) => Later<U>,
): Later<U> =>
  isLongWork(value)
    ? async (signal) => {
        const then = next(await value(signal))
        return isLongWork(then) ? then(signal) : then
      }
    : next(value)

/** Waits for a value that may take a long task. */
export const settled = <T extends object>(value: Later<T>, signal: AbortSignal | null): T | Promise<T> =>
  isLongWork(value) ? value(signal) : value
