// How every client reads the feed of events. `kontor client` prints what follows the line.
import { KontorError, pause } from "./runtime"
import type { Options, Send } from "./shapes"
export { following }
/** Imported as a text, this file is its text. */
export default ""
// ------------------------------------------------------------------------------------------------------------------

/** What to read of the feed of events. */
export type FeedQuery = {
  /** A position, or `latest` for the end of the feed. Without it, the oldest events come first. */
  after?: string | undefined
  /** Types of events, such as `invoices.*`. All by default. */
  types?: readonly string[]
  /** Kinds of records. All by default. */
  kinds?: readonly string[]
  /** Adds each record as it is now. */
  include?: "record"
  /** How many events a request returns at most. */
  limit?: number
  /** How many seconds a request waits for events. 25 by default; less than the timeout of the client. */
  wait?: number
  /** False ends at the end of the feed. By default, the feed is followed without an end. */
  follow?: boolean
}

/**
 * The events of the feed in their order. Store `position` when you have handled an event: reading on after it misses
 * nothing. Inside a page it is the beginning of the page, so the events of one page may come again.
 */
export type Feed<Row> = AsyncIterable<Row> & { readonly position: string | undefined }

type FeedPage<Row> = { data: Row[]; meta: { next: string; hasMore: boolean } }

/** Whether the server could not be reached, so that the feed can be read on later. */
const isOutage = (error: unknown): boolean =>
  error instanceof KontorError && [0, 429, 502, 503, 504].includes(error.status)

/** Reads a page, and tries again until the server responds. */
async function patient<Result>(
  read: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let failures = 0; ; failures++)
    try {
      return await read()
    } catch (error) {
      if (!isOutage(error)) throw error
      await pause(Math.min(30, 2 ** failures), signal)
    }
}

/** An event with its record. */
export type WithRecord<Row> = Row extends { record?: unknown } ? Row & Required<Pick<Row, "record">> : Row

/** Reads the feed. With `include: "record"`, every event has its record. */
type Follow<Row> = {
  (query: FeedQuery & { include: "record" }, options?: Options): Feed<WithRecord<Row>>
  (query?: FeedQuery, options?: Options): Feed<Row>
}

function following<Row>(send: Send, target: () => string): Follow<Row> {
  const open = ({ after, wait = 25, follow = true, ...query }: FeedQuery = {}, options?: Options) => {
    let position = after
    const read = () => {
      // The position of the end must be known before the first wait, or a lost response would lose events.
      const waited = follow && position !== "latest" ? wait : undefined
      const sent = { ...query, after: position, wait: waited }
      return send<FeedPage<Row>>("GET", target(), { query: sent, options, as: "page" })
    }
    async function* events(): AsyncGenerator<Row, void, undefined> {
      for (;;) {
        const { data, meta } = follow ? await patient(read, options?.signal) : await read()
        for (const [i, event] of data.entries()) {
          if (i === data.length - 1) position = meta.next
          yield event
        }
        position = meta.next
        if (!follow && !meta.hasMore) return
      }
    }
    return {
      [Symbol.asyncIterator]: events,
      get position() {
        return position
      },
    }
  }
  return open as Follow<Row>
}
