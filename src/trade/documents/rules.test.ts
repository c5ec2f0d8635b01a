import { describe, expect, test } from "bun:test"
import { Refusal } from "../../core/lib/refusal"
import { assertTransition, assertUnlocked } from "./rules"

const document = { name: "Invoice INV-2026-00001", number: "INV-2026-00001", status: "unpaid" }

function refusalOf(run: () => void): Refusal {
  try {
    run()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return expect.unreachable()
}

describe("A transition", () => {
  test("An allowed transition is accepted.", () => {
    expect(() => assertTransition(["paid", "cancelled"], document, "cancelled")).not.toThrow()
  })

  test("The refusal names the document, its status and every allowed status.", () => {
    const { code, message, params, details } = refusalOf(() =>
      assertTransition(["paid", "cancelled"], document, "draft"),
    )
    expect(code).toBe("INVALID_STATUS_TRANSITION")
    for (const word of [document.name, "unpaid", "draft", "paid, cancelled"]) expect(message).toContain(word)
    const [number, status, allowed] = [document.number, "unpaid", ["paid", "cancelled"]]
    expect(params).toEqual({ number, status, to: "draft", allowed })
    expect(details).toMatchObject([
      { field: "status", code: "RULE", params: { rule: "TRANSITION", status, allowed } },
    ])
    expect(details[0]?.message).toContain("paid, cancelled")
  })

  test("A final status allows no transition, not even to itself.", () => {
    for (const to of ["unpaid", "draft", "", "constructor", "__proto__", "length"])
      expect(refusalOf(() => assertTransition([], document, to)).details[0]?.message).toContain("unpaid")
  })

  test("A part of a status word is not the status.", () => {
    expect(() => assertTransition(["partially_paid"], document, "paid")).toThrow(Refusal)
  })
})

describe("A locked document", () => {
  test("Any field of an unlocked document may differ.", () => {
    expect(() => assertUnlocked("all", document, ["items", "customer", "all"])).not.toThrow()
  })

  test("A field that does not differ is not refused.", () => {
    expect(() => assertUnlocked([], document, [])).not.toThrow()
    expect(() => assertUnlocked(["notes"], document, ["notes"])).not.toThrow()
  })

  test("The refusal names each locked field that differs, in order, and no editable field.", () => {
    const { code, details } = refusalOf(() =>
      assertUnlocked(["notes", "dueDate"], document, ["items", "notes", "customer", "dueDate"]),
    )
    expect(code).toBe("DOCUMENT_LOCKED")
    expect(details.map(({ field }) => field)).toEqual(["items", "customer"])
  })

  test("A field with the name all is locked like any other field.", () => {
    expect(() => assertUnlocked(["notes"], document, ["all"])).toThrow(Refusal)
  })
})
