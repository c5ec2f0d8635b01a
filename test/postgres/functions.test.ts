import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { wholeSchema } from "../../src/core/engine/schema/migrate"
import "../../src/kinds"
import { translatedSchema } from "../../src/core/engine/postgres/schema/translate"
import { openDatabase } from "../../src/core/engine/place"
import { fold, lower } from "../../src/core/lib/text"
import { postgresServer } from "../support/postgres-schema"

let server: ReturnType<typeof postgresServer>
const sqlite = openDatabase(":memory:")
beforeAll(() => {
  server = postgresServer()
  server.run(translatedSchema(wholeSchema()))
})
afterAll(() => server?.stop())

const inPostgres = (sql: string) => server.rows<Record<string, unknown>>(sql, "postgres").map(plain)
/** PostgreSQL has true and false where SQLite has 1 and 0. */
const plain = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : value]),
  )

describe("a statement gives the same on both", () => {
  test.each([
    `SELECT value FROM json_each('["a", "b\\"c", null, "ä", ""]')`,
    `SELECT CAST(value AS BIGINT) AS n FROM json_each('[3, 1, 9007199254740991]')`,
    `SELECT CAST(key AS BIGINT) AS place, value FROM json_each('["x", "y"]')`,
    `SELECT value ->> 'id' AS id, CAST(value ->> 'n' AS BIGINT) AS n FROM json_each('[{"id": "a", "n": 5}, {"id": "b"}]')`,
    `SELECT key, CAST(value AS TEXT) AS value FROM json_each('{"a": "1", "b": true, "c": false, "d": null}')`,
    `SELECT value FROM json_each('[{"a":[1,2]},[3]]')`,
    `SELECT value FROM json_each('[]')`,
    `SELECT value FROM json_each('{}')`,
    `SELECT '{"currency": "EUR"}' ->> '$.currency' AS currency, '{"a": {"b": "c"}}' ->> '$.a.b' AS deep`,
    `SELECT '{"a": 1}' ->> 'b' AS none, '["x", "y"]' ->> 1 AS second, '["x"]' ->> 5 AS missing`,
    `SELECT CAST('{"dryRun": true}' ->> '$.dryRun' AS TEXT) AS yes, CAST('{"dryRun": false}' ->> 'dryRun' AS TEXT) AS no`,
    `SELECT '{"a": {"b":[1,"x"]}}' ->> 'a' AS object`,
    `SELECT max(1, 2) AS a, min(1, 2) AS b, max('a', 'B') AS c, min('a', 'B') AS d`,
    `SELECT max(CAST(NULL AS BIGINT), 1) AS a, min(1, CAST(NULL AS BIGINT)) AS b, max(CAST(NULL AS TEXT), 'x') AS c`,
    `SELECT max(0, CAST(-5 AS BIGINT)) AS a, min(CAST(7 AS BIGINT), 3) AS b`,
    `SELECT max(max(n), count(*)) AS a FROM (SELECT 1 AS n UNION ALL SELECT 2) AS t`,
    `SELECT total(n) AS none FROM (SELECT CAST(1 AS BIGINT) AS n) AS t WHERE n > 1`,
    `SELECT total(n) AS some FROM (SELECT CAST(1 AS BIGINT) AS n UNION ALL SELECT NULL UNION ALL SELECT 5) AS t`,
    `SELECT total(n) AS some FROM (SELECT CAST(0.5 AS DOUBLE PRECISION) AS n UNION ALL SELECT 5) AS t`,
    `SELECT instr('standing', 'and') AS a, instr('x', 'y') AS b, instr('äöü', 'ü') AS c`,
    `SELECT + CAST('text' AS TEXT) AS same`,
    `SELECT printf('%.15g', 125000 / 10000.0) AS a, printf('%.15g', 1 / 10000.0) AS b, printf('%.15g', 0 / 100.0) AS c,
      printf('%.15g', -123456 / 100.0) AS d, printf('%.15g', 900719925474099 / 100.0) AS e`,
    `SELECT json_valid('{"a": [1]}') AS a, json_valid(CAST(NULL AS TEXT)) AS b`,
    `SELECT lower(name) AS name FROM (SELECT 'inv-2' AS name UNION ALL SELECT 'INV-1' UNION ALL SELECT 'INV_3') AS t ORDER BY lower(name)`,
    `SELECT folded(CAST(NULL AS TEXT)) AS a, matches_pattern(CAST(NULL AS TEXT), 'x') AS b`,
    `SELECT matches_pattern(1250, '12%') AS a, matches_pattern(1250, '13%') AS b`,
    `SELECT has_words('Standing Desk Größe', 'desk' || '\n' || 'grosse') AS a, has_words('x', '') AS b, has_words('desk', 'desk\nlamp') AS c`,
  ])("%s", (sql) =>
    expect(inPostgres(sql)).toEqual(sqlite.query<Record<string, unknown>, []>(sql).all().map(plain)),
  )
})

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

