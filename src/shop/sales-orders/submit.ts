import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { fromUnits, priceDigits } from "../../shared/decimal"
import { assertNoErrors, type FieldError } from "../../core/lib/refusal"
import type { CustomerService } from "../customers/service"
import type { ItemService } from "../items/service"
import { inactiveErrors } from "../../trade/documents/lines"
import { readCustomer, warnOfTreatment } from "../../trade/documents/customer"
import type { Settings } from "../../office/settings/model"
import type { Order } from "./model"

type Submission = { override: boolean; caller: Caller; digits: number; policy: Settings["creditPolicy"] }

/**
 * Refuses an order with an inactive customer or item, and warns about insufficient stock. Returns true when the credit
 * limit was overridden.
 */
export function assertSubmittable(
  tx: Tx,
  { head, lines }: Order,
  { items, customers }: { items: ItemService; customers: CustomerService },
  submission: Submission,
): boolean {
  const errors: FieldError[] = []
  const customer = readCustomer(customers, head.customer, null, errors)
  errors.push(...inactiveErrors(items, lines))
  assertNoErrors(errors, `Sales order ${head.orderNumber} cannot be submitted.`)
  warnOfShortage(tx, lines, items)
  if (customer) warnOfTreatment(tx.warnings, head, customer)
  return (
    customer !== null &&
    customers.assertCredit(tx, customer, { ...submission, total: head.total, what: "order" })
  )
}

function warnOfShortage(tx: Tx, lines: Order["lines"], items: ItemService): void {
  const sold = items.forLines(lines.flatMap(({ item }) => item ?? []))
  const promised = new Map<string, number>()
  lines.forEach(({ item, quantity }, i) => {
    if (item === null) return
    const found = sold.get(item)
    const available = (found?.currentStock ?? 0) - (found?.reservedStock ?? 0) - (promised.get(item) ?? 0)
    promised.set(item, (promised.get(item) ?? 0) + quantity)
    if (!found?.hasStock || available >= quantity) return
    const { itemCode } = found
    const ordered = fromUnits(quantity, priceDigits)
    const left = fromUnits(available, priceDigits)
    tx.warnings.push({
      code: "INSUFFICIENT_STOCK",
      field: `items[${i}].quantity`,
      message: `${itemCode}: ${ordered} ordered, ${left} available.`,
      params: { itemCode, ordered, available: left },
    })
  })
}
