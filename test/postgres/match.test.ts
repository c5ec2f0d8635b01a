import { SqliteDatabase } from "../../src/core/engine/sqlite/database"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { wholeSchema } from "../../src/core/engine/schema/migrate"
import "../../src/kinds"
import { type MatchCondition, trigramCondition, wordCondition } from "../../src/core/engine/postgres/search"
import { translatedSchema } from "../../src/core/engine/postgres/schema/translate"
import { writeText } from "../../src/core/search/search-tables"
import { fold } from "../../src/core/lib/text"
import { fragmentQuery, matchQuery, wordQuery } from "../../src/core/search/search"
import { postgresServer } from "../support/postgres-schema"

const records = [
  ["Standing desk AB-100", "Height 70 to 120 cm", "+49 (30) 123-45"],
  ["Größe 50% Überzug", "Straße", ""],
  ["O'Brien & Söhne", "back\\slash under_score", "DE 123 456"],
  ["Ωmega καφές 日本語テスト", "Łódź", ""],
  ["a b cd", "desk", "4930123"],
  [`Long ${"x".repeat(300)}`, "y".repeat(3_000), ""],
]

let server: ReturnType<typeof postgresServer>
const sqlite = new SqliteDatabase(":memory:")
sqlite.run(wholeSchema())

beforeAll(() => {
  const rows = records.map(([words = "", more = "", fragments = ""], i) => ({
    seq: i + 1,
    words: fold(words),
    more: fold(more),
    fragments: fold(fragments).replace(/[\s/+-]/g, ""),
  }))
  writeText(sqlite, "items", rows)
  server = postgresServer()
  server.run(translatedSchema(wholeSchema()))
  const written = new SqliteDatabase(":memory:")
  // The text that is written, which FTS5 does not return.
  written.run(`CREATE TABLE items_search (rowid INTEGER PRIMARY KEY, words, fragments);
    CREATE TABLE items_words (rowid INTEGER PRIMARY KEY, words, more)`)
  writeText(written, "items", rows)
  for (const table of ["items_search", "items_words"])
    for (const row of written.query<Record<string, string | number>, []>(`SELECT * FROM ${table}`).all())
      server.run(
        `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.values(row).map(literal).join(", ")})`,
      )
})
afterAll(() => server?.stop())

const literal = (value: string | number) => `'${String(value).replaceAll("'", "''")}'`

function expectSame(table: string, query: string, { sql, values }: MatchCondition): number {
  const wanted = sqlite
    .query<{ rowid: number }, [string]>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid`)
    .all(query)
  let used = 0
  const condition = sql.replaceAll("?", () => literal(values[used++] ?? ""))
  expect(server.rows(`SELECT rowid FROM ${table} WHERE ${condition} ORDER BY rowid`, "postgres")).toEqual(
    wanted,
  )
  return wanted.length
}

describe("a search in lists finds the rows that FTS5 finds:", () => {
  const typed = [
    "desk",
    "d",
    "de",
    "sta esk",
    "AB-100",
    "ab-1 nothing",
    "50%",
    "_",
    "grosse",
    "GRÖSSE über",
    "o'brien",
  ]
  const more = [
    "söhne &",
    "ωme",
    "カ",
    "テスト",
    "日",
    "xxxx",
    '"quoted"',
    "cd a",
    "under_score",
    "b  c",
    "x".repeat(300),
  ]
  test.each([...typed, ...more])("%s", (text) => {
    const query = matchQuery(text)
    if (query !== null)
      expectSame("items_search", `words : (${query})`, trigramCondition(`words : (${query})`))
  })

  test.each(["30123", "de123", "49 30", "123"])("the fragment %s", (text) => {
    const query = fragmentQuery(text) ?? ""
    expect(expectSame("items_search", query, trigramCondition(query))).toBeGreaterThan(0)
  })
})

describe("a search for words finds the rows that FTS5 finds:", () => {
  const typed = [
    ["desk"],
    ["stand"],
    ["desk", "height"],
    ["120"],
    ["grosse", "strasse"],
    ["καφεσ"],
    ["lodz"],
    ["日本語テスト"],
  ]
  test.each([...typed, ["x".repeat(300)], ["y".repeat(200)], ["nothing"]])("%s", (...words) => {
    const all = words.filter((word) => typeof word === "string")
    for (const others of [null, [], ["lampe", "tisch"]]) {
      const query = wordQuery(all, () => others)
      expectSame("items_words", query, wordCondition(query))
      expectSame("items_words", `words : (${query})`, wordCondition(`words : (${query})`))
    }
  })
})

test("Both searches use their index.", () => {
  const plan = (sql: string) => server.run(`SET enable_seqscan = off; EXPLAIN ${sql}`)
  expect(plan("SELECT rowid FROM items_search WHERE words LIKE '%stand%'")).toContain("items_search_words")
  expect(plan("SELECT rowid FROM items_search WHERE fragments LIKE '%123%'")).toContain(
    "items_search_fragments",
  )
  expect(plan("SELECT rowid FROM items_words WHERE terms @@ CAST('''desk'':*A' AS tsquery)")).toContain(
    "items_words_terms",
  )
})

test("A query that the search does not write is refused.", () =>
  expect(() => trigramCondition("desk NEAR lamp")).toThrow("cannot be read"))
