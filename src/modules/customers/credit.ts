import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/rights"
import { fromUnits, priceDigits } from "../../lib/decimal"
import { Refusal } from "../../lib/refusal"
import type { Settings } from "../settings/model"

type Debtor = {
  name: string
  creditLimit: number | null
  outstandingBalance: number
  openOrdersValue: number
}
type Asked = {
  total: number
  digits: number
  policy: Settings["creditPolicy"]
  override: boolean
  caller: Caller
}

/**
 * Holds an order against its customer's credit limit: what is owed, what is ordered and not yet billed, and this
 * order. No limit and a limit of 0 let everything through. Returns true when a manager's word was needed.
 */
export function assertCredit(
  tx: Tx,
  customer: Debtor,
  { total, digits, policy, override, caller }: Asked,
): boolean {
  if (policy === "off" || !customer.creditLimit) return false
  const used = customer.outstandingBalance + customer.openOrdersValue
  const scale = 10n ** BigInt(priceDigits - digits)
  if (BigInt(used + total) * scale <= BigInt(customer.creditLimit)) return false
  const message =
    `${customer.name} has a credit limit of ${fromUnits(customer.creditLimit, priceDigits)}; ` +
    `${fromUnits(used, digits)} of it is used and this order comes to ${fromUnits(total, digits)}.`
  if (policy === "warn") {
    tx.warnings.push({ code: "CREDIT_LIMIT_EXCEEDED", field: "customer", message })
    return false
  }
  if (override && (caller.role === "manager" || caller.role === "admin")) return true
  throw new Refusal(
    "CREDIT_LIMIT_EXCEEDED",
    `${message} A manager or admin may pass it with override: true.`,
    {
      details: [{ field: "customer", message: "has not enough credit left" }],
    },
  )
}
