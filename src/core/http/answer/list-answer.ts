import { steadyMillis } from "../../lib/clock"
import { gate } from "../../lib/gate"
import { isLongWork, whenDone, type Later, type LongWork } from "../../lib/turns"
import type { Resource } from "../../kind/define"
import type { MoneyContext } from "../../kind/field"
import { readListQuery, slim, type ListQuery } from "../../store/list"
import type { Page } from "../../store/table-list"
import { callerOf, type Call } from "../request/call"
import type { Caller } from "../../caller"
import { metaOf, nextLink, ok } from "./envelope"
import { expand, type RelatedRecords } from "./expand"
import { listParts, untilReceived, writtenInSteps } from "./large-answer"
import type { RouteCall } from "../route/route"

/** When comparing long texts became deprecated (RFC 9745). It will be removed when lists are searched by words. */
export const proseDeprecated = "@1794700800"
/** A page that was read in less than this many milliseconds is small enough to be serialized immediately. */
const fastPageMillis = 3

/** Limits concurrent large lists, because each may use some megabytes of memory. */
const fewAtOnce = gate({
  atOnce: 2,
  longest: 1_000,
  message: "The server is busy with other large lists. Try again in a moment.",
})

/** Responds with one page of a list, its meta and the link to the next page. */
export function answerList<T extends object>(
  resource: Resource,
  { call, set }: Pick<RouteCall, "call" | "set">,
  moneyContext: MoneyContext,
  list: (query: ListQuery, caller: Caller) => Later<Page<T>>,
  known: RelatedRecords = {},
) {
  const query = readListQuery(resource, call.query, moneyContext)
  const { warnings } = query
  if (query.isDeprecated) set.headers["deprecation"] = proseDeprecated
  const began = steadyMillis()
  const found = list(query, callerOf(call))
  const answer = whenDone(found, (page): Later<object> => {
    if (page.nextCursor) set.headers["link"] = nextLink(call.path, query, page.nextCursor)
    const rows = page.rows.map((row) => slim(row, query.fields))
    const meta = metaOf(query, page)
    if (query.expand.length > 0)
      return async (signal) => {
        const expanded = await expand(query.expand, page.rows, known, callerOf(call), signal)
        return writtenInSteps(listParts(rows, meta, { expanded, warnings }), call)
      }
    // A page of many large records that was read in steps is slow to serialize, and so is one that was slow to read.
    const isLarge = isLongWork(found) && page.rows.length >= (resource.bulky?.from ?? Infinity)
    return !isLarge && steadyMillis() - began < fastPageMillis
      ? { ...ok(rows, warnings), meta }
      : async () => writtenInSteps(listParts(rows, meta, { warnings }), call)
  })
  return isLongWork(answer) ? runLongWork(call, answer) : answer
}

/** Runs long work while its client waits, a few at a time. The work ends when the client disconnects. */
export function runLongWork(call: Call, work: LongWork<object>): Promise<object> {
  call.keepOpen()
  const signal = call.signal()
  return untilReceived(call, () => fewAtOnce(callerOf(call).userId, () => work(signal)))
}
