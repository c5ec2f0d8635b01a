import { locales } from "../texts"
import { countries } from "../../shared/countries"

const names = new Intl.DisplayNames([...locales], { type: "region" })

/** Returns the name of a country in the user's language. */
export const countryName = (code: string | null | undefined): string | null =>
  code ? (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code) : null

/** All countries, sorted by name in the user's language. */
export const countryOptions = [...countries]
  .map((value) => ({ value, label: countryName(value) ?? value }))
  .toSorted((a, b) => a.label.localeCompare(b.label, [...locales]))
