import { useSyncExternalStore } from "react"
import { clock } from "../clock"

/** While the server does not respond, the console checks this often whether it runs again, in ms. */
const checkEvery = 2_000
/** A page that sends no requests checks this often whether the server still runs, in ms. */
const longestQuiet = 15_000
/** The time in ms that the server gets to respond to a check. */
const patience = 5_000

let isSilent = false
let respondedAt = clock.real()
let checking: Promise<boolean> | null = null
const listeners = new Set<() => void>()

function set(next: boolean): void {
  if (isSilent === next) return
  isSilent = next
  for (const tell of listeners) tell()
}

/** True while the server does not respond. */
export const useIsSilent = (): boolean =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => isSilent,
    // Tests render pages without a browser.
    () => isSilent,
  )

/** Call this for each response of the server. */
export function noteResponse(): void {
  respondedAt = clock.real()
  set(false)
}

/** Asks the server whether it runs. Returns true if it responds. */
export const checkServer = (): Promise<boolean> =>
  (checking ??= isRunning()
    .then((isUp) => {
      if (isUp) noteResponse()
      else set(true)
      return isUp
    })
    .finally(() => (checking = null)))

const isRunning = (): Promise<boolean> =>
  fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(patience) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Checks quietly whether the server runs. Returns a function that stops this. */
export function watchServer(): () => void {
  const timer = setInterval(() => {
    const isQuiet = !document.hidden && clock.real() - respondedAt >= longestQuiet
    if (isSilent || isQuiet) void checkServer()
  }, checkEvery)
  return () => clearInterval(timer)
}
