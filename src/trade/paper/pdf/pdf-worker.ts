// Draws PDFs in a separate thread, because drawing a page takes a tenth of a second.
import { runAfterRequests } from "../../../core/lib/process/priority"
import { renderPdf, type Pdf, type PdfJob } from "./render"

declare const self: Worker

/** A PDF, or why there is none. */
export type PdfAnswer = { pdf: Pdf } | { error: string }

runAfterRequests()

self.onmessage = async ({ data }: MessageEvent<PdfJob>) => {
  self.postMessage(await answerTo(data))
}

async function answerTo(job: PdfJob): Promise<PdfAnswer> {
  try {
    return { pdf: await renderPdf(job) }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
