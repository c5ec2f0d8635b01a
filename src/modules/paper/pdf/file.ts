import PDFDocument from "pdfkit"
import { noFont, type Assets } from "./assets"
import type { Face, Glyph } from "./face"
import { a4, type Weight } from "./style"
import { eInvoiceName, xmpOf, type Metadata } from "./xmp"

/** The names of the fonts in pdfkit. The code that draws Swiss QR bills uses these names, and gets our fonts. */
export const fontNames: Record<Weight, string> = { regular: "Helvetica", bold: "Helvetica-Bold" }

const lineFeed = 10
/** The heights of Helvetica, for which the form of Swiss QR bills is made: with taller lines its parts would overlap. */
const helvetica = { ascent: 0.718, descent: -0.207, lineGap: 0.231 }

/** The parts of pdfkit's document that its types do not declare. */
type Internals = { _root: { data: Record<string, unknown> }; _id: Uint8Array; _addInfo(): void }

/** A PDF that is being written. */
export type PdfFile = {
  document: PDFKit.PDFDocument
  /** True as soon as a letter was drawn that the fonts lack. */
  hasMissingGlyphs(): boolean
  /** Ends the file and returns its bytes. `id` identifies the content. */
  end(metadata: Metadata, xml: string | null, id: Uint8Array): Promise<Uint8Array>
}

/** Creates a PDF in which all fonts are embedded. */
export function createFile(assets: Assets, language: string): PdfFile {
  let hasMissing = false
  const document = new PDFDocument({
    font: noFont,
    pdfVersion: "1.7",
    size: [a4.width, a4.height],
    margin: 0,
    autoFirstPage: false,
    displayTitle: true,
    lang: language,
    fontLayoutCache: false,
  } as PDFKit.PDFDocumentOptions)
  for (const weight of ["regular", "bold"] as const)
    document.registerFont(
      fontNames[weight],
      sourceOf(assets.faces[weight], () => (hasMissing = true)),
    )
  return {
    document,
    hasMissingGlyphs: () => hasMissing,
    end: async (metadata, xml, id) => {
      const bytes = bytesOf(document)
      finish(document, metadata, assets.colorProfile, xml, id)
      return bytes
    },
  }
}

/** A font for pdfkit whose layout is that of the face. Every drawn text passes it, so it finds the missing letters. */
function sourceOf(face: Face, onMissing: () => void): string {
  const layout = (text: string) => {
    const glyphs: Glyph[] = []
    const positions: { xAdvance: number }[] = []
    let [last, advanceWidth] = [0, 0]
    for (const letter of text) {
      const codePoint = letter.codePointAt(0) ?? 0
      // pdfkit measures line breaks too, but does not draw them.
      if (codePoint === lineFeed) continue
      const glyph = face.glyphOf(codePoint)
      if (glyph.isMissing) onMissing()
      const distance = face.kerning(last, codePoint)
      const before = positions.at(-1)
      if (before) before.xAdvance += distance
      glyphs.push(glyph)
      positions.push({ xAdvance: glyph.advanceWidth })
      advanceWidth += glyph.advanceWidth + distance
      last = codePoint
    }
    return { glyphs, positions, advanceWidth }
  }
  // pdfkit accepts any object with a layout as a font, which its types do not say.
  return Object.create(face.file, {
    layout: { value: layout },
    ascent: { value: helvetica.ascent * face.file.unitsPerEm },
    descent: { value: helvetica.descent * face.file.unitsPerEm },
    lineGap: { value: helvetica.lineGap * face.file.unitsPerEm },
  }) as string
}

function finish(
  document: PDFKit.PDFDocument,
  metadata: Metadata,
  colorProfile: Uint8Array,
  xml: string | null,
  id: Uint8Array,
): void {
  const internals = document as unknown as Internals
  const { title, author, createdAt } = metadata
  document.info = {
    Title: title,
    ...(author === null ? {} : { Author: author }),
    Creator: "Kontor",
    Producer: "Kontor",
    CreationDate: createdAt,
    ModDate: createdAt,
  }
  internals._id = id
  // pdfkit does not escape the texts of its own metadata.
  internals._addInfo = () => document.appendXML(xmpOf(metadata))
  internals._root.data.OutputIntents = [outputIntent(document, colorProfile)]
  if (xml !== null)
    document.file(Buffer.from(xml), {
      name: eInvoiceName,
      type: "text/xml",
      description: "Factur-X",
      relationship: "Alternative",
      creationDate: createdAt,
      modifiedDate: createdAt,
    } as PDFKit.Mixins.PDFAttachmentOptions)
  document.end()
}

/** The colours of the PDF are sRGB. */
function outputIntent(document: PDFKit.PDFDocument, colorProfile: Uint8Array): PDFKit.PDFKitReference {
  const profile = document.ref({ N: 3 })
  profile.end(Buffer.from(colorProfile))
  const name = Object("sRGB IEC61966-2.1")
  const intent = document.ref({
    Type: "OutputIntent",
    S: "GTS_PDFA1",
    Info: name,
    OutputConditionIdentifier: name,
    DestOutputProfile: profile,
  })
  intent.end(null)
  return intent
}

async function bytesOf(document: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of document) chunks.push(chunk as Uint8Array)
  return new Uint8Array(Buffer.concat(chunks))
}
