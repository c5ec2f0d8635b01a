import { chunksOf } from "./chunks"
import type { Pieces } from "./list-file"
import type { FromThread } from "./messages"

/** Chunks with at least this many bytes in total wait for the client before the thread goes on. */
const mostWaiting = 512 * 1024

/** The thread's end of an export: sends a file no faster than the client takes it. */
export function sending(post: (message: FromThread, transfer: ArrayBuffer[]) => void) {
  let waiting = 0
  let goOn = () => {}
  return {
    taken(bytes: number): void {
      waiting -= bytes
      goOn()
    },

    async send(pieces: Pieces): Promise<void> {
      for await (const chunk of chunksOf(pieces)) {
        while (waiting >= mostWaiting) await new Promise<void>((resolve) => (goOn = resolve))
        waiting += chunk.length
        post({ chunk }, [chunk.buffer])
      }
      post({ isDone: true }, [])
    },
  }
}
