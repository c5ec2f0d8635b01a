import { steadyMillis } from "./clock"

/** Lets whatever is waiting have its turn of the event loop. */
export type NextTurn = () => Promise<void>

/** Called between two steps of a longer work; waits only when others have waited long enough. */
export type Rest = () => Promise<void>

/** Lets others be served once the work has held the event loop for this many milliseconds. */
export function restsBetween(longest: number, nextTurn: NextTurn): Rest {
  let since = steadyMillis()
  return async () => {
    if (steadyMillis() - since < longest) return
    await nextTurn()
    since = steadyMillis()
  }
}
