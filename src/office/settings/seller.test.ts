import { expect, test } from "bun:test"
import type { Settings } from "./model"
import { sellerOf } from "./seller"

const seller = {
  legalName: null,
  address: null,
  email: null,
  phone: null,
  website: null,
  vatId: null,
  taxNumber: null,
  registrationId: null,
  iban: null,
  bic: null,
  bankName: null,
  documentFooter: null,
  logo: null,
}
const old = { companyName: null, companyAddress: null, companyTaxId: null }
const of = (given: Partial<Settings>) => sellerOf({ ...seller, ...old, ...given } as Settings)
const address = { street: "Kai 1", city: "Hamburg", state: null, zipCode: "20457", country: "DE" }

test("the seller has every field of the company", () => {
  expect(of({})).toEqual(seller)
})

test("the older fields are used where the newer ones are empty", () => {
  expect(
    of({ companyName: "Hafen", companyAddress: "Kai 1\n20457 Hamburg", companyTaxId: "DE1" }),
  ).toMatchObject({
    legalName: "Hafen",
    address: { street: "Kai 1\n20457 Hamburg", city: null, state: null, zipCode: null, country: null },
    vatId: "DE1",
  })
})

test("the newer fields win", () => {
  const company = { companyName: "Hafen", companyAddress: "Kai 1", companyTaxId: "DE1" }
  const given = { legalName: "Hafen GmbH", address, vatId: "DE2", iban: "DE89370400440532013000", logo: "ab" }
  expect(of({ ...company, ...given })).toMatchObject(given)
})
