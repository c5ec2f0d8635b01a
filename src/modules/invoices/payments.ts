import type { Database } from "bun:sqlite"
import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { newId } from "../../lib/id"
import { assertNoErrors, fieldError, invalid, Refusal, reporter } from "../../lib/refusal"
import type { MoneyContext } from "../../resource/field"
import { equals } from "../../resource/filter"
import type { ListQuery } from "../../resource/list"
import type { Draft } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import { takenErrors } from "../../resource/crud"
import { assertVersion, type Expected } from "../../resource/tag"
import { fromUnits, toUnits } from "../../shared/decimal"
import { warnOfDate } from "../documents/dates"
import type { Settings } from "../settings/model"
import { assertOpenPeriod } from "../settings/period"
import { payments, type InvoiceHead, type Payment } from "./model"
import { nameOf } from "./rules"
import type { InvoiceService } from "./service"
import { countPayments } from "./store"

/** The maximum number of payments per invoice, because an invoice contains all of its payments. */
const mostPayments = 1_000

type Deps = {
  db: Database
  store: TableStore<typeof payments>
  invoices: InvoiceService
  settings: () => Settings
  moneyContext: (at?: string) => MoneyContext
}

/** The payments of invoices. An invoice's status follows its payments. */
export function paymentService(deps: Deps) {
  const { store, invoices, settings, moneyContext } = deps
  return {
    list(invoice: string, query: ListQuery) {
      invoices.loadHead(invoice)
      return store.list(query, [equals("invoice", invoice)])
    },

    create: (tx: Tx, invoice: string, draft: Draft, caller: Caller): Payment =>
      createPayment(deps, tx, invoice, draft, caller),

    get: (invoice: string, id: string): Payment => store.toApi(find(deps, invoice, id)),

    /** `expected` is the version of the invoice, because this updates the invoice. */
    remove(tx: Tx, invoice: string, id: string, expected: Expected): void {
      const before = invoices.loadHead(invoice)
      assertVersion(before, expected)
      const payment = find(deps, invoice, id)
      assertOpenPeriod(settings(), payment.paymentDate, "paymentDate")
      store.remove(tx, id)
      invoices.setPaid(tx, before, before.amountPaid - payment.amount)
      const amount = fromUnits(payment.amount, moneyContext(tx.now).digits)
      const changes = { payment: { from: id, to: null }, amount: { from: amount, to: null } }
      tx.audit("invoices.payment-removed", invoice, changes)
    },
  }
}

export type PaymentService = ReturnType<typeof paymentService>

function find({ store }: Deps, invoice: string, id: string): Payment {
  const payment = store.load(id)
  if (payment?.invoice === invoice) return payment
  const shown = id.slice(0, 64)
  throw new Refusal("NOT_FOUND", `There is no payment ${JSON.stringify(shown)} on this invoice.`, {
    params: { kind: payments.name, id: shown },
  })
}

function createPayment(deps: Deps, tx: Tx, invoice: string, draft: Draft, caller: Caller): Payment {
  const { store, invoices, settings, moneyContext } = deps
  const before = invoices.loadHead(invoice)
  const money = moneyContext(tx.now)
  draft.errors.push(...takenErrors(payments, store, draft.values, null))
  const amount = readAmount(draft, money)
  const values = draft.values as Omit<Payment, "paymentDate"> & { paymentDate: string | null }
  const paymentDate = values.paymentDate ?? money.today
  assertOpenPeriod(settings(), paymentDate, "paymentDate")
  assertPayable(deps, before, amount, money)
  warnOfDate(tx.warnings, "paymentDate", paymentDate, money.today)
  const id = newId(payments.idPrefix, tx.now)
  store.insert(tx, {
    ...values,
    id,
    invoice,
    amount,
    paymentDate,
    createdBy: caller.userId,
    createdAt: tx.now,
  })
  invoices.setPaid(tx, before, before.amountPaid + amount)
  const shown = fromUnits(amount, money.digits)
  tx.audit("invoices.payment", invoice, {
    payment: { from: null, to: id },
    amount: { from: null, to: shown },
  })
  return store.toApi(find(deps, invoice, id))
}

/** Returns the amount in the minor unit. Refuses more decimals than the currency has. */
function readAmount({ values, errors }: Draft, { digits, currency }: MoneyContext): number {
  const given = values.amount
  const amount = typeof given === "number" ? toUnits(given, digits) : null
  const error = reporter(errors, "amount")
  if (typeof given === "number" && amount === null)
    error("FORMAT", `must have at most ${digits} decimals in ${currency}`, { decimals: digits, currency })
  if (amount === 0) error("TOO_SMALL", "must be greater than 0", { above: 0 })
  assertNoErrors(errors, "The payment has invalid values.")
  return amount ?? 0
}

function assertPayable(
  { db }: Deps,
  head: InvoiceHead,
  amount: number,
  { digits, currency }: MoneyContext,
): void {
  if (head.status === "draft")
    throw new Refusal("DOCUMENT_LOCKED", "The invoice is a draft. Issue it before you record a payment.", {
      params: { number: null, status: "draft" },
      details: [fieldError("status", "RULE", "is draft", { rule: "STATUS", status: "draft" })],
    })
  const left = fromUnits(head.balance, digits)
  if (amount > head.balance)
    throw new Refusal("OVERPAYMENT", `${nameOf(head)} has ${left} left to pay.`, {
      params: { number: head.invoiceNumber, balance: left, currency },
      details: [fieldError("amount", "TOO_LARGE", `must be at most ${left}`, { max: left })],
    })
  if (countPayments(db, head.id) >= mostPayments)
    throw invalid(
      "amount",
      "RULE",
      `cannot be recorded: ${nameOf(head)} has ${mostPayments} payments, which is the maximum`,
      { rule: "TOO_MANY", max: mostPayments, number: head.invoiceNumber },
    )
}
