import { expect, test } from "bun:test"
import { paperBuyer, paperLine, paperSeller, samplePaper } from "../../../../test/support/paper"
import { misplaced, readPdf, type ReadPdf } from "../../../../test/support/pdf"
import type { Paper } from "../model"
import { renderPdf } from "./render"

const read = async (values: Partial<Paper> = {}): Promise<ReadPdf> => {
  const { bytes } = await renderPdf({ paper: samplePaper(values), logo: null, xml: null })
  return readPdf(bytes)
}

/** The lines of the page, to compare sequences of texts. */
const linesOf = ({ text }: ReadPdf): string[] => text.split("\n")
/** The text that follows a label. */
const after = (pdf: ReadPdf, label: string): string | undefined =>
  linesOf(pdf)[linesOf(pdf).indexOf(label) + 1]

test("a document shows the dates and texts that only its kind has", async () => {
  const pdf = await read({
    ownDates: [
      { name: "Valid until", date: "2026-12-16" },
      { name: "Answer by", date: null },
    ],
    ownTexts: [
      { heading: "Terms", text: "Prices for the whole quantity." },
      { heading: "Remarks", text: null },
    ],
  })
  expect(after(pdf, "Valid until")).toBe("Dec 16, 2026")
  expect(after(pdf, "Terms")).toBe("Prices for the whole quantity.")
  for (const label of ["Answer by", "Remarks"]) expect(linesOf(pdf)).not.toContain(label)
})

test("a statement shows its period, each movement with the balance after it, and the balance that each page begins with", async () => {
  const movements = Array.from({ length: 60 }, (_, i) => ({
    date: "2026-11-02",
    kind: i % 2 === 0 ? ("invoices" as const) : ("payments" as const),
    number: `N-${i}`,
    amount: i % 2 === 0 ? 1_500 : -1_000,
    balance: 200 + Math.ceil((i + 1) / 2) * 1_500 - Math.floor((i + 1) / 2) * 1_000,
  }))
  const account = { from: "2026-11-01", to: "2026-11-30", opening: 200, movements, closing: 15_200 }
  const pdf = await read({ title: "Kontoauszug", language: "de", number: null, lines: [], account })
  const lines = linesOf(pdf)
  expect(lines).toContain("01.11.2026 – 30.11.2026")
  const first = lines.indexOf("Anfangssaldo")
  expect(lines.slice(first - 1, first + 10)).toEqual([
    "01.11.2026",
    "Anfangssaldo",
    "200,00",
    "02.11.2026",
    "Rechnung N-0",
    "1.500,00",
    "1.700,00",
    "02.11.2026",
    "Zahlung N-1",
    "-1.000,00",
    "700,00",
  ])
  const carried = lines.flatMap((line, i) => (line === "Übertrag" ? [lines[i + 1]] : []))
  expect(carried).toHaveLength(4)
  expect(carried[0]).toBe(carried[1])
  expect(after(pdf, "Schlusssaldo")).toBe("15.200,00 €")
  for (const label of ["Zwischensumme", "Gesamtbetrag", "Scannen und bezahlen"])
    expect(lines).not.toContain(label)
})

test("an invoice shows the seller, the buyer, dates, references, lines, totals and bank", async () => {
  const pdf = await read()
  expect(linesOf(pdf)).toEqual([
    "Hafen Möbel GmbH",
    "Hafenstraße 12",
    "20457 Hamburg",
    "Germany",
    "VAT ID DE123456789",
    "Tax number 22/815/08151",
    "Hafen Möbel GmbH · Hafenstraße 12 · 20457 Hamburg · Germany",
    "Nordlicht Architekten",
    "Jonas Weber",
    "Elbchaussee 99",
    "22763 Hamburg",
    "Germany",
    "Invoice date",
    "Nov 16, 2026",
    "Supply date",
    "Nov 12, 2026",
    "Due date",
    "Nov 30, 2026",
    "Payment terms",
    "14 days net",
    "Order number",
    "SO-2026-00017",
    "Your reference",
    "04011000-12345-03",
    "Customer number",
    "C-1001",
    "Your tax ID",
    "DE987654321",
    "Invoice",
    "INV-2026-00042",
    "Code",
    "Item",
    "Quantity",
    "Price",
    "Tax",
    "Amount EUR",
    "DESK-120",
    "Standing desk 120 cm",
    "2 Nos",
    "449.90",
    "19%",
    "899.80",
    "LAMP-7",
    "Desk lamp",
    "2 Nos",
    "449.90",
    "19%",
    "899.80",
    "Scan to pay",
    "Hafen Möbel GmbH",
    "DE89 3704 0044 0532 0130 00",
    "Reference",
    "INV-2026-00042",
    "Subtotal",
    "€1,799.60",
    "Tax 19% on €1,799.60",
    "€341.92",
    "Total",
    "€2,141.52",
    "Notes",
    "Thank you for your order.",
    "+49 40 1234567",
    "hallo@hafen.example",
    "https://hafen.example",
    "Hafenbank",
    "IBAN DE89 3704 0044 0532 0130 00",
    "BIC COBADEFFXXX",
    "HRB 123456",
    "Managing director: Anna Petersen",
    "Page 1 of 1",
  ])
  expect(pdf.title).toBe("Invoice INV-2026-00042")
  expect(misplaced(pdf)).toEqual([])
})

