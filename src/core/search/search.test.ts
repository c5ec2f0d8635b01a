// A query of the search index is text with a grammar, so the properties let SQLite parse it over tables in memory.
import { SqliteDatabase } from "../engine/sqlite/database"
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { writeText } from "./search-tables"
import { fold } from "../lib/text"
import { fragmentOf, fragmentQuery, matchQuery, typedWords, wordQuery } from "./search"

const db = new SqliteDatabase(":memory:", { strict: true })
// As in the schema, but with its content, so that rows can be deleted by a plain statement.
db.run("CREATE VIRTUAL TABLE t_search USING fts5 (words, fragments, tokenize = 'trigram case_sensitive 1')")
db.run(
  "CREATE VIRTUAL TABLE t_words USING fts5 (words, more, detail = column, prefix = '2 3', tokenize = 'ascii')",
)

type Table = "t_search" | "t_words"
const rowsOf = (query: string, table: Table = "t_search") =>
  db.query(`SELECT rowid FROM ${table} WHERE ${table} MATCH ?`).all(query)

/** Stores one text and returns whether the query finds it. */
function finds(text: string, query: string | null, table?: Table): boolean {
  db.run("DELETE FROM t_search")
  db.run("DELETE FROM t_words")
  writeText(db, "t", [{ seq: 1, words: fold(text), more: "", fragments: fragmentOf(text) }])
  return query !== null && rowsOf(query, table).length > 0
}

const character = fc.constantFrom(..."abÄß漢字𠀀🔩19 -_/.:*^(){}+'\"\\,", "AND ", "OR ", "NEAR(", "words:")
const typed = fc.string({ unit: character, maxLength: 14 })

describe("A query from typed text", () => {
  test("It is valid for any typed text.", () => {
    fc.assert(
      fc.property(typed, (text) => {
        const match = matchQuery(text)
        expect(match === null).toBe(typedWords(text).length === 0)
        for (const query of [match, fragmentQuery(text)]) if (query) expect(() => rowsOf(query)).not.toThrow()
        const words = typedWords(text)
        for (const isStart of words.length > 0 ? [true, false] : [])
          expect(() =>
            rowsOf(
              wordQuery(words, () => (isStart ? null : [])),
              "t_words",
            ),
          ).not.toThrow()
      }),
      { numRuns: 150 },
    )
  })

  test("A text that has words finds itself, in any case.", () => {
    fc.assert(
      fc.property(typed, (text) => {
        fc.pre(typedWords(text).length > 0)
        expect(finds(text, matchQuery(text))).toBeTrue()
        expect(finds(text, matchQuery(text.toUpperCase()))).toBeTrue()
        expect(
          finds(
            text,
            wordQuery(typedWords(text), () => []),
            "t_words",
          ),
        ).toBeTrue()
      }),
      { numRuns: 150 },
    )
  })

  test.each([
    ["Standing desk", "des", true],
    ["Standing desk", "and", true],
    ["Standing desk", "an", false],
    ["Standing desk", "st", true],
    ["Standing desk", "d s", true],
    ["Standing desk", "desk chair", false],
    ["AB-100", "ab-100", true],
    ["AB 100", "ab-100", true],
    ["AB100", "ab-100", true],
    ["A100", "ab-100", false],
    ["Straße", "STRASSE", true],
    ["🔩 bolt", "bo", true],
    ["𠀀𠀁", "𠀀𠀁", true],
    ["𠀁𠀀", "𠀀", false],
    ['19" rack', '19"', true],
  ])("In %p, %p is found: %p.", (text, search, isFound) => {
    expect(finds(text, matchQuery(search))).toBe(isFound)
  })

  test("Only the first twelve words are searched.", () => {
    const many = Array.from({ length: 40 }, (_, i) => `word${i}`)
    expect(typedWords(many.join(" "))).toEqual(many.slice(0, 12))
    expect(matchQuery(many.join(" "))?.split(" AND ")).toHaveLength(12)
    expect(typedWords("a A ä Ä a")).toEqual(["a"])
  })

  test("A text that becomes longer when it is folded is cut.", () => {
    const long = "㍿".repeat(200)
    expect(fold(long)).toHaveLength(800)
    expect(matchQuery(long)).toHaveLength(402)
  })
})

describe("A fragment", () => {
  test("Punctuation and spaces between the parts of a number do not count.", () => {
    for (const text of ["+49 30/1234-567", "4930 1234567", "49-30-1234567"])
      expect(fragmentOf(text)).toBe("49301234567")
    expect(finds("+49 30/1234-567", fragmentQuery("0 12 34"))).toBeTrue()
  })

  test("It has at least three characters, and several words need a digit.", () => {
    for (const text of ["", "12", "1-2", "+ 1 2 -"]) expect(fragmentQuery(text)).toBeNull()
    expect(fragmentQuery("123")).not.toBeNull()
    expect(fragmentQuery("blue desk")).toBeNull()
    expect(fragmentQuery(" desk ")).not.toBeNull()
  })
})
