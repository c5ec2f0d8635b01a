import type { Kinds } from "../../console/api/types"
import type { BulkAction } from "../../console/lists/bulk-bar"
import { t } from "./texts"
import { downloadPdf, type PaperKind } from "./paper-files"

/** Downloads the PDFs of the selected documents as one zip. */
export const pdfBulk = <K extends PaperKind>(kind: K): BulkAction<Kinds[K]> => ({
  label: t(($) => $.paper.downloadPdfs),
  done: "downloaded",
  download: ({ id }, signal) => downloadPdf(kind, id, signal),
})
