import { priceDigits, roundedTo } from "../../../shared/decimal"
import { chargedBy } from "../../../shared/money"
import type { Invoice, InvoiceLine } from "../../../console/api/types"
import type { Typed } from "../../../console/forms/number"
import { digitsOf } from "../../../console/format"

/** What is entered for a line: a quantity or an amount. The other one is kept for a switch back. */
export type LineCredit = { isAmount: boolean; quantity: Typed; amount: Typed }

/** `credits` contains what is entered, by the id of the line. */
export type CreditValues = {
  reason: string
  creditNoteDate: string
  restock: boolean
  credits: Record<string, LineCredit>
}

/** What is left of a line. The amount includes tax if the prices of the invoice do. */
export type Left = { quantity: number; amount: number }

export const leftOf = (line: InvoiceLine, currency: string): Left => ({
  quantity: roundedTo(line.quantity - line.creditedQuantity, priceDigits),
  amount: roundedTo(chargedBy(line) - line.creditedAmount, digitsOf(currency)),
})

/** Returns the lines that are not credited completely. */
export const openLines = ({ items, currency }: Invoice): InvoiceLine[] =>
  items.filter((line) => leftOf(line, currency).quantity > 0)

/** Returns a credit of all that is left of some lines. */
export const allOf = (lines: InvoiceLine[], currency: string): CreditValues["credits"] =>
  Object.fromEntries(lines.map((line) => [line.id, { isAmount: false, ...leftOf(line, currency) }]))

/** Returns a credit of nothing, which keeps whether a quantity or an amount is entered. */
export const noneOf = (credits: CreditValues["credits"]): CreditValues["credits"] =>
  Object.fromEntries(
    Object.entries(credits).map(([id, credit]) => [id, { ...credit, quantity: 0, amount: 0 }]),
  )

/** The items of the request. Text that is not a number is sent too, and the server rejects it. */
export const chosenOf = ({ credits }: CreditValues) =>
  Object.entries(credits)
    .map(([invoiceLine, { isAmount, quantity, amount }]) =>
      isAmount ? { invoiceLine, amount: amount || 0 } : { invoiceLine, quantity: quantity || 0 },
    )
    .filter((item) => ("amount" in item ? item.amount : item.quantity) !== 0)

/** True if the credit is all that is left of the invoice. */
const isEverything = (lines: InvoiceLine[], { credits }: CreditValues, currency: string): boolean =>
  lines.every((line) => {
    const credit = credits[line.id]
    return credit && !credit.isAmount && credit.quantity === leftOf(line, currency).quantity
  })

export const bodyOf = (invoice: Invoice, values: CreditValues) => ({
  reason: values.reason || null,
  creditNoteDate: values.creditNoteDate || null,
  restock: values.restock,
  items: isEverything(openLines(invoice), values, invoice.currency) ? null : chosenOf(values),
})

/** Maps a field of the request to the input of its line: items[0].quantity → credits.inl_1.quantity */
export function fieldOf(field: string, values: CreditValues): string {
  const [, index] = /^items\[(\d+)\]\.\w+$/.exec(field) ?? []
  const item = index === undefined ? undefined : chosenOf(values)[Number(index)]
  return item ? `credits.${item.invoiceLine}.${"amount" in item ? "amount" : "quantity"}` : field
}
