import { expect, test } from "bun:test"
import { jpeg, png } from "../../../../test/support/images"
import { paperBuyer, paperLine, paperLines, paperSeller, samplePaper } from "../../../../test/support/paper"
import { misplaced, readPdf } from "../../../../test/support/pdf"
import { languages } from "../../../shared/languages"
import type { Paper } from "../model"
import { renderPdf, type PdfJob } from "./render"

const render = (values: Partial<Paper> = {}, job: Partial<PdfJob> = {}) =>
  renderPdf({ paper: samplePaper(values), logo: null, xml: null, ...job })

const contains = (bytes: Uint8Array, text: string): boolean => Buffer.from(bytes).includes(text)

test("a PDF is PDF/A-3b: fonts and colour profile are embedded, and the metadata says so", async () => {
  const { bytes, hasMissingGlyphs } = await render()
  const { xmp } = await readPdf(bytes)
  expect(hasMissingGlyphs).toBe(false)
  expect(xmp).toContain("<pdfaid:part>3</pdfaid:part>")
  expect(xmp).toContain("<pdfaid:conformance>B</pdfaid:conformance>")
  expect(xmp).toContain('<rdf:li xml:lang="x-default">Invoice INV-2026-00042</rdf:li>')
  expect(xmp).toContain("<xmp:CreateDate>2026-11-16T09:12:33Z</xmp:CreateDate>")
  for (const part of ["/OutputIntents", "/GTS_PDFA1", "/FontFile2", "/DisplayDocTitle true", "%PDF-1.7"])
    expect(contains(bytes, part)).toBe(true)
  expect(contains(bytes, "Helvetica")).toBe(false)
})

test("an e-invoice is attached as Factur-X", async () => {
  const xml =
    '<?xml version="1.0" encoding="UTF-8"?>\n<rsm:CrossIndustryInvoice>Möbel</rsm:CrossIndustryInvoice>\n'
  const { bytes } = await render({}, { xml })
  const { attachments, xmp } = await readPdf(bytes)
  expect(attachments).toEqual({ "factur-x.xml": xml })
  for (const part of ["/AFRelationship /Alternative", "/Subtype /text#2Fxml", "/AF ["])
    expect(contains(bytes, part)).toBe(true)
  expect(xmp).toContain('xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"')
  expect(xmp).toContain("<fx:DocumentType>INVOICE</fx:DocumentType>")
  expect(xmp).toContain("<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>")
  expect(xmp).toContain("<fx:Version>1.0</fx:Version>")
  expect(xmp).toContain("<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>")
  expect(xmp).toContain("<pdfaSchema:prefix>fx</pdfaSchema:prefix>")
})

test("without an e-invoice, nothing is attached and the metadata does not mention one", async () => {
  const { attachments, xmp } = await readPdf((await render()).bytes)
  expect(attachments).toEqual({})
  expect(xmp).not.toContain("factur-x")
})

