import { assertNoErrors, fieldError, Refusal, reporter, type FieldError } from "../../core/lib/refusal"
import type { MoneyContext } from "../../core/kind/field"
import { fromUnits, priceDigits, toUnits } from "../../shared/decimal"
import { chargedBy } from "../../shared/money"
import type { Doc } from "../../trade/documents/kind"
import type { InvoiceHead, InvoiceLine } from "../invoices/model"
import { readAmount } from "../../trade/settlements/money"
import { type Credit, creditNoteRefusals } from "./model"

/** A line of an invoice, and what to credit of it: a quantity in 1/10000, or an amount in the minor unit. */
export type Chosen = { line: InvoiceLine } & ({ quantity: number } | { amount: number })

export const quantityLeft = ({ quantity, creditedQuantity }: InvoiceLine): number =>
  quantity - creditedQuantity

/** The money left on a line, with tax if the prices of the invoice include it. */
export const moneyLeft = (line: InvoiceLine): number => chargedBy(line) - line.creditedAmount

/** Returns what a body credits of each line of an invoice: without `items`, all that is left. */
export function chooseCredit(
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
  items: Credit["items"],
  money: MoneyContext,
  errors: FieldError[],
): Chosen[] {
  if (!items)
    return lines
      .filter((line) => quantityLeft(line) > 0)
      .map((line) => ({ line, quantity: quantityLeft(line) }))
  const over: FieldError[] = []
  const chosen = items.flatMap((given, i): Chosen[] => {
    const at = `items[${i}]`
    const line = findLine(lines, items, i, head.invoiceNumber, errors)
    const wanted = readWanted(given, at, money, errors)
    if (!line || !wanted) return []
    if ("quantity" in wanted && wanted.quantity > quantityLeft(line))
      over.push(overQuantity(`${at}.quantity`, line))
    if ("amount" in wanted && wanted.amount > moneyLeft(line))
      over.push(overAmount(`${at}.amount`, line, money.digits))
    return [{ line, ...wanted }]
  })
  assertNoErrors(errors, "The credit note has invalid values.")
  if (over.length > 0) throw overCredited(head, over)
  return chosen
}

type Items = NonNullable<Credit["items"]>

function findLine(
  lines: readonly InvoiceLine[],
  items: Items,
  i: number,
  number: string | null,
  errors: FieldError[],
): InvoiceLine | undefined {
  const id = items[i]?.invoiceLine
  if (typeof id !== "string") return undefined
  const line = lines.find((each) => each.id === id)
  const error = reporter(errors, `items[${i}].invoiceLine`)
  if (!line) error("NOT_FOUND", `is not a line of ${number}`, { value: id.slice(0, 64), number })
  else if (items.findIndex(({ invoiceLine }) => invoiceLine === id) < i)
    error("RULE", "is given more than once", { rule: "REPEATED" })
  return line
}

/** Returns the quantity or the amount of a line; null after an error. */
function readWanted(
  { quantity, amount }: Items[number],
  at: string,
  money: MoneyContext,
  errors: FieldError[],
): { quantity: number } | { amount: number } | null {
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
  if (quantity !== null) return { quantity: toUnits(quantity, priceDigits) ?? 0 }
  if (amount !== null) return { amount: readAmount(amount, money, `${at}.amount`, errors) }
  errors.push(fieldError(`${at}.quantity`, "REQUIRED", "is required, or an amount"))
  return null
}

function overQuantity(field: string, line: InvoiceLine): FieldError {
  const plain = (units: number) => fromUnits(units, priceDigits)
  const [invoiced, credited] = [plain(line.quantity), plain(line.creditedQuantity)]
  const max = plain(quantityLeft(line))
  const message = `invoiced ${invoiced}, credited ${credited}, remaining ${max}`
  return fieldError(field, "TOO_LARGE", message, { max, invoiced, credited })
}

function overAmount(field: string, line: InvoiceLine, digits: number): FieldError {
  const max = fromUnits(moneyLeft(line), digits)
  return fieldError(field, "TOO_LARGE", `must be at most ${max}, which is left of the line`, { max })
}

/** The refusal to credit more than is left of an invoice. */
const overCredited = ({ invoiceNumber }: InvoiceHead, details: FieldError[]): Refusal =>
  new Refusal(
    creditNoteRefusals.OVER_CREDITED,
    `This is more than what is left of invoice ${invoiceNumber} to credit.`,
    {
      params: { number: invoiceNumber },
      details,
    },
  )
