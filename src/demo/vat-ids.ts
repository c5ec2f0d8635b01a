import { problemOfVatId } from "../shared/documents/vat-ids"

/** How VAT IDs are written; `n` stands for digits of a number, and `#` for those that follow from the others. */
const forms: Readonly<Record<string, string>> = {
  AT: "ATUnnnnnn##",
  BE: "BE0nnnnnnn##",
  CH: "CHEnnnnnnn##",
  DE: "DEnnnnnnn##",
  DK: "DKnnnnnn##",
  FR: "FR##nnnnnnnnn",
  IT: "ITnnnnnnnnn##",
  PL: "PLnnnnnnnn##",
  PT: "PTnnnnnnn##",
  SE: "SEnnnnnnnn##01",
}

/** Returns an invented VAT ID with a right check digit. */
export function inventedVatId(country: string, number: number): string {
  const form = forms[country] ?? `${country}nnnnnnn##`
  const digits = String(number).padStart(9, "1")
  let i = 0
  const begun = form.replace(/n/g, () => digits[i++ % digits.length] ?? "1")
  for (let end = 0; end < 100; end++) {
    const vatId = begun.replace("##", String(end).padStart(2, "0"))
    if (problemOfVatId(vatId) === null) return vatId
  }
  return begun.replace("##", "00")
}
