import { steadyMillis } from "./clock"
import { Refusal } from "./refusal"

/** Lets other requests run and resolves when it is this task's turn. Rejects when the client has disconnected. */
export type NextStep = (signal?: AbortSignal | null) => Promise<void>

/** Called between two slices of a long task. Waits only when others have waited long enough. */
export type Rest = () => Promise<void>

/** Continues in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const waiting: (() => void)[] = []

/**
 * One slice of all long tasks runs per turn, so that requests wait for one slice only, regardless of the number of
 * tasks.
 */
export const nextStep: NextStep = async (signal) => {
  await new Promise<void>((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(goOn)
  })
  if (signal?.aborted) throw new Refusal("BAD_REQUEST", "The client has disconnected.")
}

function goOn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(goOn)
}

/** Lets other requests run when the task has blocked the event loop for this many milliseconds. */
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

/** Continues with a value immediately, or when its task is done. A value that is available must not cost a turn. */
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
