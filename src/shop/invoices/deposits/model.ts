import { Type } from "@sinclair/typebox"
import { body, type BodyOf } from "../../../core/kind/body"
import { date, decimal, payable, positive, reference } from "../../../core/kind/field"
import { externalFields } from "../../../core/kind/tag"
import { text } from "../../../core/kind/text-field"
import { refusalsOf } from "../../../core/lib/refusal"
import type { TaxSum } from "../../../shared/money"
import { documentFields, sendOnIssue } from "../../../trade/documents/model"

export { depositChecks } from "./checks"

/**
 * A deposit invoice asks for a part of an order before it is supplied. A final one is the last invoice of an order of which
 * deposits are deducted.
 */
export const invoiceTypes = ["standard", "deposit", "final"] as const

/** Why a deposit invoice cannot be created, credited, cancelled or left unpaid. */
export const depositRefusals = refusalsOf({
  DEPOSIT_TOO_LARGE: {
    about:
      "The deposit is more than what is left of the order to invoice, less the other deposits that are not deducted yet",
    de: "Vom Auftrag {{number}} sind nur noch {{max}} offen, die weder abgerechnet noch angezahlt sind.",
  },
  DEPOSIT_DEDUCTED: {
    about:
      "Other invoices deduct the deposit, so it cannot be cancelled, credited or left unpaid by so much. Cancel those first",
    de: "Andere Rechnungen ziehen von der Abschlagsrechnung {{number}} schon {{deducted}} ab. Stornieren Sie zuerst diese.",
  },
})

const money = Type.Number()

/** What an invoice takes off for a deposit. */
export const deductedDeposit = Type.Object(
  {
    invoice: Type.Unsafe<string>({
      ...reference("inv").schema,
      description: "The id of the deposit invoice",
    }),
    number: Type.String({ examples: ["INV-2026-00001"] }),
    date: Type.String({ format: "date", description: "The date of the deposit invoice" }),
    net: money,
    tax: money,
    taxes: Type.Array(
      Type.Object({
        category: Type.Unsafe<TaxSum["category"]>({ type: ["string", "null"] }),
        rate: money,
        base: money,
        tax: money,
      }),
      { description: "The same per category and rate" },
    ),
  },
  { $id: "DeductedDeposit" },
)
export type DeductedDeposit = (typeof deductedDeposit)["static"]

/** A body that asks for a deposit on an order: a percentage of its total, or an amount with tax. */
export const deposit = body(
  {
    percent: positive(decimal({ min: 0, max: 100, example: 30 })),
    amount: payable(),
    invoiceDate: date(),
    dueDate: date(),
    buyerReference: documentFields.buyerReference,
    notes: text({ max: 10_000, multiline: true }),
    ...externalFields,
    send: sendOnIssue,
  },
  { example: { percent: 30 } },
)
export type DepositBody = BodyOf<typeof deposit>
