import { Type } from "@sinclair/typebox"
import { type Call, callerOf } from "../../core/http/request/call"
import { ok } from "../../core/http/answer/envelope"
import { listParts, untilReceived, writtenInSteps } from "../../core/http/answer/large-answer"
import { runLongWork } from "../../core/http/answer/list-answer"
import { query as parameter } from "../../core/http/openapi/parameters"
import { get, type Parameter, type Route, type RouteCall } from "../../core/http/route/route"
import { steadyMillis } from "../../core/lib/clock"
import { Event } from "./model"
import {
  defaultLimit,
  type FeedQuery,
  longestWait,
  mostEvents,
  mostRecords,
  readableTypes,
  readFeedQuery,
} from "./query"
import type { Readers } from "./readers"
import { nextStep } from "../../core/lib/turns"
import type { Authenticator } from "../../core/http/request/access"
import { hasEnded } from "../../core/caller"
import { Refusal } from "../../core/lib/refusal"
import { type EventRecords, withRecords } from "./records"
import type { EventService } from "./service"

const streamType = "text/event-stream"

const Meta = Type.Object(
  {
    next: Type.String({ description: "The position to read after next time" }),
    hasMore: Type.Boolean({ description: "True when there may be more events now" }),
  },
  { $id: "EventsMeta" },
)

const parameters: Parameter[] = [
  parameter(
    "after",
    "A position from `meta.next`, or `latest` for the end of the feed. Without it, the oldest events come first.",
    Type.String(),
  ),
  parameter(
    "types",
    "Types of events, separated by commas: `invoices.issued`, `invoices.*` or `*`.",
    Type.String({ examples: ["invoices.*,payments.created"] }),
  ),
  parameter("kinds", "Kinds, separated by commas.", Type.String({ examples: ["items,customers"] })),
  parameter(
    "limit",
    `Maximum number of events; a value above ${mostEvents} counts as ${mostEvents}, with records as ${mostRecords}.`,
    Type.Integer({ minimum: 1, default: defaultLimit }),
  ),
  parameter(
    "wait",
    "The time in seconds to wait if there is no event yet.",
    Type.Integer({ minimum: 0, maximum: longestWait, default: 0 }),
  ),
  parameter("include", "`record` adds each record as it is now.", Type.String({ examples: ["record"] })),
]

/** GET /events: what happened to records, in order. */
export const eventRoutes = (deps: ReaderDeps): Route[] => [
  get(
    "/events",
    {
      may: { area: "search", scope: "read" },
      id: "listEvents",
      tag: "events",
      summary: "Read the feed of events",
      description: `Every change of a record writes its events in the same transaction. Store \`meta.next\` and read after it: no event is missed, and none is repeated. With \`Accept: ${streamType}\` the events are streamed as they happen; \`Last-Event-ID\` is the position to go on after. A caller gets the events of the kinds that it may read, and can have 5 requests waiting. Events are kept for 30 days, or what the server is configured to.`,
      parameters: () => parameters,
      answer: {
        status: 200,
        description: "Events in the order of their commits, and the position after them.",
        schema: Type.Array(Event),
        meta: Meta,
        otherTypes: [streamType],
      },
      refuses: [410, 422],
    },
    (context) => read(deps, context),
  ),
]

function read(deps: ReaderDeps, context: RouteCall): unknown {
  const { call, request, set } = context
  const query = readFeedQuery(call.query, deps.events.kinds)
  const isStream = request.headers.get("accept")?.includes(streamType) ?? false
  const last = isStream ? request.headers.get("last-event-id") : null
  const reader = feedReader(deps, call, last ? { ...query, after: last } : query)
  if (isStream) return stream(deps, context, reader)
  if (query.wait === 0 || request.method === "HEAD")
    return runLongWork(call, async (signal) => answer(reader, await reader.next(signal), query, call))
  call.keepOpen()
  set.headers["cache-control"] = "no-store"
  return waitFor(deps.events.readers, context, reader, query)
}

/** Records can be large, so a response with records is written in steps. */
async function answer(
  reader: FeedReader,
  { events, next, hasMore }: Batch,
  { hasRecords }: FeedQuery,
  call: Call,
): Promise<object> {
  const meta = { next, hasMore }
  const shown = await reader.shown(events, call.signal())
  return hasRecords ? writtenInSteps(listParts(shown, meta), call) : { ...ok(shown), meta }
}

