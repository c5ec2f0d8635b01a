import { missedLeitwegDigits } from "../../shared/documents/leitweg"
import type { Settings } from "../../office/settings/model"
import { sellerOf } from "../../office/settings/seller"
import { betterTreatment, countryOfSeller, type TaxedCustomer } from "../../shared/documents/treatment"
import { treatmentReasons } from "../../shared/documents/treatment-reasons"
import type { TaxTreatment } from "../../shared/documents/tax"
import { fieldError, missingReference, type FieldError } from "../../core/lib/refusal"
import { once } from "../../core/lib/shared-runs"
import type { Warning } from "../../core/lib/warning"
import type { Customers } from "../needs"
import type { DocumentCustomer } from "../needs"
import type { Head } from "./kind"

type Findings = { errors: FieldError[]; warnings: Warning[] }

/**
 * Finds the customer of a document: for one that was merged, that is the one that it was merged into. An inactive customer
 * may stay on a document, but not be set on it.
 */
export function readCustomer(
  customers: Customers,
  id: unknown,
  before: string | null,
  { errors, warnings }: Findings,
): DocumentCustomer | null {
  if (typeof id !== "string") return null
  const customer = customers.forDocument(id)
  if (!customer) errors.push(missingReference("customer", id))
  else warnOfMerge(warnings, customer)
  if (customer && !customer.isActive && customer.id !== before)
    errors.push(
      fieldError("customer", "RULE", `${customer.name} is inactive`, {
        rule: "INACTIVE",
        name: customer.name,
      }),
    )
  return customer
}

/** Warns when a body has named a customer that was merged into another. */
export function warnOfMerge(
  warnings: Warning[],
  { merged, name, customerNumber }: DocumentCustomer,
  field = "customer",
): void {
  if (!merged) return
  warnings.push({
    code: "CUSTOMER_MERGED",
    field,
    message: `Customer ${merged.customerNumber} (${merged.name}) was merged into ${customerNumber} (${name}), which is meant now.`,
    params: {
      customerName: merged.name,
      customerNumber: merged.customerNumber,
      survivor: name,
      survivorNumber: customerNumber,
    },
  })
}

/** Warns when the customer of a document has another tax treatment than its lines were taxed by. */
export function warnOfTreatment(
  warnings: Warning[],
  { taxTreatment }: Pick<Head, "taxTreatment">,
  { name: customerName, taxTreatment: current }: DocumentCustomer,
): void {
  if (taxTreatment === current) return
  warnings.push({
    code: "TAX_TREATMENT_CHANGED",
    field: "taxTreatment",
    message: `The tax treatment of ${customerName} is now ${current}; this document has the tax of ${taxTreatment}.`,
    params: { customerName, taxTreatment, current },
  })
}

/** Returns the country by whose law the company is taxed, if it is known. */
export const taxCountryOf = (settings: Settings): string | null => countryOfSeller(sellerOf(settings))

/** Warns of a treatment that hardly fits a customer. `seller` is the country of the company. */
export function warnOfUnlikelyTreatment(
  warnings: Warning[],
  seller: string | null,
  {
    name: customerName,
    taxTreatment,
    ...customer
  }: TaxedCustomer & { name: string; taxTreatment: TaxTreatment },
): void {
  const found = betterTreatment(seller, customer, taxTreatment)
  if (!found) return
  const reason = treatmentReasons[found.reason].replace("{{country}}", regionName(found.country))
  warnings.push({
    code: "TREATMENT_UNLIKELY",
    field: "taxTreatment",
    message: `The treatment of ${customerName} is ${taxTreatment}, and ${found.proposed} would fit. ${reason}`,
    params: { customerName, taxTreatment, ...found },
  })
}

const regionNames = once(() => new Intl.DisplayNames("en", { type: "region" }))

const regionName = (country: string): string =>
  country === "XI" ? "Northern Ireland" : (regionNames().of(country) ?? country)

/** Warns of a Leitweg-ID that was mistyped: the portals of the public sector refuse it. */
export function warnOfReference(warnings: Warning[], buyerReference: string | null): void {
  const expected = buyerReference === null ? null : missedLeitwegDigits(buyerReference)
  if (buyerReference === null || expected === null) return
  warnings.push({
    code: "LEITWEG_CHECK_DIGITS",
    field: "buyerReference",
    message: `The check digits of the Leitweg-ID ${buyerReference} are wrong: it should end with ${expected}.`,
    params: { buyerReference, expected },
  })
}
