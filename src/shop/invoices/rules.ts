import type { Warning } from "../../core/lib/warning"
import { missingInAddress } from "../../shared/countries"
import type { TaxCategory } from "../../shared/documents/tax"
import { areTermsUnderstood, dueDateOf } from "../../shared/documents/terms"
import { warnOfUnlikelyTreatment } from "../../trade/documents/customer"
import { dateOrderErrors } from "../../trade/documents/dates"
import { addressOf } from "../../trade/documents/parties"
import { foreignFields } from "../../trade/documents/rules"
import type { Doc } from "../../trade/documents/kind"
import type { DocumentCustomer } from "../../trade/needs"
import { fieldError, Refusal, type FieldError } from "../../core/lib/refusal"
import type { InvoiceStatus } from "./model"
import { nameOf } from "../../trade/settlements/money"
import { digitsOf } from "../../shared/countries"
import { amountText, fromUnits } from "../../shared/decimal"
import type { TaxSum } from "../../shared/money"
import { type InvoiceHead, type InvoiceLine, invoiceRefusals } from "./model"

/** The transitions that a caller can request. Payments cause others automatically. */
export const transitions = {
  draft: ["unpaid", "cancelled"],
  unpaid: ["cancelled"],
  partially_paid: ["cancelled"],
  paid: ["cancelled"],
  credited: [],
  cancelled: [],
} as const satisfies Record<InvoiceStatus, readonly InvoiceStatus[]>

/** The fields that can still be updated in each status. */
export const editable: Record<InvoiceStatus, readonly string[] | "all"> = {
  draft: "all",
  unpaid: ["notes", "dueDate", "remindersPausedUntil", ...foreignFields],
  partially_paid: ["notes", "dueDate", "remindersPausedUntil", ...foreignFields],
  paid: ["notes", "dueDate", "remindersPausedUntil", ...foreignFields],
  credited: ["notes", "dueDate", "remindersPausedUntil", ...foreignFields],
  cancelled: foreignFields,
}

/** Returns the statuses that this invoice can change to. With payments, credits or write-offs there are none. */
export const allowedFrom = (
  invoice: Pick<InvoiceHead, "status" | "amountPaid" | "creditedTotal" | "creditApplied" | "writtenOff">,
): readonly InvoiceStatus[] =>
  invoice.amountPaid > 0 || invoice.writtenOff > 0 || hasCredits(invoice) ? [] : transitions[invoice.status]

const hasCredits = ({ creditedTotal, creditApplied }: Pick<InvoiceHead, "creditedTotal" | "creditApplied">) =>
  creditedTotal > 0 || creditApplied > 0

/** Refuses to credit or cancel an invoice of which something is written off. `field` is the field of the request. */
export function assertNotWrittenOff({ invoiceNumber, writtenOff }: InvoiceHead, field: string): void {
  if (writtenOff === 0) return
  throw new Refusal(
    invoiceRefusals.INVOICE_HAS_WRITE_OFFS,
    `${nameOf({ invoiceNumber })} has write-offs; void them first.`,
    {
      params: { number: invoiceNumber },
      details: [
        fieldError(field, "RULE", "cannot be credited or cancelled while a part of it is written off", {
          rule: "HAS_WRITE_OFFS",
        }),
      ],
    },
  )
}

/** Refuses to cancel an invoice that is deducted, or has payments, credit notes, applied credit or write-offs. */
export function assertMayLeave(invoice: InvoiceHead, to: InvoiceStatus): void {
  if (to === "cancelled" && invoice.deductedTotal > 0) throw deducted(invoice, 0, "status")
  if (to === "cancelled") assertNotWrittenOff(invoice, "status")
  if (to === "cancelled" && invoice.status !== "cancelled" && hasCredits(invoice))
    throw new Refusal(
      invoiceRefusals.INVOICE_HAS_CREDITS,
      `${nameOf(invoice)} has credit notes or applied credit; credit the rest of it instead.`,
      {
        params: { number: invoice.invoiceNumber },
        details: [
          fieldError("status", "RULE", "cannot be cancelled after it was credited", { rule: "HAS_CREDITS" }),
        ],
      },
    )
  if (to === "cancelled" && invoice.amountPaid > 0)
    throw new Refusal(
      invoiceRefusals.INVOICE_HAS_PAYMENTS,
      `${nameOf(invoice)} has payments; delete them first.`,
      {
        params: { number: invoice.invoiceNumber },
        details: [
          fieldError("status", "RULE", "cannot be cancelled while payments are recorded", {
            rule: "HAS_PAYMENTS",
          }),
        ],
      },
    )
}

