/** The initial values of the fields that only invoices have. */
export const newInvoice = {
  invoiceNumber: null,
  numberSeries: null,
  numberCounter: null,
  sellerVersion: null,
  seller: null,
  buyer: null,
  language: null,
  salesOrder: null,
  orderNumber: null,
  isOverdue: false,
  amountPaid: 0,
  creditedTotal: 0,
  creditTaken: 0,
  creditApplied: 0,
  issuedAt: null,
  paidAt: null,
}
