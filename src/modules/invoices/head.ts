/** What a new invoice has that other documents have not. */
export const newInvoice = {
  invoiceNumber: null,
  salesOrder: null,
  orderNumber: null,
  isOverdue: false,
  amountPaid: 0,
  issuedAt: null,
  paidAt: null,
}
