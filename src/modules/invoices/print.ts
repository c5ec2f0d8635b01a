import type { CustomerService } from "../customers/service"
import { otherAddress, type Sheet, type SheetCustomer } from "../print/model"
import type { InvoiceStatus } from "../../shared/statuses"
import type { Invoice } from "./model"
import type { Seller } from "../documents/parties"
import type { InvoiceService } from "./service"

const marks: Partial<Record<InvoiceStatus, Sheet["mark"]>> = {
  draft: "draft",
  cancelled: "cancelled",
  paid: "paid",
}

type Deps = { invoices: InvoiceService; customers: CustomerService; sellerNow: () => Seller }

/** The printed page of an invoice. The company and the customer are those of its issue; those of a draft are current. */
export function invoiceSheet({ invoices, customers, sellerNow }: Deps, id: string): Sheet {
  const invoice = invoices.get(id)
  const isOwed = invoice.status !== "draft" && invoice.status !== "cancelled"
  const customer: SheetCustomer = invoice.buyer ?? customers.get(invoice.customer)
  return {
    title: "Invoice",
    number: invoice.invoiceNumber,
    mark: marks[invoice.status] ?? null,
    seller: invoice.seller ?? sellerNow(),
    customer,
    shippingAddress: otherAddress(invoice.shippingAddress, customer.address),
    ...factsOf(invoice),
    currency: invoice.currency,
    pricesIncludeTax: invoice.pricesIncludeTax,
    lines: invoice.items,
    subtotal: invoice.subtotal,
    discountTotal: invoice.discountTotal,
    taxes: invoice.taxes,
    total: invoice.total,
    payment: isOwed ? paymentOf(invoice) : null,
    notes: invoice.notes,
  }
}

const paymentOf = ({ amountPaid, creditTaken, creditApplied, balance }: Invoice): Sheet["payment"] => ({
  paid: amountPaid,
  credited: creditTaken + creditApplied,
  balance,
})

const factsOf = (invoice: Invoice): Pick<Sheet, "dates" | "facts"> => ({
  dates: [
    ["Invoice date", invoice.invoiceDate],
    ["Supply date", invoice.supplyDate],
    ["Due date", invoice.dueDate],
  ],
  facts: [
    ["Payment terms", invoice.paymentTerms],
    ["Sales order", invoice.orderNumber],
    ["Buyer reference", invoice.buyerReference],
  ],
})
