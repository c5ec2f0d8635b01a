import { steadyMillis } from "../clock"
import { histogram, type Histogram } from "./histogram"

/** In milliseconds. */
const every = 500

export type LoopLag = Histogram & { stop(): void }

/** Measures twice a second how late a timer runs: as long as a request waits before it is even looked at. */
export function loopLag(): LoopLag {
  const lags = histogram()
  let timer: Timer
  const wait = (): void => {
    const due = steadyMillis() + every
    timer = setTimeout(() => {
      lags.count(Math.max(0, steadyMillis() - due))
      wait()
    }, every).unref()
  }
  wait()
  return { ...lags, stop: () => clearTimeout(timer) }
}
