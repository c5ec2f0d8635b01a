import { isBusiness, type Resource } from "../resource/define"
import { slim } from "../resource/list"
import { etagOf } from "../resource/tag"
import { ok } from "./envelope"
import { isUnchanged } from "./if-none-match"
import type { RouteCall } from "./route"
import { hasVersion } from "./write"

/** Clients may store the response, and must ask each time whether it is still current. */
export const askAgain = "private, no-cache"

/**
 * Responds with one record, or with some of its fields. A client that sends the ETag of a whole record of the business
 * in If-None-Match gets 304 without a body if the record has not changed.
 */
export function answerRecord<T extends object>(
  kind: Resource,
  record: T,
  fields: string[] | undefined,
  { call, request, set }: Pick<RouteCall, "call" | "request" | "set">,
) {
  if (!hasVersion(record)) return ok(slim(record, fields))
  const etag = etagOf(record)
  set.headers["etag"] = etag
  // The ETag is that of the whole record, so a part of it, or a record with others, must not be stored under it.
  if (call.query !== "" || !isBusiness(kind)) return ok(slim(record, fields))
  set.headers["cache-control"] = askAgain
  if (!isUnchanged(request, etag)) return ok(record)
  set.status = 304
  return undefined
}
