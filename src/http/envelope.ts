import type { Warning } from "../db/writer"
import type { Detail, RefusalCode } from "../lib/refusal"
import type { ListQuery } from "../resource/list"
import type { Page } from "../resource/table-store"

/** A success. `warnings` appears only when there are any. */
export const ok = <T>(data: T, warnings: Warning[] = []) =>
  warnings.length > 0 ? { success: true as const, data, warnings } : { success: true as const, data }

export const failure = (code: RefusalCode, message: string, details: Detail[] = []) => ({
  success: false as const,
  error: { code, message, details },
})

/** The meta of a list: numbered pages know their total, cursor pages only whether there is more. */
export function metaOf({ page, perPage }: ListQuery, { total, nextCursor }: Page<unknown>) {
  const more = { hasMore: nextCursor !== null, nextCursor }
  if (total === null) return { perPage, ...more }
  return { page, perPage, total, totalPages: Math.ceil(total / perPage), ...more }
}

/** The Link header of a list that goes on, path-absolute so that no Host can bend it. A cursor is safe in an address. */
export function nextLink(path: string, query: ListQuery, nextCursor: string): string {
  let next = ""
  for (const [name, value] of query.params)
    if (name !== "page" && name !== "cursor")
      next += `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`
  return `<${path}?${next}cursor=${nextCursor}>; rel="next"`
}
