import { callForResponse } from "./client"
import { noteResponse } from "./reach"
import type { FeedEvent } from "./types"

/** Some events, which may be none, and the position after them; null if the server did not tell it. */
export type Batch = { events: FeedEvent[]; position: string | null }

type Read = (after: string | null, signal: AbortSignal, onBatch: (batch: Batch) => void) => Promise<void>

/** The server sends the first bytes of a stream at once. A proxy that collects them holds them back. */
const longestStart = 5_000
/** The server sends a comment every 15 seconds. Without it, the connection is lost. */
const longestSilence = 40_000
/** The number of events that are read at once. */
export const atOnce = 300

/** A proxy holds the stream back. */
export class HeldBack extends Error {}

/**
 * Reads the feed of events as a stream until it ends. The first batch comes as soon as the feed is connected. Without a
 * position, it begins at the end of the feed.
 */
export const streamFeed: Read = async (after, signal, onBatch) => {
  const quiet = new AbortController()
  let timer = setTimeout(() => quiet.abort(new HeldBack()), longestStart)
  try {
    const { body } = await callForResponse(pathOf(after), {
      accept: "text/event-stream",
      signal: AbortSignal.any([signal, quiet.signal]),
    })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => quiet.abort(), longestSilence)
      noteResponse()
      text += part.value
      const end = text.lastIndexOf("\n\n")
      if (end >= 0) onBatch(batchOf(text.slice(0, end)))
      text = end >= 0 ? text.slice(end + 2) : text
    }
  } catch (error) {
    throw quiet.signal.reason ?? error
  } finally {
    clearTimeout(timer)
    quiet.abort()
  }
}

/** Reads the feed with one request that waits for events. */
export const pollFeed: Read = async (after, signal, onBatch) => {
  const response = await callForResponse(`${pathOf(after)}&wait=${after === null ? 0 : 25}`, { signal })
  const { data, meta } = (await response.json()) as { data: FeedEvent[]; meta: { next: string } }
  onBatch({ events: data, position: meta.next })
}

const pathOf = (after: string | null): string => `/events?after=${after ?? "latest"}&limit=${atOnce}`

/** Reads complete messages of a stream. The id of a message is the position after it. */
export function batchOf(text: string): Batch {
  const lines = text.split("\n")
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(field)).map((line) => line.slice(field.length))
  return {
    events: valuesOf("data: ").map((data) => JSON.parse(data) as FeedEvent),
    position: valuesOf("id: ").at(-1) ?? null,
  }
}
