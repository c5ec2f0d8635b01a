import { expect, test } from "bun:test"
import fc from "fast-check"
import { compilePattern } from "./pattern"

test.each([
  ["CAFÉ", "Café table", true],
  ["cafe", "Café table", false],
  ["%crate", "apple crate", true],
  ["crate%", "apple crate", false],
  ["_pple%", "apple crate", true],
  ["a%e%e", "apple crate", true],
  ["a%e", "apple", true],
  ["ab%ba", "aba", false],
  ["%a_c%", "xxabcxx", true],
  ["%a_c", "abc abd", false],
  ["100\\%", "100% cotton", true],
  ["100\\%", "1000 cotton", false],
  ["ΟΔΟΣ", "οδοσ", true],
  ["_", "🔩", true],
  ["%", "", true],
  ["[.*", "x[.*y", true],
  ["-", "a-b", true],
])("%p on %p is %p", (pattern, text, expected) => {
  expect(compilePattern(pattern)(text)).toBe(expected)
})

test("ASCII punctuation matches itself, next to both wildcards", () => {
  for (const mark of "!\"#$&'()*+,-./:;<=>?@[]^`{|}~") {
    expect(compilePattern(`a${mark}%`)(`a${mark}b`)).toBeTrue()
    expect(compilePattern(`a${mark}_`)(`a${mark}b`)).toBeTrue()
    expect(compilePattern(`%${mark}_%`)(`a${mark}b`)).toBeTrue()
    expect(compilePattern(`a${mark}_`)("axb")).toBe(mark === "x")
  }
})

test("agrees with a plain backtracking matcher", () => {
  const slow = (p: string[], t: string[]): boolean => {
    if (p.length === 0) return t.length === 0
    if (p[0] === "%") return slow(p.slice(1), t) || (t.length > 0 && slow(p, t.slice(1)))
    return t.length > 0 && (p[0] === "_" || p[0] === t[0]) && slow(p.slice(1), t.slice(1))
  }
  const letter = fc.constantFrom("a", "b", "🔩")
  const symbol = fc.constantFrom("a", "b", "🔩", "%", "_")
  fc.assert(
    fc.property(fc.array(symbol, { maxLength: 7 }), fc.array(letter, { maxLength: 9 }), (p, t) => {
      const isPlain = !p.includes("%") && !p.includes("_")
      const expected = isPlain ? t.join("").includes(p.join("")) : slow(p, t)
      expect(compilePattern(p.join(""))(t.join(""))).toBe(expected)
    }),
    { numRuns: 5_000 },
  )
})
