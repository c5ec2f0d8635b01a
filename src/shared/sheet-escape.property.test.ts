import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  escapeCsv,
  escapeText,
  escapeXlsx,
  unescapeCsvInner,
  unescapeText,
  unescapeXlsx,
} from "./sheet-escape"

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

test("A text of a CSV file is no formula in any part, whatever delimiter a program expects, and becomes the same text again.", () => {
  const signs = fc.constantFrom(..."=+-@'\"\t\r\n,;a ")
  fc.assert(
    fc.property(
      fc.oneof(
        texts,
        fc.array(signs).map((parts) => parts.join("")),
      ),
      (text) => {
        const escaped = escapeCsv(text)
        const written = `"${escaped.replaceAll('"', '""')}"`
        for (const delimiter of [",", ";", "\t"])
          for (const part of written.split(new RegExp(`[${delimiter}\\r\\n]`)).slice(1))
            expect(part.replaceAll('"', "")).not.toMatch(/^([=@]|[+-][^\s,;])/)
        expect(unescapeText(unescapeCsvInner(escaped))).toBe(text)
      },
    ),
    { numRuns: 2_000 },
  )
})

test("A price without cents and a list of words stay readable in a CSV file.", () => {
  for (const text of ["10,-", "10,- EUR", "a, - b", "oak; beech", "1,2"]) expect(escapeCsv(text)).toBe(text)
  expect(escapeCsv("x;=cmd|' /C calc'!A0")).toBe("x;'=cmd|' /C calc'!A0")
  expect(escapeCsv("a\n+b")).toBe("a\n'+b")
  expect(escapeCsv("x;+ 1+1")).toBe("x;'+ 1+1")
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
