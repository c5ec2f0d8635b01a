// Hostile texts in every field of the settings, the customer, the items and the documents.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { operationsOf, type Document, type Operation, type Schema } from "../../scripts/faults/fuzz-document"
import { send, signIn, type Api } from "../support/api"
import { allForms, buyer, download, fillCompany } from "../support/downloads"
import { jpeg, png } from "../support/images"
import { cleanUp, serve, type Kontor } from "../support/kontor"
import { isLong } from "../support/long"
import { readPdf } from "../support/pdf"
import { readXml } from "../support/xml"

let kontor: Kontor
let api: Api
let operations: Operation[]

beforeAll(async () => {
  kontor = await serve()
  api = await signIn(kontor)
  await fillCompany(api)
  operations = operationsOf((await send(`${kontor.url}/openapi.json`)).body as Document)
})
afterAll(cleanUp)

/** The texts, and whether the fonts lack some of their letters. */
const hostile: [name: string, text: string, isMissing: boolean][] = [
  [
    "markup",
    `</ram:Name></x><!-- --><script>alert("1")</script> ]]> <![CDATA[x]]> &amp; &#0; &lol; <?x y?> '"`,
    false,
  ],
  ["metadata", `<?xpacket end="w"?></rdf:Description></rdf:RDF></x:xmpmeta><rdf:li>`, false],
  [
    "the syntax of PDF",
    `) Tj ET endstream endobj xref %%EOF \\) \\( << /S /JavaScript /JS (app.alert(1)) >> \\`,
    false,
  ],
  ["Latin, Greek and Cyrillic", "Žluťoučký kůň ẞ Łódź Ωμέγα άέή Привет Ђ € № „“ – …", false],
  ["accents as marks", "a\u0316\u0301e\u0323\u0302 ".repeat(3), false],
  ["control characters", "a\tb\nc\n\n\n\nd", false],
  ["invisible characters", "a\u00adb\u200bc\u200dd\u2060e\u202ef\u202cg\u2066h\u2069i", false],
  ["characters that XML forbids", "a\ufffeb\uffffc", false],
  ["one long word", "Donaudampfschifffahrtsgesellschaft".repeat(20), false],
  ["words of an object", "constructor __proto__ toString", false],
  ["right to left", "שלום עולם مرحبا بالعالم", true],
  ["CJK", "株式会社北極光 東京都千代田区", true],
  ["emoji", "🔩 👩‍👩‍👧 🇩🇪 ✌🏽", true],
  ["private use and unassigned", "a\ue000b\u{e0041}c\u{1fffe}d\u0378", true],
]

/** Their values have a form, or must be free or valid for an e-invoice. */
const skipped = new Set(
  "companyName companyAddress companyTaxId currency timeZone iban bic vatId taxId itemCode externalId country uom logo orderNumber itemExternalId customerExternalId paymentTerms category barcode".split(
    " ",
  ),
)
const isMultiline = (name: string) =>
  /notes|description|documentFooter|companyAddress|reason|Reason/.test(name)

/** Fills every field that takes any text with a text of the longest allowed length. */
function filled({ properties = {} }: Schema, text: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
      if (skipped.has(name)) return []
      if (schema.properties && name !== "metadata") return [[name, filled(schema, text)]]
      const isText =
        [schema.type].flat().includes("string") && !schema.enum && !schema.format && !schema.pattern
      return isText ? [[name, fitting(text, schema.maxLength ?? 200, isMultiline(name))]] : []
    }),
  )
}
function fitting(text: string, length: number, multiline: boolean): string {
  const line = multiline ? text : text.replaceAll(/[\t\n]/g, " ")
  return [...`${line} `.repeat(Math.ceil(length / line.length))].slice(0, length).join("").trim()
}
const bodyOf = (id: string, text: string) =>
  filled(operations.find((operation) => operation.id === id)?.body ?? {}, text)

/** Sends a body, without the fields that are refused. */
async function accepted(method: "POST" | "PUT", path: string, body: Record<string, unknown>) {
  const answer = await api.call(method, path, body)
  if (answer.status !== 422) {
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text])
    return answer.body.data
  }
  const names: string[] = answer.body.error.details.map(({ field }: { field: string }) => field.split(".")[0])
  expect([path, names.every((name) => name in body), answer.text]).toEqual([path, true, answer.text])
  const rest = Object.entries(body).filter(([name]) => !names.includes(name))
  return accepted(method, path, Object.fromEntries(rest))
}

/** Issues an invoice with a text in every field, and credits it. */
async function issueWith(text: string) {
  const uom = fitting(text, 20, false)
  const { email: _, address, ...company } = bodyOf("updateSettings", text)
  const place = { ...(address as object), country: "DE" }
  await accepted("PUT", "/settings", { ...company, address: place, unitCodes: { [uom]: "C62" } })
  const customer = await accepted("POST", "/customers", {
    ...bodyOf("createCustomer", text),
    email: buyer.email,
    address: { ...(bodyOf("createCustomer", text).address as object), country: "DE" },
  })
  const item = await accepted("POST", "/items", {
    ...bodyOf("createItem", text),
    itemCode: crypto.randomUUID(),
    taxRate: 19,
    uom,
  })
  const { items: __, ...document } = bodyOf("createInvoice", text)
  const invoice = await accepted("POST", "/invoices", {
    ...document,
    customer: customer.id,
    status: "unpaid",
    items: [
      { item: item.id, quantity: 2, rate: 10 },
      { description: fitting(text, 1_000, true), uom, quantity: 1, rate: 5 },
    ],
  })
  const note = await accepted("POST", `/invoices/${invoice.id}/credit-notes`, {
    ...bodyOf("creditInvoice", text),
    reason: fitting(text, 500, true),
  })
  return { invoice, documents: [`/invoices/${invoice.id}`, `/credit-notes/${note.id}`] }
}