describe("a pattern matches the same on both", () => {
  const texts = [
    "",
    "a",
    "Größe 50%",
    "a_b",
    "ΟΔΟΣ",
    "İstanbul",
    "back\\slash",
    "two\nlines",
    "😀 smile",
    "100",
  ]
  const patterns = [
    "",
    "%",
    "_",
    "a",
    "%ö%",
    "gRÖ%",
    "50\\%",
    "a\\_b",
    "a_b",
    "οδος",
    "%ς",
    "i̇%",
    "back\\\\slash",
    "%\\",
  ]
  const more = ["\\", "k\\%", "two%lines", "two_lines", "_ smile", "%%", "__", "1%0", "1%1%0", "\\1%"]
  test.each([...patterns, ...more])("%j", (pattern) => {
    const sql = texts
      .map((text, i) => `SELECT ${i} AS i, matches_pattern(${quoted(text)}, ${quoted(pattern)}) AS found`)
      .join(" UNION ALL ")
    expect(inPostgres(sql)).toEqual(sqlite.query<Record<string, unknown>, []>(sql).all())
  })
})

test("Texts fold the same on both.", () => {
  const texts = [
    "Ångström",
    "ΟΔΥΣΣΕΎΣ",
    "Straße ẞ",
    "İstanbul ıI",
    "ﬁne Ǆ ℌ ½",
    "한국어",
    "Đorđe Łódź Þór Ægir Œuvre",
    "é e\u0301\u0323",
  ]
  const more = ["नमस्ते", "שָׁלוֹם", "ＦＵＬＬ　width", "a\u0308\u0304", "", "Plain ASCII", "ꟼ 𝔄 😀"]
  const sql = [...texts, ...more]
    .map((text, i) => `SELECT ${i} AS i, folded(${quoted(text)}) AS text`)
    .join(" UNION ALL ")
  expect(inPostgres(sql)).toEqual(sqlite.query<Record<string, unknown>, []>(sql).all())
})

/**
 * The characters that Unicode got after version 14, which PostgreSQL 15 and the ICU of its system may not know. Nobody
 * uses them in the names of a business. A newer server knows more of them.
 */
const newerThanServer: [number, number][] = [
  [0x1c89, 0x1c8a],
  [0xa7cb, 0xa7dc],
  [0xa7f1, 0xa7f1],
  [0x105c9, 0x105e4],
  [0x10d50, 0x10d65],
  [0x11383, 0x11391],
  [0x16ea0, 0x16eb8],
  [0x1ccd6, 0x1ccf9],
  [0x1e030, 0x1e06d],
]

test("Every character up to U+2FFFF folds and lowers the same, except new ones.", () => {
  const hex = (sql: string) => `encode(convert_to(${sql}, 'UTF8'), 'hex')`
  const lines = server
    .run(
      `SELECT code || ' ' || ${hex("folded('x' || chr(code) || 'x')")} || ' ' || ${hex("lowered(chr(code))")}
       FROM generate_series(1, ${0x2ffff}) AS code WHERE code NOT BETWEEN ${0xd800} AND ${0xdfff}`,
    )
    .trim()
    .split("\n")
  const differing = lines.flatMap((line) => {
    const [code = "", folded, lowered] = line.split(" ")
    const character = String.fromCodePoint(Number(code))
    const isSame = hexOf(fold(`x${character}x`)) === folded && hexOf(lower(character)) === lowered
    return isSame ? [] : [Number(code)]
  })
  expect(lines).toHaveLength(0x2ffff - 0x800)
  const isNew = (code: number) => newerThanServer.some(([from, to]) => code >= from && code <= to)
  expect(differing.filter((code) => !isNew(code)).map((code) => code.toString(16))).toEqual([])
})

const hexOf = (text: string) => Buffer.from(text).toString("hex")
