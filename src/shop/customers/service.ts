import type { Resource } from "../../core/kind/define"
import { tradeRefusals } from "../../trade/documents/model"
import type { Database } from "../../core/engine/engine"
import type { Core } from "../../core/folder"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { creditLimitRoles, creditOverrideRoles, ownNumberRoles } from "../../shared/rights"
import { isExact } from "../../shared/money"
import { duplicate, fieldError, type FieldError, invalid, Refusal } from "../../core/lib/refusal"
import type { Numbered } from "../../core/kind/define"
import { tableCrud } from "../../core/store/crud"
import type { Reading } from "../../core/kind/body"
import { type Draft, type Input, readChange } from "../../core/kind/read"
import { noteFigures } from "../../core/kind/record-events"
import type { Expected } from "../../core/kind/tag"
import { related } from "../../core/http/answer/expand"
import type { Settings } from "../../office/settings/model"
import type { DocumentCustomer } from "../../trade/needs"
import { type Compared, findDuplicates } from "./duplicates/query"
import { mergeCustomers } from "./merge"
import { type Customer, customers, type Duplicate, type Merge } from "./model"
import { warnOfReference } from "../../trade/documents/customer"
import { activeErrors, priceErrors, taxedBy, treatmentErrors, warnOfTax, withPossiblePrices } from "./rules"
import { amountText, fromUnits, priceDigits } from "../../shared/decimal"

