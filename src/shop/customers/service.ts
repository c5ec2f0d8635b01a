import { tradeRefusals } from "../../trade/documents/model"
import type { Database } from "../../core/engine/engine"
import type { Core } from "../../core/folder"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { creditLimitRoles, creditOverrideRoles } from "../../shared/rights"
import { isExact } from "../../shared/money"
import { fieldError, invalid, Refusal } from "../../core/lib/refusal"
import { tableCrud } from "../../core/store/crud"
import { type Draft, type Input, readChange } from "../../core/kind/read"
import { noteFigures } from "../../core/kind/record-events"
import type { Expected } from "../../core/kind/tag"
import { related } from "../../core/http/answer/expand"
import type { Settings } from "../../office/settings/model"
import type { DocumentCustomer } from "../../trade/needs"
import { type Customer, customers } from "./model"
import { taxedBy, treatmentErrors, warnOfTax } from "./rules"
import { fromUnits, priceDigits } from "../../shared/decimal"

/** Customers are one table; each gets the next number of its series. */
export function customerService({ db, storeOf, nextNumber, settings }: Core & { settings: () => Settings }) {
  const crud = tableCrud(customers, storeOf(customers))
  const warn = (tx: Tx, customer: Customer) => warnOfTax(tx.warnings, settings(), customer)
  return {
    ...crud,
    create(tx: Tx, draft: Draft) {
      const errors = [...draft.errors, ...treatmentErrors(draft.values as Customer)]
      const made = crud.make(tx, { ...draft, errors }, () => ({
        customerNumber: nextNumber(tx, customers).number,
      }))
      warn(tx, made)
      return made
    },

    update(tx: Tx, id: string, input: Input, expected: Expected, caller: Caller) {
      const before = crud.get(id)
      const changed: Customer = { ...before, ...readChange(customers, before, input, [], []) }
      const after = crud.revise(tx, id, input, expected, treatmentErrors(changed))
      if (after.creditLimit !== before.creditLimit && !creditLimitRoles.includes(caller.role))
        throw limitForbidden(caller)
      if (taxedBy.some((name) => Object.hasOwn(input, name))) warn(tx, after)
      return after
    },

    /** For `expand`. */
    asRelated: related(customers, crud),

    /** Returns the customer data that documents need. */
    forDocument: (id: string): DocumentCustomer | null => findDocumentCustomer(db, id),

    assertCredit,

    /** Warns when the customer of a document is over its limit. */
    warnOfCredit(tx: Tx, id: string, policy: Parameters<typeof warnOfCredit>[2]): void {
      const customer = findDocumentCustomer(db, id)
      if (customer) warnOfCredit(tx, customer, policy)
    },

    /** Changes a figure by the difference between two states of a document, which may have different customers. */
    moveFigure(tx: Tx, figure: Figure, before: Share | null, after: Share): void {
      if (before && before.customer !== after.customer) {
        add(db, tx, figure, { customer: before.customer, amount: -before.amount })
        add(db, tx, figure, after)
      } else add(db, tx, figure, { ...after, amount: after.amount - (before?.amount ?? 0) })
    },
  }
}

const limitForbidden = ({ role }: Caller): Refusal =>
  new Refusal("FORBIDDEN", `The role ${role} may not update a credit limit.`, {
    params: { role },
    details: [
      fieldError("creditLimit", "RULE", `may be updated by ${creditLimitRoles.join(", ")}`, {
        rule: "ROLE",
        allowed: creditLimitRoles,
      }),
    ],
  })

/** The part that a document has in a figure of its customer. */
type Share = { customer: string; amount: number }

/** The fields that show the figures. */
const figureFields: Record<Figure, string> = {
  outstanding_balance: "outstandingBalance",
  open_orders_value: "openOrdersValue",
  credit_balance: "creditBalance",
}

function add(db: Database, tx: Tx, figure: Figure, { customer: id, amount }: Share): void {
  const added = amount === 0 ? null : addTo(db, figure, { id, amount, now: tx.now })
  if (!added) return
  noteFigures(tx, customers, { id, version: added.version }, [figureFields[figure]])
  if (!isExact(added.amount))
    throw invalid("customer", "RULE", "would have a balance or open orders too large to count exactly", {
      rule: "TOO_LARGE_TO_COUNT",
    })
}

export type CustomerService = ReturnType<typeof customerService>

function findDocumentCustomer(db: Database, id: string): DocumentCustomer | null {
  const row = db
    .query<Omit<DocumentCustomer, "isActive"> & { isActive: number }, [string]>(
      `SELECT id, customer_number AS customerNumber, name, contact_name AS contactName, email, phone,
         is_active AS isActive, payment_terms AS paymentTerms, address, shipping_address AS shippingAddress, language,
         tax_id AS taxId, tax_treatment AS taxTreatment, tax_reason AS taxReason, credit_limit AS creditLimit, outstanding_balance AS outstandingBalance, open_orders_value AS openOrdersValue,
         credit_balance AS creditBalance
       FROM customers WHERE id = ?`,
    )
    .get(id)
  return row && { ...row, isActive: row.isActive === 1 }
}

/** A figure of a customer that is computed from the documents. */
type Figure = "outstanding_balance" | "open_orders_value" | "credit_balance"

/** Adds to a figure and returns its new value, and the version of the customer. */
function addTo(
  db: Database,
  figure: Figure,
  { id, amount, now }: { id: string; amount: number; now: string },
): { amount: number; version: number } | null {
  const set = `${figure} = ${figure} + ?, change_count = change_count + 1, updated_at = ?`
  const update = { table: "customers", set, key: "id", columns: `${figure} AS amount, version` }
  const [added] = db.engine.updateEach<{ amount: number; version: number }>(update, [[amount, now, id]])
  return added ?? null
}

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
function assertCredit(
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
    tradeRefusals.CREDIT_LIMIT_EXCEEDED,
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
function warnOfCredit(tx: Tx, customer: CreditCustomer, { digits, policy }: Policy): void {
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
