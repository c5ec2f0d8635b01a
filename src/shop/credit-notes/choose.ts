import { fieldError, Refusal, type FieldError } from "../../core/lib/refusal"
import type { MoneyContext } from "../../core/kind/field"
import { fromUnits } from "../../shared/decimal"
import { chargedBy } from "../../shared/money"
import {
  chooseParts,
  type Derivation,
  type Part,
  type Quantity,
  quantityIn,
} from "../../trade/documents/derive"
import type { Doc } from "../../trade/documents/kind"
import type { InvoiceHead, InvoiceLine } from "../invoices/model"
import { readAmount } from "../../trade/settlements/money"
import { type Credit, creditNoteRefusals } from "./model"

/** An amount of a line, in the minor unit. */
type Amount = { amount: number }

/** What to credit of a line of an invoice: a quantity or an amount. */
export type CreditPart = Part<InvoiceLine, Amount>

type Item = NonNullable<Credit["items"]>[number]

export const quantityLeft = ({ quantity, creditedQuantity }: InvoiceLine): number =>
  quantity - creditedQuantity

/** The money left on a line, with tax if the prices of the invoice include it. */
export const moneyLeft = (line: InvoiceLine): number => chargedBy(line) - line.creditedAmount

/** Returns what a body credits of each line of an invoice: without `items`, all that is left. */
export const chooseCredit = (
  { head: { invoiceNumber: number }, lines }: Doc<InvoiceHead, InvoiceLine>,
  items: Credit["items"],
  money: MoneyContext,
  errors: FieldError[],
): CreditPart[] => chooseParts(creditsIn(money), { number, lines }, items, errors)

/** How credit notes are made from invoices. */
const creditsIn = (money: MoneyContext): Derivation<InvoiceLine, Item, Amount> => ({
  noun: "credit note",
  lineField: "invoiceLine",
  takenOf: ({ creditedQuantity }) => creditedQuantity,
  words: ["invoiced", "credited"],
  read: (item, at, errors) => readPart(item, at, money, errors),
  overError(line, part, at) {
    if (!("amount" in part) || part.amount <= moneyLeft(line)) return null
    const max = fromUnits(moneyLeft(line), money.digits)
    return fieldError(`${at}.amount`, "TOO_LARGE", `must be at most ${max}, which is left of the line`, {
      max,
    })
  },
  refuseOver: (number, details) =>
    new Refusal(
      creditNoteRefusals.OVER_CREDITED,
      `This is more than what is left of invoice ${number} to credit.`,
      {
        params: { number },
        details,
      },
    ),
})

/** Returns the quantity or the amount of a line; null after an error. */
function readPart(
  { quantity, amount }: Item,
  at: string,
  money: MoneyContext,
  errors: FieldError[],
): Quantity | Amount | null {
  // An invalid value has its error already.
  if (quantity === undefined || amount === undefined) return null
  if (quantity !== null && amount !== null) {
    errors.push(
      fieldError(`${at}.amount`, "RULE", "must not be given with quantity", {
        rule: "EXCLUSIVE",
        other: "quantity",
      }),
    )
    return null
  }
  if (quantity !== null) return quantityIn({ quantity })
  if (amount !== null) return { amount: readAmount(amount, money, `${at}.amount`, errors) }
  errors.push(fieldError(`${at}.quantity`, "REQUIRED", "is required, or an amount"))
  return null
}
