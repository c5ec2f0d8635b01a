import { asDate } from "../../../shared/dates"
import type { Paper } from "../model"
import { loadAssets } from "./assets"
import { clean } from "./clean"
import { drawPages } from "./draw"
import { createFile } from "./file"
import { layoutOf } from "./layout"
import { logoOf } from "./logo"
import { penOf, rulerOf } from "./pen"
import { numberOf, sheetOf, type Sheet } from "./sheet"

/** What a PDF is made of. */
export type PdfJob = {
  paper: Paper
  /** The image of the seller's logo. */
  logo: { type: string; bytes: Uint8Array } | null
  /** The CII that is attached, if the document is an e-invoice. */
  xml: string | null
}

export type Pdf = {
  bytes: Uint8Array
  /** True when the fonts lack letters of the document. */
  hasMissingGlyphs: boolean
}

/** Draws a document as a PDF. The same document always gives the same bytes. */
export async function renderPdf(job: PdfJob): Promise<Pdf> {
  const assets = await loadAssets()
  const logo = await logoOf(job.logo?.bytes)
  const file = createFile(assets, job.paper.language)
  const ruler = rulerOf(file.document, assets)
  const pen = penOf(file.document, ruler)
  const sheet = sheetOf(clean(job.paper), ruler)
  drawPages(pen, sheet, layoutOf(sheet, logo))
  const hasMissingGlyphs = pen.hasMissingGlyphs()
  const metadata = {
    title: titleOf(sheet),
    author: sheet.paper.seller.legalName,
    language: sheet.paper.language,
    createdAt: createdAt(sheet.paper),
    isArchivable: !hasMissingGlyphs && logo?.isArchivable !== false,
    hasEInvoice: job.xml !== null,
  }
  return { bytes: await file.end(metadata, job.xml, idOf(job)), hasMissingGlyphs }
}

const titleOf = (sheet: Sheet): string => `${sheet.texts.titles[sheet.paper.kind]} ${numberOf(sheet)}`

/** When the document was issued. A PDF must not depend on when it is drawn. */
const createdAt = ({ issuedAt, date }: Paper): Date => asDate(issuedAt ?? date)

/** Identifies the content of a PDF. */
function idOf({ paper, logo, xml }: PdfJob): Uint8Array {
  const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify([paper, xml]))
  if (logo) hash.update(logo.bytes)
  return new Uint8Array(hash.digest().subarray(0, 16))
}
