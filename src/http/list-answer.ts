import { steadyMillis } from "../lib/clock"
import { gate } from "../lib/gate"
import { isLongWork, whenDone, type Later, type LongWork } from "../lib/turns"
import type { Resource } from "../resource/define"
import type { MoneyContext } from "../resource/field"
import { readListQuery, slim, type ListQuery } from "../resource/list"
import type { Page } from "../resource/table-list"
import { callerOf, type Call } from "./call"
import type { Caller } from "./caller"
import { metaOf, nextLink, ok } from "./envelope"
import { writtenInSteps } from "./large-answer"
import type { RouteCall } from "./route"

/** Since when comparing long texts is discouraged (RFC 9745): it will go when lists are searched by their words. */
const proseDeprecated = "@1794700800"
/** Milliseconds within which a page was small enough to be written out at once. */
const quickly = 3

/** Each may hold some megabytes, and many at once would only wait for one another. */
const fewAtOnce = gate({
  atOnce: 2,
  longest: 1_000,
  message: "Too many large lists are asked for at once. Try again in a moment.",
})

/** One page of a list, with its meta and its link to the next. */
export function answerList<T extends object>(
  resource: Resource,
  { call, set }: Pick<RouteCall, "call" | "set">,
  moneyContext: MoneyContext,
  list: (query: ListQuery, caller: Caller) => Later<Page<T>>,
) {
  const query = readListQuery(resource, call.query, moneyContext)
  if (query.isDeprecated) set.headers["deprecation"] = proseDeprecated
  const began = steadyMillis()
  const answer = whenDone(list(query, callerOf(call)), (page): Later<object> => {
    if (page.nextCursor) set.headers["link"] = nextLink(call.path, query, page.nextCursor)
    const rows = page.rows.map((row) => slim(row, query.fields))
    const meta = metaOf(query, page)
    // What took long to read takes long to write out.
    return steadyMillis() - began < quickly
      ? { ...ok(rows), meta }
      : async (signal) => writtenInSteps(rows, meta, signal)
  })
  return isLongWork(answer) ? takeTime(call, answer) : answer
}

/** A longer work for a client that waits, a few of them at once; it ends when the client has disconnected. */
function takeTime(call: Call, work: LongWork<object>): Promise<object> {
  call.keepOpen()
  const signal = call.signal()
  return fewAtOnce(callerOf(call).subject, () => work(signal))
}
