import { countryOptions } from "../../../console/forms/countries"

/** A line with a postal code and a place: 20457 Hamburg, D-20457 Hamburg, 1017 AB Amsterdam. */
const placeLine = /^(?:[A-Z]{1,3}-)?(\d{4} ?[A-Z]{2}|\d{3} \d{2}|\d{4,6})\s+(.+)$/

/** Splits an address that was typed as one text. Lines that are not understood stay in the street. */
export function splitAddress(text: string) {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
  const country = lines.length > 1 ? countryOf(lines.at(-1) ?? "") : null
  if (country !== null) lines.pop()
  const at = lines.findIndex((line) => placeLine.test(line))
  const [, zipCode = "", city = ""] = placeLine.exec(lines[at] ?? "") ?? []
  const street = lines.filter((_, i) => i !== at).join(", ")
  return { street, zipCode, city, state: "", country }
}

/** Returns the code of a country by its code or its name in the user's language. */
function countryOf(text: string): string | null {
  const typed = text.toLowerCase()
  const found = countryOptions.find(
    ({ value, label }) => value.toLowerCase() === typed || label.toLowerCase() === typed,
  )
  return found?.value ?? null
}