test("the buyer's address is in the window of an envelope, under a small line with the sender", async () => {
  const pdf = await read()
  const inWindow = pdf.placed[0]?.filter(({ x, y }) => x < 105 * 2.83 && y > 45 * 2.83 && y < 90 * 2.83)
  expect(inWindow?.map(({ text }) => text)).toEqual([
    "Hafen Möbel GmbH · Hafenstraße 12 · 20457 Hamburg · Germany",
    "Nordlicht Architekten",
    "Jonas Weber",
    "Elbchaussee 99",
    "22763 Hamburg",
    "Germany",
  ])
})

test.each([
  ["invoice", "en", "Invoice"],
  ["invoice", "de", "Rechnung"],
  ["invoice", "fr", "Facture"],
  ["credit-note", "en", "Credit note"],
  ["credit-note", "de", "Rechnungskorrektur"],
  ["credit-note", "fr", "Facture d’avoir"],
  ["sales-order", "en", "Sales order"],
  ["sales-order", "de", "Auftragsbestätigung"],
  ["sales-order", "fr", "Confirmation de commande"],
] as const)("a document of the kind %s in %s is titled %s", async (kind, language, title) => {
  const pdf = await read({ kind, language })
  expect(linesOf(pdf)).toContain(title)
  expect(pdf.title).toBe(`${title} INV-2026-00042`)
  expect(pdf.language).toBe(language)
  expect(misplaced(pdf)).toEqual([])
})

test("numbers, dates and countries are written as the language does", async () => {
  const german = await read({ language: "de" })
  expect(after(german, "Rechnungsdatum")).toBe("16.11.2026")
  expect(after(german, "Zwischensumme")).toBe("1.799,60 €")
  expect(after(german, "MwSt. 19 % auf 1.799,60 €")).toBe("341,92 €")
  expect(german.text).toContain("Deutschland")
  const french = await read({ language: "fr" })
  expect(after(french, "Total HT")).toBe("1 799,60 €")
  expect(french.text).toContain("Allemagne")
})

