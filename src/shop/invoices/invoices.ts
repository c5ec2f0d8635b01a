import { documentService } from "../../trade/documents/service"
import { invoiceDocument } from "./document"
import { invoiceEffects } from "./effects"
import type { InvoiceDeps } from "./issue"
import type { Invoice, InvoiceHead, InvoiceLine } from "./model"

/** Invoices as documents: the functions that all operations on invoices share. */
export const invoicesOf = (deps: InvoiceDeps) =>
  documentService<InvoiceHead, InvoiceLine, Invoice>(invoiceDocument, invoiceEffects(deps), deps)

export type Invoices = ReturnType<typeof invoicesOf>
