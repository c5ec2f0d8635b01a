import { clock } from "../clock"
import { atOnce, HeldBack, pollFeed, streamFeed, type Batch } from "./feed"
import { ApiError } from "./send"
import { currentToken } from "./session"
import type { FeedEvent } from "./types"

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
