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
