import { assertOpenPeriod } from "../../trade/documents/dates"
import { tradeRefusals } from "../../trade/documents/model"
import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import type { Numbered } from "../../core/kind/define"
import { assertNoErrors, fieldError, type FieldError, invalid, Refusal } from "../../core/lib/refusal"
import type { DocumentCustomer } from "../../trade/needs"
import { type Became, creditOverride, type Doc, type StatusRequest } from "../../trade/documents/kind"
import { inactiveErrors } from "../../trade/documents/lines"
import { readCustomer, warnOfTreatment } from "../../trade/documents/customer"
import type { DocumentDeps } from "../../trade/documents/documents"
import type { CustomerService } from "../customers/service"
import type { SalesOrderService } from "../sales-orders/service"
import type { StockMovementService } from "../stock-movements/service"
import { type Invoice, type InvoiceHead, type InvoiceLine, invoices } from "./model"
import { statusBySums } from "./rules"
import type { Database } from "../../core/engine/engine"
import { digestOf } from "../../core/lib/secret"
import type { Address } from "../../core/kind/address"
import { categoriesWithTaxId } from "../../shared/tax"
import { withReasons } from "../../shared/line"
import { sellerOf } from "../../office/settings/seller"
import { insertSeller } from "./store"

export type InvoiceDeps = DocumentDeps<InvoiceHead> & {
  customers: CustomerService
  stockMovements: StockMovementService
  salesOrders: SalesOrderService
  /** Returns the number format that a kind has or had and that can produce this number, or null. */
  formatProducing: (kind: Numbered, number: string) => string | null
  /** Keeps what an issued invoice prints. */
  keepPaper: (tx: Tx, invoice: Invoice) => void
  /** Writes the credit note of an invoice that is being cancelled. */
  creditCancelled: (
    tx: Tx,
    invoice: Doc<InvoiceHead, InvoiceLine>,
    why: { reason: string | null; caller: Caller },
  ) => void
}

/**
 * Issues an invoice: keeps the data of the company and of the customer, assigns the number and takes the goods out of
 * stock. Then the customer owes the total.
 */
export function issue(
  deps: InvoiceDeps,
  tx: Tx,
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
  { customer, userId }: { customer: DocumentCustomer; userId: string | null },
): InvoiceHead {
  const { stockMovements, settings } = deps
  assertOpenPeriod(settings(), head.invoiceDate, "invoiceDate")
  warnOfTreatment(tx.warnings, head, customer)
  const parties = partiesAtIssue(deps, customer, { head, lines })
  if (!settings().allowNegativeStock) assertInStock(stockMovements, lines)
  const moves = lines.map(({ item, quantity }) => ({ item, quantity: -quantity }))
  const cause = { reason: "invoice" as const, sourceType: "invoice", sourceId: head.id, by: userId }
  stockMovements.move(tx, moves, cause)
  const status = statusBySums(head)
  const { number, series, counter } = deps.nextNumber(tx, invoices, head.invoiceDate)
  return {
    ...head,
    ...parties,
    invoiceNumber: number,
    numberSeries: series,
    numberCounter: counter,
    status,
    issuedAt: tx.now,
    paidAt: status === "paid" ? tx.now : null,
  }
}

function assertInStock(stockMovements: StockMovementService, lines: readonly InvoiceLine[]): void {
  const short = stockMovements.shortages(lines)
  if (short.length === 0) return
  throw new Refusal(tradeRefusals.INSUFFICIENT_STOCK, "There is not enough stock to invoice this.", {
    details: short.map(({ index, itemCode, left }) =>
      fieldError(`items[${index}].quantity`, "TOO_LARGE", `${itemCode}: only ${left} in stock`, {
        max: left,
        itemCode,
      }),
    ),
  })
}

/** Issues a draft. The invoice gets the customer's current data, which no longer changes after that. */
export function issueDraft(
  deps: InvoiceDeps,
  tx: Tx,
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
  { override, caller }: StatusRequest<InvoiceHead["status"]>,
): Became<InvoiceHead> {
  const customer = assertIssuable(deps, head, lines)
  const isForced = isCreditForced(deps, tx, customer, { total: head.total, override, caller })
  const issued = issue(deps, tx, { head, lines }, { customer, userId: caller.userId })
  return { head: issued, changes: isForced ? creditOverride : {} }
}

function assertIssuable(
  { items, customers }: InvoiceDeps,
  head: InvoiceHead,
  lines: readonly InvoiceLine[],
): DocumentCustomer {
  const errors: FieldError[] = []
  const customer = readCustomer(customers, head.customer, null, errors)
  errors.push(...inactiveErrors(items, lines))
  assertNoErrors(errors, "The invoice cannot be issued.")
  if (!customer) throw invalid("customer", "NOT_FOUND", "no longer exists", { value: head.customer })
  return customer
}

/** The total to add to the customer's balance, the caller, and whether the credit limit may be overridden. */
type Charge = { total: number; override: boolean; caller: Caller }

/** Checks an invoice without an order against its customer's credit limit. True when the limit was overridden. */
export function isCreditForced(
  { customers, settings, moneyContext }: InvoiceDeps,
  tx: Tx,
  customer: DocumentCustomer,
  charge: Charge,
): boolean {
  const { digits } = moneyContext(tx.now)
  const policy = settings().creditPolicy
  return customers.assertCredit(tx, customer, { ...charge, what: "invoice", digits, policy })
}

/** Returns the customer data that an invoice stores. */
export const partyOf = ({ name, address, taxId }: DocumentCustomer) => ({
  customerName: name,
  billingAddress: addressOf(address),
  taxId,
})

const addressOf = (address: string | null) => (address === null ? null : (JSON.parse(address) as Address))

/**
 * Returns what an invoice keeps of the company, the customer and the tax when it is issued. Nothing that happens later
 * changes it.
 */
function partiesAtIssue(
  { db, taxCodes, settings }: DocumentDeps<InvoiceHead>,
  customer: DocumentCustomer,
  { head, lines }: Doc<InvoiceHead, InvoiceLine>,
) {
  assertTaxId(customer, lines)
  const { customerNumber, name, contactName, email, phone, address, taxId } = customer
  const language = customer.language ?? settings().defaultLanguage
  return {
    ...partyOf(customer),
    language,
    sellerVersion: keepSeller(db, JSON.stringify(sellerOf(settings()))),
    buyer: { customerNumber, name, contactName, email, phone, address: addressOf(address), taxId },
    taxes: withReasons(head.taxes, lines, {
      findCode: taxCodes.find,
      taxReason: customer.taxReason,
      language,
    }),
  }
}

/** Stores the data of the company once, however many invoices are issued with it. */
function keepSeller(db: Database, body: string): string {
  const id = `slr_${digestOf(body).slice(0, 26)}`
  insertSeller(db, id, body)
  return id
}

/** Reverse charge and supplies to another country of the EU need the tax ID of the customer. */
function assertTaxId({ name, taxId }: DocumentCustomer, lines: readonly InvoiceLine[]): void {
  const category = lines.find(({ taxCategory }) => categoriesWithTaxId.includes(taxCategory))?.taxCategory
  if (!category || taxId !== null) return
  assertNoErrors(
    [
      fieldError("taxId", "REQUIRED", `is required for the tax category ${category}: ${name} has none`, {
        category,
        name,
      }),
    ],
    "The invoice cannot be issued.",
  )
}
