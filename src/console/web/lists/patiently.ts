import { ApiError } from "../api/send"

/** In milliseconds. The limit is counted per minute, so the last try is more than a minute after the first. */
const waits = [2_000, 5_000, 10_000, 20_000, 30_000]

/** Sends one of many requests. If the rate limit is reached, waits and tries again, until the signal is aborted. */
export async function patiently<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const wait of waits)
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      await pause(wait, signal)
      if (signal.aborted) throw error
    }
  return send()
}

const pause = (time: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, time)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })
