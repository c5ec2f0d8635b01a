import { settlementRefusals } from "./model"
import type { Database } from "../../core/engine/engine"
import { fieldError, invalid, Refusal, reporter, type FieldError } from "../../core/lib/refusal"
import type { MoneyContext } from "../../core/kind/field"
import { amountText, fromUnits, toUnits } from "../../shared/decimal"
import type { PayableInvoice } from "../needs"
import { countSettlements } from "./store"

/** The maximum number of payments and applications per invoice, because an invoice contains all of them. */
const mostSettlements = 1_000

/** The largest amount of a payment, in the minor unit. Sums of many such amounts are still exact. */
const largestAmount = 10 ** 13

/** Returns an amount of a body in the minor unit, or 0 after reporting that it has too many decimals. */
export function readAmount(
  given: unknown,
  { digits, currency }: MoneyContext,
  field: string,
  errors: FieldError[],
): number {
  if (typeof given !== "number") return 0
  const amount = toUnits(given, digits)
  const error = reporter(errors, field)
  if (amount === null)
    error("FORMAT", `must have at most ${digits} decimals in ${currency}`, { decimals: digits, currency })
  if (amount === 0) error("TOO_SMALL", "must be greater than 0", { above: 0 })
  const max = fromUnits(largestAmount, digits)
  if (amount !== null && amount > largestAmount)
    error("TOO_LARGE", `must be at most ${amountText(max, { digits, currency })}`, { max, currency })
  return amount ?? 0
}

/** True when an invoice has as many payments and applications as it can have. */
export const isFull = (db: Database, invoice: string): boolean =>
  countSettlements(db, invoice) >= mostSettlements

type Part = { amount: number; field: string; customer: string }

/** Refuses to pay a part of an invoice that it does not have, or that belongs to another customer. */
export function assertPayable(
  db: Database,
  head: PayableInvoice,
  { amount, field, customer }: Part,
  money: MoneyContext,
): void {
  const { digits, currency } = money
  if (head.customer !== customer)
    throw invalid(field.replace(/amount$/, "invoice"), "RULE", "is an invoice of another customer", {
      rule: "OTHER_CUSTOMER",
    })
  if (head.status === "draft")
    throw new Refusal("DOCUMENT_LOCKED", "The invoice is a draft. Issue it before it is paid.", {
      params: { number: null, status: "draft" },
      details: [fieldError("status", "RULE", "is draft", { rule: "STATUS", status: "draft" })],
    })
  const left = fromUnits(head.balance, digits)
  if (amount > head.balance) {
    const most = amountText(left, money)
    throw new Refusal(settlementRefusals.OVERPAYMENT, whyOver(head, most), {
      params: { number: head.invoiceNumber, balance: left, currency },
      details: [fieldError(field, "TOO_LARGE", `must be at most ${most}`, { max: left, currency })],
    })
  }
  if (isFull(db, head.id))
    throw invalid(
      field,
      "RULE",
      `cannot be recorded: ${nameOf(head)} has ${mostSettlements} payments, which is the maximum`,
      { rule: "TOO_MANY", max: mostSettlements, number: head.invoiceNumber },
    )
}

/** An invoice, as messages name it. */
export const nameOf = ({ invoiceNumber }: Pick<PayableInvoice, "invoiceNumber">): string =>
  invoiceNumber ? `Invoice ${invoiceNumber}` : "The draft invoice"

const whyOver = (head: PayableInvoice, left: string): string =>
  head.status === "cancelled"
    ? `${nameOf(head)} is cancelled; nothing is left to pay.`
    : `${nameOf(head)} has ${left} left to pay.`

/** Refuses to use more of a payment or of a credit note than is left of it. `name` begins the sentence. */
export function assertLeft(
  { name, left, amount }: { name: string; left: number; amount: number },
  money: MoneyContext,
): void {
  if (amount <= left) return
  const { digits, currency } = money
  const available = fromUnits(left, digits)
  const most = amountText(available, money)
  throw new Refusal(settlementRefusals.INSUFFICIENT_CREDIT, `${name} has ${most} left.`, {
    params: { available, currency },
    details: [fieldError("amount", "TOO_LARGE", `must be at most ${most}`, { max: available, currency })],
  })
}