/** Refuses what needs the document of an opening invoice, which another system issued. `why` says what cannot be done. */
export function assertIssuedHere(
  { isOpening, invoiceNumber }: Pick<InvoiceHead, "isOpening" | "invoiceNumber">,
  why: string,
): void {
  if (!isOpening) return
  throw new Refusal(
    invoiceRefusals.OPENING_INVOICE,
    `Invoice ${invoiceNumber} was issued by another system: ${why}.`,
    {
      params: { number: invoiceNumber },
      details: [fieldError("isOpening", "RULE", "is true", { rule: "OPENING" })],
    },
  )
}

/**
 * Refuses to delete an issued invoice. An opening invoice that was never paid can be deleted, because it has no number of
 * ours: it can then be imported again with other values.
 */
export function assertDeletable(invoice: InvoiceHead, isUnusedOpening = false): void {
  if (invoice.status === "draft" || isUnusedOpening) return
  throw new Refusal("DOCUMENT_LOCKED", `${nameOf(invoice)} cannot be deleted: ${whyKept(invoice)}.`, {
    params: { number: invoice.invoiceNumber, status: invoice.status },
    details: [
      fieldError("status", "RULE", `is ${invoice.status}`, { rule: "STATUS", status: invoice.status }),
    ],
  })
}

/** Why an invoice cannot be deleted, and what can be done instead. */
function whyKept(invoice: InvoiceHead): string {
  const { status, amountPaid, writtenOff } = invoice
  if (status === "cancelled") return "it was cancelled and cannot be changed"
  if (invoice.deductedTotal > 0) return "it was issued, and other invoices deduct it"
  if (hasCredits(invoice)) return "it was issued; credit the rest of it instead"
  if (writtenOff > 0) return "it was issued; void its write-offs, then cancel it"
  return amountPaid > 0
    ? "it was issued; delete its payments, then cancel it"
    : "it was issued; cancel it instead"
}

export { nameOf }

/** The sums that decide how much of an invoice is left to pay, and how much of a deposit can be deducted. */
export type Sums = Pick<
  InvoiceHead,
  "amountPaid" | "creditedTotal" | "creditTaken" | "creditApplied" | "writtenOff" | "deductedTotal"
>
type Paid = Pick<InvoiceHead, "amountPaid" | "creditedTotal" | "creditTaken" | "creditApplied">
type Summed = Pick<InvoiceHead, "total" | "depositTotal" | "writtenOff"> & Paid

/** Returns what is left to pay of an invoice. */
export const balanceOf = (invoice: Summed): number =>
  invoice.total -
  invoice.depositTotal -
  invoice.creditTaken -
  invoice.amountPaid -
  invoice.creditApplied -
  invoice.writtenOff

/** Returns what is paid of an invoice, less what its credit notes have given back. */
export const paidOf = ({ amountPaid, creditApplied, creditedTotal, creditTaken }: Paid): number =>
  Math.max(0, amountPaid + creditApplied - (creditedTotal - creditTaken))

/** Refuses what would leave less paid of a deposit than other invoices have deducted. */
function assertStillPaid(before: InvoiceHead, after: InvoiceHead): void {
  if (paidOf(after) >= after.deductedTotal) return
  const isCredit = after.creditedTotal > before.creditedTotal
  const left = paidOf(before) - after.deductedTotal
  // What is not paid can be credited too.
  throw isCredit
    ? deducted(before, left + before.balance, "creditedTotal")
    : deducted(before, left, "amountPaid")
}

/**
 * Refuses a credit note that takes more of a deposit at one tax rate than other invoices leave of it. `left` is what is neither
 * deducted nor credited with that credit note.
 */
export function assertTaxesLeft(
  deposit: InvoiceHead,
  credited: readonly TaxSum[],
  left: readonly TaxSum[],
): void {
  const grossOf = ({ base, tax }: TaxSum) => base + tax
  const over = left.find((each) => grossOf(each) < 0)
  const taken =
    over && credited.find(({ category, rate }) => category === over.category && rate === over.rate)
  if (over && taken) throw deducted(deposit, grossOf(taken) + grossOf(over), "items")
}

