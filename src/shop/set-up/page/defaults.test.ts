import { expect, test } from "bun:test"
import { areTermsUnderstood } from "../../../shared/documents/terms"
import { unitCodeOf } from "../../../shared/documents/units"
import { countryOf, defaultsOf, placeOf } from "./defaults"

const german = {
  invoices: "RE-{YYYY}-{#####}",
  salesOrders: "AB-{YYYY}-{#####}",
  creditNotes: "RK-{YYYY}-{#####}",
  customers: "KD-{#####}",
}

test("Germany, Austria and the German part of Switzerland get German defaults, whatever the browser speaks.", () => {
  const shop = {
    language: "de",
    unit: "Stk",
    terms: "14 Tage netto",
    correctBy: "credit-note",
    numberFormats: expect.objectContaining(german),
  }
  expect(defaultsOf("DE", ["en-US"]) as object).toEqual(shop)
  expect(defaultsOf("AT", ["de-AT"]) as object).toEqual(shop)
  expect(defaultsOf("CH", ["de-CH"]) as object).toEqual({ ...shop, terms: "30 Tage netto" })
  expect(areTermsUnderstood(shop.terms)).toBeTrue()
  expect(unitCodeOf(shop.unit, {})).toBe("H87")
})

test("Other shops get neutral defaults, and the document language of the browser.", () => {
  const neutral = { unit: "", terms: "", correctBy: "cancel", numberFormats: {} }
  expect(defaultsOf("CH", ["fr-CH"]) as object).toEqual({ language: "fr", ...neutral })
  expect(defaultsOf("US", ["de-DE"]) as object).toEqual({ language: "de", ...neutral })
  expect(defaultsOf("NL", ["nl-NL", "fr"]) as object).toEqual({ language: "fr", ...neutral })
  expect(defaultsOf(null, []) as object).toEqual({ language: "en", ...neutral })
})

test("The country gives the currency, and where it has one, the time zone.", () => {
  expect(placeOf("CH")).toEqual({ currency: "CHF", timeZone: "Europe/Zurich" })
  expect(placeOf("US")).toEqual({ currency: "USD" })
  expect(placeOf(null)).toEqual({})
  expect(countryOf(["de"])).toBe("DE")
  expect(countryOf(["en-001"])).toBeNull()
})