test("the same document gives the same bytes, whatever was drawn before", async () => {
  const logo = { type: "image/png", bytes: new Uint8Array(png()) }
  const job = { logo, xml: "<a/>" }
  const first = await render({ lines: paperLines(50) }, job)
  // These letters share glyphs with others, so a font that remembered them would map them differently.
  await render({ notes: "Ω Å K − ‐ ‑ µ µ Δ ∆ · • ﬁ fi" })
  const second = await render({ lines: paperLines(50) }, job)
  expect(Buffer.from(second.bytes).equals(first.bytes)).toBe(true)
  const other = await render({ lines: paperLines(50), notes: "Another note" }, job)
  const idOf = (bytes: Uint8Array) => /\/ID \[<(\w+)>/.exec(Buffer.from(bytes).toString("latin1"))?.[1]
  expect(idOf(first.bytes)).toHaveLength(32)
  expect(idOf(other.bytes)).not.toBe(idOf(first.bytes))
})

test("the dates of a draft are those of the document", async () => {
  const { xmp } = await readPdf((await render({ issuedAt: null, mark: "draft", number: null })).bytes)
  expect(xmp).toContain("<xmp:CreateDate>2026-11-16T00:00:00Z</xmp:CreateDate>")
})

test("letters that the fonts lack are replaced, and the PDF does not claim to be PDF/A", async () => {
  for (const name of ["株式会社", "שלום", "مرحبا", "😀", "ไทย"]) {
    const buyer = { ...paperBuyer, name: `${name} Ltd` }
    const { bytes, hasMissingGlyphs } = await render({ buyer }, { xml: "<a/>" })
    const pdf = await readPdf(bytes)
    expect(hasMissingGlyphs).toBe(true)
    expect(pdf.text).toContain("\ufffd Ltd")
    expect(pdf.xmp).not.toContain("pdfaid:part")
    expect(pdf.xmp).toContain("fx:ConformanceLevel")
    expect(pdf.attachments).toEqual({ "factur-x.xml": "<a/>" })
  }
})

test("Latin, Greek and Cyrillic letters and the signs of currencies are drawn", async () => {
  const notes = "ÀÉÎÕÜß Łódź Žluťoučký İstanbul Ελληνικά Кириллица Ґ € £ ₺ ₴ ₽ – — „“ ‚‘ … ° ² ½ ×"
  const { bytes, hasMissingGlyphs } = await render({ notes })
  expect(hasMissingGlyphs).toBe(false)
  expect((await readPdf(bytes)).text).toContain(notes)
})

test("the fonts have the spaces and signs of common currencies in every language", async () => {
  for (const language of languages)
    for (const currency of ["EUR", "USD", "GBP", "CHF", "INR", "TRY", "UAH", "THB", "KWD", "JPY"]) {
      const { hasMissingGlyphs } = await render({ language, currency })
      expect(`${language} ${currency} ${hasMissingGlyphs}`).toBe(`${language} ${currency} false`)
    }
})

/** What is wrong with XML: elements that are not closed, and characters that are not escaped. */
function faultsIn(xml: string): string[] {
  const open: string[] = []
  const faults: string[] = []
  const rest = xml.replace(
    /<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*>|<\?[^?]*\?>/g,
    (_, end, name: string) => {
      if (end === "/" && open.pop() !== name) faults.push(`</${name}>`)
      if (end === "") open.push(name)
      return ""
    },
  )
  return [...open, ...faults, ...(rest.match(/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/g) ?? [])]
}

/** Texts that try to break a PDF, its metadata or its pages. */
const hostile = {
  markup: "<script>alert(1)</script> & \"quoted\" 'single' <b>",
  metadata: "]]></rdf:li></rdf:Alt><?xpacket end='w'?><!--",
  operators: ") Tj ET endstream endobj /JavaScript (app.alert(1)) %%EOF \\",
  rightToLeft: "\u202e\u2067gnp.exe\u2069\u202c \u200f\u061c",
  control: "a\u0000b\u0007c\u001bd\u007fe\u0085f\u009fg\ufffeh\uffff",
  surrogates: "x\ud800y\udc00z",
  lineBreaks: "one\r\ntwo\rthree\u2028four\u2029five\vsix\fseven",
  long: "W".repeat(10_000),
}

test.each(Object.entries(hostile))(
  "hostile text in every field does not break a PDF: %s",
  async (_, text) => {
    const address = { street: text, city: text, state: text, zipCode: text, country: "DE" }
    const texts = Object.keys(paperSeller).map((name) => [name, text])
    const paper: Partial<Paper> = {
      number: text,
      paymentTerms: text,
      orderNumber: text,
      buyerReference: text,
      corrects: { number: text, date: "2026-01-01", reason: text },
      seller: { ...paperSeller, ...Object.fromEntries(texts), address, iban: paperSeller.iban },
      buyer: { ...paperBuyer, customerNumber: text, name: text, contactName: text, taxId: text, address },
      shippingAddress: address,
      lines: [
        paperLine({ itemCode: text, itemName: text, uom: text }),
        paperLine({ itemName: null, description: text }),
      ],
      taxes: [{ category: "E", rate: 0, base: 1, tax: 0, reason: text }],
      notes: text,
    }
    const { bytes } = await render(paper, { xml: "<a/>" })
    const pdf = await readPdf(bytes)
    expect(pdf.attachments).toEqual({ "factur-x.xml": "<a/>" })
    expect(pdf.text).toContain("Subtotal")
    expect(misplaced(pdf)).toEqual([])
    expect(faultsIn(pdf.xmp)).toEqual([])
    // oxlint-disable-next-line no-control-regex -- these characters must not be there
    expect(pdf.xmp).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff\ud800-\udfff]/)
  },
)

test("a logo is drawn in its proportions, and an unreadable one is left out", async () => {
  const sizeOf = async (bytes: Uint8Array) => (await render({}, { logo: { type: "", bytes } })).bytes
  expect(contains(await sizeOf(png(300, 100)), "/Subtype /Image")).toBe(true)
  expect(contains(await sizeOf(jpeg(300, 100)), "/Filter /DCTDecode")).toBe(true)
  for (const bytes of [png().subarray(0, 60), Buffer.from("GIF89a"), Buffer.alloc(0)])
    expect(contains(await sizeOf(bytes), "/Subtype /Image")).toBe(false)
})

test("a logo in CMYK is drawn, but the PDF does not claim to be PDF/A", async () => {
  const bytes = new Uint8Array(jpeg(300, 100))
  bytes[11] = 4
  const pdf = await render({}, { logo: { type: "image/jpeg", bytes } })
  expect(contains(pdf.bytes, "/ColorSpace /DeviceCMYK")).toBe(true)
  expect((await readPdf(pdf.bytes)).xmp).not.toContain("pdfaid:part")
  expect(pdf.hasMissingGlyphs).toBe(false)
})
