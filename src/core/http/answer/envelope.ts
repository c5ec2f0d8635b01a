import type { Warning } from "../../lib/warning"
import { fieldError, type ErrorParams, type FieldError, type Refusal } from "../../lib/refusal"
import type { ListQuery } from "../../store/list"
import type { Page } from "../../store/table-list"

/** The envelope of a successful response. `warnings` is present only when there are any. */
export const ok = <T>(data: T, warnings: Warning[] = []) =>
  warnings.length > 0 ? { success: true as const, data, warnings } : { success: true as const, data }

/** The envelope of a response that contains a secret, such as a token. */
export function okSecret<T>(call: { isSecret: boolean }, data: T) {
  call.isSecret = true
  return ok(data)
}

/** Limits the errors in a response, because nobody reads more and a refusal must not be larger than its request. */
const mostDetails = 100
const longestField = 200
const longestMessage = 1_000

/** The envelope of a refusal. `more` is the number of additional errors that are not in its details. */
export function failure({ code, message, params, details }: Refusal, more = 0) {
  const omitted = Math.max(0, details.length - mostDetails) + more
  const shown = details.slice(0, mostDetails).map(shortened)
  if (omitted > 0)
    shown.push(fieldError("", "RULE", `${omitted} more errors are not shown`, { rule: "OMITTED", omitted }))
  const error = { code, message: cut(message, longestMessage), ...shortParams(params), details: shown }
  return { success: false as const, error }
}

const shortened = (detail: FieldError): FieldError => ({
  ...detail,
  field: cut(detail.field, longestField),
  message: cut(detail.message, longestMessage),
  ...shortParams(detail.params),
})

/** Parameters may contain values of the request, which may be long. */
const shortParams = (params: ErrorParams | undefined): { params?: ErrorParams } =>
  params
    ? {
        params: Object.fromEntries(
          Object.entries(params).map(([name, value]) => [
            name,
            typeof value === "string" ? cut(value, longestField) : value,
          ]),
        ),
      }
    : {}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text

/** The meta of a list. Only numbered pages have a number and a number of pages. JSON leaves out what is undefined. */
export function metaOf({ cursor, page, perPage }: ListQuery, { total, nextCursor, sums }: Page<unknown>) {
  const isNumbered = cursor === undefined
  return {
    page: isNumbered ? page : undefined,
    perPage,
    total: total ?? undefined,
    totalPages: isNumbered && total !== null ? Math.ceil(total / perPage) : undefined,
    hasMore: nextCursor !== null,
    nextCursor,
    sums,
  }
}

/**
 * The Link header to the next page. It is a path, so that a forged Host header has no effect. A cursor needs no
 * escaping.
 */
export function nextLink(path: string, query: ListQuery, nextCursor: string): string {
  let next = ""
  for (const [name, value] of query.params)
    if (name !== "page" && name !== "cursor")
      next += `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`
  return `<${path}?${next}cursor=${nextCursor}>; rel="next"`
}
