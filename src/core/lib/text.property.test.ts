import { expect, test } from "bun:test"
import fc from "fast-check"
import { fold, plainFold } from "./text"

const text = fc.oneof(
  fc.string({ unit: "binary-ascii" }),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
)

test("The fast form of folding gives the same result as the plain form, for any text.", () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(fold(value)).toBe(plainFold(value))
    }),
    { numRuns: 2_000 },
  )
})

test("Both fold every ASCII character in the same way.", () => {
  const all = String.fromCharCode(...Array(128).keys())
  expect(fold(all)).toBe(plainFold(all))
})
