import { expect, test } from "bun:test"
import fc from "fast-check"
import { escapeText, escapeXlsx, unescapeText, unescapeXlsx } from "./sheet-escape"

const texts = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom("=", "+", "-", "@", "'", "\t", "\r", "a", " ")).map((signs) => signs.join("")),
)

test("An escaped text is no formula, and becomes the same text again.", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(escapeText(text)).not.toMatch(/^[=+\-@\t\r]/)
      expect(unescapeText(escapeText(text))).toBe(text)
    }),
  )
})

test("Only the apostrophe of an escaped text is removed.", () => {
  expect(escapeText("=1+1")).toBe("'=1+1")
  expect(escapeText("a=1")).toBe("a=1")
  expect(unescapeText("'t Hof")).toBe("'t Hof")
  expect(unescapeText("''t Hof")).toBe("'t Hof")
  expect(unescapeText("'")).toBe("'")
})

test("A text that looks like an escaped character of an XLSX file becomes the same text again.", () => {
  const pieces = fc.constantFrom("_", "x", "0041", "005F", "_x0041_", "a")
  fc.assert(
    fc.property(
      fc.array(pieces).map((parts) => parts.join("")),
      (text) => expect(unescapeXlsx(escapeXlsx(text))).toBe(text),
    ),
  )
  expect(escapeXlsx("_x0041_")).toBe("_x005F_x0041_")
  expect(unescapeXlsx("a_x000D_b")).toBe("a\rb")
})
