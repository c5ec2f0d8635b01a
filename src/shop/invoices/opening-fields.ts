import { body, type BodyOf } from "../../core/kind/body"
import { externalFields } from "../../core/kind/tag"
import { date, decimal, positive, reference, required, unique } from "../../core/kind/field"
import { text } from "../../core/kind/text-field"

/**
 * The fields of an opening invoice: an invoice of another system that was not paid when the business moved here. The
 * customer is given by one of three fields; if there are several, they must name the same customer.
 */
export const openingInvoiceFields = {
  invoiceNumber: unique(required(text({ max: 64, isCode: true, examples: ["RE-2025-0817"] }))),
  customerNumber: text({ max: 64, isCode: true, examples: ["CUST-00001"] }),
  customerExternalId: text({ max: 100, isCode: true, description: "The externalId of the customer" }),
  customer: reference("cus"),
  invoiceDate: required(date()),
  dueDate: date(),
  /** What is left to pay, with tax. An amount that was paid before is not part of it. */
  balance: required(positive(decimal({ min: 0, example: 1190 }))),
  notes: text({ max: 10_000, multiline: true }),
  externalId: externalFields.externalId,
}

/** One opening invoice, as a row of an import gives it. */
export const openingInvoice = body(openingInvoiceFields)
export type OpeningInvoice = BodyOf<typeof openingInvoice>
