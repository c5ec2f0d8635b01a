import type { Address } from "../../../core/kind/address"
import { isListedCountry, usableVatId } from "../../../shared/e-invoice"
import { xmlTextOf } from "../../../shared/xml-text"
import type { Missing, Paper, XmlProfile } from "../model"
import { deliverToOf, hasCategory } from "./content"
import { isBlank, missingIf } from "./report"

/** Returns what the e-invoice of a document lacks of its customer: the buyer and where the goods are delivered. */
export const missingOfBuyer = (paper: Paper, profile: XmlProfile): Missing[] => [
  ...missingIf(isBlank(paper.buyer.name), "buyer.name", "BR-07", "The customer has no name: enter it."),
  ...missingCountry(paper.buyer.address, "buyer.address.country", "BR-11", "The address of the customer"),
  ...missingTaxId(paper),
  ...wrongDelivery(paper, profile),
  ...(profile === "xrechnung" ? missingForXrechnung(paper) : []),
]

function missingCountry(address: Address | null, field: string, rule: string, whose: string): Missing[] {
  const country = xmlTextOf(address?.country ?? null)
  if (country === null) return [{ field, rule, message: `${whose} has no country: enter it.` }]
  const message = `The official list of countries does not contain ${country}.`
  return missingIf(!isListedCountry(country), field, "BR-CL-14", message)
}

/** The VAT ID of the buyer is needed in the categories AE and K. In others it is left out if it has no prefix. */
function missingTaxId(paper: Paper): Missing[] {
  const { taxId } = paper.buyer
  const rule = hasCategory(paper, "K") ? "BR-IC-02" : hasCategory(paper, "AE") ? "BR-AE-02" : null
  if (rule === null || hasCategory(paper, "O") || usableVatId(taxId) !== null) return []
  const what = rule === "BR-AE-02" ? "Reverse charge" : "An intra-Community supply"
  return isBlank(taxId)
    ? [{ field: "buyer.taxId", rule, message: `${what} needs the VAT ID of the customer: enter it.` }]
    : [
        {
          field: "buyer.taxId",
          rule: "BR-CO-09",
          message:
            "The VAT ID of the customer must be the code of a country and a number, such as DE123456789: correct it.",
        },
      ]
}

/** The address of delivery. If it is the buyer's, what it lacks is already reported. */
function wrongDelivery(paper: Paper, profile: XmlProfile): Missing[] {
  const address = deliverToOf(paper, profile)
  if (address === null || address === paper.buyer.address) return []
  const needs = (part: string) => `XRechnung needs the ${part} of the shipping address: enter it.`
  const isStrict = profile === "xrechnung"
  return [
    ...missingCountry(address, "shippingAddress.country", "BR-57", "The shipping address"),
    ...missingIf(isStrict && isBlank(address.city), "shippingAddress.city", "BR-DE-10", needs("city")),
    ...missingIf(
      isStrict && isBlank(address.zipCode),
      "shippingAddress.zipCode",
      "BR-DE-11",
      needs("zip code"),
    ),
  ]
}

function missingForXrechnung({ buyer, buyerReference }: Paper): Missing[] {
  const needs = (part: string) => `XRechnung needs the ${part} of the customer: enter it.`
  return [
    ...missingIf(
      isBlank(buyerReference),
      "buyerReference",
      "BR-DE-15",
      "XRechnung needs the buyer reference, which is the Leitweg-ID of a public customer: enter it in the document.",
    ),
    ...missingIf(isBlank(buyer.address?.city), "buyer.address.city", "BR-DE-8", needs("city")),
    ...missingIf(isBlank(buyer.address?.zipCode), "buyer.address.zipCode", "BR-DE-9", needs("zip code")),
    ...missingIf(isBlank(buyer.email), "buyer.email", "PEPPOL-EN16931-R010", needs("email address")),
  ]
}
