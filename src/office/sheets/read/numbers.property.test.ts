import { expect, test } from "bun:test"
import fc from "fast-check"
import type { DecimalSign } from "../model"
import { parseNumber, plainNumber } from "./numbers"

/** Writes digits with a sign between each three from the right. */
const grouped = (digits: string, sign: string) => digits.replaceAll(/\B(?=(\d{3})+$)/g, sign)

const signsFor: Record<DecimalSign, string[]> = {
  ".": ["", ",", "'", "’", " ", "\u00a0", "\u2009", "\u202f"],
  ",": ["", ".", "'", "’", " ", "\u00a0", "\u2009", "\u202f"],
}

test("A number is read in every notation of its decimal sign.", () => {
  const notations = fc
    .constantFrom<DecimalSign>(".", ",")
    .chain((decimal) => fc.tuple(fc.constant(decimal), fc.constantFrom(...signsFor[decimal])))
  const numbers = fc.tuple(
    fc.constantFrom("", "-", "+", "−"),
    fc.bigInt({ min: 0n, max: 10n ** 12n }),
    fc.stringMatching(/^\d{0,4}$/),
  )
  fc.assert(
    fc.property(notations, numbers, ([decimal, group], [sign, whole, fraction]) => {
      const text = `${sign}${grouped(String(whole), group)}${fraction && decimal + fraction}`
      const value = Number(`${whole}.${fraction || "0"}`)
      expect(parseNumber(` ${text} `, decimal)).toBe(sign === "-" || sign === "−" ? 0 - value : value)
    }),
  )
})

test("Any text is a finite number or none.", () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^[-+\d., '’eE]{0,20}$/))
  fc.assert(
    fc.property(texts, fc.constantFrom<DecimalSign>(".", ","), (text, decimal) => {
      const value = parseNumber(text, decimal)
      expect(value === null || Number.isFinite(value)).toBe(true)
    }),
  )
})

test("The plain digits of a number are the number.", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-5 }), (value) => {
      const text = plainNumber(value)
      expect(text).toMatch(/^\d+(\.\d+)?$/)
      expect(Number(text)).toBe(value)
    }),
  )
})
