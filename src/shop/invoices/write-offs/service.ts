import type { Caller } from "../../../core/caller"
import type { Database } from "../../../core/engine/engine"
import type { Reading } from "../../../core/kind/body"
import type { MoneyContext } from "../../../core/kind/field"
import { assertVersion, type Expected } from "../../../core/kind/tag"
import { newId } from "../../../core/lib/id"
import { assertNoErrors, fieldError, invalid, Refusal } from "../../../core/lib/refusal"
import { equals } from "../../../core/store/filter"
import type { ListQuery } from "../../../core/store/list"
import type { TableStore } from "../../../core/store/table-store"
import type { Tx } from "../../../core/write/writer"
import type { Settings } from "../../../office/settings/model"
import { amountText, fromUnits } from "../../../shared/decimal"
import { assertOpenPeriod, warnOfDate } from "../../../trade/documents/dates"
import { writeOffs, type WriteOff, type WriteOffBody } from "../../../trade/settlements/model"
import { nameOf, readAmount } from "../../../trade/settlements/money"
import { notBefore } from "../../../trade/settlements/part"
import { assertMayCorrect, toWriteOff } from "../../../trade/settlements/shown"
import { countWriteOffs, findWriteOffs, insertWriteOff, voidWriteOff } from "../../../trade/settlements/store"
import type { InvoiceHead } from "../model"

type Deps = {
  db: Database
  parts: TableStore<typeof writeOffs>
  settings: () => Settings
  moneyContext: (at?: string) => MoneyContext
  loadHead(id: string): InvoiceHead
  settle(tx: Tx, before: InvoiceHead, change: Pick<InvoiceHead, "writtenOff">): void
}

/** The maximum number of write-offs per invoice, because an invoice contains all of them. */
const mostWriteOffs = 100

/** The write-offs of one invoice: the rests that nobody will pay. */
export function writeOffService(deps: Deps) {
  const { db, parts, settings, moneyContext, loadHead, settle } = deps
  return {
    list(invoice: string, query: ListQuery) {
      loadHead(invoice)
      return parts.list(query, [equals("invoice", invoice)])
    },

    get: (invoice: string, id: string): WriteOff =>
      toWriteOff(find(deps, loadHead(invoice), id), moneyContext().digits),

    /** Writes off a part of what is left to pay, or all of it. */
    create(tx: Tx, id: string, { values, errors }: Reading<WriteOffBody>, caller: Caller): WriteOff {
      assertMayCorrect(caller, "write off", "amount")
      const invoice = loadHead(id)
      const money = moneyContext(tx.now)
      const amount = readAmount(values.amount, money, "amount", errors)
      assertNoErrors(errors, "The write-off has invalid values.")
      const writeOffDate = values.writeOffDate ?? notBefore(invoice.invoiceDate, money)
      assertOpenPeriod(settings(), writeOffDate, "writeOffDate")
      assertPossible(db, invoice, { amount, writeOffDate }, money)
      warnOfDate(tx.warnings, "writeOffDate", writeOffDate, money.today)
      const writeOff: WriteOff = {
        id: newId(writeOffs.idPrefix, tx.now),
        invoice: id,
        amount,
        reason: values.reason,
        writeOffDate,
        createdBy: caller.userId,
        createdAt: tx.now,
      }
      insertWriteOff(db, writeOff)
      settle(tx, invoice, { writtenOff: invoice.writtenOff + amount })
      const shown = toWriteOff(writeOff, money.digits)
      const changes = { writeOff: writeOff.id, amount: shown.amount, reason: writeOff.reason }
      tx.audit(
        "invoices.write-off",
        id,
        changesOf(changes, (to) => ({ from: null, to })),
      )
      return shown
    },

    /** Voids a write-off: the invoice has that much more left to pay. `expected` is the version of the invoice. */
    remove(tx: Tx, id: string, writeOffId: string, expected: Expected, caller: Caller): void {
      const invoice = loadHead(id)
      assertVersion(invoice, expected)
      const writeOff = find(deps, invoice, writeOffId)
      assertOpenPeriod(settings(), writeOff.writeOffDate, "writeOffDate")
      voidWriteOff(db, writeOff.id, { now: tx.now, by: caller.userId })
      settle(tx, invoice, { writtenOff: invoice.writtenOff - writeOff.amount })
      const amount = fromUnits(writeOff.amount, moneyContext(tx.now).digits)
      const changes = { writeOff: writeOff.id, amount }
      tx.audit(
        "invoices.write-off-removed",
        id,
        changesOf(changes, (from) => ({ from, to: null })),
      )
    },
  }
}

export type WriteOffService = ReturnType<typeof writeOffService>

type Value = string | number
type Change = { from: Value | null; to: Value | null }

const changesOf = (values: Record<string, Value>, changeOf: (value: Value) => Change) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, changeOf(value)]))

function find({ db }: Deps, { id: invoice }: InvoiceHead, id: string): WriteOff {
  const found = findWriteOffs(db, [invoice])
    .get(invoice)
    ?.find((each) => each.id === id)
  if (found) return found
  const shown = id.slice(0, 64)
  throw new Refusal("NOT_FOUND", `There is no write-off ${JSON.stringify(shown)} of this invoice.`, {
    params: { kind: writeOffs.name, id: shown },
  })
}

/** Refuses to write off more than is left to pay, or something of an invoice that nobody owes. */
function assertPossible(
  db: Database,
  invoice: InvoiceHead,
  { amount, writeOffDate }: Pick<WriteOff, "amount" | "writeOffDate">,
  money: MoneyContext,
): void {
  const { id, status, balance, invoiceNumber: number, invoiceDate } = invoice
  if (status === "draft" || status === "cancelled")
    throw new Refusal("DOCUMENT_LOCKED", `${nameOf(invoice)} is ${whyNot[status]}, so nothing is owed.`, {
      params: { number, status },
      details: [fieldError("status", "RULE", `is ${status}`, { rule: "STATUS", status })],
    })
  const max = fromUnits(balance, money.digits)
  if (amount > balance)
    throw invalid("amount", "TOO_LARGE", `must be at most ${amountText(max, money)}, which is left to pay`, {
      max,
      currency: money.currency,
    })
  if (writeOffDate < invoiceDate)
    throw invalid("writeOffDate", "RULE", `must not be before invoiceDate (${invoiceDate})`, {
      rule: "DATE_ORDER",
      other: "invoiceDate",
    })
  if ((countWriteOffs(db, [id]).get(id) ?? 0) >= mostWriteOffs)
    throw invalid(
      "amount",
      "RULE",
      `cannot be written off: ${nameOf(invoice)} has ${mostWriteOffs} write-offs, which is the maximum`,
      { rule: "TOO_MANY", max: mostWriteOffs, number },
    )
}

const whyNot = { draft: "not issued", cancelled: "cancelled" }
