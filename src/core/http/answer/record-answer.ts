import { isBusiness, type Resource } from "../../kind/define"
import { etagOf } from "../../kind/tag"
import { ok } from "./envelope"
import { isUnchanged } from "../request/if-none-match"
import type { RouteCall } from "../route/route"
import { hasVersion } from "../request/write"

/** Clients may store the response, and must ask each time whether it is still current. */
export const askAgain = "private, no-cache"

/**
 * Responds with one whole record. A client that sends the ETag of a record of the business in If-None-Match gets 304
 * without a body if the record has not changed.
 */
export function answerRecord<T extends object>(
  kind: Resource,
  record: T,
  { request, set }: Pick<RouteCall, "request" | "set">,
) {
  if (!hasVersion(record)) return ok(record)
  const etag = etagOf(record)
  set.headers["etag"] = etag
  if (!isBusiness(kind)) return ok(record)
  set.headers["cache-control"] = askAgain
  if (!isUnchanged(request, etag)) return ok(record)
  set.status = 304
  return undefined
}
