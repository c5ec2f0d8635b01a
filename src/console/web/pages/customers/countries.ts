import { countries } from "../../../../shared/countries"

const names = new Intl.DisplayNames(navigator.languages, { type: "region" })

/** A country in the person's own language. */
export const countryName = (code: string | null | undefined): string | null =>
  code ? (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code) : null

/** Every country to choose from, in the order in which the person would look for it. */
export const countryOptions = [...countries]
  .map((value) => ({ value, label: countryName(value) ?? value }))
  .toSorted((a, b) => a.label.localeCompare(b.label, navigator.languages as string[]))
