import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Position } from "./cursor"
import { firstOf, positionsIn } from "./order"

const comparePositions = positionsIn(["asc"])

/** Characters on both sides of the surrogates, which UTF-16 and UTF-8 put in a different order. */
const text = fc.string({
  unit: fc.constantFrom("a", "b", "é", "漢", "\ud7ff", "\ue000", "\uffff", "🔩", "\u{10fffe}", "\u{10ffff}"),
})

/** The order of SQLite: no value, then numbers, then text by its bytes. */
function bySqlite(a: Position, b: Position): number {
  const rank = (each: Position["value"]) => (each === null ? 0 : typeof each === "number" ? 1 : 2)
  const bytes = (one: unknown, other: unknown) =>
    Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
  const byRank = rank(a.value) - rank(b.value)
  if (byRank !== 0) return byRank
  const byValue = typeof a.value === "number" ? a.value - Number(b.value) : bytes(a.value, b.value)
  return byValue || bytes(a.id, b.id)
}

describe("The order of positions", () => {
  // Within one column there are numbers or texts, never both.
  const numbers = fc.record({ value: fc.oneof(fc.constant(null), fc.integer({ min: -3, max: 3 })), id: text })
  const texts = fc.record({ value: fc.oneof(fc.constant(null), text), id: text })

  test.each([
    ["numbers", numbers],
    ["texts", texts],
  ] as const)("Positions of %s are ordered as SQLite orders rows.", (_, some) => {
    fc.assert(
      fc.property(some, some, (a: Position, b: Position) => {
        expect(Math.sign(comparePositions(a, b))).toBe(Math.sign(bySqlite(a, b)))
        expect(Math.sign(comparePositions(b, a))).toBe(-Math.sign(bySqlite(a, b)) + 0)
      }),
      { numRuns: 500 },
    )
  })

  test("Two fields have an order each, and the ids that of the last field.", () => {
    const a = { value: 1, second: "x", id: "a" }
    const compare = positionsIn(["desc", "asc"])
    expect(compare(a, { value: 2, second: "a", id: "a" })).toBeGreaterThan(0)
    expect(compare(a, { value: 1, second: null, id: "a" })).toBeGreaterThan(0)
    expect(compare(a, { value: 1, second: "x", id: "b" })).toBeLessThan(0)
    expect(positionsIn(["asc", "desc"])(a, { value: 1, second: "x", id: "b" })).toBeGreaterThan(0)
  })

  test("A text comes before every longer text that begins with it.", () => {
    expect(comparePositions({ value: "a", id: "b" }, { value: "aa", id: "a" })).toBeLessThan(0)
    expect(comparePositions({ value: "", id: "b" }, { value: "a", id: "a" })).toBeLessThan(0)
    expect(comparePositions({ value: null, id: "b" }, { value: "", id: "a" })).toBeLessThan(0)
  })
})

describe("The first of many positions", () => {
  const numbered = fc.integer({ min: 0, max: 99 }).map((number): Position => ({ value: number, id: "" }))

  test.each(["asc", "desc"] as const)("They are those of a complete sort, %s.", (order) => {
    const slices = fc.array(fc.array(numbered, { maxLength: 20 }), { maxLength: 5 })
    fc.assert(
      fc.property(slices, fc.integer({ min: 1, max: 30 }), (added, most) => {
        const first = firstOf(most, [order])
        for (const positions of added) first.add(positions)
        const sorted = added.flat().toSorted((a, b) => comparePositions(a, b) * (order === "asc" ? 1 : -1))
        expect(first.all().slice(0, most)).toEqual(sorted.slice(0, most))
      }),
    )
  })

  test("Thousands of them are merged in runs, and no more than the requested number is kept.", () => {
    const first = firstOf(1_500, ["desc"])
    const all = Array.from({ length: 7_777 }, (_, i): Position => ({ value: (i * 7_919) % 7_777, id: "" }))
    for (let at = 0; at < all.length; at += 333) first.add(all.slice(at, at + 333))
    expect(first.all().map(({ value: each }) => each)).toEqual(
      Array.from({ length: 1_500 }, (_, i) => 7_776 - i),
    )
  })
})
