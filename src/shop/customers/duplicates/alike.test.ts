import { expect, test } from "bun:test"
import { fold } from "../../../core/lib/text"
import { alikeTo, beginningsOf, nameKey } from "./alike"

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
