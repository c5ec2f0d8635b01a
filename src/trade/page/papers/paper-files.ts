import { callForBlob, messageOf, type DownloadedFile } from "../../../console/api/client"
import type { Kind, Kinds } from "../../../console/api/types"
import { ApiError } from "../../../console/api/send"
import { t } from "../texts"

/** The kinds with lines and taxes: documents, and templates of them. */
export type LinesKind = {
  [K in Kind]: Kinds[K] extends { items: readonly unknown[]; taxes: readonly unknown[] } ? K : never
}[Kind]

/** The kinds of documents that have a PDF: those that are sent. */
export type PaperKind = {
  [K in LinesKind]: Kinds[K] extends { lastSentAt: unknown } ? K : never
}[LinesKind]

/** The letters: their PDF is in the language in which they were written. */
const letters = ["reminders", "deliveries"] as const

/** The kinds that have a PDF: documents, and letters. */
export type PrintedKind = PaperKind | (typeof letters)[number]

export const isLetter = (kind: PrintedKind): boolean => (letters as readonly PrintedKind[]).includes(kind)

/** Downloads the PDF of a document, in its own language. */
export const downloadPdf = (kind: PrintedKind, id: string, signal?: AbortSignal): Promise<DownloadedFile> =>
  callForBlob("GET", `/${kind}/${id}/pdf`, { signal })

/** Why a file could not be downloaded. The server's message for 503 in other languages is about writes. */
export const paperError = (error: unknown): string =>
  error instanceof ApiError && error.status === 503 ? t(($) => $.paper.busy) : messageOf(error)
