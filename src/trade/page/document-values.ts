import { mayIncludeTax } from "../../shared/line"
import type { Customer, Invoice, Me, SalesOrder } from "../../console/api/types"
import { digitsOf } from "../../console/format"
import { addressValuesOf, type AddressValues } from "../../console/forms/address-fields"
import { emptyAsNull } from "../../console/forms/body"
import { lineOf } from "./filled-line"
import { blankLine, type LineValues } from "./line-values"

export type Draft = SalesOrder | Invoice

/** The form values that orders and invoices share. */
export type DocumentValues = {
  customer: string
  pricesIncludeTax: boolean
  paymentTerms: string
  buyerReference: string
  shippingAddress: AddressValues
  notes: string
  items: LineValues[]
}

/** Returns the values of a document; those of a new one if there is none. `customer` is the one of a new document. */
export function documentValues(
  record: Draft | null,
  customer: Customer | undefined,
  { currency, pricesIncludeTax, defaultPaymentTerms }: Me["company"],
): DocumentValues {
  const from = record ?? {
    customer: customer?.id ?? "",
    pricesIncludeTax: pricesIncludeTax && mayIncludeTax(customer?.taxTreatment ?? "domestic"),
    paymentTerms: customer?.paymentTerms ?? defaultPaymentTerms,
    buyerReference: null,
    shippingAddress: customer?.shippingAddress ?? null,
    notes: null,
  }
  return {
    customer: from.customer,
    pricesIncludeTax: from.pricesIncludeTax,
    paymentTerms: from.paymentTerms ?? "",
    buyerReference: from.buyerReference ?? "",
    shippingAddress: addressValuesOf(from.shippingAddress),
    notes: from.notes ?? "",
    items: record ? record.items.map((line) => lineOf(line, digitsOf(currency))) : [blankLine()],
  }
}

/** Returns the address for the request body: null if nothing is typed. */
export function addressBody(values: AddressValues) {
  const body = emptyAsNull(values)
  return Object.values(body).every((part) => part === null) ? null : body
}
