import { callForBlob, messageOf, type DownloadedFile } from "../../../console/api/client"
import { ApiError } from "../../../console/api/send"
import { t } from "../texts"

/** The kinds of documents that have a PDF. */
export type PaperKind = "sales-orders" | "invoices" | "credit-notes"

/** Downloads the PDF of a document, in its own language. */
export const downloadPdf = (kind: PaperKind, id: string, signal?: AbortSignal): Promise<DownloadedFile> =>
  callForBlob("GET", `/${kind}/${id}/pdf`, { signal })

/** Why a file could not be downloaded. The server's message for 503 in other languages is about writes. */
export const paperError = (error: unknown): string =>
  error instanceof ApiError && error.status === 503 ? t(($) => $.paper.busy) : messageOf(error)
