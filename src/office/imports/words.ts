import { once } from "../../core/lib/shared-runs"
import { fold } from "../../core/lib/text"
import { countries } from "../../shared/countries"
import { languages } from "../../shared/languages"

/** The languages of the words in files. */
const read = ["en", "de", "fr", "es", "it", "nl"] as const

/** A longer text is no name of a country or language. */
const longestName = 100

/** The form in which names are compared: capital letters, accents, spaces and punctuation make no difference. */
const formOf = (name: string): string => fold(name.trim()).replace(/[^\p{L}\p{N}]/gu, "")

/** What people write for countries besides their names: the signs of cars, ISO 3166-1 alpha-3, and short forms. */
const shortCountries: Readonly<Record<string, string>> = {
  AT: "A AUT Österr.",
  BE: "B BEL",
  CH: "CHE Swiss Suisse Svizzera Suiza Zwitserland SUI",
  CZ: "CZE Tschechien Czechia",
  DE: "D DEU GER BRD Dtl Dtld Deutschl. FRG",
  DK: "DNK",
  ES: "E ESP",
  FI: "FIN",
  FR: "F FRA",
  GB: "UK GBR England Schottland Scotland Wales Großbritannien",
  GR: "GRC EL Hellas",
  HR: "HRV",
  HU: "H HUN",
  IE: "IRL",
  IT: "I ITA",
  LI: "FL LIE",
  LU: "L LUX",
  NL: "NLD Holland Hollande Olanda Holanda",
  NO: "N NOR",
  PL: "POL",
  PT: "P PRT",
  SE: "S SWE",
  SI: "SLO SVN",
  SK: "SVK",
  US: "USA America Amerika",
}

/** Names of more than one word. */
const longCountries: readonly (readonly [string, string])[] = [
  ["GB", "Great Britain"],
  ["GB", "Grande-Bretagne"],
  ["GB", "Gran Bretaña"],
  ["GB", "Gran Bretagna"],
  ["GB", "Groot-Brittannië"],
  ["GB", "Northern Ireland"],
  ["CZ", "Czech Republic"],
  ["CZ", "Tschechische Republik"],
  ["NL", "The Netherlands"],
  ["NL", "Die Niederlande"],
  ["CH", "Die Schweiz"],
  ["US", "United States of America"],
  ["US", "Vereinigte Staaten von Amerika"],
  ["DE", "Federal Republic of Germany"],
  ["DE", "Bundesrepublik Deutschland"],
]

const shortLanguages: Readonly<Record<string, string>> = {
  de: "D DEU GER DE-DE DE-AT DE-CH dt. dtsch.",
  en: "E ENG EN-GB EN-US engl.",
  fr: "F FRA FRE FR-FR FR-CH FR-BE frz. franz.",
}

/** The codes by all names that the system knows for them in six languages, and by others. */
function codesOf(
  type: "region" | "language",
  codes: Iterable<string>,
  short: Readonly<Record<string, string>>,
): Map<string, string> {
  const found = new Map<string, string>()
  const add = (name: string, code: string) => {
    const form = formOf(name)
    if (form !== "" && !found.has(form)) found.set(form, code)
  }
  const all = [...codes]
  for (const code of all) add(code, code)
  for (const language of read)
    for (const style of ["long", "short"] as const) {
      const names = new Intl.DisplayNames([language], { type, style })
      for (const code of all) add(names.of(code) ?? code, code)
    }
  for (const [code, names] of Object.entries(short)) for (const name of names.split(" ")) add(name, code)
  return found
}

const countryCodes = once(() => {
  const codes = codesOf("region", countries, shortCountries)
  for (const [code, name] of longCountries) codes.set(formOf(name), code)
  return codes
})

const languageCodes = once(() => codesOf("language", languages, shortLanguages))

/** Returns the code of a country, by its code or by one of its names; undefined for another text. */
export const countryOf = (text: string): string | undefined =>
  text.length > longestName ? undefined : countryCodes().get(formOf(text))

/** Returns the code of a language of documents, by its code or by one of its names; undefined for another text. */
export const languageOf = (text: string): string | undefined =>
  text.length > longestName ? undefined : languageCodes().get(formOf(text))
