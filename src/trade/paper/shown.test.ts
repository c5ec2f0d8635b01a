import { expect, test } from "bun:test"
import { paperLine, samplePaper } from "../../../test/support/paper"
import { addressLines, formatsOf } from "./contents"
import { discountOf, sumsOf } from "./shown"
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
