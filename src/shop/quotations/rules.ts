import { fieldError, type FieldError, Refusal } from "../../core/lib/refusal"
import { dateOrderErrors } from "../../trade/documents/dates"
import { foreignFields } from "../../trade/documents/rules"
import { type QuotationHead, quotationRefusals, type QuotationStatus } from "./model"

/** The transitions that a caller can request. A status without transitions is final. */
export const transitions = {
  draft: ["sent"],
  sent: ["accepted", "declined", "withdrawn"],
  accepted: [],
  declined: [],
  withdrawn: [],
} as const satisfies Record<QuotationStatus, readonly QuotationStatus[]>

/** The fields that can be updated in each status. What was accepted is locked. */
export const editable: Record<QuotationStatus, readonly string[] | "all"> = {
  draft: "all",
  sent: "all",
  accepted: foreignFields,
  declined: foreignFields,
  withdrawn: foreignFields,
}

export const nameOf = ({ quotationNumber }: Pick<QuotationHead, "quotationNumber">): string =>
  `Quotation ${quotationNumber}`

export const validityErrors = (quotationDate: unknown, validUntil: unknown): FieldError[] =>
  dateOrderErrors(["quotationDate", quotationDate], ["validUntil", validUntil])

/**
 * True for an edit that the customer would see. What other programs keep with a quotation, and the customer does not read,
 * raises no revision.
 */
export const isRevision = (status: QuotationStatus, differing: readonly string[]): boolean =>
  status === "sent" && differing.some((name) => !foreignFields.includes(name))

export const isExpired = (
  { status, validUntil }: Pick<QuotationHead, "status" | "validUntil">,
  today: string,
): boolean => status === "sent" && validUntil !== null && validUntil < today

/** Refuses to delete a quotation that a customer may have. */
export function assertDeletable({ status, quotationNumber: number }: QuotationHead): void {
  if (status === "draft") return
  throw new Refusal(
    "DOCUMENT_LOCKED",
    `Quotation ${number} cannot be deleted: it was sent${status === "sent" ? "; withdraw it instead" : ""}.`,
    {
      params: { number, status },
      details: [fieldError("status", "RULE", "was sent", { rule: "STATUS", status })],
    },
  )
}

/** Refuses to make an order of a quotation that has one, or that the customer has not got or not wanted. */
export function assertOrderable(
  { status, quotationNumber: number }: QuotationHead,
  order: string | null,
): void {
  if (order !== null)
    throw new Refusal(
      quotationRefusals.QUOTATION_ALREADY_ORDERED,
      `There is an order of quotation ${number} already: ${order}.`,
      { params: { number, salesOrder: order } },
    )
  if (status === "sent" || status === "accepted") return
  throw new Refusal(
    quotationRefusals.QUOTATION_NOT_ACCEPTED,
    `Quotation ${number} is ${status}; an order is made of one that is sent or accepted.`,
    {
      params: { number, status },
      details: [fieldError("status", "RULE", `is ${status}`, { rule: "STATUS", status })],
    },
  )
}
