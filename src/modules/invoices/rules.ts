import { Refusal, type FieldError } from "../../lib/refusal"
import type { InvoiceStatus } from "../../shared/statuses"
import type { InvoiceHead } from "./model"

/** Where an invoice may go from each status when a caller asks for it; payments move it by themselves. */
export const transitions = {
  draft: ["unpaid", "cancelled"],
  unpaid: ["cancelled"],
  partially_paid: ["cancelled"],
  paid: ["cancelled"],
  cancelled: [],
} as const satisfies Record<InvoiceStatus, readonly InvoiceStatus[]>

/** What may still be changed in each status. */
export const editable: Record<InvoiceStatus, readonly string[] | "all"> = {
  draft: "all",
  unpaid: ["notes", "dueDate"],
  partially_paid: ["notes", "dueDate"],
  paid: ["notes", "dueDate"],
  cancelled: [],
}

/** Where this invoice may go now: with money on it, nowhere. */
export const allowedFrom = ({
  status,
  amountPaid,
}: Pick<InvoiceHead, "status" | "amountPaid">): readonly InvoiceStatus[] =>
  amountPaid > 0 ? [] : transitions[status]

/** Refuses to cancel an invoice that was paid on. */
export function assertMayLeave(invoice: InvoiceHead, to: InvoiceStatus): void {
  if (to === "cancelled" && invoice.amountPaid > 0)
    throw new Refusal("INVOICE_HAS_PAYMENTS", `${nameOf(invoice)} has payments; remove them first.`, {
      details: [{ field: "status", message: "cannot be cancelled while payments are recorded" }],
    })
}

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

/** What a customer owes on an invoice: nothing before it is issued or once it is cancelled. */
export const owedOn = ({ status, balance }: InvoiceHead): number =>
  status === "draft" || status === "cancelled" ? 0 : balance

export const dueDateErrors = (invoiceDate: unknown, dueDate: unknown): FieldError[] =>
  typeof invoiceDate === "string" && typeof dueDate === "string" && dueDate < invoiceDate
    ? [{ field: "dueDate", message: "must not be before invoiceDate" }]
    : []
