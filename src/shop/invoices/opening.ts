import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { newId } from "../../core/lib/id"
import {
  assertNoErrors,
  duplicate,
  fieldError,
  invalid,
  missingReference,
  type FieldError,
} from "../../core/lib/refusal"
import { takenErrors } from "../../core/store/crud"
import type { Input } from "../../core/kind/read"
import { keyOf } from "../../core/store/table-shape"
import { priceDigits, toUnits } from "../../shared/decimal"
import type { Language } from "../../shared/languages"
import type { CustomerService } from "../customers/service"
import type { DocumentCustomer } from "../../trade/needs"
import { newHead, ownFieldsOf } from "../../trade/documents/create"
import { mismatch } from "../../trade/documents/line-item"
import { readAmount } from "../../trade/settlements/money"
import { dueDateBy } from "./due-date"
import { newInvoice } from "./head"
import type { Invoices } from "./invoices"
import type { InvoiceDeps } from "./issue"
import { invoices as invoiceKind, type Invoice, type InvoiceHead, type InvoiceLine } from "./model"
import { openingInvoice, openingInvoiceFields, type OpeningInvoice } from "./opening-fields"
import { partyOf } from "./party"
import { dueDateErrors } from "./rules"
import { findByNumber, setOpeningKey } from "./store"

/** The form in which the number of an opening invoice is unique, as item codes are. */
const numberKey = keyOf(openingInvoiceFields.invoiceNumber)

/**
 * Stores an invoice of another system that was not paid when the business moved here. It counts as a receivable like any
 * other invoice. It has its own number, which no format of ours can produce, and no tax; it moves no stock, and there is
 * no paper of it. It is history: closed periods and inactive customers do not matter.
 */
export function createOpening(
  deps: InvoiceDeps,
  invoices: Invoices,
  tx: Tx,
  input: Input,
  caller: Caller,
): Invoice {
  const { values, customer, total, errors } = readOpening(deps, input, tx.now)
  assertNoErrors(errors, "The opening invoice has invalid values.")
  if (!customer) throw invalid("customer", "REQUIRED", "is required")
  const { invoiceNumber, invoiceDate, notes, externalId } = values
  const paymentTerms = customer.paymentTerms ?? deps.settings().defaultPaymentTerms
  const totals = { subtotal: total, discountTotal: 0, taxTotal: 0, total }
  const own = { ...ownFieldsOf({ notes, externalId }, customer), shippingAddress: null }
  const contents = { customer, own, totals, taxes: [], pricesIncludeTax: false }
  const head: InvoiceHead = {
    ...newHead(invoices, tx, { ...contents, taxTreatment: "domestic" }, caller),
    ...newInvoice,
    ...partyOf(customer),
    isOpening: true,
    invoiceNumber,
    status: "unpaid",
    issuedAt: tx.now,
    balance: total,
    invoiceDate,
    supplyDate: invoiceDate,
    dueDate: values.dueDate ?? dueDateBy(invoiceDate, paymentTerms, tx.warnings),
    paymentTerms,
  }
  const lines = [lineOf(deps, tx, invoiceNumber, values.balance, total)]
  const changes = { invoiceNumber: { from: null, to: invoiceNumber }, isOpening: { from: null, to: true } }
  const invoice = invoices.create(tx, { head, lines, changes })
  setOpeningKey(deps.db, invoice.id, numberKey(invoiceNumber))
  return invoice
}

/** Reads an opening invoice and returns all its errors. The total is in the minor unit. */
function readOpening(deps: InvoiceDeps, input: Input, now: string) {
  const { values, errors } = openingInvoice.read(input)
  const customer = readBuyer(deps.customers, input, values, errors)
  const money = deps.moneyContext(now)
  const total = readAmount(values.balance, money, "balance", errors)
  errors.push(
    ...numberErrors(deps, values.invoiceNumber),
    ...futureErrors(values.invoiceDate, money.today),
    ...dueDateErrors(values.invoiceDate, values.dueDate),
    ...takenErrors(invoiceKind, deps.store, { externalId: values.externalId }, null),
  )
  return { values, customer, total, errors }
}

/** An invoice of the past cannot have a date in the future: day and month are probably confused. */
const futureErrors = (date: string | null, today: string): FieldError[] =>
  date !== null && date > today
    ? [fieldError("invoiceDate", "RULE", "must not be in the future", { rule: "NOT_AFTER_TODAY", today })]
    : []

/** Finds the customer that an opening invoice names by one field or by several. */
function readBuyer(
  customers: CustomerService,
  input: Input,
  values: OpeningInvoice,
  errors: FieldError[],
): DocumentCustomer | null {
  const { customer, customerNumber, customerExternalId } = values
  const given = [
    { field: "customerNumber", value: customerNumber, find: byNumber },
    {
      field: "customerExternalId",
      value: customerExternalId,
      find: (id: string) => customers.findId("externalId", id),
    },
    { field: "customer", value: customer, find: (id: string) => id },
  ]
  if (given.every(({ field }) => (input[field] ?? null) === null))
    errors.push(fieldError("customerNumber", "REQUIRED", "is required, or customerExternalId or customer"))
  let found: DocumentCustomer | null = null
  for (const { field, value, find } of given) {
    if (value === null) continue
    const id = find(value)
    const buyer = id === null ? null : customers.forDocument(id)
    if (!buyer) errors.push(missingReference(field, value.slice(0, 100)))
    else if (found && found.id !== buyer.id) errors.push(mismatch(field, "names another customer"))
    found ??= buyer
  }
  return found

  function byNumber(number: string): string | null {
    return customers.findId("customerNumber", number.toUpperCase())
  }
}

/** A number that is used already, or that we could give to an invoice of ours, cannot be that of an opening invoice. */
function numberErrors({ db, invoiceFormatOf }: InvoiceDeps, value: string | null): FieldError[] {
  if (value === null) return []
  const existing = findByNumber(db, value, numberKey(value))
  if (existing !== null) return [duplicate("invoiceNumber", value, existing, "invoice")]
  const format = invoiceFormatOf(value)
  if (format === null) return []
  const message = `could also be a number of Kontor, which numbers invoices by the format ${format}, or did so before`
  return [fieldError("invoiceNumber", "RULE", message, { rule: "NUMBER_OF_FORMAT", value, format })]
}

/** What the one line of an opening invoice says, in the language of the company. */
const descriptions: Record<Language, (number: string) => string> = {
  en: (number) => `Open balance of invoice ${number}`,
  de: (number) => `Offener Betrag der Rechnung ${number}`,
  fr: (number) => `Solde de la facture ${number}`,
}

const lineOf = (
  { settings }: InvoiceDeps,
  { now }: Tx,
  number: string,
  balance: number,
  amount: number,
): InvoiceLine => ({
  id: newId("inl", now),
  item: null,
  itemCode: null,
  itemName: null,
  description: descriptions[settings().defaultLanguage](number),
  uom: "Nos",
  quantity: 10 ** priceDigits,
  rate: toUnits(balance, priceDigits) ?? 0,
  discount: 0,
  amount,
  discountAmount: 0,
  grossAmount: null,
  taxCode: null,
  taxCategory: null,
  taxRate: 0,
  isDiscountAmount: 0,
  hasOwnTaxCode: 0,
  orderLine: null,
  creditedQuantity: 0,
  creditedAmount: 0,
})
