import { download, toError, type Client } from "../../core/http/answer/download"
import { inboxOf, type ExportThread } from "./inbox"

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
