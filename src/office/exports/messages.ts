import type { SentFailure } from "../../core/engine/sent-failure"
import type { ExportJob } from "./model"

/** A database to read: the path of its file, or the bytes of one in memory. */
export type Source = string | Uint8Array<ArrayBuffer>

/** To the thread: first what to do, then how many bytes the client has taken. */
export type ToThread = { job: ExportJob; source: Source } | { taken: number }

/** From the thread: the file in chunks, then whether it is complete. */
export type FromThread = { chunk: Uint8Array<ArrayBuffer> } | { isDone: true } | SentFailure
