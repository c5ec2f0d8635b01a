import { call } from "../api/client"
import { ApiError } from "../api/send"

/** The most records that are read for an export or a bulk action. */
export const mostRecords = 100_000

type Query = Record<string, string>

/** Reads all records of a list, page by page. Ends early when the signal is aborted. */
export async function* readAll<T>(path: string, query: Query, signal: AbortSignal) {
  const params = new URLSearchParams({ ...query, perPage: "100" })
  let total = 0
  for (let read = 0; read < mostRecords && !signal.aborted;) {
    const page = await patiently(() => call<T[]>("GET", `${path}?${params}`), signal).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error
      },
    )
    if (!page) return
    const { data, meta } = page
    read += data.length
    total = meta?.total ?? total
    yield { rows: data, read, total: Math.min(total, mostRecords) }
    if (!meta?.nextCursor) return
    params.set("cursor", meta.nextCursor)
  }
}

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
