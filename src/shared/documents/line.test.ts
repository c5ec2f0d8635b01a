import { describe, expect, test } from "bun:test"
import { figuresBy, keptDiscount, taxOfLine, type TaxRules, usualRate, withReasons } from "./line"

const codes = [
  { id: "tax_19", category: "S" as const, rate: 190_000, reason: null },
  { id: "tax_0", category: "E" as const, rate: 0, reason: "Medical care" },
]
const findCode = (id: string) => codes.find((code) => code.id === id) ?? null
const rules: TaxRules = { treatment: "domestic", defaultTaxCode: "tax_19", isRetaxed: false, findCode }
const abroad: TaxRules = { ...rules, treatment: "intra-community", isRetaxed: true }
const desk = { taxCode: "tax_19", taxRate: 190_000, hasStock: true }
const stored = { taxCode: "tax_0", taxCategory: "E" as const, taxRate: 0 }
const line = { code: null, stored: null, hasOwnCode: false, item: desk }
const by19 = { taxCode: "tax_19", taxCategory: "S" as const, taxRate: 190_000 }

describe("The tax of a line", () => {
  test("A tax code of the line comes before the stored tax and the treatment of the customer.", () => {
    expect(taxOfLine({ ...line, code: "tax_0", stored: by19 }, abroad)).toEqual({
      ...stored,
      from: "code",
    })
  })

  test("A stored line keeps its tax. If lines are taxed again, it keeps only a tax code of its own.", () => {
    expect(taxOfLine({ ...line, stored }, rules)).toEqual({ ...stored, from: "stored" })
    expect(taxOfLine({ ...line, stored, hasOwnCode: true }, abroad)).toEqual({ ...stored, from: "stored" })
    expect(taxOfLine({ ...line, stored }, abroad).from).toBe("customer")
  })

  test("The treatment of the customer decides by whether goods or services are sold.", () => {
    const categoryOf = (item: typeof desk | null) => taxOfLine({ ...line, item }, abroad).taxCategory
    expect([desk, { ...desk, hasStock: false }, null].map(categoryOf)).toEqual(["K", "AE", "AE"])
  })

  test("A domestic line has the tax of its item, or the default tax code without an item.", () => {
    const item = { ...desk, taxCode: null, taxRate: 70_000 }
    expect(taxOfLine(line, rules)).toEqual({ ...by19, from: "item" })
    expect(taxOfLine({ ...line, item }, rules)).toEqual({
      taxCode: null,
      taxCategory: "S",
      taxRate: 70_000,
      from: "item",
    })
    expect(taxOfLine({ ...line, item: null }, rules)).toEqual({ ...by19, from: "default" })
    expect(taxOfLine({ ...line, item: null }, { ...rules, defaultTaxCode: null }).taxCategory).toBeNull()
  })

  test("A tax that is not charged has the reasons of its lines, each once.", () => {
    const taxes = [{ category: "E" as const, rate: 0 }]
    const lines = [stored, stored, { ...stored, taxCode: null }]
    const reasons = { findCode, taxReason: "School", language: "en" as const }
    expect(withReasons(taxes, lines, reasons)).toEqual([
      { category: "E", rate: 0, reason: "Medical care; School" },
    ])
  })
})

describe("The price of a line", () => {
  const net = { includesTax: false, sellingPricesIncludeTax: false, isTaxRemoved: false }
  const item = { sellingPrice: 1_190_000, taxRate: 190_000 }

  test("The selling price is converted to the sense of the document.", () => {
    expect(usualRate(null, item, net)).toBe(1_190_000)
    expect(usualRate(null, item, { ...net, sellingPricesIncludeTax: true })).toBe(1_000_000)
    expect(usualRate(null, item, { ...net, includesTax: true })).toBe(1_416_100)
    expect(usualRate(null, null, net)).toBeNull()
  })

  test("Rate and discount of a stored line lose their tax when the document becomes net.", () => {
    const before = { quantity: 10_000, rate: 1_190_000, taxRate: 190_000, discountAmount: 1_190 }
    const removed = { ...net, isTaxRemoved: true }
    expect([usualRate(before, item, net), keptDiscount(before, net, 2)]).toEqual([1_190_000, 1_190])
    expect([usualRate(before, item, removed), keptDiscount(before, removed, 2)]).toEqual([1_000_000, 1_000])
    // The price is rounded to 3 cents.
    expect(keptDiscount({ quantity: 10_000, rate: 340, taxRate: 0, discountAmount: 4 }, removed, 2)).toBe(3)
  })

  test("A discount is a percentage, or an amount.", () => {
    const priced = { quantity: 30_000, rate: 199_900 }
    expect(figuresBy(priced, { discount: 100_000 }, 2)).toEqual({
      ...priced,
      discount: 100_000,
      amount: 5_397,
      discountAmount: 600,
      isDiscountAmount: 0,
    })
    expect(figuresBy(priced, { discountAmount: 597 }, 2)).toEqual({
      ...priced,
      discount: 99_550,
      amount: 5_400,
      discountAmount: 597,
      isDiscountAmount: 1,
    })
  })
})
