import type { Pieces } from "./exporter"
import type { FromThread } from "./receiving"

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

const bytesAtOnce = 64 * 1024
const encoder = new TextEncoder()

/** Combines the pieces of a file into chunks of bytes that nothing else refers to, so that they can be transferred. */
async function* chunksOf(pieces: Pieces): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    const bytes = typeof piece === "string" ? encoder.encode(piece) : piece
    waiting.push(bytes)
    size += bytes.length
    if (size < bytesAtOnce) continue
    yield joined(waiting, size)
    waiting = []
    size = 0
  }
  if (size > 0) yield joined(waiting, size)
  return undefined
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
