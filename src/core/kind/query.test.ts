import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { parseQuery, readParams } from "./query"

const entries = (query: string) => [...parseQuery(query)]
const refusedAs = (code: string, field: string) =>
  expect.objectContaining({ code, details: [expect.objectContaining({ field })] })

describe("A query string", () => {
  test.each([
    ["", []],
    ["&&", []],
    [
      "a=1&&b=2&",
      [
        ["a", "1"],
        ["b", "2"],
      ],
    ],
    ["a", [["a", ""]]],
    ["a=", [["a", ""]]],
    ["=1", [["", "1"]]],
    ["a=b=c", [["a", "b=c"]]],
    ["price[gte]=1", [["price[gte]", "1"]]],
    ["price%5Bgte%5D=1", [["price[gte]", "1"]]],
    ["a=1+2", [["a", "1 2"]]],
    ["a=1%2B2", [["a", "1+2"]]],
    ["a+b=1", [["a b", "1"]]],
    ["a=%26%3D%25", [["a", "&=%"]]],
    ["a=%2541", [["a", "%41"]]],
    ["a=%F0%9F%94%A9", [["a", "🔩"]]],
    [
      "__proto__=1&constructor=2",
      [
        ["__proto__", "1"],
        ["constructor", "2"],
      ],
    ],
  ])("%p is split and decoded.", (query, expected) => {
    expect(entries(query)).toEqual(expected as [string, string][])
  })

  test("Any names and values survive encoding, in their order.", () => {
    const text = fc
      .string({ unit: "grapheme", maxLength: 12 })
      .map((each) => each.replaceAll("\0", "").normalize("NFC"))
    const pairs = fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name, maxLength: 6 })
    fc.assert(
      fc.property(pairs, (given) => {
        fc.pre(given.flat().every((each) => !/\p{M}{9}/u.test(each)))
        const query = given.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")
        expect(entries(query)).toEqual(given)
      }),
    )
  })

  test("A composed and a decomposed letter are the same.", () => {
    expect(entries("a=e%CC%81")).toEqual(entries("a=%C3%A9"))
    expect(() => parseQuery("e%CC%81=1&%C3%A9=2")).toThrow(refusedAs("INVALID_QUERY", "é"))
  })

  test.each([
    ["a=1&a=1", "a"],
    ["a=1&%61=2", "a"],
    ["a&a", "a"],
    ["=1&=2", ""],
    ["a[]=1&a%5B%5D=2", "a[]"],
    ["__proto__=1&__proto__=2", "__proto__"],
  ])("%p gives %p twice, which is refused.", (query, name) => {
    expect(() => parseQuery(query)).toThrow(refusedAs("INVALID_QUERY", name))
  })

  test.each(["a=%", "a=%4", "a=%GG", "a=%C3", "a=%C3%28", "a=%ED%A0%80", "a=%C0%80", "a=%F5%80%80%80"])(
    "%p has an escape that is not UTF-8.",
    (query) => {
      expect(() => parseQuery(query)).toThrow(refusedAs("INVALID_QUERY", "a"))
    },
  )

  test("NUL is refused in a name and in a value.", () => {
    expect(() => parseQuery("a=1%00")).toThrow(refusedAs("INVALID_QUERY", "a"))
    expect(() => parseQuery("a%00=1")).toThrow(expect.objectContaining({ code: "INVALID_QUERY" }))
  })

  test("Eight combining marks in a row are accepted, and nine are refused.", () => {
    const marks = (count: number) => encodeURIComponent("e" + "\u0316".repeat(count))
    expect(parseQuery(`a=${marks(8)}`).get("a")).toHaveLength(9)
    expect(() => parseQuery(`a=${marks(9)}`)).toThrow(refusedAs("VALIDATION_ERROR", "a"))
  })
})

describe("A query with a fixed set of parameters", () => {
  test("A parameter that is not in the set is refused by its name.", () => {
    expect(readParams("q=1&limit=2", ["q", "limit"]).size).toBe(2)
    for (const name of ["Q", "constructor", "__proto__", "length", "q[eq]"])
      expect(() => readParams(`q=1&${name}=1`, ["q"])).toThrow(refusedAs("INVALID_QUERY", name))
    expect(readParams("").size).toBe(0)
    expect(() => readParams("x=1")).toThrow(refusedAs("INVALID_QUERY", "x"))
  })
})
