import { expect, test } from "bun:test"
import {
  paperBuyer,
  paperLine,
  paperLines,
  paperSeller,
  samplePaper,
  sumOf,
} from "../../../../test/support/paper"
import { misplaced, readPdf, type ReadPdf } from "../../../../test/support/pdf"
import type { Paper } from "../model"
import { renderPdf } from "./render"

const read = async (values: Partial<Paper> = {}): Promise<ReadPdf> => {
  const { bytes } = await renderPdf({ paper: samplePaper(values), logo: null, xml: null })
  return readPdf(bytes)
}

const format = new Intl.NumberFormat("en", { minimumFractionDigits: 2 }).format
/** The sums that are carried on a page: at its top and at its bottom. */
const carriedOn = (page: string | undefined, words = "Carried forward"): string[] => {
  const lines = page?.split("\n") ?? []
  return lines.flatMap((line, i) => (line === words ? [lines[i + 1] ?? ""] : []))
}

test("1 line takes one page, and 1,000 lines are all printed in their order", async () => {
  expect((await read({ lines: paperLines(1) })).pages).toHaveLength(1)
  const pdf = await read({ lines: paperLines(1000) })
  const names = pdf.text.split("\n").filter((line) => line.startsWith("Article "))
  expect(names).toEqual(paperLines(1000).map(({ itemName }) => itemName ?? ""))
  expect(pdf.pages.at(-1)).toContain(`Page ${pdf.pages.length} of ${pdf.pages.length}`)
})

test("each page repeats the headings, and carries the sum of the lines so far", async () => {
  const lines = paperLines(60)
  const pdf = await read({ lines })
  expect(pdf.pages.length).toBeGreaterThan(2)
  let printed = 0
  pdf.pages.forEach((page, i) => {
    expect(page).toContain("Amount EUR")
    const before = format(sumOf(lines.slice(0, printed).map(({ amount }) => amount)))
    printed += page.split("\n").filter((line) => line.startsWith("Article ")).length
    const so = format(sumOf(lines.slice(0, printed).map(({ amount }) => amount)))
    const isLast = i === pdf.pages.length - 1
    expect(carriedOn(page)).toEqual([...(i > 0 ? [before] : []), ...(isLast ? [] : [so])])
  })
  expect(printed).toBe(60)
  expect(misplaced(pdf)).toEqual([])
})

test.each([
  ["de", "Übertrag"],
  ["fr", "Report"],
] as const)("the carried sum is named in %s: %s", async (language, words) => {
  const pdf = await read({ lines: paperLines(40), language })
  expect(carriedOn(pdf.pages[0], words)).toHaveLength(1)
  expect(carriedOn(pdf.pages[1], words).length).toBeGreaterThan(0)
})

test("the second and later pages have the number of the document at the top, and all have the footer", async () => {
  const pdf = await read({ lines: paperLines(40) })
  pdf.pages.forEach((page, i) => {
    if (i > 0) expect(page).toContain("Invoice INV-2026-00042")
    for (const text of [
      "+49 40 1234567",
      "IBAN DE89 3704 0044 0532 0130 00",
      "BIC COBADEFFXXX",
      "HRB 123456",
    ])
      expect(page).toContain(text)
    expect(page).toContain("Managing director: Anna Petersen")
    expect(page).toContain(`Page ${i + 1} of ${pdf.pages.length}`)
  })
})

test("the totals are never alone on a page, with any number of lines", async () => {
  for (let count = 8; count < 24; count++) {
    const pdf = await read({ lines: paperLines(count) })
    const page = pdf.pages.find((text) => text.includes("Subtotal")) ?? ""
    expect(page).toContain("Article ")
    expect(misplaced(pdf)).toEqual([])
  }
})

