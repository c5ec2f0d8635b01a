import { expect, test } from "bun:test"
import { paperBuyer, paperLines, paperSeller, samplePaper } from "../../../../test/support/paper"
import { misplaced, readPdf } from "../../../../test/support/pdf"
import type { Paper } from "../model"
import { epcPayload, qrReference } from "./payment"
import { renderPdf } from "./render"

const read = async (values: Partial<Paper> = {}) =>
  readPdf((await renderPdf({ paper: samplePaper(values), logo: null, xml: null })).bytes)

const zurich = { street: "Bahnhofstrasse 7", city: "Zürich", state: null, zipCode: "8001", country: "CH" }
const swiss: Partial<Paper> = {
  currency: "CHF",
  seller: { ...paperSeller, legalName: "Alpenholz AG", address: zurich, iban: "CH9300762011623852957" },
}

test("the code of an invoice in EUR is a SEPA transfer of its total with its number", async () => {
  expect(epcPayload(samplePaper())?.split("\n")).toEqual([
    "BCD",
    "002",
    "1",
    "SCT",
    "COBADEFFXXX",
    "Hafen Möbel GmbH",
    "DE89370400440532013000",
    "EUR2141.52",
    "",
    "",
    "INV-2026-00042",
  ])
  expect((await read()).text).toContain("Scan to pay")
  expect((await read({ language: "de" })).text).toContain("Scannen und bezahlen")
})

test("the code of an invoice that takes off deposits asks for what is left to pay", () => {
  const deposits = [{ number: "INV-1", date: "2026-10-01", net: 10, tax: 1.9 }]
  const paper = samplePaper({ total: 119, deposits })
  expect(epcPayload(paper)).toContain("\nEUR107.10\n")
  expect(epcPayload({ ...paper, total: 11.9 })).toBeNull()
})

test("the texts of the code have at most 70 and 140 characters, and no line breaks", () => {
  const seller = { ...paperSeller, legalName: `${"A".repeat(60)}\n${"B".repeat(60)}` }
  const lines = epcPayload(samplePaper({ seller, number: "9".repeat(200) }))?.split("\n")
  expect(lines).toHaveLength(11)
  expect(lines?.[5]).toHaveLength(70)
  expect(lines?.[10]).toHaveLength(140)
})

test.each([
  ["a draft", { number: null, mark: "draft" }],
  ["a credit note", { kind: "credit-note" }],
  ["an order", { kind: "sales-order" }],
  ["an invoice of 0", { total: 0 }],
  ["an invoice of a billion", { total: 1_000_000_000 }],
  ["an invoice in USD", { currency: "USD" }],
  ["an invoice without an IBAN", { seller: { ...paperSeller, iban: null } }],
  ["an invoice with a wrong IBAN", { seller: { ...paperSeller, iban: "DE00370400440532013000" } }],
  ["an invoice without the name of the company", { seller: { ...paperSeller, legalName: null } }],
] as [string, Partial<Paper>][])("%s has no code", async (_, values) => {
  expect(epcPayload(samplePaper(values))).toBeNull()
  const { text } = await read(values)
  expect(text).not.toContain("Scan to pay")
  expect(text).not.toContain("Payment part")
})

test("an invoice in CHF has a Swiss payment part at the bottom of the last page, in its language", async () => {
  const pdf = await read({ ...swiss, lines: paperLines(1), notes: null })
  expect(pdf.pages).toHaveLength(1)
  for (const text of ["Receipt", "Payment part", "CH93 0076 2011 6238 5295 7", "Additional information"])
    expect(pdf.text).toContain(text)
  expect(misplaced(pdf)).toEqual([])
  const top = pdf.placed[0]?.find(({ text }) => text === "Payment part")?.y ?? 0
  expect(top).toBeGreaterThan(192 * 2.83)
  expect((await read({ ...swiss, language: "de" })).text).toContain("Empfangsschein")
  expect((await read({ ...swiss, language: "fr" })).text).toContain("Section paiement")
})

test("the Swiss payment part is on a page of its own when the last page has no room", async () => {
  const pdf = await read({ ...swiss, lines: paperLines(12) })
  expect(pdf.pages).toHaveLength(2)
  expect(pdf.pages[0]).not.toContain("Payment part")
  expect(pdf.pages[1]).toContain("Payment part")
  expect(pdf.pages[1]).toContain("Page 2 of 2")
  expect(misplaced(pdf)).toEqual([])
})

test("a QR-IBAN gets a reference with a check digit from the number of the invoice", async () => {
  expect(qrReference("21000000000313947143000901")).toBe("210000000003139471430009017")
  expect(qrReference("INV-2026-00042")).toBe("000000000000000002026000429")
  const seller = { ...paperSeller, address: zurich, iban: "CH4431999123000889012" }
  const pdf = await read({ ...swiss, seller, number: "INV-2026-00042" })
  expect(pdf.text).toContain("00 00000 00000 00000 20260 00429")
  expect((await read({ ...swiss, seller, number: "INV" })).text).not.toContain("Payment part")
})

test("the buyer is on the payment part only if its address is complete", async () => {
  expect((await read(swiss)).text).toContain("Payable by\n")
  const buyer = { ...paperBuyer, address: { ...zurich, street: null } }
  expect((await read({ ...swiss, buyer })).text).toContain("Payable by (name/address)")
})

test("there is no payment part if the seller's address is incomplete or has letters that it does not allow", async () => {
  for (const change of [{ city: null }, { street: "東京" }]) {
    const seller = { ...paperSeller, iban: "CH9300762011623852957", address: { ...zurich, ...change } }
    expect((await read({ ...swiss, seller })).text).not.toContain("Payment part")
  }
})
