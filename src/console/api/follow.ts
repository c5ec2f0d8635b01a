import { clock } from "../clock"
import { ApiError, noteResponse } from "./send"
import { currentToken } from "./session"
import type { FeedEvent } from "./types"
import { callForResponse } from "./client"

/** Some events, which may be none, and the position after them; null if the server did not tell it. */
type Batch = { events: FeedEvent[]; position: string | null }

type Read = (after: string | null, signal: AbortSignal, onBatch: (batch: Batch) => void) => Promise<void>

/** The server sends the first bytes of a stream at once. A proxy that collects them holds them back. */
const longestStart = 5_000
/** The server sends a comment every 15 seconds. Without it, the connection is lost. */
const longestSilence = 40_000
/** The number of events that are read at once. */
const atOnce = 300

/** A proxy holds the stream back. */
class HeldBack extends Error {}

/**
 * Reads the feed of events as a stream until it ends. The first batch comes as soon as the feed is connected. Without a
 * position, it begins at the end of the feed.
 */
const streamFeed: Read = async (after, signal, onBatch) => {
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
const pollFeed: Read = async (after, signal, onBatch) => {
  const response = await callForResponse(`${pathOf(after)}&wait=${after === null ? 0 : 25}`, { signal })
  const { data, meta } = (await response.json()) as { data: FeedEvent[]; meta: { next: string } }
  onBatch({ events: data, position: meta.next })
}

const pathOf = (after: string | null): string => `/events?after=${after ?? "latest"}&limit=${atOnce}`

/** Reads complete messages of a stream. The id of a message is the position after it. */
function batchOf(text: string): Batch {
  const lines = text.split("\n")
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(field)).map((line) => line.slice(field.length))
  return {
    events: valuesOf("data: ").map((data) => JSON.parse(data) as FeedEvent),
    position: valuesOf("id: ").at(-1) ?? null,
  }
}

type Listener = {
  onEvents: (events: FeedEvent[]) => void
  /** Events may be missing before this moment, so all data may be outdated. */
  onGap: () => void
  /** Events were left out, because there were many: all data is outdated. */
  onBurst: () => void
}

/** Why events before a batch are missing: nobody has listened, or there were too many; null if none is missing. */
type Gap = "start" | "burst" | null

/** What one tab tells the others. */
type News = Batch & { gap: Gap }

const firstPause = 1_000
const longestPause = 10_000
/** The pause between two requests that wait for events. While much happens, each has a response at once. */
const pollPause = 3_000
/**
 * When so many events come within a time in ms, such as those of an import, the rest is left out: everything is read again
 * anyway. The feed is connected again after a pause, at its end.
 */
const burst = { events: atOnce, within: 1_000, pause: 5_000 }

/** Many events have come. */
class Burst extends Error {}

/**
 * Follows the feed of events while a tab of the browser is visible. Only one tab is connected, and tells the others what
 * happens: a browser opens few connections to one server. Where the browser has no locks, which is over plain http,
 * each visible tab is connected. Returns a function that ends it.
 */
export function followFeed(user: string, { onEvents, onGap, onBurst }: Listener): () => void {
  const name = `kontor.events.${user}`
  const stopping = new AbortController()
  const channel = new BroadcastChannel(name)
  let position: string | null = null

  const take = (news: News) => {
    position = news.position ?? position
    if (news.gap === "start") onGap()
    if (news.gap === "burst") onBurst()
    if (news.events.length > 0) onEvents(news.events)
  }
  const tell = (news: News) => {
    if (stopping.signal.aborted) return
    take(news)
    channel.postMessage(news)
  }
  channel.onmessage = ({ data }: MessageEvent<News>) => take(data)

  const feed = { position: () => position, forget: () => (position = null), tell }
  void repeat(stopping.signal, (turn) => alone(name, turn, () => readOn(feed, turn)))
  return () => {
    stopping.abort()
    channel.close()
  }
}

/** Runs the work again and again, each time until the tab is hidden. */
async function repeat(stopping: AbortSignal, work: (turn: AbortSignal) => Promise<void>): Promise<void> {
  while (!stopping.aborted) {
    await visibility("visible", stopping)
    const turn = new AbortController()
    void visibility("hidden", AbortSignal.any([stopping, turn.signal])).then(() => turn.abort())
    await work(turn.signal).catch(() => sleep(longestPause, turn.signal))
    turn.abort()
  }
}

/** Resolves when the tab is visible or hidden, or at the end. */
const visibility = (state: DocumentVisibilityState, end: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState !== state && !end.aborted) return
      document.removeEventListener("visibilitychange", check)
      end.removeEventListener("abort", check)
      resolve()
    }
    document.addEventListener("visibilitychange", check)
    end.addEventListener("abort", check)
    check()
  })

const alone = async (name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> =>
  "locks" in navigator ? navigator.locks.request(name, { signal }, work) : work()

type Feed = { position: () => string | null; forget: () => void; tell: (news: News) => void }

/** Reads the feed until the signal, and connects again after longer and longer pauses. */
async function readOn(feed: Feed, signal: AbortSignal): Promise<void> {
  let read = streamFeed
  let pause = firstPause
  let gap: Gap = null
  const isBurst = burstMeter()
  while (!signal.aborted) {
    try {
      // Waits while the session is locked.
      await currentToken()
      if (feed.position() === null) gap ??= "start"
      await read(feed.position(), signal, (batch) => {
        pause = firstPause
        feed.tell({ ...batch, gap })
        gap = null
        if (isBurst(batch.events.length)) throw new Burst()
      })
      if (read === pollFeed) pause = pollPause
    } catch (error) {
      if (error instanceof Burst) {
        feed.forget()
        gap = "burst"
        pause = burst.pause
      }
      if (error instanceof HeldBack) read = pollFeed
      if (error instanceof ApiError && error.status === 410) feed.forget()
      if (error instanceof ApiError && error.retryAfter) pause = Math.max(pause, error.retryAfter * 1_000)
    }
    await sleep(pause, signal)
    pause = Math.min(pause * 2, longestPause)
  }
}

/** Returns a function that counts events, and tells whether many have come within a short time. */
function burstMeter(): (events: number) => boolean {
  let [since, count] = [0, 0]
  return (events) => {
    const now = clock.real()
    if (now - since > burst.within) [since, count] = [now, 0]
    count += events
    return count >= burst.events
  }
}

const sleep = (millis: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, signal.aborted ? 0 : millis)
    signal.addEventListener("abort", end)
  })
