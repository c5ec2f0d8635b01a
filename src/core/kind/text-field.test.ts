import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { FieldError } from "../lib/refusal"
import type { Field } from "./field"
import { email, newPassword, secretText, text } from "./text-field"

function read(field: Field, value: unknown) {
  const errors: FieldError[] = []
  const kept = field.read(value, "at", errors, "create")
  expect(kept === undefined).toBe(errors.length > 0)
  for (const { field: at } of errors) expect(at).toBe("at")
  return kept
}
const refuses = (field: Field, value: unknown) => read(field, value) === undefined

const single = text({ max: 10 })
const multiline = text({ max: 10, multiline: true })
const code = text({ max: 10, isCode: true })
const each = [single, multiline, code]

describe("The length of a text", () => {
  test.each(["a", "é", "🔩", "漢"])(
    "It is counted in characters: ten of %s pass, eleven do not.",
    (character) => {
      for (const field of each) {
        expect(read(field, character.repeat(10))).toBe(character.repeat(10))
        expect(refuses(field, character.repeat(11))).toBeTrue()
      }
    },
  )

  test("A letter with a mark counts as one where Unicode has one character for it.", () => {
    expect(read(single, "e\u0301".repeat(10))).toBe("é".repeat(10))
    expect(refuses(single, "x\u0316".repeat(6))).toBeTrue()
  })

  test("Spaces around the text do not count.", () => {
    expect(read(single, `  ${"a".repeat(10)}\u00a0 `)).toBe("a".repeat(10))
    expect(refuses(single, `a${" ".repeat(9)}a`)).toBeTrue()
  })

  test("A text far beyond the limit is refused without normalising it.", () => {
    expect(refuses(single, "a".repeat(5_000_000))).toBeTrue()
    expect(refuses(single, "\u0316".repeat(1_000_000))).toBeTrue()
  })
})

describe("The characters of a text", () => {
  test("A text that is empty or blank is refused.", () => {
    for (const blank of ["", " ", "\u00a0", "\u3000 ", "\n", "\ufeff"])
      for (const field of each) expect(refuses(field, blank)).toBeTrue()
    expect(refuses(single, "\u200b")).toBeTrue()
  })

  test("A value that is not a string is refused.", () => {
    for (const value of [null, undefined, 0, 1, true, [], ["a"], {}, { length: 1 }])
      for (const field of each) expect(refuses(field, value)).toBeTrue()
  })

  test("Half of a surrogate pair is refused.", () => {
    for (const half of ["a\ud83d", "\udd29a", "\udd29\ud83d"])
      for (const field of each) expect(refuses(field, half)).toBeTrue()
  })

  test("Control characters are refused; only a long text may have line breaks and tabs.", () => {
    for (const control of ["\0", "\u0007", "\u001b", "\u007f", "\u0085", "\u009f", "\r"])
      for (const field of each) expect(refuses(field, `a${control}b`)).toBeTrue()
    for (const space of ["\n", "\t"]) {
      expect(refuses(single, `a${space}b`)).toBeTrue()
      expect(read(multiline, `a${space}b`)).toBe(`a${space}b`)
    }
    expect(read(multiline, "a\r\nb")).toBe("a\nb")
  })

  test("A name is normalized and its marks are counted without the invisible characters.", () => {
    expect(read(single, "e\u200b\u0301")).toBe("é")
    expect(refuses(single, `a${"\u0316".repeat(8)}\u200b\u0316`)).toBeTrue()
  })

  test("Eight combining marks in a row are accepted, and nine are refused.", () => {
    const field = text()
    expect(read(field, `x${"\u0316".repeat(8)}y${"\u0316".repeat(8)}`)).toHaveLength(18)
    expect(refuses(field, `x${"\u0316".repeat(9)}`)).toBeTrue()
    expect(refuses(field, `x${"\u0316\u20dd\u0903".repeat(3)}`)).toBeTrue()
  })

  test("Direction marks are removed from a name, refused in a code, and kept in a long text.", () => {
    for (const invisible of ["\u202e", "\u200b", "\u200f", "\u2066", "\ufeff"]) {
      expect(read(single, `a${invisible}b`)).toBe("ab")
      expect(refuses(code, `a${invisible}b`)).toBeTrue()
      expect(read(multiline, `a${invisible}b`)).toBe(`a${invisible}b`)
    }
  })

  test("Joiners stay in a name, because some scripts need them, and are refused in a code.", () => {
    expect(read(single, "می\u200cخواهم")).toBe("می\u200cخواهم")
    expect(refuses(code, "a\u200cb")).toBeTrue()
    expect(refuses(code, "a\u00adb")).toBeTrue()
  })

  test("A text that was read is in its final form: reading it again changes nothing.", () => {
    const character = fc.constantFrom(
      ..."aZ \t\né漢🔩",
      "\u0301",
      "\u212b",
      "\ufb01",
      "\r\n",
      "\u00a0",
      "\u200d",
    )
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 12 }), fc.constantFrom(...each), (value, field) => {
        const kept = read(field, value)
        fc.pre(kept !== undefined)
        expect(read(field, kept)).toBe(kept)
        expect(String(kept)).toBe(String(kept).normalize("NFC").trim())
      }),
    )
  })
})

describe("An email address", () => {
  const label = "a".repeat(63)
  test.each([
    "a@b",
    "A.b+c@Example.COM",
    `${"a".repeat(64)}@b.de`,
    `a@${label}.${label}.de`,
    "a@1-2.de",
    "'@b.de",
  ])("%p is accepted unchanged.", (value) => {
    expect(read(email(), value)).toBe(value)
  })

  test.each([
    "a",
    "@b.de",
    "a@",
    "a@@b.de",
    "a b@c.de",
    "a@b..de",
    "a@.b.de",
    "a@b.de.",
    "a@-b.de",
    "a@b-.de",
    "ä@b.de",
    "a@bücher.de",
    "a@b.de\u200b",
    "a@b_c.de",
    `${"a".repeat(65)}@b.de`,
    `a@${label}a.de`,
    `a@${`${label}.`.repeat(4)}de`,
  ])("%p is refused.", (value) => {
    expect(refuses(email(), value)).toBeTrue()
  })

  test("Spaces and line breaks around an address are removed.", () => {
    expect(read(email(), " a@b.de\n")).toBe("a@b.de")
  })
})

describe("A password", () => {
  const password = newPassword()

  test("Its length is counted in characters, from 10 to 256.", () => {
    for (const character of ["ß", "🔩", " "]) {
      for (const length of [10, 256])
        expect(read(password, character.repeat(length))).toHaveLength(length * character.length)
      for (const length of [0, 9, 257]) expect(refuses(password, character.repeat(length))).toBeTrue()
    }
  })

  test("Every character is kept: spaces, marks and their Unicode form.", () => {
    for (const value of ["  e\u0301 12345678 ", "\tpassword\u0000 1"]) {
      expect(read(password, value)).toBe(value)
      expect(read(secretText(), value)).toBe(value)
    }
  })

  test("A value that is not a well-formed string is refused.", () => {
    for (const value of [null, 1234567890, ["1234567890"], "123456789\ud83d"])
      expect(refuses(password, value)).toBeTrue()
    for (const value of [null, 0, "", [], {}]) expect(refuses(secretText(), value)).toBeTrue()
  })
})
