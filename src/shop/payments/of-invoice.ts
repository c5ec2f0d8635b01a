import type { Tx } from "../../core/write/writer"
import type { Caller } from "../../core/caller"
import { assertNoErrors, Refusal } from "../../core/lib/refusal"
import { takenErrors } from "../../core/store/crud"
import { equals } from "../../core/store/filter"
import type { ListQuery } from "../../core/store/list"
import type { Draft } from "../../core/kind/read"
import type { TableStore } from "../../core/store/table-store"
import { assertVersion, type Expected } from "../../core/kind/tag"
import { fromUnits } from "../../shared/decimal"
import { assertOpenPeriod, warnOfDate } from "../../trade/documents/dates"
import type { InvoicePayment, invoicePayments } from "../../trade/settlements/model"
import { assertPayable, readAmount } from "../../trade/settlements/money"
import { findInvoicePayments, findSettlements } from "../../trade/settlements/store"
import { insertPayment } from "./create"
import { type GivenPayment, payments } from "./model"
import { allocate, recount, voidAllocation, type PaymentDeps } from "./parts"
import { loadPayment, voidWhole } from "./void"

type Deps = PaymentDeps & { parts: TableStore<typeof invoicePayments> }

/** The payments of one invoice: the parts of payments that are allocated to it. */
export function invoicePaymentService(deps: Deps) {
  const { parts, invoices } = deps
  const get = (invoice: string, id: string): InvoicePayment => find(deps, invoice, id)
  return {
    list(invoice: string, query: ListQuery) {
      invoices.loadHead(invoice)
      return parts.list(query, [equals("invoice", invoice)])
    },
    get,
    /** Records a payment that pays only this invoice. */
    create: (tx: Tx, invoice: string, draft: Draft, caller: Caller): InvoicePayment =>
      get(invoice, payInvoice(deps, tx, invoice, draft, caller)),

    /**
     * Voids a payment that pays nothing else; of any other payment only the part for this invoice. `expected` is the
     * version of the invoice, because this updates the invoice.
     */
    remove(tx: Tx, invoice: string, id: string, expected: Expected, caller: Caller): void {
      assertVersion(invoices.loadHead(invoice), expected)
      find(deps, invoice, id)
      const payment = loadPayment(deps, id)
      if (payment.invoice === invoice && payment.unallocated === 0 && payment.refunded === 0)
        return voidWhole(deps, tx, payment, caller)
      for (const part of findSettlements(deps.db, "payment", [id]))
        if (part.invoice === invoice) voidAllocation(deps, tx, part, caller.userId)
      recount(deps, tx, payment)
    },
  }
}

export type InvoicePaymentService = ReturnType<typeof invoicePaymentService>

function find({ db, invoices, moneyContext }: Deps, invoice: string, id: string): InvoicePayment {
  invoices.loadHead(invoice)
  const found = findInvoicePayments(db, [invoice])
    .get(invoice)
    ?.find((payment) => payment.id === id)
  if (found) return { ...found, amount: fromUnits(found.amount, moneyContext().digits) }
  const shown = id.slice(0, 64)
  throw new Refusal("NOT_FOUND", `There is no payment ${JSON.stringify(shown)} on this invoice.`, {
    params: { kind: payments.name, id: shown },
  })
}

function payInvoice(deps: Deps, tx: Tx, id: string, { values, errors }: Draft, caller: Caller): string {
  const invoice = deps.invoices.loadHead(id)
  const money = deps.moneyContext(tx.now)
  errors.push(...takenErrors(payments, deps.store, values, null))
  const amount = readAmount(values.amount, money, "amount", errors)
  assertNoErrors(errors, "The payment has invalid values.")
  const given = values as Omit<GivenPayment, "customer">
  const paymentDate = given.paymentDate ?? money.today
  const { customer, customerName } = invoice
  assertOpenPeriod(deps.settings(), paymentDate, "paymentDate")
  assertPayable(deps.db, invoice, { amount, field: "amount", customer }, money)
  warnOfDate(tx.warnings, "paymentDate", paymentDate, money.today)
  const payment = insertPayment(deps, tx, { ...given, customer, customerName, amount, paymentDate }, caller)
  allocate(deps, tx, payment.id, [{ invoice, amount, date: paymentDate, by: caller.userId }])
  recount(deps, tx, payment, null)
  return payment.id
}
