import { download, toError, type Client } from "../../core/http/answer/download"
import { receivedFailure, type SentFailure } from "../../core/engine/failures"
import type { ExportJob } from "./model"

/**
 * The server's end of an export: a download of what its thread sends. The thread ends with the download, because its
 * snapshot keeps the write-ahead log from being emptied.
 */
export function receiving(thread: ExportThread, client: Client) {
  const inbox = inboxOf(thread)
  const ended = Promise.withResolvers<Error | null>()
  const output = download(
    {
      take: inbox.take,
      end(failure) {
        inbox.close(failure)
        thread.terminate()
        ended.resolve(failure)
      },
    },
    client,
  )
  return {
    end: output.end,
    /** Resolves when the thread has ended: with the failure, if there was one. */
    ended: ended.promise,
    /** Returns the stream when its first bytes have arrived. Throws the failure of the thread before that. */
    async begin(): Promise<ReadableStream<Uint8Array>> {
      try {
        await inbox.arrived()
      } catch (error) {
        output.end(toError(error))
        throw error
      }
      return output.begin()
    },
  }
}

/** The thread of an export, as a `Worker` is. */
export type ExportThread = {
  onmessage: ((event: MessageEvent<FromThread>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage(message: ToThread, transfer: ArrayBuffer[]): void
  terminate(): void
}

/** The chunks that the thread of an export has sent and that are not taken yet. */
function inboxOf(thread: ExportThread) {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let end: { failure: Error | null } | null = null
  let arrive = () => {}

  const close = (failure: Error | null): void => {
    end ??= { failure }
    arrive()
  }
  const arrived = async (): Promise<void> => {
    while (chunks.length === 0 && end === null)
      await new Promise<void>((resolve) => {
        arrive = resolve
      })
    if (end?.failure) throw end.failure
  }
  thread.onmessage = ({ data }) => {
    if ("error" in data) close(receivedFailure(data))
    else if ("isDone" in data) close(null)
    else {
      chunks.push(data.chunk)
      arrive()
    }
  }
  thread.onerror = (event) => close(new Error(event.message || "The thread of the export failed."))

  return {
    /** Ends the inbox, if it has not ended yet. After a failure, chunks that are not taken yet are dropped. */
    close,
    /** Resolves when the first chunk has arrived. Throws the failure of the thread. */
    arrived,
    /** Takes the next chunk; null after the last one. Throws the failure of the thread. */
    async take(): Promise<Uint8Array<ArrayBuffer> | null> {
      await arrived()
      const chunk = chunks.shift() ?? null
      if (chunk) thread.postMessage({ taken: chunk.length }, [])
      return chunk
    },
  }
}

/** A database to read: the path of its file, or the bytes of one in memory. */
type Source = string | Uint8Array<ArrayBuffer>

/** To the thread: first what to do, then how many bytes the client has taken. */
export type ToThread = { job: ExportJob; source: Source; at: number } | { taken: number }

/** From the thread: the file in chunks, then whether it is complete. */
export type FromThread = { chunk: Uint8Array<ArrayBuffer> } | { isDone: true } | SentFailure
