import type { GivenFormat, PieceOf, SheetHead, SheetReader, SheetRow } from "../model"
import type { RowsRequest } from "./rows"
import { SheetError, unreadable } from "./sheet-error"
import type { SheetAnswer, SheetFailure, SheetPiece, SheetQuestion } from "./sheet-worker"

type Waiting = { resolve: (answer: SheetAnswer) => void; reject: (error: Error) => void }
type Asked = { head: GivenFormat } | { rows: RowsRequest } | { next: true }

/**
 * Opens a file in a background thread, which ends by `close`. The thread asks for the pieces of the file when it needs
 * them. A file that cannot be read rejects with a SheetError, whose message is a sentence.
 */
export function openSheet(pieceOf: PieceOf, given: GivenFormat): SheetReader {
  const { ask, close } = sheetThread(pieceOf)
  return {
    async head(): Promise<SheetHead> {
      const answer = await ask({ head: given })
      if ("head" in answer) return answer.head
      throw unreadable()
    },
    async *rows(format, plan, from): AsyncGenerator<SheetRow[]> {
      let next = ask({ rows: { format, plan, from } })
      for (;;) {
        const answer = await next
        if (!("rows" in answer) || !answer.rows) return
        next = ask({ next: true })
        // It may never be waited for, when no more rows are wanted.
        next.catch(() => {})
        yield answer.rows
      }
    },
    close,
  }
}

const errorOf = ({ reason, message, params, detail }: SheetFailure): SheetError =>
  new SheetError(reason, message, { params, cause: detail })

/** Starts the thread. Each question is answered once. */
function sheetThread(pieceOf: PieceOf) {
  const worker = new Worker(new URL("./sheet-worker.ts", import.meta.url).href, { smol: true })
  const waiting = new Map<number, Waiting>()
  let ended: Error | null = null
  let lastId = 0

  const end = (error: Error) => {
    ended ??= error
    worker.terminate()
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  }
  const send = (message: SheetQuestion | SheetPiece) => worker.postMessage(message)

  worker.onmessage = ({ data }: MessageEvent<SheetAnswer>) => {
    if (ended) return
    if ("need" in data) return sendPiece(data.need)
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if ("error" in data) asked?.reject(errorOf(data.error))
    else asked?.resolve(data)
  }
  worker.onerror = (event) => end(unreadable(event.message))
  worker.addEventListener("close", () => end(unreadable()))

  /** When there is no piece because of an error, that is why the file cannot be read. */
  const sendPiece = (index: number) => {
    try {
      const piece = pieceOf(index)
      // A copy, because a message has all of the memory that a piece may be a part of.
      send({ piece: piece && new Uint8Array(piece) })
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const ask = (asked: Asked): Promise<SheetAnswer> => {
    if (ended) return Promise.reject(ended)
    const { promise, resolve, reject } = Promise.withResolvers<SheetAnswer>()
    const id = ++lastId
    send({ id, ...asked })
    waiting.set(id, { resolve, reject })
    return promise
  }
  return { ask, close: () => end(new SheetError("UNREADABLE", "The file has been closed.")) }
}
