import type { Warning } from "../db/writer"
import type { FieldError, RefusalCode } from "../lib/refusal"
import type { ListQuery } from "../resource/list"
import type { Page } from "../resource/table-list"

/** A success. `warnings` appears only when there are any. */
export const ok = <T>(data: T, warnings: Warning[] = []) =>
  warnings.length > 0 ? { success: true as const, data, warnings } : { success: true as const, data }

/** More errors than this nobody reads; and what is refused must not be answered with more than was sent. */
const mostDetails = 100
const longestField = 200
const longestMessage = 1_000

/** A refusal. `leftOut` is how many errors there are beside those in `details`. */
export function failure(code: RefusalCode, message: string, details: FieldError[] = [], leftOut = 0) {
  const beyond = Math.max(0, details.length - mostDetails) + leftOut
  const shown = details.slice(0, mostDetails).map((each) => ({
    ...each,
    field: cut(each.field, longestField),
    message: cut(each.message, longestMessage),
  }))
  if (beyond > 0) shown.push({ field: "", message: `${beyond} more are left out here` })
  return { success: false as const, error: { code, message: cut(message, longestMessage), details: shown } }
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text

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
