import type { Tx } from "../../core/write/writer"
import type { Became, Doc, StatusRequest } from "../../trade/documents/kind"
import { assertOpenPeriod } from "../../office/settings/period"
import type { InvoiceDeps } from "./issue"
import type { InvoiceHead, InvoiceLine } from "./model"

/**
 * Cancels an invoice: reverses its stock movements, the order's invoiced quantities and the outstanding balance. Its
 * number is not used again. If the settings say so, a credit note documents it. An opening invoice is only written off: it
 * is outside tax and sales, so neither a credit note nor a closed period concerns it.
 */
export function cancel(
  deps: InvoiceDeps,
  tx: Tx,
  document: Doc<InvoiceHead, InvoiceLine>,
  { reason, caller }: StatusRequest<InvoiceHead["status"]>,
): Became<InvoiceHead> {
  const { head, lines } = document
  const isIssuedHere = head.status !== "draft" && !head.isOpening
  const isCredited = isIssuedHere && deps.settings().correctBy === "credit-note"
  if (isIssuedHere) {
    // The date of a credit note counts instead of that of the invoice.
    if (!isCredited) assertOpenPeriod(deps.settings(), head.invoiceDate, "invoiceDate")
    deps.stockMovements.move(tx, lines, {
      reason: "cancellation",
      sourceType: "invoice",
      sourceId: head.id,
      by: caller.userId,
    })
  }
  if (isCredited) deps.creditCancelled(tx, document, { reason, caller })
  const credited = isCredited ? { creditedTotal: head.total, creditTaken: head.total } : {}
  const stamps = { status: "cancelled" as const, balance: 0, cancelledAt: tx.now, cancelReason: reason }
  return { head: { ...head, ...credited, ...stamps }, afterSave: () => reopenOrder(deps, tx, document) }
}

/** Lets the order be invoiced again. After that, the customer may be over the credit limit. */
function reopenOrder(
  { salesOrders, customers, settings, moneyContext }: InvoiceDeps,
  tx: Tx,
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
): void {
  if (!head.salesOrder) return
  const order = salesOrders.load(head.salesOrder)
  const open = order.lines.map((line) => ({
    ...line,
    invoicedQuantity:
      line.invoicedQuantity - (lines.find(({ orderLine }) => orderLine === line.id)?.quantity ?? 0),
  }))
  salesOrders.recordBilling(tx, order, open, order.head.invoicedTotal - head.total)
  const { digits } = moneyContext(tx.now)
  if (order.head.status === "completed")
    customers.warnOfCredit(tx, head.customer, { digits, policy: settings().creditPolicy })
}
