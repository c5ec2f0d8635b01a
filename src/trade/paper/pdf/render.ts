import { asDate } from "../../../shared/dates"
import type { Paper } from "../model"
import { loadAssets } from "./fonts"
import { createFile } from "./file"
import { footerBottomOf, type Layout, layoutOf } from "./layout"
import { logoOf } from "./logo"
import { type Pen, penOf, rulerOf } from "./pen"
import { numberOf, type Sheet, sheetOf } from "./sheet"
import { a4, contentWidth, faint, left, mm, right, rule, small, strong, type Style } from "./style"

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

const titleOf = (sheet: Sheet): string => `${sheet.paper.title} ${numberOf(sheet)}`

/** When the document was issued. A PDF must not depend on when it is drawn. */
const createdAt = ({ issuedAt, date }: Paper): Date => asDate(issuedAt ?? date)

/** Identifies the content of a PDF. */
function idOf({ paper, logo, xml }: PdfJob): Uint8Array {
  const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify([paper, xml]))
  if (logo) hash.update(logo.bytes)
  return new Uint8Array(hash.digest().subarray(0, 16))
}

/** Draws the pages of a document. */
function drawPages(pen: Pen, sheet: Sheet, layout: Layout): void {
  const { pages, footer, bill } = layout
  const drawHead = laterHead(sheet)
  pages.forEach(({ placed }, i) => {
    const page = i + 1
    pen.document.addPage()
    drawMark(pen, sheet)
    if (page > 1) drawHead(pen)
    for (const { y, piece } of placed) piece.draw(pen, y)
    footer.draw(pen, footerBottomOf(layout, page), page, pages.length)
    if (page === pages.length) bill?.draw(pen.document)
  })
}

/** Writes that the document is a draft or cancelled across the page, behind everything else. */
function drawMark({ document, text }: Pen, { paper, texts, ruler }: Sheet): void {
  if (paper.mark === null) return
  const word = texts.marks[paper.mark].toUpperCase()
  const base: Style = { weight: "bold", size: 100, color: faint }
  const style = { ...base, size: (100 * 195 * mm) / ruler.width(word, base) }
  const center: [number, number] = [a4.width / 2, a4.height / 2]
  document.save().rotate(-52, { origin: center })
  text(word, center[0] - ruler.width(word, style) / 2, center[1] - style.size * 0.7, style)
  document.restore()
}

/** The top of the second and later pages: the company, and which document they belong to. */
function laterHead(sheet: Sheet): (pen: Pen) => void {
  const { paper, ruler } = sheet
  const y = 17 * mm
  const half = contentWidth / 2 - 4 * mm
  const style = { ...strong, size: small.size }
  const [name = ""] = ruler.lines(paper.seller.legalName ?? "", half, small, 1)
  const [title = ""] = ruler.lines(`${paper.title} ${numberOf(sheet)}`, half, style, 1)
  return (pen) => {
    pen.text(name, left, y, small)
    pen.textTo(title, right, y, style)
    pen.line(left, y + 6 * mm, contentWidth, rule)
  }
}

// Control characters, and invisible ones that change how the text around them is displayed. A font has no glyphs for
// them, and XML does not allow all of them. Line breaks and tabs are handled first.
// eslint-disable-next-line no-control-regex -- these are the characters being removed
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cf}|[\ufe00-\ufe0f]/gu
const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const longGaps = /\n\s*\n\s*\n/g

/** Signs that the fonts lack, and what is drawn instead. */
const substitutes: Readonly<Record<string, string>> = {
  "≤": "<=",
  "≥": ">=",
  "≈": "~",
  "≠": "!=",
  "→": "->",
  "←": "<-",
  "⌀": "Ø",
  "∅": "Ø",
  "●": "•",
  "■": "•",
  "▪": "•",
  "∙": "·",
  "∆": "Δ",
  "∑": "Σ",
}
const lackingSigns = new RegExp(`[${Object.keys(substitutes).join("")}]`, "g")

/** Returns a text that can be drawn and written into metadata: well-formed, composed, without control characters. */
const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(lineBreaks, "\n")
    .replaceAll("\t", " ")
    .replace(unprintable, "")
    .normalize("NFC")
    .replace(lackingSigns, (sign) => substitutes[sign] ?? sign)
    .replace(longGaps, "\n\n")
    .trim()

/** Cleans every text of a value, at any depth. */
function clean<T>(value: T): T {
  return cleaned(value) as T
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cleaned(part)]))
}
