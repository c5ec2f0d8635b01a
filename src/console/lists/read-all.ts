import { call } from "../api/client"
import { patiently } from "./patiently"

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
