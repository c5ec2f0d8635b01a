import type { Database } from "../../core/engine/engine"
import { digestOf } from "../../core/lib/secret"
import { assertNoErrors, fieldError } from "../../core/lib/refusal"
import type { Address } from "../../core/kind/address"
import { categoriesWithTaxId } from "../../shared/tax"
import type { DocumentCustomer } from "../../trade/needs"
import type { DocumentDeps } from "../../trade/documents/documents"
import type { Doc } from "../../trade/documents/kind"
import { withReasons } from "../../shared/line"
import { sellerOf } from "../../office/settings/seller"
import type { InvoiceHead, InvoiceLine } from "./model"
import { insertSeller } from "./store"

/** Returns the customer data that an invoice stores. */
export const partyOf = ({ name, address, taxId }: DocumentCustomer) => ({
  customerName: name,
  billingAddress: addressOf(address),
  taxId,
})

const addressOf = (address: string | null) => (address === null ? null : (JSON.parse(address) as Address))

/**
 * Returns what an invoice keeps of the company, the customer and the tax when it is issued. Nothing that happens later
 * changes it.
 */
export function partiesAtIssue(
  { db, taxCodes, settings }: DocumentDeps<InvoiceHead>,
  customer: DocumentCustomer,
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
) {
  assertTaxId(customer, lines)
  const { customerNumber, name, contactName, email, phone, address, taxId } = customer
  const language = customer.language ?? settings().defaultLanguage
  return {
    ...partyOf(customer),
    language,
    sellerVersion: keepSeller(db, JSON.stringify(sellerOf(settings()))),
    buyer: { customerNumber, name, contactName, email, phone, address: addressOf(address), taxId },
    taxes: withReasons(head.taxes, lines, {
      findCode: taxCodes.find,
      taxReason: customer.taxReason,
      language,
    }),
  }
}

/** Stores the data of the company once, however many invoices are issued with it. */
function keepSeller(db: Database, body: string): string {
  const id = `slr_${digestOf(body).slice(0, 26)}`
  insertSeller(db, id, body)
  return id
}

/** Reverse charge and supplies to another country of the EU need the tax ID of the customer. */
function assertTaxId({ name, taxId }: DocumentCustomer, lines: readonly InvoiceLine[]): void {
  const category = lines.find(({ taxCategory }) => categoriesWithTaxId.includes(taxCategory))?.taxCategory
  if (!category || taxId !== null) return
  assertNoErrors(
    [
      fieldError("taxId", "REQUIRED", `is required for the tax category ${category}: ${name} has none`, {
        category,
        name,
      }),
    ],
    "The invoice cannot be issued.",
  )
}
