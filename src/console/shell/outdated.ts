import type { FeedEvent } from "../api/types"

/** What an event tells about the data of a page. */
export type Change = Pick<FeedEvent, "type" | "kind" | "recordId" | "version">

/** A query of the cache: what it reads, and what it has read. */
type Cached = { queryKey: readonly unknown[]; state: { data: unknown } }

/** Returns whether data from the server may be outdated after a change of a record. */
export const isOutdated = ({ queryKey, state }: Cached, change: Change): boolean =>
  isAbout(queryKey, change) && !hasRead(state.data, change)

/** The keys are those of the hooks: a kind and an id, a kind and a list, or the path of another request. */
function isAbout([first, second, third]: readonly unknown[], { kind, recordId }: Change): boolean {
  if (first === "read") return typeof second === "string" && isPathAbout(second, kind, recordId)
  // The history of a record.
  if (first === "audit-logs") return typeof third === "string" && third.includes(recordId)
  return first === kind && (!isId(second) || second === recordId)
}

function isPathAbout(path: string, kind: string, recordId: string): boolean {
  const [, first, second] = path.split(/[/?]/)
  // Reports add up records of all kinds.
  return first === "reports" || (first === kind && (!isId(second) || second === recordId))
}

const isId = (text: unknown): boolean => typeof text === "string" && /^[a-z]+_[0-9a-z]{26}$/.test(text)

/** True if the data has the record with this version or a newer one: it was read after the change. */
const hasRead = (data: unknown, { type, recordId, version }: Change): boolean =>
  version !== null &&
  !type.endsWith(".deleted") &&
  rowsOf(data).some(
    (row) => isObject(row) && row["id"] === recordId && Number(row["version"] ?? 0) >= version,
  )

function rowsOf(data: unknown): unknown[] {
  if (Array.isArray(data)) return data
  if (!isObject(data)) return []
  const pages = data["pages"]
  if (!Array.isArray(pages)) return [data]
  return pages.flatMap((page) => (isObject(page) && Array.isArray(page["data"]) ? page["data"] : []))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null