/** Customers are one table; each gets the next number of its series. `kinds` are all kinds, some of which name customers. */
export function customerService(the: Needs) {
  const { db, storeOf, nextNumber, formatProducing, formatToProduce, kinds, settings } = the
  const store = storeOf(customers)
  const crud = tableCrud(customers, store)
  const warn = (tx: Tx, customer: Customer) => warnOfTax(tx.warnings, settings(), customer)
  const findNumber = (number: string) => crud.findId("customerNumber", number)
  return {
    ...crud,
    readsOfDraft: () => [],
    create(tx: Tx, draft: Draft, caller: Caller) {
      const given = (draft.extras.customerNumber ?? null) as string | null
      const values = draft.values as Customer
      const errors = [
        ...draft.errors,
        ...(given === null ? [] : numberErrors({ formatToProduce, findNumber }, given, caller)),
        ...treatmentErrors(values),
        ...priceErrors(values),
      ]
      const made = crud.make(tx, { ...draft, errors }, () => ({
        customerNumber: given ?? nextNumber(tx, customers).number,
      }))
      warn(tx, made)
      warnOfReference(tx.warnings, made.buyerReference)
      return made
    },

    /** False for a number that Kontor assigns, or has assigned to another customer. Others are those of another system. */
    isOwnNumber: (number: string): boolean =>
      formatProducing(customers, number) === null ||
      (formatToProduce(customers, number) === null && findNumber(number) === null),

    update(tx: Tx, id: string, given: Input, expected: Expected, caller: Caller) {
      const before = crud.get(id)
      const changeOf = (input: Input): Customer => ({
        ...before,
        ...readChange(customers, before, input, [], []),
      })
      const input = withPossiblePrices(given, before, changeOf(given))
      const changed = changeOf(input)
      const errors = [...treatmentErrors(changed), ...priceErrors(changed), ...activeErrors(before, changed)]
      const after = crud.revise(tx, id, input, expected, errors)
      if (after.creditLimit !== before.creditLimit && !creditLimitRoles.includes(caller.role))
        throw limitForbidden(caller)
      if (taxedBy.some((name) => Object.hasOwn(input, name))) warn(tx, after)
      if (Object.hasOwn(input, "buyerReference")) warnOfReference(tx.warnings, after.buyerReference)
      return after
    },

    /** For `expand`. */
    asRelated: related(customers, crud),

    /** A customer that was merged stays, because bodies may name it. */
    remove(tx: Tx, id: string, expected: Expected): void {
      assertNotMerged(crud.get(id))
      crud.remove(tx, id, expected)
    },

    /** Merges another customer into this one, which gets its documents, payments and balances. */
    merge: (tx: Tx, id: string, given: Reading<Merge>, expected: Expected, caller: Caller): Customer =>
      mergeCustomers({ db, store, kinds, get: crud.get, add: (...share) => add(db, ...share) }, tx, {
        id,
        given,
        expected,
        caller,
      }),

    /** Finds customers that may be the same as one with these values. */
    findDuplicates: (values: Compared): Duplicate[] => findDuplicates(db, values),

    /** Returns the customer data that documents need: that of the survivor, if the customer was merged. */
    forDocument: (id: string): DocumentCustomer | null => findDocumentCustomer(db, id),
    readOf: (id: string) => ({ sql: partyQuery, values: [id] }),

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

type Needs = Core & {
  kinds: readonly Resource[]
  settings: () => Settings
  formatProducing: (kind: Numbered, number: string) => string | null
  formatToProduce: (kind: Numbered, number: string) => string | null
}

/** Why a new customer cannot have this number. */
function numberErrors(
  {
    formatToProduce,
    findNumber,
  }: Pick<Needs, "formatToProduce"> & { findNumber: (number: string) => string | null },
  given: string,
  { role }: Caller,
): FieldError[] {
  if (!ownNumberRoles.includes(role)) return [notGiven(role)]
  const existing = findNumber(given)
  if (existing !== null) return [duplicate("customerNumber", given, existing, customers.noun)]
  const format = formatToProduce(customers, given)
  return format === null ? [] : [numberToCome(given, format)]
}

function assertNotMerged({ mergedInto, customerNumber }: Customer): void {
  if (mergedInto === null) return
  throw new Refusal(
    "RECORD_IN_USE",
    `Customer ${customerNumber} was merged into another one. It stays, so that its number keeps its meaning.`,
    {
      details: [fieldError("id", "RULE", "was merged into another customer", { rule: "MERGED", mergedInto })],
    },
  )
}

const notGiven = (role: Caller["role"]): FieldError =>
  fieldError(
    "customerNumber",
    "READ_ONLY",
    `is read-only for the role ${role}: the server sets it, and ${ownNumberRoles.join(" and ")} may give one`,
    { allowed: ownNumberRoles },
  )

/** A number that the series would come to must not be taken before. */
const numberToCome = (number: string, format: string): FieldError =>
  fieldError(
    "customerNumber",
    "RULE",
    `${JSON.stringify(number)} is a number that Kontor will assign itself, because its numbers have the format ${format}: give another one, or leave it out`,
    { rule: "NUMBER_OF_FORMAT", value: number, format },
  )

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

type Row = Omit<DocumentCustomer, "isActive" | "pricesIncludeTax" | "merged"> & {
  mergedInto: string | null
  isActive: number
  pricesIncludeTax: number | null
}

/** Finds a customer, or the one that it was merged into, which was not merged itself. */
function findDocumentCustomer(db: Database, id: string): DocumentCustomer | null {
  const found = findParty(db, id)
  if (!found || found.mergedInto === null) return found && found.party
  const { customerNumber, name } = found.party
  const survivor = findParty(db, found.mergedInto)
  return survivor && { ...survivor.party, merged: { customerNumber, name } }
}

const partyQuery = `SELECT id, customer_number AS customerNumber, name, contact_name AS contactName, email, invoice_email AS invoiceEmail, phone,
         merged_into AS mergedInto, buyer_reference AS buyerReference, reminders_paused_until AS remindersPausedUntil, is_active AS isActive, payment_terms AS paymentTerms,
         address, shipping_address AS shippingAddress, language, tax_id AS taxId, tax_treatment AS taxTreatment,
         tax_reason AS taxReason, prices_include_tax AS pricesIncludeTax, credit_limit AS creditLimit, outstanding_balance AS outstandingBalance,
         open_orders_value AS openOrdersValue, credit_balance AS creditBalance
       FROM customers WHERE id = ?`

function findParty(db: Database, id: string): { party: DocumentCustomer; mergedInto: string | null } | null {
  const row = db.query<Row, [string]>(partyQuery).get(id)
  if (!row) return null
  const { mergedInto, isActive, pricesIncludeTax, ...rest } = row
  const party = {
    ...rest,
    isActive: isActive === 1,
    pricesIncludeTax: pricesIncludeTax === null ? null : pricesIncludeTax === 1,
    merged: null,
  }
  return { party, mergedInto }
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
type Policy = { digits: number; currency: string; policy: Settings["creditPolicy"] }
type CreditRequest = Policy & {
  /** The total to add, and the document it belongs to. */
  total: number
  what: "order" | "invoice"
  override: boolean
  caller: Pick<Caller, "role">
}

/**
 * Checks a document against its customer's credit limit: the outstanding balance, the orders that are not invoiced yet,
 * and this document, less the customer's own credit. No limit and a limit of 0 allow everything. Returns true when the limit was overridden.
 */
function assertCredit(
  tx: Tx,
  customer: CreditCustomer,
  { total, what, override, caller, ...settings }: CreditRequest,
): boolean {
  const { policy, digits } = settings
  if (policy === "off" || !exceedsLimit(customer, total, digits)) return false
  const params = { ...creditParams(customer, settings), total: fromUnits(total, digits) }
  const message = `${usedBy(customer, settings)} and this ${what} totals ${amountText(params.total, settings)}.`
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
function warnOfCredit(tx: Tx, customer: CreditCustomer, settings: Policy): void {
  if (settings.policy === "off" || !exceedsLimit(customer, 0, settings.digits)) return
  tx.warnings.push({
    code: "CREDIT_LIMIT_EXCEEDED",
    field: "customer",
    message: `${usedBy(customer, settings)}.`,
    params: creditParams(customer, settings),
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

const creditParams = (customer: CreditCustomer, { digits, currency }: Policy) => ({
  customerName: customer.name,
  limit: fromUnits(customer.creditLimit ?? 0, priceDigits),
  used: fromUnits(Math.max(0, usedOf(customer)), digits),
  currency,
})

function usedBy(customer: CreditCustomer, settings: Policy): string {
  const { customerName, limit, used } = creditParams(customer, settings)
  return `${customerName} has a credit limit of ${amountText(limit, settings)}; ${amountText(used, settings)} of it is used`
}
