import type { Authenticator } from "../../core/http/request/access"
import { callerOf, type Call } from "../../core/http/request/call"
import { hasEnded } from "../../core/caller"
import { Refusal } from "../../core/lib/refusal"
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
    /** How many events a stream gets at a time: one record, because no more may be in memory while a client does not read. */
    streamed: query.hasRecords ? 1 : query.limit,

    /** The position that was reached. */
    position: (): string => events.positionOf(position),
    positionOf: ({ seq }: Event): string => events.positionOf(seq),

    /** Returns the next events, which may be none. */
    async next(signal: AbortSignal | null, limit = query.limit): Promise<Batch> {
      const types = readableTypes(query.types, events.kinds, currentCaller(authenticator, call))
      const found = await events.read(position, types, limit, signal)
      position = found.last
      return { events: found.events, next: events.positionOf(position), hasMore: found.hasMore }
    },

    /** Returns events with their records, if the request includes them. */
    async shown(some: Event[], signal: AbortSignal | null): Promise<Event[]> {
      return query.hasRecords ? withRecords(some, records, signal, callerOf(call)) : some
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
