import { expect } from "bun:test"
import type { Api } from "./api"

/** An event as the feed shows it. */
export type FeedEvent = {
  id: string
  seq: number
  type: string
  kind: string
  recordId: string
  version: number | null
  at: string
  changed: string[]
  record?: Record<string, unknown> | null
}

/** Reads the feed with the rights of a client. */
export const feedOf = (api: Api) => {
  /** Returns the position at the end of the feed. */
  const latest = async (): Promise<string> => {
    const { status, body } = await api.get("/events?after=latest&limit=1")
    expect([status, body.data]).toEqual([200, []])
    return body.meta.next
  }

  /** Returns all events after a position, page by page, and the position after them. */
  const readAll = async (after?: string, query = "") => {
    const events: FeedEvent[] = []
    for (let next = after; ;) {
      const { status, body } = await api.get(`/events?limit=1000&${query}${next ? `&after=${next}` : ""}`)
      expect(status).toBe(200)
      events.push(...body.data)
      next = body.meta.next as string
      if (!body.meta.hasMore) return { events, next }
    }
  }
  return {
    latest,
    readAll,
    /** Returns the events that an operation writes. */
    async during(run: () => Promise<unknown>, query = ""): Promise<FeedEvent[]> {
      const after = await latest()
      await run()
      return (await readAll(after, query)).events
    },
  }
}

/** Events without what differs in every run: `items.updated 2 itemName`. */
export const linesOf = (events: readonly FeedEvent[]): string[] =>
  events.map(({ type, version, changed }) => [type, version ?? "-", ...changed.toSorted()].join(" "))

/** The types of events, in the order of the alphabet. */
export const typesOf = (events: readonly FeedEvent[]): string[] => events.map(({ type }) => type).toSorted()

/** A server-sent event. `comment` is a line that is not part of an event. */
export type Sent = { id?: string; event?: string; data?: FeedEvent; comment?: string; retry?: string }

/** Opens the feed as a stream of server-sent events. */
export async function openStream(api: Api, url: string, query = "", headers: Record<string, string> = {}) {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/v1/events?${query}`, {
    headers: { ...api.credential, accept: "text/event-stream", ...headers },
    signal: abort.signal,
    tls: { rejectUnauthorized: false },
  })
  const parts = sentOf(response)
  return {
    response,
    close: () => abort.abort(),
    /** Returns the next part of the stream; undefined at its end. */
    next: async (): Promise<Sent | undefined> => (await parts.next()).value ?? undefined,
    /** Returns this many events, without what is not an event. */
    async take(count: number): Promise<FeedEvent[]> {
      const events: FeedEvent[] = []
      while (events.length < count) {
        const { value } = await parts.next()
        if (!value) throw new Error(`The stream has ended after ${events.length} events.`)
        if (value.data) events.push(value.data)
      }
      return events
    },
  }
}

async function* sentOf(response: Response): AsyncGenerator<Sent, undefined> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split("\n\n")
    text = parts.pop() ?? ""
    for (const part of parts) yield sentPart(part)
  }
  return undefined
}

const sentPart = (part: string): Sent =>
  Object.fromEntries(
    part.split("\n").map((line) => {
      const [, name = "", value = ""] = /^(\w*): ?(.*)$/.exec(line) ?? []
      return [name || "comment", name === "data" ? JSON.parse(value) : value]
    }),
  )
