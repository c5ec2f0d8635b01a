import { steadyMillis } from "../../lib/clock"
import { Refusal } from "../../lib/refusal"

/** How slowly a client may take a file. */
type Pace = {
  /** In bytes per second. A client that always takes at least this much gets the whole file. */
  slowest: number
  /** In milliseconds: how long a client may take nothing. */
  longestPause: number
}

/**
 * As slow as an ISDN line, and a pause for a phone in a tunnel. The system tells that a client has taken something only
 * when about a third of its send buffer is free, which has up to 4 MB: at this pace after three minutes.
 */
export const standardPace: Pace = { slowest: 8 * 1024, longestPause: 5 * 60_000 }

/**
 * Returns when a client must have asked for more, each time it has got some bytes: time for the pace that it must keep,
 * and no more than the longest pause ahead, so that a client that was fast cannot hold the file for hours. Times are in
 * milliseconds.
 */
export function deadlines({ slowest, longestPause }: Pace, now: number) {
  let due = now + longestPause
  return {
    due: () => due,
    /** Notes that the client got some bytes, which the server needed some time for. */
    got(bytes: number, tookMillis: number, at: number): void {
      // A server that was busy may notice late that the client asked in time.
      const from = Math.max(due + tookMillis, at)
      due = Math.min(from + (bytes / slowest) * 1_000, at + longestPause)
    },
  }
}

/** Where the bytes of a file come from. */
export type Source = {
  /** Returns the next bytes; null at the end. */
  take(): Promise<Uint8Array | null>
  /** Frees what the source holds. Called once: with the failure, if the file is not complete. */
  end(failure: Error | null): void
}

export type Client = {
  signal: AbortSignal
  /** Throws if the client may no longer read the file. Called before each part of it. */
  assertStillMay(): void
  /** Called when it has got the last part, which it may not have received yet. */
  onLast?(): void
  pace?: Pace
}

/** The reasons why a download ends before its file is complete, without a fault of the server. */
export const disconnected = () => new Refusal("BAD_REQUEST", "The client has disconnected.")
const tooSlow = () => new Refusal("BAD_REQUEST", "The client is too slow.")

/**
 * Streams a file to a client, no faster than the client takes it. What the source holds is freed when the file is complete,
 * and before that when the client disconnects, is too slow or loses its right, and when the source fails. A file that is
 * not complete ends with an error, which resets the connection, so that it does not look complete.
 */
export function download(source: Source, { signal, assertStillMay, onLast, pace = standardPace }: Client) {
  let times = deadlines(pace, steadyMillis())
  let timer: Timer | undefined
  let isEnded = false

  const end = (failure: Error | null): void => {
    if (isEnded) return
    isEnded = true
    clearTimeout(timer)
    if (failure) output.fail(failure)
    source.end(failure)
  }
  const waitForClient = (): void => {
    if (!isEnded) timer = setTimeout(() => end(tooSlow()), times.due() - steadyMillis())
  }
  const next = async (): Promise<Uint8Array | null> => {
    clearTimeout(timer)
    assertStillMay()
    const asked = steadyMillis()
    const bytes = await source.take()
    const now = steadyMillis()
    if (bytes) {
      times.got(bytes.length, now - asked, now)
      waitForClient()
    } else {
      end(null)
      onLast?.()
    }
    return bytes
  }
  const output = pulled(next, end)
  whenAborted(signal, () => end(disconnected()))
  return {
    end,
    /** Returns the stream. From now on, the client must take it. */
    begin(): ReadableStream<Uint8Array> {
      times = deadlines(pace, steadyMillis())
      waitForClient()
      return output.stream
    },
  }
}

/** Runs something when a signal is aborted, immediately if it is already. */
function whenAborted(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) run()
  else signal.addEventListener("abort", run)
}

/** A stream of what `next` returns until null, and a function that ends it with a failure. */
function pulled(next: () => Promise<Uint8Array | null>, onFailure: (failure: Error) => void) {
  let isFailed = false
  let fail = (_failure: Error): void => {}
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = (failure) => {
          isFailed = true
          controller.error(failure)
        }
      },
      async pull(controller) {
        try {
          const bytes = await next()
          if (isFailed) return
          if (bytes) controller.enqueue(bytes)
          else controller.close()
        } catch (error) {
          onFailure(toError(error))
        }
      },
      cancel: () => onFailure(disconnected()),
    },
    { highWaterMark: 0 },
  )
  return { stream, fail: (failure: Error) => fail(failure) }
}

export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
