import { countries } from "../countries"
import type { TaxTreatment } from "./tax"
import type { TreatmentReason } from "./treatment-reasons"
import { countryOfVatId, euCountries, problemOfVatId } from "./vat-ids"

/** The company, as far as it decides how sales are taxed. */
type SellerParts = { address: { country: string | null } | null; vatId: string | null }

/** Countries whose sales are taxed as those of another one. */
const partOfOther: Readonly<Record<string, string>> = { IM: "GB", LI: "CH", MC: "FR" }

const taxCountry = (country: string | null): string | null =>
  country !== null && Object.hasOwn(partOfOther, country) ? (partOfOther[country] ?? null) : country

/** The country by whose law the company is taxed: that of its address, else that of its VAT ID. XI is Northern Ireland. */
export function countryOfSeller({ address, vatId }: SellerParts): string | null {
  const byVatId = countryOfVatId(vatId)
  return byVatId === "XI" ? byVatId : taxCountry(address?.country ?? byVatId)
}

/** A customer, as far as it decides how sales to it are taxed. */
export type TaxedCustomer = {
  country: string | null
  /** Where goods go, if to another address than that of the customer. */
  shipsTo: string | null
  taxId: string | null
}

/** Another treatment than the one chosen, why it fits, and the country of the customer. */
export type TreatmentProposal = { proposed: TaxTreatment; reason: TreatmentReason; country: string }

const isEu = (country: string): boolean => euCountries.has(country) || country === "XI"

/** The country of a customer: that of the address, else that of the VAT ID. A VAT ID of Northern Ireland counts first. */
export function countryOfCustomer({
  country,
  taxId,
}: Pick<TaxedCustomer, "country" | "taxId">): string | null {
  const byVatId = countryOfVatId(taxId)
  const known = country !== null && countries.has(country) ? taxCountry(country) : null
  return byVatId === "XI" && (known ?? "GB") === "GB" ? byVatId : (known ?? byVatId)
}

/**
 * Returns the treatment that fits a customer better than the chosen one; null if the chosen one is possible, or if nobody
 * can tell. Only a customer abroad with a tax ID is proposed another one than domestic: a consumer pays tax as at home.
 */
export function betterTreatment(
  seller: string | null,
  customer: TaxedCustomer,
  chosen: TaxTreatment,
): TreatmentProposal | null {
  const country = countryOfCustomer(customer)
  if (seller === null || country === null || chosen === "exempt" || chosen === "reverse-charge") return null
  const proposal = fitting(seller, country, customer)
  return proposal.proposed === chosen || isAllowed(seller, country, customer, chosen)
    ? null
    : { ...proposal, country }
}

function fitting(
  seller: string,
  country: string,
  { taxId }: Pick<TaxedCustomer, "taxId">,
): Pick<TreatmentProposal, "proposed" | "reason"> {
  if (country === seller) return { proposed: "domestic", reason: "SAME_COUNTRY" }
  if (!isEu(seller)) return { proposed: "export", reason: "ABROAD" }
  if (!isEu(country)) return { proposed: "export", reason: "OUTSIDE_EU" }
  return hasForeignEuId(seller, country, taxId)
    ? { proposed: "intra-community", reason: "OTHER_EU_COUNTRY" }
    : { proposed: "domestic", reason: "EU_WITHOUT_VAT_ID" }
}

/** True for a VAT ID of another member. A customer abroad may be registered in the country of the company. */
function hasForeignEuId(seller: string, country: string, taxId: string | null): boolean {
  const prefix = countryOfVatId(taxId)
  if (prefix === null) return problemOfVatId(taxId, country)?.problem === "PREFIX"
  return prefix !== seller && isEu(prefix)
}

/** What fits less well and is possible all the same. */
function isAllowed(
  seller: string,
  country: string,
  { taxId, shipsTo }: TaxedCustomer,
  chosen: TaxTreatment,
): boolean {
  const goal = taxCountry(shipsTo)
  // Goods for a customer at home can be sent abroad, and goods for a customer abroad can be handed over at home.
  if (goal !== null && goal !== country) {
    if (chosen === "domestic") return goal === seller
    if (chosen === "export") return goal !== seller && !(isEu(seller) && isEu(goal))
    return goal !== seller && isEu(goal)
  }
  if (chosen !== "domestic" || country === seller) return false
  const prefix = countryOfVatId(taxId)
  return (taxId ?? "").trim() === "" || prefix === seller
}