const languages = isLong ? ["en", "de", "fr"] : ["de"]

/** The texts of an e-invoice, which must be well-formed. */
const textsOf = (bytes: Uint8Array): string[] =>
  readXml(new TextDecoder("utf-8", { fatal: true }).decode(bytes)).map(({ text }) => text)

/** Texts that differ from another one only in their letters are in the long form. */
const likeOthers = [
  "Latin, Greek and Cyrillic",
  "accents as marks",
  "words of an object",
  "CJK",
  "right to left",
]
const tested = hostile.filter(([name]) => isLong || !likeOthers.includes(name))

describe.each(tested)("%s", (_, text, isMissing) => {
  test("gives PDFs and e-invoices that can be read and contain it", async () => {
    const { invoice, documents } = await issueWith(text)
    for (const document of documents) {
      const cii = await download(kontor, api, `${document}/xml`)
      expect([document, cii.status, cii.status === 200 ? "" : cii.bytes.toString()]).toEqual([
        document,
        200,
        "",
      ])
      for (const query of ["", "?format=ubl"]) {
        const xml = await download(kontor, api, `${document}/xml${query}`)
        const texts = textsOf(xml.bytes)
        const printable = (value: string) => value.replaceAll(/[\ufffe\uffff]/g, "").trim()
        expect(texts).toContain(printable(invoice.seller.legalName))
        expect(texts).toContain(printable(invoice.buyer.name))
      }
      for (const query of ["?profile=xrechnung", "?format=ubl&profile=xrechnung"]) {
        const xml = await download(kontor, api, `${document}/xml${query}`)
        expect([200, 422]).toContain(xml.status)
        if (xml.status === 200) textsOf(xml.bytes)
      }
      for (const language of languages) {
        const path = `${document}/pdf?language=${language}`
        const [first, again] = [await download(kontor, api, path), await download(kontor, api, path)]
        expect([first.status, again.sha256]).toEqual([200, first.sha256])
        const warning = isMissing ? "GLYPHS_MISSING" : null
        for (const { headers } of [first, again])
          expect([path, headers.get("kontor-warning")]).toEqual([path, warning])
        const { attachments, xmp, text: words } = await readPdf(new Uint8Array(first.bytes))
        expect(Object.keys(attachments)).toEqual(["factur-x.xml"])
        expect(attachments["factur-x.xml"]).toBe(cii.bytes.toString())
        expect(words).toContain(invoice.invoiceNumber)
        expect(xmp.includes("pdfaid:part")).toBe(!isMissing)
      }
    }
    expect(kontor.output.stderr).not.toContain('"level":"error"')
  })
})

test("a damaged logo is left out of the PDF", async () => {
  await fillCompany(api)
  const whole = png()
  const damaged = Buffer.from(whole)
  damaged.fill(7, 45, 80)
  const customer = await api.create("/customers", buyer)
  const sizes: number[] = []
  for (const [logo, type] of [
    [whole, "image/png"],
    [damaged, "image/png"],
    [jpeg(), "image/jpeg"],
  ] as const) {
    expect((await api.put("/settings/logo", logo, { "content-type": type })).status).toBe(200)
    const { id } = await api.create("/invoices", {
      customer: customer.id,
      status: "unpaid",
      items: [{ description: "Work", quantity: 1, rate: 5 }],
    })
    for (const language of ["en", "de"]) {
      const pdf = await download(kontor, api, `/invoices/${id}/pdf?language=${language}`)
      expect(pdf.status).toBe(200)
      expect((await readPdf(new Uint8Array(pdf.bytes))).text).toContain("Hafen & Söhne")
      sizes.push(pdf.bytes.length)
    }
  }
  const [withLogo = 0, , without = 0] = sizes
  expect(without).toBeLessThan(withLogo)
})

test("a unit that is named like a property of every object is only a unit without a code", async () => {
  await fillCompany(api)
  for (const uom of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    const customer = await api.create("/customers", buyer)
    const { id } = await api.create("/invoices", {
      customer: customer.id,
      status: "unpaid",
      items: [{ description: "Work", quantity: 1, rate: 5, uom }],
      buyerReference: "04011000-1",
    })
    expect((await download(kontor, api, `/invoices/${id}/pdf`)).status).toBe(200)
    const { missing } = (await api.get(`/invoices/${id}/e-invoice`)).body.data
    expect(missing).toEqual([expect.objectContaining({ field: "items[0].uom" })])
    await api.put("/settings", { unitCodes: { [uom]: "C62" } })
    const later = await api.create("/invoices", {
      customer: customer.id,
      status: "unpaid",
      items: [{ description: "Work", quantity: 1, rate: 5, uom }],
      buyerReference: "04011000-1",
    })
    await allForms(kontor, api, `/invoices/${later.id}`)
  }
})
