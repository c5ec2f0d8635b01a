import { describe, expect, test } from "bun:test"
import { lacksOfSeller, usableVatId, type EInvoiceSeller } from "./e-invoice"
import { countries, eInvoiceHintOf } from "../countries"

const complete: EInvoiceSeller = {
  legalName: "Nordlicht Handels GmbH",
  address: { city: "Hamburg", zipCode: "20457", country: "DE" },
  email: "office@nordlicht.example",
  phone: "+49 40 1234567",
  vatId: "DE123456789",
  taxNumber: null,
  registrationId: null,
  iban: "DE89370400440532013000",
}
const empty: EInvoiceSeller = {
  legalName: null,
  address: null,
  email: null,
  phone: null,
  vatId: null,
  taxNumber: null,
  registrationId: null,
  iban: null,
}
const usual = { categories: ["S"], isCreditNote: false } as const

describe("what the seller of an e-invoice lacks", () => {
  test("is nothing when the company is complete", () => {
    expect(lacksOfSeller(complete, { ...usual, profile: "xrechnung" })).toEqual([])
  })

  test("is named by the fields of the settings, and XRechnung needs more", () => {
    const fields = (profile: "en16931" | "xrechnung") =>
      lacksOfSeller(empty, { ...usual, profile }).map(({ field }) => field)
    const always = ["legalName", "address.country", "vatId"]
    expect(fields("en16931")).toEqual(always)
    const more = ["address.city", "address.zipCode", "phone", "email", "iban"]
    expect(fields("xrechnung")).toEqual([...always, ...more])
  })

  test("is an ID even when nothing is known about the tax", () => {
    const found = lacksOfSeller(empty, { profile: "en16931", categories: [], isCreditNote: false })
    expect(found).toContainEqual({ field: "vatId", rule: "BR-CO-26" })
  })
})

test("a VAT ID is written without spaces and begins with a country, Greece and Northern Ireland included", () => {
  expect(["de 123 456 789", "EL123456789", "XI123456789", "CHE-123.456.789 MWST"].map(usableVatId)).toEqual([
    "DE123456789",
    "EL123456789",
    "XI123456789",
    "CHE-123.456.789MWST",
  ])
  expect(["123456789", "QQ123", "SS123", "DE", "", null].map(usableVatId)).toEqual(Array(6).fill(null))
})

test("every country has a hint about e-invoices", () => {
  expect(eInvoiceHintOf("DE")).toEqual({
    businesses: "factur-x",
    publicSector: "xrechnung",
    dutyFrom: "2028-01-01",
  })
  expect(eInvoiceHintOf("BE")).toMatchObject({ businesses: "peppol-ubl", dutyFrom: "2026-01-01" })
  expect(eInvoiceHintOf("CH").businesses).toBe("qr-bill")
  for (const country of countries) expect(eInvoiceHintOf(country).businesses).toBeString()
  expect(eInvoiceHintOf(null).businesses).toBe("en16931")
})
