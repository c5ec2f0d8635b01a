import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { fromUnits, priceDigits } from "../../shared/decimal"
import { fieldError, Refusal } from "../../core/lib/refusal"
import { creditOverrideRoles } from "../../shared/rights"
import type { Settings } from "../../office/settings/model"

/** A customer's credit limit in 1/10000, and the amounts that count against it, in the minor unit. */
type CreditCustomer = {
  name: string
  creditLimit: number | null
  outstandingBalance: number
  openOrdersValue: number
  creditBalance: number
}
type Policy = { digits: number; policy: Settings["creditPolicy"] }
type CreditRequest = Policy & {
  /** The total to add, and the document it belongs to. */
  total: number
  what: "order" | "invoice"
  override: boolean
  caller: Caller
}

/**
 * Checks a document against its customer's credit limit: the outstanding balance, the orders that are not invoiced yet,
 * and this document, less the customer's own credit. No limit and a limit of 0 allow everything. Returns true when the limit was overridden.
 */
export function assertCredit(
  tx: Tx,
  customer: CreditCustomer,
  { total, what, digits, policy, override, caller }: CreditRequest,
): boolean {
  if (policy === "off" || !exceedsLimit(customer, total, digits)) return false
  const params = { ...creditParams(customer, digits), total: fromUnits(total, digits) }
  const message = `${usedBy(customer, digits)} and this ${what} totals ${fromUnits(total, digits)}.`
  if (policy === "warn") {
    tx.warnings.push({ code: "CREDIT_LIMIT_EXCEEDED", field: "customer", message, params })
    return false
  }
  if (override && creditOverrideRoles.includes(caller.role)) return true
  throw new Refusal(
    "CREDIT_LIMIT_EXCEEDED",
    `${message} A manager or admin may override the limit with override: true.`,
    {
      params,
      details: [
        fieldError("customer", "RULE", "does not have enough credit available", { rule: "CREDIT_LIMIT" }),
      ],
    },
  )
}

/** Warns that a customer is over its limit where that cannot be refused, for example when an order reopens. */
export function warnOfCredit(tx: Tx, customer: CreditCustomer, { digits, policy }: Policy): void {
  if (policy === "off" || !exceedsLimit(customer, 0, digits)) return
  tx.warnings.push({
    code: "CREDIT_LIMIT_EXCEEDED",
    field: "customer",
    message: `${usedBy(customer, digits)}.`,
    params: creditParams(customer, digits),
  })
}

/** What is used of a credit limit. It is negative when the customer has more credit than debts. */
const usedOf = ({ outstandingBalance, openOrdersValue, creditBalance }: CreditCustomer): number =>
  outstandingBalance + openOrdersValue - creditBalance

function exceedsLimit(customer: CreditCustomer, total: number, digits: number): boolean {
  if (!customer.creditLimit) return false
  const scale = 10n ** BigInt(priceDigits - digits)
  return (BigInt(usedOf(customer)) + BigInt(total)) * scale > BigInt(customer.creditLimit)
}

const creditParams = (customer: CreditCustomer, digits: number) => ({
  customerName: customer.name,
  limit: fromUnits(customer.creditLimit ?? 0, priceDigits),
  used: fromUnits(Math.max(0, usedOf(customer)), digits),
})

function usedBy(customer: CreditCustomer, digits: number): string {
  const { customerName, limit, used } = creditParams(customer, digits)
  return `${customerName} has a credit limit of ${limit}; ${used} of it is used`
}
