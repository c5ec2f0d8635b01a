import type { Authenticator } from "../../http/access"
import { callerOf, type Call } from "../../http/call"
import { hasEnded } from "../../http/caller"
import { Refusal } from "../../lib/refusal"
import type { Event } from "./model"
import { readableTypes, type FeedQuery } from "./query"
import { withRecords, type EventRecords } from "./records"
import type { EventService } from "./service"

export type ReaderDeps = {
  events: EventService
  authenticator: Authenticator
  records: EventRecords
}

/** Some events, and the position to go on after. */
export type Batch = { events: Event[]; next: string; hasMore: boolean }

/** Reads the feed for a request, from a position on. The rights of the caller are loaded again for each batch. */
export function feedReader({ events, authenticator, records }: ReaderDeps, call: Call, query: FeedQuery) {
  let position = events.startOf(query.after)
  return {
    /** The position that was reached. */
    position: (): string => events.positionOf(position),
    positionOf: ({ seq }: Event): string => events.positionOf(seq),

    /**
     * Returns the next events, which may be none. A stream gets one record at a time: nothing more is in memory while a client
     * does not read.
     */
    async next(signal: AbortSignal | null, isStream = false): Promise<Batch> {
      const caller = currentCaller(authenticator, call)
      const types = readableTypes(query.types, events.kinds, caller)
      const limit = isStream && query.hasRecords ? 1 : query.limit
      const found = await events.read(position, types, limit, signal)
      position = found.last
      const shown = query.hasRecords ? await withRecords(found.events, records, signal, caller) : found.events
      return { events: shown, next: events.positionOf(position), hasMore: found.hasMore }
    },
  }
}

export type FeedReader = ReturnType<typeof feedReader>

/** Loads the caller again, because it may have lost rights, or its token may have expired, since the request began. */
function currentCaller(authenticator: Authenticator, call: Call) {
  const caller = authenticator.again(callerOf(call), call.address)
  if (caller instanceof Refusal) throw caller
  if (caller.blocked) throw caller.blocked
  if (hasEnded(caller)) throw new Refusal("TOKEN_EXPIRED", "The access token has expired.")
  call.caller = caller
  return caller
}
