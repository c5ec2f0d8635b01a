// Reads table files in a separate thread, because reading 100,000 rows takes seconds.
import { runAfterRequests } from "../../../core/lib/process/priority"
import type { GivenFormat, SheetHead, SheetRow } from "../model"
import { readHead } from "./head"
import { readRows, type RowsRequest } from "./rows"
import { SheetError, unreadable } from "./sheet-error"
import { onUnpacked } from "./xlsx/zip"

declare const self: Worker

/** What the worker is asked for. `rows` begins to read and is answered by the first rows, `next` by those after them. */
export type SheetQuestion =
  | { id: number; head: GivenFormat; known: readonly string[]; whole: readonly string[] }
  | { id: number; rows: RowsRequest }
  | { id: number; next: true }

/** A piece of the file that the worker has asked for. */
export type SheetPiece = { piece: Uint8Array | null }

/**
 * What the worker says. `rows` is null after the last ones. `need` asks for a piece of the file. `progress` only says that
 * more of the file was read.
 */
export type SheetAnswer =
  | { need: number }
  | { progress: true }
  | { id: number; head: SheetHead }
  | { id: number; rows: SheetRow[] | null }
  | { id: number; error: SheetFailure }

/** Why the file cannot be read. `detail` is only for the log. */
export type SheetFailure = Pick<SheetError, "reason" | "message" | "params"> & { detail: string | null }

runAfterRequests()

onUnpacked(() => say({ progress: true }))

let arrived: ((piece: Uint8Array | null) => void) | null = null
let reading: AsyncIterator<SheetRow[]> | null = null
let last = Promise.resolve()

self.onmessage = ({ data }: MessageEvent<SheetQuestion | SheetPiece>) => {
  if ("piece" in data) arrived?.(data.piece)
  else last = last.then(() => answer(data))
}

async function answer(question: SheetQuestion): Promise<void> {
  try {
    if ("head" in question)
      say({ id: question.id, head: await readHead(pieceOf, question.head, question.known, question.whole) })
    else {
      if ("rows" in question) {
        await reading?.return?.()
        reading = readRows(pieceOf, question.rows)
      }
      const rows = await reading?.next()
      say({ id: question.id, rows: rows?.done === false ? rows.value : null })
    }
  } catch (error) {
    say({ id: question.id, error: failureOf(error) })
  }
}

/** Any error that is not about the file is a bug. */
function failureOf(error: unknown): SheetFailure {
  const isOfFile = error instanceof SheetError
  const { reason, message, params } = isOfFile ? error : unreadable()
  return { reason, message, params, detail: isOfFile ? null : String(error) }
}

function pieceOf(index: number): Promise<Uint8Array | null> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | null>()
  arrived = resolve
  say({ need: index })
  return promise
}

function say(message: SheetAnswer): void {
  self.postMessage(message)
}
