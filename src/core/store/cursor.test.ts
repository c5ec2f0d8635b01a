import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { signedCursors } from "./cursor"

const key = "a key of this test"
const id = "itm_01kb2qk3dvb6r8h5m9x4w7z2nc"
/** Another process with the same key, which has not seen the cursors that the first one wrote. */
const later = () => signedCursors(key)
const refused = expect.objectContaining({ code: "INVALID_CURSOR" })

/** Any UTF-16 unit, including half of a surrogate pair. */
const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
const value = fc.oneof(
  fc.constant(null),
  fc.string({ unit, maxLength: 200 }),
  fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
)

describe("A cursor", () => {
  test("It decodes to its position, also after a restart.", () => {
    fc.assert(
      fc.property(value, fc.string(), (each, list) => {
        const cursors = signedCursors(key)
        const cursor = cursors.write(list, { value: each, id })
        expect(cursor).toMatch(/^[\w-]+$/)
        expect(cursors.read(list, cursor)).toEqual({ value: each, id })
        expect(later().read(list, cursor)).toEqual({ value: each, id })
      }),
    )
  })

  test("A missing value and a value that is too long are different.", () => {
    const cursors = signedCursors(key)
    for (const reader of [cursors, later()]) {
      expect(reader.read("l", cursors.write("l", { value: null, id })).value).toBeNull()
      expect(reader.read("l", cursors.write("l", { value: "a".repeat(500), id })).value).toHaveLength(500)
      expect(reader.read("l", cursors.write("l", { value: "a".repeat(501), id }))).toEqual({
        id,
        value: undefined,
      })
    }
  })

  test("The longest value is stored completely, even when every character needs an escape.", () => {
    for (const character of ["\0", "\ud800", "\u2028", "漢", '"', "\\"]) {
      const position = { value: character.repeat(500), id }
      expect(later().read("l", later().write("l", position))).toEqual(position)
    }
  })

  test("It is valid only for its own list and key.", () => {
    const cursors = signedCursors(key)
    const cursor = cursors.write("items a", { value: 1, id })
    for (const list of ["items b", "items", "", "items a "])
      for (const reader of [cursors, later()]) expect(() => reader.read(list, cursor)).toThrow(refused)
    expect(() => signedCursors("another key").read("items a", cursor)).toThrow(refused)
  })

  test("Any character that is changed, added or removed makes it invalid.", () => {
    const cursor = later().write("l", { value: "Desk", id })
    const place = fc.nat(cursor.length - 1)
    const other = fc.constantFrom(..."ABCXYZabcxyz019-_=+/ \n.%ä\0")
    fc.assert(
      fc.property(place, other, fc.nat(2), (at, character, way) => {
        const rest = cursor.slice(at + (way === 1 ? 0 : 1))
        const changed = cursor.slice(0, at) + (way === 2 ? "" : character) + rest
        fc.pre(changed !== cursor)
        expect(() => later().read("l", changed)).toThrow(refused)
      }),
      { numRuns: 500 },
    )
    for (const end of ["=", "==", " ", "\n", "A", cursor])
      expect(() => later().read("l", cursor + end)).toThrow(refused)
  })

  test("A text that is not a cursor is refused, at any length.", () => {
    const code = "A".repeat(43)
    for (const text of ["", "A", "null", code, `${code}W10`, "A".repeat(6_000), "A".repeat(100_000), "🔩"])
      expect(() => later().read("l", text)).toThrow(refused)
  })

  test("It stays valid after thousands of others were written.", () => {
    const cursors = signedCursors(key)
    const first = cursors.write("l", { value: 0, id })
    for (let i = 1; i <= 2_500; i++) cursors.write("l", { value: i, id })
    expect(cursors.read("l", first)).toEqual({ value: 0, id })
  })

  test("Two cursors that are read in turn do not mix.", () => {
    const [a, b] = [
      later().write("l", { value: "a", id }),
      later().write("l", { value: "b".repeat(400), id }),
    ]
    const cursors = later()
    for (const [cursor, start] of [
      [b, "b"],
      [a, "a"],
      [b, "b"],
    ] as const)
      expect(String(cursors.read("l", cursor).value)[0]).toBe(start)
  })
})
