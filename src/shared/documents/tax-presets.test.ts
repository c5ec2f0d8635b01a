import { expect, test } from "bun:test"
import { countries } from "../countries"
import { languages } from "../languages"
import { categoriesWithReason } from "./tax"
import { presetCountries, taxPresetsOf } from "./tax-presets"

const all = presetCountries.flatMap((country) =>
  languages.flatMap((language) => taxPresetsOf(country, language)),
)

test("There are presets for the 27 members of the EU, Switzerland, Great Britain and Norway, and no others.", () => {
  expect(presetCountries.length).toBe(30)
  for (const country of presetCountries) expect([country, countries.has(country)]).toEqual([country, true])
  expect(taxPresetsOf("US", "en")).toEqual([])
})

test("A preset follows the rules of a tax code: only S has a rate, and E and O have a reason.", () => {
  for (const { code, name, category, rate, reason } of all) {
    expect([code, code.length <= 20, name.length <= 100]).toEqual([code, true, true])
    expect([code, rate > 0]).toEqual([code, category === "S"])
    expect([code, reason !== null]).toEqual([code, categoriesWithReason.includes(category)])
  }
})

test("The standard rate is first and the others fall, and no code occurs twice.", () => {
  for (const country of presetCountries) {
    const presets = taxPresetsOf(country, "en")
    const rates = presets.filter(({ category }) => category === "S").map(({ rate }) => rate)
    expect(rates).toEqual(rates.toSorted((a, b) => b - a))
    expect(new Set(presets.map(({ code }) => code)).size).toBe(presets.length)
  }
})

test("Names are in the language, and the codes are the same in every language.", () => {
  expect(taxPresetsOf("FI", "en").slice(0, 2)).toMatchObject([
    { code: "FI25.5", name: "25.5 % ALV" },
    { code: "FI13.5", name: "13.5 % ALV" },
  ])
  expect(taxPresetsOf("DE", "de")).toMatchObject([
    { code: "DE19", name: "19 % USt", category: "S", rate: 19 },
    { code: "DE7", name: "7 % USt", category: "S", rate: 7 },
    { code: "DE-E", name: "Steuerfrei", category: "E" },
    { code: "DE-AE", name: "Reverse-Charge", category: "AE" },
    { code: "DE-K", name: "Innergemeinschaftliche Lieferung", category: "K" },
    { code: "DE-G", name: "Ausfuhr", category: "G" },
    { code: "DE-O", name: "Nicht steuerbar", category: "O" },
  ])
  expect(taxPresetsOf("GB", "en").map(({ category }) => category)).toEqual([
    "S",
    "S",
    "Z",
    "E",
    "AE",
    "G",
    "O",
  ])
  expect(taxPresetsOf("CH", "de")[0]).toMatchObject({ code: "CH8.1", name: "8,1 % MWST" })
})
