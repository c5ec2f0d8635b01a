import { describe, expect, test } from "bun:test"
import { paperFaults } from "../../../../test/support/paper-faults"
import { paperOf, seller } from "../../../../test/support/papers"
import { missingIn } from "./missing"

const line = { quantity: 2, rate: 449.9 }
const rulesOf = (...given: Parameters<typeof missingIn>) =>
  missingIn(...given).map(({ field, rule }) => [field, rule])

describe("what is missing for an e-invoice", () => {
  test("is nothing in a complete document, in both profiles", () => {
    for (const profile of ["en16931", "xrechnung"] as const) {
      expect(missingIn(paperOf([line]), profile)).toEqual([])
      expect(missingIn(paperOf([{ ...line, taxCategory: "K" }]), profile)).toEqual([])
    }
  })

  for (const { title, rule, field, paper, profile } of paperFaults)
    test(`${title} is reported by ${rule}`, () => {
      const missing = missingIn(paper, profile)
      expect(missing).toMatchObject([{ field, rule }])
      expect(missing[0]?.message).toEndWith(".")
    })

  test("includes the number of a draft, unless it is to be ignored", () => {
    expect(rulesOf(paperOf([line], { number: null }), "en16931")).toEqual([["invoiceNumber", "BR-02"]])
    expect(rulesOf(paperOf([line], { number: null }), "en16931", { ignoreNumber: true })).toEqual([])
  })

  test("names every line with the same fault", () => {
    const wrong = { ...line, more: { uom: "Gebinde", unitCode: null } }
    const found = rulesOf(paperOf(Array.from({ length: 150 }, () => wrong)), "en16931")
    expect(found).toHaveLength(150)
    expect(found[149]).toEqual(["items[149].uom", "BR-CL-23"])
  })

  test("does not include the unit of a credited amount, which has none", () => {
    const amount = { ...line, quantity: 1, more: { unitCode: null, isAmount: true } }
    expect(rulesOf(paperOf([amount], { kind: "credit-note" }), "xrechnung")).toEqual([])
  })

  test("does not include the bank account of a credit note", () => {
    const note = paperOf([line], { kind: "credit-note", seller: { ...seller, iban: null } })
    expect(rulesOf(note, "xrechnung")).toEqual([])
  })

  test("does not include a VAT ID where a tax number is enough", () => {
    const small = { ...seller, vatId: null, registrationId: null }
    expect(rulesOf(paperOf([{ ...line, taxCategory: "E" }], { seller: small }), "xrechnung")).toEqual([])
    expect(rulesOf(paperOf([{ ...line, taxCategory: "O" }], { seller: small }), "xrechnung")).toEqual([])
  })

  test("does not include amounts of a currency with three decimals that need only two", () => {
    const paper = paperOf([{ quantity: 1, rate: 100 }], { currency: "KWD", digits: 3 })
    expect(rulesOf(paper, "en16931")).toEqual([])
  })
})
