import { fieldError, type FieldError } from "../../core/lib/refusal"
import type { Warning } from "../../core/lib/warning"
import { countryOfCustomer } from "../../shared/documents/treatment"
import { problemOfVatId } from "../../shared/documents/vat-ids"
import type { Settings } from "../../office/settings/model"
import { taxCountryOf, warnOfUnlikelyTreatment } from "../../trade/documents/customer"
import type { Customer } from "./model"

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
