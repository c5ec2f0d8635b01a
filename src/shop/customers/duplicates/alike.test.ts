import { expect, test } from "bun:test"
import { fold } from "../../../core/lib/text"
import { addressKey, addressSearches, alikeTo, beginningsOf, nameKey, type Place, placeKey } from "./alike"

const same = [
  ["Müller GmbH", "mueller"],
  ["Müller & Söhne GmbH & Co. KG", "Muller und Soehne"],
  ["Bäckerei Huber e.K.", "Bäckerei Huber"],
  ["Café Nordlicht", "CAFE NORDLICHT"],
  ["Dupont SARL", "S.A.R.L. Dupont"],
  ["Firma Meier", "Meier AG"],
  ["Meyer-Schmidt", "Meyer Schmidt"],
  ["Anna Petersen", "Petersen, Anna"],
  ["Acme Ltd.", "Acme Limited"],
] as const

test.each(same)("%s and %s are the same name", (a, b) => {
  expect(nameKey(a)).toBe(nameKey(b))
  expect(alikeTo(a)(fold(b))).toBeTrue()
  expect(alikeTo(b)(fold(a))).toBeTrue()
  for (const [typed, stored] of [
    [a, b],
    [b, a],
  ] as const)
    expect(beginningsOf(typed).some((each) => fold(stored).startsWith(each))).toBeTrue()
})

test.each([
  ["Schreinerei Petersen", "Schreinerei Petersn"],
  ["Schreinerei Petersen", "Schrienerei Petersen"],
  ["Nordlicht GmbH", "Nordlihct"],
])("%s and %s may be one name with a typing error", (a, b) => {
  expect(nameKey(a)).not.toBe(nameKey(b))
  expect(alikeTo(a)(fold(b))).toBeTrue()
})

test.each([
  ["Jan", "Jon"],
  ["Filiale 12", "Filiale 13"],
  ["Petersen", "Pettersson"],
  ["GmbH", "AG"],
])("%s and %s are different names", (a, b) => {
  expect(alikeTo(a)(fold(b))).toBeFalse()
})

test("A name of legal forms alone keeps them", () => {
  expect(nameKey("AG & Co. KG")).not.toBe("")
})

const isFound = (typed: Place, stored: Place): boolean =>
  addressSearches(typed).some(
    ({ beginning, isSame }) => addressKey(stored).startsWith(beginning) && isSame(addressKey(stored)),
  )
const kiel = { street: "Holtenauer Straße 5", zipCode: "24105", city: "Kiel" }

test.each([
  { street: "holtenauer str. 5", zipCode: "24105", city: null },
  { street: "Holtenauerstrasse 5", zipCode: "24 105", city: "Kiel-Wik" },
  { street: "Holtenauer Straße 5", zipCode: null, city: "KIEL" },
])("%j is the address of a customer in Kiel", (place) => {
  expect(isFound(place, kiel)).toBeTrue()
  expect(isFound(kiel, place)).toBeTrue()
})

test("umlauts of an address may be written with e", () => {
  const [a, b] = [
    { street: "Mühlenweg 7a", city: "Köln" },
    { street: "Muehlenweg 7 A", city: "Koeln" },
  ]
  expect(isFound(a, b)).toBeTrue()
  expect(placeKey(a)).toBe(placeKey(b))
})

test.each([
  { street: "Holtenauer Straße 6", zipCode: "24105", city: "Kiel" },
  { street: "Holtenauer Straße 5", zipCode: "24106", city: "Kiel" },
  { street: "Holtenauer Straße 5", zipCode: null, city: "Plön" },
  { street: "Holtenauer Straße", zipCode: "24105", city: "Kiel" },
  { street: "5", zipCode: "24105", city: "Kiel" },
  { street: "Holtenauer Straße 5", zipCode: null, city: null },
  { street: null, zipCode: "24105", city: "Kiel" },
])("%j is another address, or says too little", (place) => {
  expect(isFound(place, kiel)).toBeFalse()
  expect(isFound(kiel, place)).toBeFalse()
})

test("an address of characters that become many when they are folded is compared by its beginning", () => {
  const long = { street: `5${"\u{fdfa}".repeat(199)}`, zipCode: "24105", city: "\u{fdfa}".repeat(100) }
  expect(addressKey(long).length).toBeLessThan(500)
  expect(isFound(long, long)).toBeTrue()
})
