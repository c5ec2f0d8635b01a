/** The initial values of the fields that only invoices have. */
export const newInvoice = {
  invoiceNumber: null,
  salesOrder: null,
  orderNumber: null,
  isOverdue: false,
  amountPaid: 0,
  issuedAt: null,
  paidAt: null,
}
