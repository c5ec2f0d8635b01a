import { describe, expect, test } from "bun:test"
import { hasKind, hasSome, hasType, withKind, withType } from "./patterns"

describe("the types of events of a webhook", () => {
  test("of a kind are chosen with one pattern, which replaces single types", () => {
    expect(withKind(["payments.created", "invoices.paid"], "payments", true)).toEqual([
      "invoices.paid",
      "payments.*",
    ])
    expect(withKind(["payments.*", "payments.created"], "payments", false)).toEqual([])
  })

  test("are single ones again after one of a kind is left out", () => {
    expect(withType(["items.*"], "items", "deleted", false)).toEqual([
      "items.created",
      "items.updated",
      "items.low-stock",
    ])
  })

  test("are patterns of each kind after one of all is left out", () => {
    const left = withType(["*"], "credit-notes", "updated", false)
    expect(hasType(left, "credit-notes", "updated")).toBe(false)
    expect(hasType(left, "credit-notes", "issued")).toBe(true)
    expect(hasKind(left, "invoices")).toBe(true)
    expect(left).not.toContain("*")
  })

  test("of a kind may be none, some or all", () => {
    expect([hasSome([], "items"), hasKind([], "items")]).toEqual([false, false])
    expect([hasSome(["items.low-stock"], "items"), hasKind(["items.low-stock"], "items")]).toEqual([
      true,
      false,
    ])
    expect([hasSome(["*"], "items"), hasKind(["*"], "items")]).toEqual([true, true])
  })
})
