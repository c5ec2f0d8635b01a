import type { GivenFormat, PieceOf, SheetHead, SheetReader, SheetRow } from "../model"
import type { RowsRequest } from "./rows"
import { SheetError, stuck, unreadable } from "./sheet-error"
import type { SheetAnswer, SheetFailure, SheetPiece, SheetQuestion } from "./sheet-worker"

type Waiting = { resolve: (answer: SheetAnswer) => void; reject: (error: Error) => void }
type Asked =
  | { head: GivenFormat; known: readonly string[]; whole: readonly string[] }
  | { rows: RowsRequest }
  | { next: true }

/**
 * In milliseconds. The thread says something after each piece and after each megabyte that it unpacks, which takes less
 * than a tenth of a second, and longer beside other work. So only a thread that is stuck is silent for as long.
 */
const patience = 3 * 60_000

/**
 * Opens a file in a background thread, which ends by `close`, or when it makes no progress. The thread asks for the pieces
 * of the file when it needs them. `whole` are the fields that are objects without parts. A file that cannot be read rejects with a SheetError, whose message is a sentence.
 */
export function openSheet(
  pieceOf: PieceOf,
  given: GivenFormat,
  { threadOf = newThread, silent = patience, whole = [] as readonly string[] } = {},
): SheetReader {
  const { ask, close } = sheetThread(threadOf(), pieceOf, silent)
  return {
    async head(known = []): Promise<SheetHead> {
      const answer = await ask({ head: given, known, whole })
      if ("head" in answer) return answer.head
      throw unreadable()
    },
    async *rows(format, plan, from, marksTotals = false): AsyncGenerator<SheetRow[]> {
      let next = ask({ rows: { format, plan, from, marksTotals, whole } })
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

const newThread = (): Worker => new Worker(new URL("./sheet-worker.ts", import.meta.url).href, { smol: true })

/**
 * Calls `onSilence` when nothing was heard for some time while something is waited for. It looks several times,
 * so that what arrived while this thread was busy is heard first.
 */
function watchOf(silent: number, isWaiting: () => boolean, onSilence: () => void) {
  let looks = 0
  const timer = setInterval(() => {
    looks = isWaiting() ? looks + 1 : 0
    if (looks > 2) onSilence()
  }, silent / 2).unref()
  return { hear: () => void (looks = 0), stop: () => clearInterval(timer) }
}

/** The questions that are not answered yet. Each is answered once. */
function openQuestions(send: (message: SheetQuestion) => void) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  return {
    isOpen: (): boolean => waiting.size > 0,
    ask(asked: Asked): Promise<SheetAnswer> {
      const { promise, resolve, reject } = Promise.withResolvers<SheetAnswer>()
      const id = ++lastId
      send({ id, ...asked })
      waiting.set(id, { resolve, reject })
      return promise
    },
    answer(data: Extract<SheetAnswer, { id: number }>): void {
      const asked = waiting.get(data.id)
      waiting.delete(data.id)
      if ("error" in data) asked?.reject(errorOf(data.error))
      else asked?.resolve(data)
    },
    rejectAll(error: Error): void {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    },
  }
}

function sheetThread(worker: Worker, pieceOf: PieceOf, silent: number) {
  let ended: Error | null = null
  const send = (message: SheetQuestion | SheetPiece) => worker.postMessage(message)
  const questions = openQuestions(send)
  const end = (error: Error) => {
    ended ??= error
    watch.stop()
    worker.terminate()
    questions.rejectAll(ended)
  }
  const watch = watchOf(silent, questions.isOpen, () => end(stuck()))

  worker.onmessage = ({ data }: MessageEvent<SheetAnswer>) => {
    if (ended) return
    watch.hear()
    if ("need" in data) sendPiece(data.need)
    else if ("id" in data) questions.answer(data)
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
  const ask = (asked: Asked): Promise<SheetAnswer> => (ended ? Promise.reject(ended) : questions.ask(asked))
  return { ask, close: () => end(new SheetError("UNREADABLE", "The file has been closed.")) }
}
