import type { Sheet } from "../print/model"
import type { InvoiceStatus } from "../../shared/statuses"
import type { InvoiceService } from "./service"

const marks: Partial<Record<InvoiceStatus, Sheet["mark"]>> = {
  draft: "draft",
  cancelled: "cancelled",
  paid: "paid",
}

/** The printed page of an invoice, with the customer's data from when it was issued. */
export function invoiceSheet(invoices: InvoiceService, id: string): Sheet {
  const invoice = invoices.get(id)
  const isOwed = invoice.status !== "draft" && invoice.status !== "cancelled"
  return {
    title: "Invoice",
    number: invoice.invoiceNumber,
    mark: marks[invoice.status] ?? null,
    customer: { name: invoice.customerName, address: invoice.billingAddress, taxId: invoice.taxId },
    dates: [
      ["Invoice date", invoice.invoiceDate],
      ["Due date", invoice.dueDate],
    ],
    facts: [
      ["Payment terms", invoice.paymentTerms],
      ["Sales order", invoice.orderNumber],
    ],
    currency: invoice.currency,
    lines: invoice.items,
    subtotal: invoice.subtotal,
    discountTotal: invoice.discountTotal,
    taxes: invoices.taxes(id),
    total: invoice.total,
    payment: isOwed ? { paid: invoice.amountPaid, balance: invoice.balance } : null,
    notes: invoice.notes,
  }
}
