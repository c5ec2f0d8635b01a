import { html as xml, toText, type Html as Xml } from "../../../core/lib/html"

/** The metadata of a PDF. */
export type Metadata = {
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
export const eInvoiceName = "factur-x.xml"
const facturX = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"

/** Writes the metadata as the parts of an XMP packet. The templates of HTML escape the values, as XML needs it. */
export const xmpOf = (metadata: Metadata): string =>
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