test("totals that do not fit under a long last line follow the carried sum", async () => {
  const description = Array.from({ length: 42 }, (_, i) => `part ${i + 1}`).join("\n")
  const long = paperLine({ itemName: null, description, amount: 0 })
  const pdf = await read({ lines: [paperLine(), long] })
  const page = pdf.pages.find((text) => text.includes("Subtotal")) ?? ""
  expect(page).not.toContain("part ")
  expect(carriedOn(page)).toEqual(["899.80"])
  expect(misplaced(pdf)).toEqual([])
})

test("a carried sum of 0 is printed too", async () => {
  const lines = Array.from({ length: 30 }, () => paperLine({ rate: 0, amount: 0 }))
  expect(carriedOn((await read({ lines })).pages[0])).toEqual(["0.00"])
})

test("a row is on one page unless it is longer than a page", async () => {
  const description = Array.from({ length: 12 }, (_, i) => `part ${i + 1}`).join("\n")
  const lines = Array.from({ length: 20 }, () => paperLine({ itemName: null, description }))
  for (const page of (await read({ lines })).pages) {
    const parts = page.split("\n").filter((line) => line.startsWith("part "))
    expect(parts.length % 12).toBe(0)
  }
  const long = Array.from({ length: 200 }, (_, i) => `part ${i + 1}`)
  const pdf = await read({ lines: [paperLine({ itemName: null, description: long.join("\n") })] })
  expect(pdf.text.split("\n").filter((line) => line.startsWith("part "))).toEqual(long)
  expect(misplaced(pdf)).toEqual([])
})

test("long words are broken, and long texts stay within the page", async () => {
  const street = "Building 7\nGate C\nHafenstraße 12\n3rd floor"
  const pdf = await read({
    number: `INV-${"LONG-".repeat(11)}1`,
    paymentTerms: "W".repeat(200),
    buyerReference: "R".repeat(100),
    lines: [
      paperLine({ itemName: "X".repeat(200), itemCode: "C".repeat(64) }),
      paperLine({ itemName: null, description: "Lorem ipsum dolor sit amet ".repeat(37) }),
      paperLine({ quantity: 123_456_789.1234, uom: "Quadratmeterstunden", rate: 999_999_999.9999 }),
    ],
    notes: "All of this is a note. ".repeat(435),
    seller: { ...paperSeller, legalName: "Möbel ".repeat(20), address: { ...paperAddress, street } },
    buyer: { ...paperBuyer, name: "N".repeat(200), address: { ...paperAddress, street } },
  })
  expect(pdf.text.match(/X+/g)?.join("")).toContain("X".repeat(200))
  expect(pdf.text.match(/All of this is a note\./g)?.length).toBeGreaterThan(300)
  expect(misplaced(pdf)).toEqual([])
})

const paperAddress = { street: null, city: "Hamburg", state: "HH", zipCode: "20457", country: "DE" }

test("a text of the footer with more than four lines is printed once, under the notes on the last page", async () => {
  const footerOf = (lines: number) => ({
    ...paperSeller,
    documentFooter: Array.from({ length: lines }, (_, i) => `Footer line ${i + 1}`).join("\n"),
  })
  const short = await read({ lines: paperLines(40), seller: footerOf(4) })
  for (const page of short.pages) expect(page.match(/Footer line/g)).toHaveLength(4)
  for (const count of [5, 100]) {
    const pdf = await read({ lines: paperLines(40), seller: footerOf(count) })
    expect(pdf.pages[0]).not.toContain("Footer line")
    expect(pdf.text.match(/Footer line/g)).toHaveLength(count)
    expect(pdf.text.indexOf("Footer line 1")).toBeGreaterThan(pdf.text.indexOf("Thank you for your order."))
    expect(misplaced(pdf)).toEqual([])
  }
})

test("500 rates of tax are all printed", async () => {
  const taxes: Paper["taxes"] = Array.from({ length: 500 }, (_, i) => ({
    category: "S",
    rate: i / 10 + 1,
    base: 1,
    tax: 0.1,
    reason: null,
  }))
  const pdf = await read({ taxes })
  expect(pdf.text.match(/ on €1\.00/g)).toHaveLength(500)
  expect(misplaced(pdf)).toEqual([])
})
