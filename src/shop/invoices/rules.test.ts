import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { Refusal } from "../../core/lib/refusal"
import { invoiceStatuses, type InvoiceStatus } from "./model"
import { invoices, type InvoiceHead } from "./model"
import {
  allowedFrom,
  assertDeletable,
  assertMayLeave,
  dueDateErrors,
  editable,
  nameOf,
  owedOn,
  statusBySums,
  transitions,
} from "./rules"

const noSums = {
  depositTotal: 0,
  deductedTotal: 0,
  amountPaid: 0,
  creditedTotal: 0,
  creditTaken: 0,
  creditApplied: 0,
  writtenOff: 0,
}
const invoice = (values: Partial<InvoiceHead>) =>
  ({ invoiceNumber: "INV-2026-00001", total: 2, ...noSums, ...values }) as InvoiceHead
const someStatus = fc.constantFrom(...invoiceStatuses)
const money = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

describe("The transitions of an invoice", () => {
  test("A caller, a payment or a credit note can reach every status.", () => {
    const byPayments = [0, 1, 2].map((amountPaid) => statusBySums({ total: 2, ...noSums, amountPaid }))
    const byCredit = statusBySums({ total: 2, ...noSums, creditedTotal: 2, creditTaken: 2 })
    const byCallers: InvoiceStatus[] = Object.values(transitions).flat()
    expect(new Set(["draft", ...byCallers, ...byPayments, byCredit])).toEqual(new Set(invoiceStatuses))
  })

  test("A cancelled or credited invoice is final, every other can be cancelled, and none returns to draft.", () => {
    for (const from of invoiceStatuses) {
      const isFinal = from === "cancelled" || from === "credited"
      expect((transitions[from] as readonly InvoiceStatus[]).includes("cancelled")).toBe(!isFinal)
      expect(transitions[from].length === 0).toBe(isFinal)
      for (const to of transitions[from] as readonly InvoiceStatus[])
        expect(["draft", from]).not.toContain(to)
    }
  })

  test("A caller cannot set a status that depends on payments or credit notes.", () => {
    for (const allowed of Object.values(transitions))
      for (const status of ["partially_paid", "paid", "credited"] as InvoiceStatus[])
        expect(allowed).not.toContain(status)
  })

  test("The allowed transitions are those of the table, and none after a payment or a credit.", () => {
    fc.assert(
      fc.property(someStatus, fc.oneof(fc.constantFrom(0, 1), money), (status, amountPaid) => {
        const allowed = amountPaid === 0 ? transitions[status] : []
        expect(allowedFrom(invoice({ status, amountPaid }))).toEqual(allowed)
        expect(allowedFrom(invoice({ status, creditedTotal: amountPaid }))).toEqual(allowed)
        expect(allowedFrom(invoice({ status, creditApplied: amountPaid }))).toEqual(allowed)
        expect(allowedFrom(invoice({ status, writtenOff: amountPaid }))).toEqual(allowed)
      }),
    )
  })

  test("An allowed transition is never refused because of payments.", () => {
    fc.assert(
      fc.property(someStatus, fc.constantFrom(0, 1, 500), (status, amountPaid) => {
        for (const to of allowedFrom(invoice({ status, amountPaid })))
          expect(() => assertMayLeave(invoice({ status, amountPaid }), to)).not.toThrow()
      }),
    )
  })

  test("A payment of one minor unit prevents cancelling, and nothing else.", () => {
    const paid = invoice({ status: "partially_paid", amountPaid: 1 })
    expect(() => assertMayLeave(paid, "cancelled")).toThrow(Refusal)
    expect(() => assertMayLeave(paid, "paid")).not.toThrow()
    expect(() => assertMayLeave(invoice({ status: "unpaid" }), "cancelled")).not.toThrow()
  })
})

describe("The fields of an invoice that stay editable", () => {
  test("A draft is editable, an issued invoice keeps five fields, a cancelled one those for other systems.", () => {
    expect(editable.draft).toBe("all")
    expect(editable.cancelled).toEqual(["externalId", "metadata"])
    for (const status of ["unpaid", "partially_paid", "paid"] as const)
      expect([...editable[status]].toSorted()).toEqual([
        "dueDate",
        "externalId",
        "metadata",
        "notes",
        "remindersPausedUntil",
      ])
  })

  test("Each is a field that a caller may set.", () => {
    for (const name of ["dueDate", "notes", "externalId", "metadata"] as const)
      expect(invoices.fields[name].access).not.toBe("readOnly")
  })
})

describe("The payments of an invoice", () => {
  test.each([
    [100, 0, "unpaid"],
    [100, 1, "partially_paid"],
    [100, 99, "partially_paid"],
    [100, 100, "paid"],
    [1, 0, "unpaid"],
    [1, 1, "paid"],
    [0, 0, "paid"],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, "partially_paid"],
  ] as const)("With a total of %p, of which %p is paid, the invoice is %p.", (total, paid, status) => {
    expect(statusBySums({ ...noSums, total, amountPaid: paid })).toBe(status)
  })

  test("Another payment never returns the invoice to an earlier status.", () => {
    const rank = ["unpaid", "partially_paid", "paid"]
    fc.assert(
      fc.property(money, money, money, (total, a, b) => {
        const [less, more] = [Math.min(a, b, total), Math.min(Math.max(a, b), total)]
        const rankOf = (amountPaid: number) => rank.indexOf(statusBySums({ ...noSums, total, amountPaid }))
        expect(rankOf(less)).toBeLessThanOrEqual(rankOf(more))
      }),
    )
  })

  test("The customer owes the balance, except on a draft or a cancelled invoice.", () => {
    for (const status of invoiceStatuses)
      expect(owedOn(invoice({ status, balance: 250 }))).toBe(
        status === "draft" || status === "cancelled" ? 0 : 250,
      )
  })
})

describe("The deletion of an invoice", () => {
  test("Only a draft can be deleted.", () => {
    for (const status of invoiceStatuses) {
      const remove = () => assertDeletable(invoice({ status }))
      if (status === "draft") expect(remove).not.toThrow()
      else expect(remove).toThrow(Refusal)
    }
  })

  test("The refusal says what is possible instead.", () => {
    const refused = (values: Partial<InvoiceHead>) => () => assertDeletable(invoice(values))
    expect(refused({ status: "unpaid" })).toThrow("cancel it instead")
    expect(refused({ status: "partially_paid", amountPaid: 1 })).toThrow(
      "delete its payments, then cancel it",
    )
    expect(refused({ status: "cancelled" })).toThrow("it was cancelled")
  })

  test("A draft that was cancelled has no number to name in the refusal.", () => {
    const cancelled = invoice({ status: "cancelled", invoiceNumber: null })
    expect(nameOf(cancelled)).not.toContain("null")
    expect(() => assertDeletable(cancelled)).toThrow(nameOf(cancelled))
    expect(nameOf(invoice({}))).toBe("Invoice INV-2026-00001")
  })
})

describe("The due date", () => {
  test("It may be the day of the invoice, and not the day before.", () => {
    expect(dueDateErrors("2028-03-01", "2028-03-01")).toEqual([])
    expect(dueDateErrors("2028-03-01", "2028-02-29")).toMatchObject([{ field: "dueDate" }])
  })

  test("A date that is missing or was refused is not compared.", () => {
    for (const wrong of [null, undefined, 0, [], {}]) {
      expect(dueDateErrors("2026-03-01", wrong)).toEqual([])
      expect(dueDateErrors(wrong, "2026-01-01")).toEqual([])
    }
  })
})