/** Responds with the first events, or without events after the time that the request waits. */
async function waitFor(
  readers: Readers,
  { call }: RouteCall,
  reader: FeedReader,
  query: FeedQuery,
): Promise<object> {
  const leave = readers.enter(callerOf(call))
  const until = steadyMillis() + query.wait * 1_000
  const signal = call.signal()
  try {
    for (;;) {
      const batch = await reader.next(signal)
      const left = until - steadyMillis()
      const isLast = batch.events.length > 0 || left <= 0 || readers.isStopping()
      if (isLast || (!batch.hasMore && (await readers.wait(left, signal)) === "end"))
        return await untilReceived(call, () => answer(reader, batch, query, call))
    }
  } finally {
    leave()
  }
}

function stream({ events }: ReaderDeps, { call, request }: RouteCall, reader: FeedReader): Response {
  const headers = {
    "content-type": streamType,
    "cache-control": "no-store",
    // A proxy must not collect the events before it sends them on.
    "x-accel-buffering": "no",
  }
  if (request.method === "HEAD") return new Response(null, { headers })
  const leave = events.readers.enter(callerOf(call))
  // A comment is sent long before that. A client that reads nothing loses the connection.
  call.keepOpen()
  return new Response(eventStream(reader, events.readers, call, leave), { headers })
}

/** A comment is sent after this time without events, so that proxies keep the connection, in milliseconds. */
const heartbeat = 15_000

/**
 * Streams the feed as server-sent events. It reads no faster than the client receives. It ends when the caller loses its
 * credential, or the server stops; the client connects again with its last position.
 */
function eventStream(
  reader: FeedReader,
  readers: Readers,
  call: Call,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const signal = call.signal()
  signal.addEventListener("abort", leave)
  let isFirst = true
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const text = isFirst
          ? `retry: 2000\nid: ${reader.position()}\n\n`
          : await nextText(reader, readers, signal)
        isFirst = false
        if (text !== null) return controller.enqueue(encoder.encode(text))
      } catch {
        // The caller has lost its rights, or the client has disconnected. A new request gets the reason.
      }
      leave()
      controller.close()
    },
    cancel: leave,
  })
}

const encoder = new TextEncoder()

/** The next events as text, or a comment after a time without events; null at the end. */
async function nextText(reader: FeedReader, readers: Readers, signal: AbortSignal): Promise<string | null> {
  for (;;) {
    if (signal.aborted || readers.isStopping()) return null
    // All streams wake at the same commit, and a client that reads fast asks again at once: one after the other.
    await nextStep(signal)
    const { events, next, hasMore } = await reader.next(signal, reader.streamed)
    if (events.length > 0)
      return (await reader.shown(events, signal))
        .map((event) => `id: ${reader.positionOf(event)}\nevent: ${event.type}\n${dataOf(event)}`)
        .join("")
    if (hasMore) continue
    const woken = await readers.wait(heartbeat, signal)
    if (woken === "time") return `id: ${next}\n: no events\n\n`
    if (woken === "events") await readers.pause()
  }
}

const dataOf = (event: object): string => `data: ${JSON.stringify(event)}\n\n`

type ReaderDeps = {
  events: EventService
  authenticator: Authenticator
  records: EventRecords
}

type Batch = { events: Event[]; next: string; hasMore: boolean }

/** Reads the feed for a request, from a position on. The rights of the caller are loaded again for each batch. */
function feedReader({ events, authenticator, records }: ReaderDeps, call: Call, query: FeedQuery) {
  let position = events.startOf(query.after)
  return {
    /** How many events a stream gets at a time: one record, because no more may be in memory while a client does not read. */
    streamed: query.hasRecords ? 1 : query.limit,

    /** The position that was reached. */
    position: (): string => events.positionOf(position),
    positionOf: ({ seq }: Event): string => events.positionOf(seq),

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

type FeedReader = ReturnType<typeof feedReader>

/** Loads the caller again, because it may have lost rights, or its token may have expired, since the request began. */
function currentCaller(authenticator: Authenticator, call: Call) {
  const caller = authenticator.again(callerOf(call), call.address)
  if (caller instanceof Refusal) throw caller
  if (caller.blocked) throw caller.blocked
  if (hasEnded(caller)) throw new Refusal("TOKEN_EXPIRED", "The access token has expired.")
  call.caller = caller
  return caller
}
