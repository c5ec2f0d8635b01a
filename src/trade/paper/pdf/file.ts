import PDFDocument from "pdfkit"
import { noFont, type Assets } from "./assets"
import { a4, type Weight } from "./style"
import { eInvoiceName, xmpOf, type Metadata } from "./xmp"

/** The names of the fonts in pdfkit. The code that draws Swiss QR bills uses these names, and gets our fonts. */
export const fontNames: Record<Weight, string> = { regular: "Helvetica", bold: "Helvetica-Bold" }

/** The parts of pdfkit's document that its types do not declare. */
type Internals = { _root: { data: Record<string, unknown> }; _id: Uint8Array; _addInfo(): void }

/** A PDF that is being written. */
export type PdfFile = {
  document: PDFKit.PDFDocument
  /** Ends the file and returns its bytes. `id` identifies the content. */
  end(metadata: Metadata, xml: string | null, id: Uint8Array): Promise<Uint8Array>
}

/** Creates a PDF in which all fonts are embedded. */
export function createFile(assets: Assets, language: string): PdfFile {
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
  // pdfkit accepts any object with a layout as a font, which its types do not say.
  for (const weight of ["regular", "bold"] as const)
    document.registerFont(fontNames[weight], assets.faces[weight] as unknown as string)
  return {
    document,
    end: async (metadata, xml, id) => {
      const bytes = bytesOf(document)
      finish(document, metadata, assets.colorProfile, xml, id)
      return bytes
    },
  }
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
