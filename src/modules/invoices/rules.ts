import { Refusal, type Detail } from "../../lib/refusal"
import { assertTransition, assertUnlocked } from "../lines/rules"
import type { InvoiceHead, InvoiceStatus } from "./model"

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

/** `Net N` is so many days later, `EOM` the end of the month; any other terms mean at once. */
export function dueDateOf(invoiceDate: string, terms: string | null): string {
  const [, days] = /^net\s*(\d{1,6})$/i.exec(terms?.trim() ?? "") ?? []
  const date = new Date(`${invoiceDate}T00:00:00Z`)
  if (days) date.setUTCDate(date.getUTCDate() + Number(days))
  else if (/^eom$/i.test(terms?.trim() ?? "")) date.setUTCMonth(date.getUTCMonth() + 1, 0)
  const shown = Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10)
  // Beyond the last year that is written with four digits there is no later day.
  return /^\d{4}-/.test(shown) ? shown : "9999-12-31"
}

export const dueDateFaults = (invoiceDate: unknown, dueDate: unknown): Detail[] =>
  typeof invoiceDate === "string" && typeof dueDate === "string" && dueDate < invoiceDate
    ? [{ field: "dueDate", message: "must not be before invoiceDate" }]
    : []
