import { checks } from "./vat-id-checks"

/** The members of the European Union. */
export const euCountries: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
)

/** The number after the prefix, by the country. XI is Northern Ireland, which trades goods as a part of the EU. */
const patterns: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CH: /^E\d{9}(?:MWST|TVA|IVA|VAT)?$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^[1-9]\d{8}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GB: /^(?:\d{9}|\d{12}|GD[0-4]\d\d|HA[5-9]\d\d)$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{9}B[A-Z0-9+*]{2}$/,
  NO: /^\d{9}(?:MVA)?$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^[1-9]\d{1,9}$/,
  SE: /^\d{10}(?:0[1-9]|[1-8]\d|9[0-4])$/,
  SI: /^[1-9]\d{7}$/,
  SK: /^[1-9]\d{9}$/,
  XI: /^(?:\d{9}|\d{12}|GD[0-4]\d\d|HA[5-9]\d\d)$/,
}

/** A VAT ID in each form, with a right check digit. */
export const vatIdExamples: Readonly<Record<string, string>> = {
  AT: "ATU13585627",
  BE: "BE0428759497",
  BG: "BG175074752",
  CH: "CHE-107.787.577 MWST",
  CY: "CY10259033P",
  CZ: "CZ25123891",
  DE: "DE136695976",
  DK: "DK13585628",
  EE: "EE100931558",
  ES: "ESB58378431",
  FI: "FI20774740",
  FR: "FR40303265045",
  GB: "GB980780684",
  GR: "EL094259216",
  HR: "HR33392005961",
  HU: "HU12892312",
  IE: "IE6433435F",
  IT: "IT00743110157",
  LT: "LT119511515",
  LU: "LU15027442",
  LV: "LV40003521600",
  MT: "MT11679112",
  NL: "NL004495445B01",
  NO: "NO 995 525 828 MVA",
  PL: "PL8567346215",
  PT: "PT501964843",
  RO: "RO18547290",
  SE: "SE123456789701",
  SI: "SI50223054",
  SK: "SK2022749619",
  XI: "XI980780684",
}

/** No VAT ID with its spaces is longer. */
const longest = 64

/** Removes the spaces and signs with which people write a VAT ID. Greece writes EL for GR. */
function tidy(vatId: string): string {
  const text = vatId
    .slice(0, longest)
    .replace(/[\s./–-]/g, "")
    .toUpperCase()
  return text.startsWith("EL") ? `GR${text.slice(2)}` : text
}

/** The country whose prefix a tax ID has, if Kontor knows the VAT IDs of that country. XI stands for Northern Ireland. */
export function countryOfVatId(taxId: string | null): string | null {
  const prefix = tidy(taxId ?? "").slice(0, 2)
  return Object.hasOwn(patterns, prefix) ? prefix : null
}

/** What is wrong with a tax ID: its form, its check digit, or that the code of the country is missing before it. */
export type VatIdProblem = {
  problem: "FORMAT" | "CHECK_DIGIT" | "PREFIX"
  country: string
  /** A right one of the country; for a missing prefix, the VAT ID with it. */
  example: string
}

/**
 * Returns what is wrong with a tax ID that is meant as a VAT ID: one that begins with the code of a country. One that does
 * not is only reported if it would be a VAT ID of the given country. Whether a VAT ID is registered nobody knows offline.
 */
export function problemOfVatId(taxId: string | null, country: string | null = null): VatIdProblem | null {
  if (taxId === null || taxId.trim() === "") return null
  const prefix = countryOfVatId(taxId)
  if (prefix === null || (prefix !== country && isLocal(taxId, country))) return withoutPrefix(taxId, country)
  const number = tidy(taxId).slice(2)
  const example = vatIdExamples[prefix] ?? ""
  if (!patterns[prefix]?.test(number)) return { problem: "FORMAT", country: prefix, example }
  return checks[prefix]?.(number) === false ? { problem: "CHECK_DIGIT", country: prefix, example } : null
}

/** True for a number of a country that begins like the prefix of another one, such as one of Spain that begins with B. */
const isLocal = (taxId: string, country: string | null): boolean => withoutPrefix(taxId, country) !== null

function withoutPrefix(taxId: string, country: string | null): VatIdProblem | null {
  if (country === null || !Object.hasOwn(patterns, country)) return null
  const number = tidy(taxId)
  if (!patterns[country]?.test(number) || checks[country]?.(number) === false) return null
  const prefix = country === "GR" ? "EL" : country
  return { problem: "PREFIX", country, example: `${prefix}${number}` }
}
