import { countries } from "../countries"
import type { TaxCategory } from "./tax"
import { xmlTextOf } from "../sheet-escape"

/** What the rules of e-invoices read of a seller: a part of the settings, or of the seller of a document. */
export type EInvoiceSeller = {
  legalName: string | null
  address: { city: string | null; zipCode: string | null; country: string | null } | null
  email: string | null
  phone: string | null
  vatId: string | null
  taxNumber: string | null
  registrationId: string | null
  iban: string | null
}

/** What the seller of an e-invoice lacks: the field, and the rule that requires it. */
export type Lack = { field: string; rule: string }

type Case = {
  profile: "en16931" | "xrechnung"
  /** The tax categories of the document. */
  categories: readonly (TaxCategory | null)[]
  isCreditNote: boolean
}

/** Greece writes its VAT IDs with EL and Northern Ireland with XI. The official lists of codes lack South Sudan. */
const vatPrefixes: ReadonlySet<string> = new Set(
  [...countries, "EL", "XI"].filter((country) => country !== "SS"),
)

/** True when the official rules know a country. */
export const isListedCountry = (country: string): boolean => country !== "SS" && countries.has(country)

/** Returns a VAT ID without spaces and in upper case, or null when it does not begin with the code of a country. */
export function usableVatId(vatId: string | null): string | null {
  const tidy = xmlTextOf(vatId)?.replace(/\s/g, "").toUpperCase() ?? ""
  return vatPrefixes.has(tidy.slice(0, 2)) && tidy.length > 2 ? tidy : null
}

/** The rules about the tax IDs of the seller, by category. K and G need the VAT ID; the others accept a tax number. */
const taxIdRules: Partial<Record<TaxCategory, { rule: string; needsVatId: boolean }>> = {
  S: { rule: "BR-S-02", needsVatId: false },
  Z: { rule: "BR-Z-02", needsVatId: false },
  E: { rule: "BR-E-02", needsVatId: false },
  AE: { rule: "BR-AE-02", needsVatId: false },
  K: { rule: "BR-IC-02", needsVatId: true },
  G: { rule: "BR-G-02", needsVatId: true },
}

/** Returns what the seller lacks for a valid e-invoice. Fields are named as in the settings. */
export function lacksOfSeller(seller: EInvoiceSeller, situation: Case): Lack[] {
  const { legalName, address } = seller
  const country = xmlTextOf(address?.country ?? null)
  return [
    ...lackIf(isBlank(legalName), "legalName", "BR-06"),
    ...lackIf(country === null, "address.country", "BR-09"),
    ...lackIf(country !== null && !isListedCountry(country), "address.country", "BR-CL-14"),
    ...lacksOfTaxIds(seller, situation.categories),
    ...(situation.profile === "xrechnung" ? lacksForXrechnung(seller, situation) : []),
  ]
}

const isBlank = (text: string | null): boolean => xmlTextOf(text) === null
const lackIf = (isLacking: boolean, field: string, rule: string): Lack[] =>
  isLacking ? [{ field, rule }] : []

function lacksOfTaxIds(seller: EInvoiceSeller, categories: Case["categories"]): Lack[] {
  const { vatId, taxNumber, registrationId } = seller
  const usable = usableVatId(vatId)
  // A document that is not subject to tax must not contain the VAT ID.
  const isVatIdShown = !categories.includes("O")
  if (isVatIdShown && !isBlank(vatId) && usable === null) return [{ field: "vatId", rule: "BR-CO-09" }]
  const hasTaxNumber = !isBlank(taxNumber)
  for (const category of new Set(categories)) {
    const found = category === null ? undefined : taxIdRules[category]
    if (found && usable === null && (found.needsVatId || !hasTaxNumber))
      return [{ field: "vatId", rule: found.rule }]
  }
  const isIdentified = !isBlank(registrationId) || hasTaxNumber || (isVatIdShown && usable !== null)
  return lackIf(!isIdentified, isVatIdShown ? "vatId" : "registrationId", "BR-CO-26")
}

/** A phone number has at least three digits. The name of a mail server has a dot. */
const phone = /(?:\d.*){3}/
const mail = /^[^@\s]+@(?:[^@.\s]+\.)+[^@.\s]+$/

function lacksForXrechnung(seller: EInvoiceSeller, { isCreditNote }: Case): Lack[] {
  const { address, email, iban } = seller
  const [number, sender] = [xmlTextOf(seller.phone), xmlTextOf(email)]
  return [
    ...lackIf(isBlank(address?.city ?? null), "address.city", "BR-DE-3"),
    ...lackIf(isBlank(address?.zipCode ?? null), "address.zipCode", "BR-DE-4"),
    ...lackIf(number === null, "phone", "BR-DE-6"),
    ...lackIf(number !== null && !phone.test(number), "phone", "BR-DE-27"),
    ...lackIf(sender === null, "email", "BR-DE-7"),
    ...lackIf(sender !== null && !mail.test(sender), "email", "BR-DE-28"),
    ...lackIf(isBlank(iban) && !isCreditNote, "iban", "BR-DE-1"),
  ]
}
