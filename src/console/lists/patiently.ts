import { ApiError } from "../api/send"

/** In milliseconds. The limit is counted per minute, so the last try is more than a minute after the first. */
const waits = [2_000, 5_000, 10_000, 20_000, 30_000]

/**
 * Sends one of many requests. If the rate limit is reached or the server is busy, waits and tries again, until the signal
 * is aborted.
 */
export async function patiently<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const wait of waits)
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiError) || !isTemporary(error)) throw error
      await pause(error.status === 503 && error.retryAfter ? error.retryAfter * 1_000 : wait, signal)
      if (signal.aborted) throw error
    }
  return send()
}

/** A server that is busy says when to try again. Without that, a 503 can last. */
const isTemporary = ({ status, retryAfter }: ApiError): boolean =>
  status === 429 || (status === 503 && retryAfter !== null)

const pause = (time: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, time)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })
