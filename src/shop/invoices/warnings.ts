import type { Address } from "../../core/kind/address"
import type { Warning } from "../../core/lib/warning"
import { missingInAddress } from "../../shared/countries"
import type { TaxCategory } from "../../shared/documents/tax"
import { areTermsUnderstood, dueDateOf } from "../../shared/documents/terms"
import { warnOfUnlikelyTreatment } from "../../trade/documents/customer"
import type { Doc } from "../../trade/documents/kind"
import type { DocumentCustomer } from "../../trade/needs"
import type { InvoiceHead, InvoiceLine } from "./model"

/** Returns the due date that payment terms set. Adds a warning when they are not understood, and so set none. */
export function dueDateBy(invoiceDate: string, terms: string | null, warnings: Warning[]): string {
  warnOfTerms(terms, warnings)
  return dueDateOf(invoiceDate, terms)
}

/** Warns of payment terms that name no due date. */
export function warnOfTerms(terms: string | null, warnings: Warning[]): void {
  if (areTermsUnderstood(terms)) return
  warnings.push({
    code: "TERMS_NOT_UNDERSTOOD",
    field: "paymentTerms",
    message: `The payment terms ${JSON.stringify(terms)} name no due date, so the invoice is due immediately. Use terms such as "Net 30", "30 days" or "EOM", or set dueDate.`,
    params: { terms },
  })
}

/** The categories that somebody has chosen for a line, because it is not taxed at home. */
const untaxed: readonly (TaxCategory | null)[] = ["AE", "K", "G", "O", "E"]

/** Warns of what can no longer be mended after the issue: an address with gaps, and a treatment that hardly fits. */
export function warnOfBuyer(
  warnings: Warning[],
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
  { customer, seller }: { customer: DocumentCustomer; seller: string | null },
): void {
  const { name, taxId } = customer
  const address = addressOf(customer.address)
  const missing = missingInAddress(address)
  if (missing.length > 0)
    warnings.push({
      code: "BUYER_ADDRESS_MISSING",
      field: "billingAddress",
      message: `The address of ${name} is not complete: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing. An issued invoice keeps it as it is.`,
      params: { customerName: name, missing },
    })
  const { taxTreatment, shippingAddress } = head
  if (taxTreatment === "domestic" && lines.every(({ taxCategory }) => untaxed.includes(taxCategory))) return
  const shipsTo = shippingAddress?.country ?? null
  const country = address?.country ?? null
  warnOfUnlikelyTreatment(warnings, seller, { name, country, shipsTo, taxId, taxTreatment })
}

/** Reads the stored address of a customer. */
export const addressOf = (address: string | null) =>
  address === null ? null : (JSON.parse(address) as Address)
