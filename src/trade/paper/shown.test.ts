import { expect, test } from "bun:test"
import { paperLine, samplePaper } from "../../../test/support/paper"
import { addressLines, formatsOf } from "./contents"
import { amountOf, discountOf, sumsOf } from "./shown"
import { textsOf } from "./words"

const formats = formatsOf("en", "EUR")
const nowhere = { street: null, city: null, state: null, zipCode: null, country: null }

test.each([
  [
    { street: "1 Main St", city: "Springfield", state: "IL", zipCode: "62701", country: "US" },
    "1 Main St\nSpringfield, IL 62701\nUnited States",
  ],
  [{ city: "Hamburg", state: "Hamburg", zipCode: "20457", country: "DE" }, "20457 Hamburg\nGermany"],
  [{ city: "Zürich", state: "ZH", zipCode: "8001", country: "CH" }, "8001 Zürich\nZH\nSwitzerland"],
  [{ state: "TX", country: "US" }, "TX\nUnited States"],
  [{ street: "Am Kai 1\n20457 Hamburg" }, "Am Kai 1\n20457 Hamburg"],
  [{}, ""],
])("the address %j is written as %j", (address, written) => {
  expect(addressLines({ ...nowhere, ...address }, formats)).toBe(written)
})

test("a discount is shown as a percentage, or as an amount if the percentage has many decimals", () => {
  const shown = (discount: number, discountAmount: number) =>
    discountOf(paperLine({ discount, discountAmount }), formats)
  expect([shown(0, 0), shown(10, 134.97), shown(16.675, 10)]).toEqual(["", "10%", "10.00"])
})

test("rates and quantities keep up to four decimals, and a currency without decimals has none", () => {
  expect([formats.rate(0.0125), formats.rate(40), formats.quantity(1_250.5)]).toEqual([
    "0.0125",
    "40.00",
    "1,250.5",
  ])
  const yen = formatsOf("en", "JPY")
  expect([yen.rate(1_234.5), yen.amount(2_469), yen.money(2_716)]).toEqual(["1,234.5", "2,469", "¥2,716"])
})

test("a document without any tax has one row for it", () => {
  const taxes = [{ category: null, rate: 0, base: 10, tax: 0, reason: null }]
  const paper = samplePaper({ taxes, subtotal: 10, taxTotal: 0, total: 10 })
  expect(sumsOf({ paper, texts: textsOf.en, formats }).map(({ label, amount }) => [label, amount])).toEqual([
    ["Subtotal", 10],
    ["Tax", 0],
    ["Total", 10],
  ])
})

test("the deposits that an invoice takes off stand below its total, with what is left to pay", () => {
  const deposits = [{ number: "INV-1", date: "2026-10-01", net: 10, tax: 1.9 }]
  const paper = samplePaper({ subtotal: 100, taxTotal: 19, total: 119, deposits })
  expect(sumsOf({ paper, texts: textsOf.en, formats }).slice(-3)).toEqual([
    { label: "Total", amount: 119, isTotal: true },
    { label: "Deposit invoice INV-1 of Oct 1, 2026 (net €10.00, tax €1.90)", amount: -11.9 },
    { label: "To pay", amount: 107.1, isTotal: true },
  ])
})

test("the discount of a document stands between the sum of the lines and the subtotal", () => {
  const lines = [paperLine({ discountAmount: 100, amount: 855, documentDiscount: 45 })]
  const more = { lines, discount: 5, discountAmount: 45, discountTotal: 145, subtotal: 855, total: 1_017.45 }
  const paper = samplePaper(more)
  const rows = (shown: typeof paper) =>
    sumsOf({ paper: shown, texts: textsOf.en, formats }).map(({ label, amount }) => [label, amount])
  expect(rows(paper).slice(0, 5)).toEqual([
    ["Before discount", 1_000],
    ["Discount", -100],
    ["Sum of the lines", 900],
    ["Discount 5%", -45],
    ["Subtotal", 855],
  ])
  expect(amountOf(lines[0] as (typeof lines)[0], paper)).toBe(900)
  const alone = { ...paper, isDiscountAmount: true, discountTotal: 45 }
  expect(rows(alone).slice(0, 3)).toEqual([
    ["Sum of the lines", 900],
    ["Discount", -45],
    ["Subtotal", 855],
  ])
  expect(rows({ ...alone, pricesIncludeTax: true, total: 855 }).slice(0, 3)).toEqual([
    ["Sum of the lines", 900],
    ["Discount", -45],
    ["Total", 855],
  ])
})