/** Says that a deposit is deducted. `left` is the amount, with tax, that can still be credited or left unpaid. */
function deducted(deposit: InvoiceHead, left: number, field: string): Refusal {
  const { invoiceNumber: number, currency, deductedTotal } = deposit
  const digits = digitsOf(currency)
  const max = fromUnits(left, digits)
  const params = { number, deducted: fromUnits(deductedTotal, digits), max, currency }
  return new Refusal(
    invoiceRefusals.DEPOSIT_DEDUCTED,
    `Other invoices deduct ${amountText(params.deducted, { digits, currency })} of the deposit ${number}; cancel those first.`,
    {
      params,
      details: [
        fieldError(
          field,
          "RULE",
          `is deducted by other invoices: at most ${amountText(max, { digits, currency })} can be credited or left unpaid`,
          {
            rule: "DEDUCTED",
            max,
            currency,
          },
        ),
      ],
    },
  )
}

/** Returns the status of an issued invoice by what was paid, credited and written off. */
export function statusBySums(sums: Summed): "unpaid" | "partially_paid" | "paid" | "credited" {
  if (sums.creditedTotal > 0 && sums.creditedTotal === sums.total) return "credited"
  if (balanceOf(sums) === 0) return "paid"
  return sums.amountPaid + sums.creditApplied + sums.writtenOff > 0 ? "partially_paid" : "unpaid"
}

/** Returns other sums of an invoice, and the balance and the status that follow from them. */
export function withSums(before: InvoiceHead, change: Partial<Sums>, now: string): Partial<InvoiceHead> {
  const summed = { ...before, ...change }
  assertStillPaid(before, summed)
  const status = statusBySums(summed)
  return { ...change, balance: balanceOf(summed), status, paidAt: paidAtBy(status, summed, now) }
}

/** A credited invoice keeps the time when it was paid, as long as nothing is left to pay. */
function paidAtBy(status: InvoiceStatus, summed: InvoiceHead, now: string): string | null {
  if (status === "paid") return summed.paidAt ?? now
  return status === "credited" && balanceOf(summed) === 0 ? summed.paidAt : null
}

/** Returns what a customer owes on an invoice: 0 for a draft and for a cancelled invoice. */
export const owedOn = ({ status, balance }: InvoiceHead): number =>
  status === "draft" || status === "cancelled" ? 0 : balance

export const dueDateErrors = (invoiceDate: unknown, dueDate: unknown): FieldError[] =>
  dateOrderErrors(["invoiceDate", invoiceDate], ["dueDate", dueDate])

/** Returns the due date that payment terms set. Adds a warning when they are not understood, and so set none. */
export function dueDateBy(invoiceDate: string, terms: string | null, warnings: Warning[]): string {
  warnOfTerms(terms, warnings)
  return dueDateOf(invoiceDate, terms)
}

/** Warns of payment terms that name no due date. */
export function warnOfTerms(terms: string | null, warnings: Warning[]): void {
  if (areTermsUnderstood(terms)) return
  warnings.push({
    code: "TERMS_NOT_UNDERSTOOD",
    field: "paymentTerms",
    message: `The payment terms ${JSON.stringify(terms)} name no due date, so the invoice is due immediately. Use terms such as "Net 30", "30 days" or "EOM", or set dueDate.`,
    params: { terms },
  })
}

/** The categories that somebody has chosen for a line, because it is not taxed at home. */
const untaxed: readonly (TaxCategory | null)[] = ["AE", "K", "G", "O", "E"]

/** Warns of what can no longer be mended after the issue: an address with gaps, and a treatment that hardly fits. */
export function warnOfBuyer(
  warnings: Warning[],
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
  { customer, seller }: { customer: DocumentCustomer; seller: string | null },
): void {
  const { name, taxId } = customer
  const address = addressOf(customer.address)
  const missing = missingInAddress(address)
  if (missing.length > 0)
    warnings.push({
      code: "BUYER_ADDRESS_MISSING",
      field: "billingAddress",
      message: `The address of ${name} is not complete: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing. An issued invoice keeps it as it is.`,
      params: { customerName: name, missing },
    })
  const { taxTreatment, shippingAddress } = head
  if (taxTreatment === "domestic" && lines.every(({ taxCategory }) => untaxed.includes(taxCategory))) return
  const shipsTo = shippingAddress?.country ?? null
  const country = address?.country ?? null
  warnOfUnlikelyTreatment(warnings, seller, { name, country, shipsTo, taxId, taxTreatment })
}
