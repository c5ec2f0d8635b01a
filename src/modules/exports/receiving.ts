import { Refusal } from "../../lib/refusal"
import { inboxOf, type ExportThread } from "./inbox"

/** The reasons why an export ends before its file is complete, without a fault of the server. */
export const disconnected = () => new Refusal("BAD_REQUEST", "The client has disconnected.")
const tooSlow = () => new Refusal("BAD_REQUEST", "The client took nothing for too long.")

/**
 * The server's end of an export: a stream of what its thread sends. The thread ends with the stream: when the file is
 * complete, when the thread fails, and when the client disconnects or takes nothing for `longestWait` milliseconds, because
 * the snapshot of the thread keeps the write-ahead log from being emptied. A file that is not complete ends with an error,
 * which resets the connection.
 */
export function receiving(thread: ExportThread, longestWait: number) {
  const inbox = inboxOf(thread)
  const ended = Promise.withResolvers<Error | null>()
  let timer: Timer | undefined
  const end = (failure: Error | null): void => {
    clearTimeout(timer)
    if (failure) output.fail(failure)
    inbox.close(failure)
    thread.terminate()
    ended.resolve(failure)
  }
  const waitForClient = (): void => {
    timer = setTimeout(() => end(tooSlow()), longestWait)
  }
  const output = pulled(
    async () => {
      clearTimeout(timer)
      const chunk = await inbox.take()
      if (chunk) waitForClient()
      else end(null)
      return chunk
    },
    (failure) => end(failure),
  )
  return {
    end,
    /** Resolves when the thread has ended: with the failure, if there was one. */
    ended: ended.promise,
    /** Returns the stream when its first bytes have arrived. Throws the failure of the thread before that. */
    async begin(): Promise<ReadableStream<Uint8Array>> {
      try {
        await inbox.arrived()
      } catch (error) {
        end(toError(error))
        throw error
      }
      waitForClient()
      return output.stream
    },
  }
}

/** A stream of the chunks that `take` returns until null, and a function that ends it with a failure. */
function pulled(take: () => Promise<Uint8Array | null>, onFailure: (failure: Error) => void) {
  let fail = (_failure: Error): void => {}
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = (failure) => controller.error(failure)
      },
      async pull(controller) {
        try {
          const chunk = await take()
          if (chunk) controller.enqueue(chunk)
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

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
