import PDFDocument from "pdfkit"
import { type Assets, noFont } from "./fonts"
import { a4, type Weight } from "./style"
import { toText, html as xml, type Html as Xml } from "../../../core/lib/html"

/** The names of the fonts in pdfkit. The code that draws Swiss QR bills uses these names, and gets our fonts. */
export const fontNames: Record<Weight, string> = { regular: "Helvetica", bold: "Helvetica-Bold" }

/** The parts of pdfkit's document that its types do not declare. */
type Internals = { _root: { data: Record<string, unknown> }; _id: Uint8Array; _addInfo(): void }

/** A PDF that is being written. */
type PdfFile = {
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

/** The metadata of a PDF. */
type Metadata = {
  title: string
  author: string | null
  language: string
  createdAt: Date
  /** True when the PDF has everything that PDF/A-3b requires. */
  isArchivable: boolean
  /** True when an e-invoice is attached. */
  hasEInvoice: boolean
}

/** The name of the attached e-invoice, which the standard prescribes. */
const eInvoiceName = "factur-x.xml"
const facturX = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"

/** Writes the metadata as the parts of an XMP packet. The templates of HTML escape the values, as XML needs it. */
const xmpOf = (metadata: Metadata): string =>
  [
    common(metadata),
    ...(metadata.isArchivable ? [archivable] : []),
    ...(metadata.hasEInvoice ? [extensionSchema, eInvoice] : []),
  ]
    .map(toText)
    .join("\n")

const common = ({ title, author, language, createdAt }: Metadata): Xml => {
  const date = `${createdAt.toISOString().slice(0, 19)}Z`
  const creator = author && xml`<dc:creator><rdf:Seq><rdf:li>${author}</rdf:li></rdf:Seq></dc:creator>`
  return xml`<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
  <dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title>
  ${creator}
  <dc:language><rdf:Bag><rdf:li>${language}</rdf:li></rdf:Bag></dc:language>
  <xmp:CreateDate>${date}</xmp:CreateDate>
  <xmp:ModifyDate>${date}</xmp:ModifyDate>
  <xmp:CreatorTool>Kontor</xmp:CreatorTool>
  <pdf:Producer>Kontor</pdf:Producer>
</rdf:Description>`
}

const archivable = xml`<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
  <pdfaid:part>3</pdfaid:part>
  <pdfaid:conformance>B</pdfaid:conformance>
</rdf:Description>`

const eInvoice = xml`<rdf:Description rdf:about="" xmlns:fx="${facturX}">
  <fx:DocumentType>INVOICE</fx:DocumentType>
  <fx:DocumentFileName>${eInvoiceName}</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version>
  <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>`

const property = (name: string, description: string): Xml => xml`
    <rdf:li rdf:parseType="Resource">
      <pdfaProperty:name>${name}</pdfaProperty:name>
      <pdfaProperty:valueType>Text</pdfaProperty:valueType>
      <pdfaProperty:category>external</pdfaProperty:category>
      <pdfaProperty:description>${description}</pdfaProperty:description>
    </rdf:li>`

/** PDF/A allows properties of other schemas only if the file describes them. */
const extensionSchema = xml`<rdf:Description rdf:about=""
    xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
    xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
    xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
  <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>${facturX}</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>fx</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq>${[
      property("DocumentFileName", "The name of the embedded XML document"),
      property("DocumentType", "The type of the hybrid document"),
      property("Version", "The version of the standard of the XML document"),
      property("ConformanceLevel", "The conformance level of the XML document"),
    ]}</rdf:Seq></pdfaSchema:property>
  </rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`
