import { ApiError } from "../api/send"

/** In milliseconds. The limit is counted per minute, so the last try is more than a minute after the first. */
const waits = [2_000, 5_000, 10_000, 20_000, 30_000]

/** Sends one of many requests. If the rate limit is reached, waits and tries again. */
export async function patiently<T>(send: () => Promise<T>): Promise<T> {
  for (const wait of waits)
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  return send()
}
