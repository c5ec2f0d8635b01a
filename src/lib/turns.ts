import { steadyMillis } from "./clock"
import { Refusal } from "./refusal"

/** Lets others be served, and goes on when it is this work's turn; not for somebody who has gone away meanwhile. */
export type NextStep = (signal?: AbortSignal | null) => Promise<void>

/** Called between two steps of a longer work; waits only when others have waited long enough. */
export type Rest = () => Promise<void>

/** Goes on in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const waiting: (() => void)[] = []

/** Of all longer works together one goes on in each turn, so that however many there are, requests wait for one step only. */
export const nextStep: NextStep = async (signal) => {
  await new Promise<void>((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(goOn)
  })
  if (signal?.aborted) throw new Refusal("BAD_REQUEST", "Nobody waits for the answer any more.")
}

function goOn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(goOn)
}

/** Lets others be served once the work has held the event loop for this many milliseconds. */
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

/** What makes a value in a longer work. It is begun when there is room for it, and ends when nobody waits for it. */
export type LongWork<T> = (signal: AbortSignal | null) => Promise<T>

/** A value, or the work that makes it. */
export type Later<T> = T | LongWork<T>

export const isLongWork = <T extends object>(value: Later<T>): value is LongWork<T> =>
  typeof value === "function"

/** Goes on with a value now, or once it will have been made. What is there already must not cost a turn. */
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
