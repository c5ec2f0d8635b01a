import { Refusal, type Detail } from "../../lib/refusal"
import { assertTransition, assertUnlocked } from "../lines/rules"
import type { InvoiceHead } from "./model"
import type { InvoiceStatus } from "../../shared/statuses"

/** Where an invoice may go from each status when somebody asks for it; payments move it by themselves. */
export const nextStatuses = {
  draft: ["unpaid", "cancelled"],
  unpaid: ["cancelled"],
  partially_paid: ["cancelled"],
  paid: ["cancelled"],
  cancelled: [],
} as const satisfies Record<InvoiceStatus, readonly InvoiceStatus[]>

/** What may still be changed in each status. */
export const editableFields: Record<InvoiceStatus, readonly string[] | "all"> = {
  draft: "all",
  unpaid: ["notes", "dueDate"],
  partially_paid: ["notes", "dueDate"],
  paid: ["notes", "dueDate"],
  cancelled: [],
}

/** Where this invoice may go now: with money on it, nowhere. */
export const allowedFrom = (status: InvoiceStatus, amountPaid: number): InvoiceStatus[] =>
  amountPaid > 0 ? [] : [...nextStatuses[status]]

/** Refuses unless the invoice may move to `to`: with money on it, it may go nowhere. */
export function assertMayBecome(invoice: InvoiceHead, to: InvoiceStatus): void {
  if (to === "cancelled" && invoice.amountPaid > 0)
    throw new Refusal("INVOICE_HAS_PAYMENTS", `${nameOf(invoice)} has payments; remove them first.`, {
      details: [{ field: "status", message: "cannot be cancelled while payments are recorded" }],
    })
  const table = { ...nextStatuses, [invoice.status]: allowedFrom(invoice.status, invoice.amountPaid) }
  assertTransition<InvoiceStatus>(table, { name: nameOf(invoice), status: invoice.status }, to)
}

export const assertEditable = (invoice: InvoiceHead, differing: readonly string[]): void =>
  assertUnlocked(editableFields[invoice.status], { name: nameOf(invoice), status: invoice.status }, differing)

export function assertDeletable(invoice: InvoiceHead): void {
  if (invoice.status === "draft") return
  const why = invoice.invoiceNumber
    ? "it was issued; cancel it instead"
    : "it was cancelled and stays as it is"
  throw new Refusal("DOCUMENT_LOCKED", `${nameOf(invoice)} cannot be deleted: ${why}.`, {
    details: [{ field: "status", message: `is ${invoice.status}` }],
  })
}

export const nameOf = ({ invoiceNumber }: InvoiceHead): string =>
  invoiceNumber ? `Invoice ${invoiceNumber}` : "The draft invoice"

/** Where an invoice stands by what was paid on it. */
export function statusByPayments(total: number, amountPaid: number): "unpaid" | "partially_paid" | "paid" {
  if (amountPaid >= total) return "paid"
  return amountPaid > 0 ? "partially_paid" : "unpaid"
}

export const dueDateFaults = (invoiceDate: unknown, dueDate: unknown): Detail[] =>
  typeof invoiceDate === "string" && typeof dueDate === "string" && dueDate < invoiceDate
    ? [{ field: "dueDate", message: "must not be before invoiceDate" }]
    : []
