import { expect, test } from "bun:test"
import { countries, currencyCodes, digitsOf } from "./countries"

test("Currencies have the decimals of ISO 4217.", () => {
  expect(["EUR", "USD", "CHF", "JPY", "KRW", "KWD", "BHD", "CLF"].map(digitsOf)).toEqual([
    2, 2, 2, 0, 0, 3, 3, 4,
  ])
})

test("Every currency that can be chosen is a code with no more decimals than a price.", () => {
  const codes = currencyCodes()
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of codes) {
    expect(code).toMatch(/^[A-Z]{3}$/)
    expect(digitsOf(code)).toBeWithin(0, 5)
  }
  expect(codes).toContain("EUR")
  for (const code of ["XXX", "XTS"]) expect(codes).not.toContain(code)
})

test("The countries are the 249 codes that ISO 3166-1 assigns.", () => {
  expect(countries.size).toBe(249)
  for (const code of countries) expect(code).toMatch(/^[A-Z]{2}$/)
  for (const code of ["DE", "GB", "XK", "UK", "EU"])
    expect(countries.has(code)).toBe(code === "DE" || code === "GB")
})