test("numbers are written as the country of the seller does, if it has the language", async () => {
  const address = { street: "Bahnhofstrasse 7", city: "Zürich", state: null, zipCode: "8001", country: "CH" }
  const pdf = await read({ language: "de", currency: "CHF", seller: { ...paperSeller, address } })
  expect(after(pdf, "Zwischensumme")).toMatch(/^CHF 1[’']799\.60$/)
})

test("columns for code, discount and tax exist only when a line has one", async () => {
  const plain = await read({
    lines: [paperLine({ itemCode: null, itemName: null, description: "Assembly", taxRate: 0 })],
  })
  for (const heading of ["Code", "Discount", "Tax"]) expect(linesOf(plain)).not.toContain(heading)
  expect(linesOf(plain)).toContain("Assembly")
  const full = await read({ lines: [paperLine({ discount: 5, discountAmount: 44.99, amount: 854.81 })] })
  for (const heading of ["Code", "Discount", "Tax"]) expect(linesOf(full)).toContain(heading)
  expect(linesOf(full)).toContain("5%")
  expect(after(full, "Before discount")).toBe("€899.80")
})

test("amounts end at the same place", async () => {
  const pdf = await read({ lines: [paperLine({ amount: 7.5 }), paperLine({ amount: 123_456.78 })] })
  const ends = pdf.placed[0]
    ?.filter(({ text }) => ["7.50", "123,456.78"].includes(text))
    .map(({ x, width }) => Math.round(x + width))
  expect(ends).toEqual([539, 539])
})

test("a document whose prices include tax adds up to the total, with the tax below it", async () => {
  const lines = [paperLine({ amount: 756.13, grossAmount: 899.8 })]
  const taxes: Paper["taxes"] = [{ category: "S", rate: 19, base: 756.13, tax: 143.67, reason: null }]
  const pdf = await read({ lines, pricesIncludeTax: true, taxes, taxTotal: 143.67, total: 899.8 })
  const [total, net] = [linesOf(pdf).indexOf("Total"), linesOf(pdf).indexOf("Total without tax")]
  expect(linesOf(pdf).slice(total)).toContain("Includes tax 19% on €756.13")
  expect(total).toBeLessThan(net)
  expect(linesOf(pdf)).toContain("899.80")
  expect(linesOf(pdf)).toContain("Prices include tax.")
})

test("each category and rate of tax has a row, and the reasons why no tax is charged are printed once", async () => {
  const reason = "Steuerschuldnerschaft des Leistungsempfängers"
  const pdf = await read({
    language: "de",
    taxes: [
      { category: "S", rate: 7, base: 100, tax: 7, reason: null },
      { category: "AE", rate: 0, base: 50, tax: 0, reason },
      { category: "K", rate: 0, base: 20, tax: 0, reason },
    ],
  })
  expect(after(pdf, "MwSt. 7 % auf 100,00 €")).toBe("7,00 €")
  expect(after(pdf, "Reverse-Charge 0 % auf 50,00 €")).toBe("0,00 €")
  expect(after(pdf, "Innergemeinschaftliche Lieferung 0 % auf 20,00 €")).toBe("0,00 €")
  expect(linesOf(pdf).filter((line) => line === reason)).toHaveLength(1)
})

test("a credit note names the invoice that it corrects, with its date and the reason", async () => {
  const pdf = await read({
    kind: "credit-note",
    number: "CN-1",
    corrects: { number: "INV-7", date: "2026-03-01", reason: "Damaged in transit" },
    lines: [
      paperLine({ isAmount: true, itemCode: null, itemName: null, description: "Allowance", amount: 50 }),
    ],
  })
  expect(after(pdf, "Corrected invoice")).toBe("INV-7 of Mar 1, 2026")
  expect(after(pdf, "Reason")).toBe("Damaged in transit")
  expect(after(pdf, "Allowance")).toBe("19%")
  expect(pdf.text).not.toContain("2 Nos")
})

test("the shipping address is printed unless it is that of the buyer", async () => {
  expect((await read({ shippingAddress: paperBuyer.address })).text).not.toContain("Delivery address")
  const other = { street: "Lagerweg 5", city: "Hamburg", state: null, zipCode: "22525", country: "DE" }
  expect(after(await read({ shippingAddress: other }), "Delivery address")).toBe(
    "Lagerweg 5, 22525 Hamburg, Germany",
  )
})

test("a draft is marked on each page and says that it has no number", async () => {
  const lines = Array.from({ length: 40 }, () => paperLine())
  const pdf = await read({ number: null, mark: "draft", issuedAt: null, lines, language: "fr" })
  expect(pdf.pages.length).toBeGreaterThan(1)
  for (const page of pdf.pages) expect(page).toContain("BROUILLON")
  expect(pdf.pages[0]).toContain("Pas encore de numéro")
})

test("a cancelled order is marked", async () => {
  expect((await read({ kind: "sales-order", mark: "cancelled" })).text).toContain("CANCELLED")
})

test("a document without any details of the company is printed all the same", async () => {
  const seller = Object.fromEntries(Object.keys(paperSeller).map((name) => [name, null]))
  const buyer = { ...paperBuyer, contactName: null, address: null, taxId: null }
  const pdf = await read({ seller: seller as Paper["seller"], buyer, notes: null })
  expect(linesOf(pdf)).toContain("INV-2026-00042")
})
