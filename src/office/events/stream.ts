import type { Call } from "../../core/http/request/call"
import { nextStep } from "../../core/lib/turns"
import type { FeedReader } from "./reader"
import type { Readers } from "./readers"

/** A comment is sent after this time without events, so that proxies keep the connection, in milliseconds. */
const heartbeat = 15_000

/**
 * Streams the feed as server-sent events. It reads no faster than the client receives. It ends when the caller loses its
 * credential, or the server stops; the client connects again with its last position.
 */
export function eventStream(
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
