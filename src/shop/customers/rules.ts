import type { Input } from "../../core/kind/read"
import { fieldError, type FieldError } from "../../core/lib/refusal"
import { mayIncludeTax } from "../../shared/documents/line"
import type { Warning } from "../../core/lib/warning"
import { countryOfCustomer } from "../../shared/documents/treatment"
import { problemOfVatId } from "../../shared/documents/vat-ids"
import type { Settings } from "../../office/settings/model"
import { taxCountryOf, warnOfUnlikelyTreatment } from "../../trade/documents/customer"
import type { Customer } from "./model"

/** A customer that was merged into another one stays inactive. */
export const activeErrors = ({ mergedInto }: Customer, { isActive }: Customer): FieldError[] =>
  mergedInto !== null && isActive === true
    ? [
        fieldError("isActive", "RULE", "must be false: the customer was merged into another one", {
          rule: "MERGED",
        }),
      ]
    : []

/** The documents of an exempt customer say why no tax is charged. */
export const treatmentErrors = ({
  taxTreatment,
  taxReason,
}: Pick<Customer, "taxTreatment" | "taxReason">): FieldError[] =>
  taxTreatment === "exempt" && taxReason === null
    ? [
        fieldError("taxReason", "REQUIRED", "is required for the treatment exempt", {
          treatment: taxTreatment,
        }),
      ]
    : []

/** Only domestic sales have tax that prices can include. */
export const priceErrors = ({
  taxTreatment,
  pricesIncludeTax,
}: Pick<Customer, "taxTreatment" | "pricesIncludeTax">): FieldError[] =>
  pricesIncludeTax === true && !mayIncludeTax(taxTreatment)
    ? [
        fieldError(
          "pricesIncludeTax",
          "RULE",
          "must not be true: only domestic sales have tax in their prices",
          {
            rule: "TREATMENT",
          },
        ),
      ]
    : []

/** A customer that gets a treatment without tax, and is not given other prices now, has those of the settings. */
export const withPossiblePrices = (input: Input, before: Customer, after: Customer): Input =>
  before.pricesIncludeTax === true && priceErrors(after).length > 0
    ? { ...input, pricesIncludeTax: null }
    : input

type Taxed = Pick<Customer, "name" | "taxId" | "taxTreatment" | "address" | "shippingAddress">

/** The fields that decide how sales to a customer are taxed. */
export const taxedBy = ["taxId", "taxTreatment", "address", "shippingAddress"] as const

/** Warns of a VAT ID that cannot be right, and of a treatment that hardly fits. */
export function warnOfTax(warnings: Warning[], settings: Settings, customer: Taxed): void {
  const seller = taxCountryOf(settings)
  const { name, taxId, taxTreatment, address, shippingAddress } = customer
  const country = address?.country ?? null
  const place = countryOfCustomer({ country, taxId })
  // At home, the number of the tax office may stand alone.
  const found = problemOfVatId(taxId, place === seller ? null : place)
  if (found && taxId !== null)
    warnings.push({
      code: "VAT_ID_UNLIKELY",
      field: "taxId",
      message: vatIdMessages[found.problem](taxId, found.country, found.example),
      params: { taxId, ...found },
    })
  const shipsTo = shippingAddress?.country ?? null
  warnOfUnlikelyTreatment(warnings, seller, { name, country, shipsTo, taxId, taxTreatment })
}

const vatIdMessages = {
  FORMAT: (taxId: string, country: string, example: string) =>
    `${JSON.stringify(taxId)} does not have the form of a VAT ID of ${country}, such as ${example}.`,
  CHECK_DIGIT: (taxId: string, country: string) =>
    `${JSON.stringify(taxId)} is not a VAT ID of ${country}: its check digit is wrong, so a digit was mistyped.`,
  PREFIX: (taxId: string, country: string, example: string) =>
    `${JSON.stringify(taxId)} lacks the code of ${country}: as a VAT ID it is ${example}.`,
}
