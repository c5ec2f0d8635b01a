import { describe, expect, test } from "bun:test"
import { countryOfVatId, problemOfVatId, vatIdExamples } from "./vat-ids"

/** Published by their owners or by the tax offices, in the forms that the examples lack. */
const others = [
  "DE811569869",
  "atu 1358 5627",
  "NL000099998B57",
  "IE8Z49289F",
  "IE3628739UA",
  "ES54362315K",
  "ESX2482300W",
  "ESJ99216582",
  "FRK7399859412",
  "GB434031494",
  "GBGD001",
  "NO995525828",
  "LT100001919017",
  "CHE116281710TVA",
]

describe("A VAT ID", () => {
  test.each([...Object.values(vatIdExamples), ...others])(
    "%p has the form of its country and its check digit.",
    (vatId) => {
      expect(problemOfVatId(vatId)).toBeNull()
    },
  )

  /** The last digit of a VAT ID replaced by the nine others. */
  const wrongEnds = (vatId: string) => {
    const at = /\d\D*$/.exec(vatId)?.index ?? 0
    return [..."0123456789"]
      .filter((digit) => digit !== vatId[at])
      .map((digit) => vatId.slice(0, at) + digit + vatId.slice(at + 1))
  }

  test.each(
    Object.entries(vatIdExamples).filter(
      ([country]) => !["IE", "CY", "SE", "NL", "GB", "XI"].includes(country),
    ),
  )("of %s with another last digit is wrong.", (country, vatId) => {
    for (const wrong of wrongEnds(vatId))
      expect([wrong, problemOfVatId(wrong)?.country]).toEqual([wrong, country])
  })

  test.each([
    ["DE123456789", "CHECK_DIGIT"],
    ["GB980780685", "CHECK_DIGIT"],
    ["NL004495446B01", "CHECK_DIGIT"],
    ["IE6433436F", "CHECK_DIGIT"],
    ["SE123456788701", "CHECK_DIGIT"],
    ["CY10259034P", "CHECK_DIGIT"],
    ["DE1", "FORMAT"],
    ["DE 012 345 678", "FORMAT"],
    ["ATU1234567", "FORMAT"],
    ["EL09425921", "FORMAT"],
    ["FRIO303265045", "FORMAT"],
    [`DE${"1".repeat(5_000)}`, "FORMAT"],
  ])("%p is wrong: %s.", (vatId, problem) => {
    expect(problemOfVatId(vatId)?.problem as string).toBe(problem)
  })

  test("without the code of its country is told with it, if the country of the customer is known.", () => {
    expect(problemOfVatId("136695976", "DE")).toMatchObject({ problem: "PREFIX", example: "DE136695976" })
    expect(problemOfVatId("094259216", "GR")?.example).toBe("EL094259216")
    expect(problemOfVatId("136695976")).toBeNull()
    expect(problemOfVatId("136695977", "DE")).toBeNull()
  })

  test.each([null, "", "  ", "12/345/67890", "T-9", "US12-3456789", "constructor"])(
    "%p is not meant as one, so nothing is wrong.",
    (taxId) => {
      expect([problemOfVatId(taxId), problemOfVatId(taxId, "DE")]).toEqual([null, null])
    },
  )

  test("names its country, Greece by EL.", () => {
    expect(["EL094259216", "GR094259216", "xi 980780684", "US1", null].map(countryOfVatId)).toEqual([
      "GR",
      "GR",
      "XI",
      null,
      null,
    ])
  })
})
