import type { Database } from "bun:sqlite"
import type { Tx } from "../../db/writer"
import type { Caller } from "../../http/caller"
import { fromUnits, toUnits } from "../../shared/decimal"
import { newId } from "../../lib/id"
import { assertNoFaults, invalid, Refusal, type Detail } from "../../lib/refusal"
import { assertVersion, type Expected } from "../../resource/crud"
import type { Basis } from "../../resource/field"
import { equals } from "../../resource/filter"
import type { ListQuery } from "../../resource/list"
import { readDraft, type Input } from "../../resource/read"
import type { TableStore } from "../../resource/table-store"
import { payments, type Payment } from "./model"
import { nameOf } from "./rules"
import { countPayments } from "./store"
import type { InvoiceService } from "./service"

/** An invoice shows all of its payments, so there must be an end to them. */
const mostPayments = 1_000

/** What is paid on invoices. An invoice's status follows its payments. */
export function paymentService(
  db: Database,
  store: TableStore<typeof payments>,
  invoices: InvoiceService,
  basis: (at?: string) => Basis,
) {
  const find = (invoice: string, id: string): Payment => {
    const payment = store.load(id)
    if (payment?.invoice === invoice) return payment
    throw new Refusal("NOT_FOUND", `There is no payment ${JSON.stringify(id.slice(0, 64))} on this invoice.`)
  }

  return {
    list(invoice: string, query: ListQuery) {
      invoices.load(invoice)
      return store.list(query, [equals("invoice", invoice)])
    },

    create(tx: Tx, invoice: string, input: Input, caller: Caller): Payment {
      const head = invoices.load(invoice)
      const { digits, today, currency } = basis(tx.now)
      const faults: Detail[] = []
      const draft = readDraft(payments, input, faults) as unknown as Payment
      const amount = typeof draft.amount === "number" ? toUnits(draft.amount, digits) : null
      if (typeof draft.amount === "number" && amount === null)
        faults.push({ field: "amount", message: `must have at most ${digits} decimals in ${currency}` })
      assertNoFaults(faults, "The payment has invalid values.")
      if (head.status === "draft")
        throw new Refusal("DOCUMENT_LOCKED", "The invoice is a draft; issue it before it is paid.", {
          details: [{ field: "status", message: "is draft" }],
        })
      if (amount === null || amount > head.balance)
        throw new Refusal(
          "OVERPAYMENT",
          `${nameOf(head)} has ${fromUnits(head.balance, digits)} left to pay.`,
          {
            details: [{ field: "amount", message: `must be at most ${fromUnits(head.balance, digits)}` }],
          },
        )
      if (countPayments(db, invoice) >= mostPayments)
        throw invalid(
          "amount",
          `cannot be noted: ${nameOf(head)} has ${mostPayments} payments, which is the most`,
        )
      const id = newId(payments.idPrefix, tx.now)
      const row = {
        ...draft,
        id,
        invoice,
        amount,
        paymentDate: draft.paymentDate ?? today,
        createdBy: caller.userId,
        createdAt: tx.now,
      }
      store.insert(tx, row)
      invoices.setPaid(tx, head, head.amountPaid + amount)
      note(tx, "invoices.payment", null, { ...row, digits })
      return store.toWire(find(invoice, id))
    },

    get: (invoice: string, id: string): Payment => store.toWire(find(invoice, id)),

    /** `expected` is the version of the invoice, whose record this changes. */
    remove(tx: Tx, invoice: string, id: string, expected: Expected): void {
      const head = invoices.load(invoice)
      assertVersion(head, expected)
      const payment = find(invoice, id)
      store.remove(tx, id)
      invoices.setPaid(tx, head, head.amountPaid - payment.amount)
      note(tx, "invoices.payment-removed", { ...payment, digits: basis(tx.now).digits }, null)
    },
  }
}

export type PaymentService = ReturnType<typeof paymentService>

type Noted = Pick<Payment, "invoice" | "id" | "amount"> & { digits: number }

function note(tx: Tx, action: string, before: Noted | null, after: Noted | null): void {
  const shown = (payment: Noted | null) => (payment ? fromUnits(payment.amount, payment.digits) : null)
  const changes = {
    payment: { from: before?.id ?? null, to: after?.id ?? null },
    amount: { from: shown(before), to: shown(after) },
  }
  tx.auditEntries.push({ action, kind: "invoices", recordId: (after ?? before)?.invoice, changes })
}
