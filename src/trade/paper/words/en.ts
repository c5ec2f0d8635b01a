import type { TaxCategory } from "../../../shared/documents/tax"
import type { Paper } from "../model"

type ByKind = Record<Paper["kind"], string>

/** The words on paper in English. They give the other languages their type. */
export const en = {
  titles: { invoice: "Invoice", "credit-note": "Credit note", "sales-order": "Sales order" } as ByKind,
  noNumber: "No number yet",
  marks: { draft: "Draft", cancelled: "Cancelled" },
  dates: {
    invoice: "Invoice date",
    "credit-note": "Credit note date",
    "sales-order": "Order date",
  } as ByKind,
  supplyDate: "Supply date",
  deliveryDate: "Delivery date",
  dueDate: "Due date",
  paymentTerms: "Payment terms",
  orderNumber: "Order number",
  buyerReference: "Your reference",
  customerNumber: "Customer number",
  buyerTaxId: "Your tax ID",
  correctedInvoice: "Corrected invoice",
  numberAndDate: (number: string, date: string) => `${number} of ${date}`,
  reason: "Reason",
  shippingAddress: "Delivery address",
  vatId: "VAT ID",
  taxNumber: "Tax number",
  code: "Code",
  item: "Item",
  quantity: "Quantity",
  rate: "Price",
  discount: "Discount",
  taxRate: "Tax",
  amount: "Amount",
  carried: "Carried forward",
  beforeDiscount: "Before discount",
  discountTotal: "Discount",
  subtotal: "Subtotal",
  totalWithoutTax: "Total without tax",
  total: "Total",
  tax: "Tax",
  includedTax: "Includes tax",
  taxCategories: {
    S: "Tax",
    Z: "Zero rated",
    E: "Exempt from tax",
    AE: "Reverse charge",
    K: "Intra-Community supply",
    G: "Export",
    O: "Not subject to tax",
  } as Record<TaxCategory, string>,
  taxOnBase: (name: string, rate: string, base: string) => `${name} ${rate} on ${base}`,
  pricesIncludeTax: "Prices include tax.",
  notes: "Notes",
  scanToPay: "Scan to pay",
  paymentReference: "Reference",
  page: (page: string, pages: string) => `Page ${page} of ${pages}`,
}

export type Texts = typeof en
