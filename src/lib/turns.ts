import { steadyMillis } from "./clock"

/** Lets others be served, and goes on when it is this work's turn. */
export type NextStep = () => Promise<void>

/** Called between two steps of a longer work; waits only when others have waited long enough. */
export type Rest = () => Promise<void>

/** Goes on in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const waiting: (() => void)[] = []

/** Of all longer works together one goes on in each turn, so that however many there are, requests wait for one step only. */
export const nextStep: NextStep = () =>
  new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(goOn)
  })

function goOn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(goOn)
}

/** Lets others be served once the work has held the event loop for this many milliseconds. */
export function restsBetween(longest: number, next: NextStep = nextStep): Rest {
  let since = steadyMillis()
  return async () => {
    if (steadyMillis() - since < longest) return
    await next()
    since = steadyMillis()
  }
}

/** Goes on with a value now, or when it is there. What is there already must not cost a turn. */
export const whenDone = <T, U>(value: T | Promise<T>, next: (value: T) => U): U | Promise<Awaited<U>> =>
  value instanceof Promise ? (value.then(next) as Promise<Awaited<U>>) : next(value)
