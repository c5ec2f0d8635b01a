import { describe, expect, test } from "bun:test"
import { betterTreatment, countryOfSeller, type TaxedCustomer } from "./treatment"
import type { TreatmentReason } from "./treatment-reasons"
import type { TaxTreatment } from "./tax"

const customer = (
  country: string | null,
  taxId: string | null,
  shipsTo: string | null = null,
): TaxedCustomer => ({
  country,
  taxId,
  shipsTo,
})
const french = customer("FR", "FR40303265045")

describe("The treatment that fits a customer", () => {
  test.each<[string, string | null, TaxedCustomer, TaxTreatment, [TaxTreatment, TreatmentReason] | null]>([
    ["another EU country with a VAT ID", "DE", french, "domestic", ["intra-community", "OTHER_EU_COUNTRY"]],
    ["the same as an export", "DE", french, "export", ["intra-community", "OTHER_EU_COUNTRY"]],
    ["the same in order", "DE", french, "intra-community", null],
    ["services by reverse charge", "DE", french, "reverse-charge", null],
    ["an exempt customer", "DE", french, "exempt", null],
    [
      "a VAT ID alone",
      "DE",
      customer(null, "FR40303265045"),
      "domestic",
      ["intra-community", "OTHER_EU_COUNTRY"],
    ],
    [
      "a VAT ID without its prefix",
      "DE",
      customer("AT", "U13585627"),
      "domestic",
      ["intra-community", "OTHER_EU_COUNTRY"],
    ],
    ["a tax number that is no VAT ID", "DE", customer("AT", "12 345/6789"), "domestic", null],
    ["a consumer in the EU", "DE", customer("FR", null), "domestic", null],
    [
      "a consumer in the EU as an export",
      "DE",
      customer("FR", null),
      "export",
      ["domestic", "EU_WITHOUT_VAT_ID"],
    ],
    ["one abroad with our VAT ID", "DE", customer("LU", "DE136695976"), "domestic", null],
    ["outside the EU", "DE", customer("CH", "CHE-107.787.577"), "domestic", ["export", "OUTSIDE_EU"]],
    [
      "outside the EU as intra-community",
      "DE",
      customer("US", null),
      "intra-community",
      ["export", "OUTSIDE_EU"],
    ],
    ["a consumer outside the EU", "DE", customer("US", null), "domestic", null],
    [
      "Northern Ireland",
      "DE",
      customer("GB", "XI980780684"),
      "domestic",
      ["intra-community", "OTHER_EU_COUNTRY"],
    ],
    ["Great Britain", "DE", customer("GB", "GB980780684"), "intra-community", ["export", "OUTSIDE_EU"]],
    ["at home as an export", "DE", customer("DE", "DE136695976"), "export", ["domestic", "SAME_COUNTRY"]],
    [
      "at home as intra-community",
      "DE",
      customer("DE", null),
      "intra-community",
      ["domestic", "SAME_COUNTRY"],
    ],
    ["at home by reverse charge", "DE", customer("DE", "DE136695976"), "reverse-charge", null],
    ["at home, sent abroad", "DE", customer("DE", "DE136695976", "CH"), "export", null],
    ["abroad, handed over at home", "DE", customer("FR", "FR40303265045", "DE"), "domestic", null],
    [
      "abroad, sent elsewhere abroad",
      "DE",
      customer("FR", "FR40303265045", "AT"),
      "domestic",
      ["intra-community", "OTHER_EU_COUNTRY"],
    ],
    ["Liechtenstein from Switzerland", "CH", customer("LI", "CHE-107.787.577"), "domestic", null],
    ["from Switzerland abroad", "CH", french, "domestic", ["export", "ABROAD"]],
    [
      "Monaco from Germany",
      "DE",
      customer("MC", "FR40303265045"),
      "domestic",
      ["intra-community", "OTHER_EU_COUNTRY"],
    ],
    ["a company without a country", null, french, "domestic", null],
    ["a customer of whom nothing is known", "DE", customer(null, "4711"), "domestic", null],
  ])("%s", (_, seller, given, chosen, expected) => {
    const found = betterTreatment(seller, given, chosen)
    expect(found && [found.proposed, found.reason]).toEqual(expected)
  })

  test("The country of the company is that of its address, or else of its VAT ID.", () => {
    const address = (country: string | null) => ({ country })
    expect(countryOfSeller({ address: address("AT"), vatId: "DE136695976" })).toBe("AT")
    expect(countryOfSeller({ address: null, vatId: "EL094259216" })).toBe("GR")
    expect(countryOfSeller({ address: address("GB"), vatId: "XI980780684" })).toBe("XI")
    expect(countryOfSeller({ address: address(null), vatId: "12/345" })).toBeNull()
  })
})
