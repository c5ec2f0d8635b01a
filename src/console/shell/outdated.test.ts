import { describe, expect, test } from "bun:test"
import { isOutdated } from "./outdated"

const id = "inv_01kb2qk3dvb6r8h5m9x4w7z2nc"
const other = "inv_01kb2qk3dvb6r8h5m9x4w7z2nd"
const change = { type: "invoices.updated", kind: "invoices", recordId: id, version: 3 }
const isReadAgain = (queryKey: unknown[], data: unknown = undefined) =>
  isOutdated({ queryKey, state: { data } }, change)

describe("after a change of an invoice", () => {
  test("the record, the lists of its kind, its history and the reports are outdated", () => {
    expect(isReadAgain(["invoices", id])).toBe(true)
    expect(isReadAgain(["invoices", "list", "/invoices", {}])).toBe(true)
    expect(isReadAgain(["read", "/invoices?salesOrder=so_1"])).toBe(true)
    expect(isReadAgain(["read", `/invoices/${id}/payments`])).toBe(true)
    expect(isReadAgain(["audit-logs", "list", `/invoices/${id}/history`, {}])).toBe(true)
    expect(isReadAgain(["read", "/reports/summary"])).toBe(true)
  })

  test("other records and kinds are not", () => {
    expect(isReadAgain(["invoices", other])).toBe(false)
    expect(isReadAgain(["items", "list", "/items", {}])).toBe(false)
    expect(isReadAgain(["read", "/settings"])).toBe(false)
    expect(isReadAgain(["read", `/invoices/${other}/payments`])).toBe(false)
    expect(isReadAgain(["audit-logs", "list", `/invoices/${other}/history`, {}])).toBe(false)
    expect(isReadAgain(["me"])).toBe(false)
  })

  test("data that was read after it is not", () => {
    const listOf = (version: number) => ({
      pages: [
        {
          data: [
            { id: other, version: 9 },
            { id, version },
          ],
        },
      ],
    })
    expect(isReadAgain(["invoices", id], { id, version: 3 })).toBe(false)
    expect(isReadAgain(["invoices", id], { id, version: 2 })).toBe(true)
    expect(isReadAgain(["invoices", "list", "/invoices", {}], listOf(3))).toBe(false)
    expect(isReadAgain(["invoices", "list", "/invoices", {}], listOf(2))).toBe(true)
    expect(isReadAgain(["read", "/invoices"], [{ id, version: 4 }])).toBe(false)
  })

  test("data that has a deleted record is outdated, whatever its version is", () => {
    const deleted = { ...change, type: "invoices.deleted" }
    expect(isOutdated({ queryKey: ["invoices", id], state: { data: { id, version: 3 } } }, deleted)).toBe(
      true,
    )
  })
})
