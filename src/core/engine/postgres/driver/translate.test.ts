import { describe, expect, test } from "bun:test"
import { integersOf, listOf } from "../../sql"
import { translate } from "./translate"

const sqlOf = (sql: string) => translate(sql).sql
const effectOf = (sql: string) => translate(sql).effect

describe("parameters", () => {
  test("question marks are numbered in order", () => {
    expect(translate("a = ? AND b = ?")).toMatchObject({ sql: "a = $1 AND b = $2", paramsCount: 2 })
  })

  test("a number can be used several times, and a mark without one follows the highest", () => {
    expect(translate("a = ?2 OR b = ?2 OR c = ?1 OR d = ?")).toMatchObject({
      sql: "a = $2 OR b = $2 OR c = $1 OR d = $3",
      paramsCount: 3,
    })
  })

  test("they need no space around them", () => {
    expect(sqlOf("VALUES (?,?1,?3)||?")).toBe("VALUES ($1,$1,$3)||$4")
  })
})

describe("lists in a JSON text", () => {
  test("are compared as arrays", () => {
    expect(sqlOf(`id IN ${listOf("?")} AND seq NOT IN ${integersOf("?2")}`)).toBe(
      "id = ANY (ARRAY(SELECT value FROM json_each($1)))" +
        " AND seq <> ALL (ARRAY(SELECT CAST(value AS BIGINT) FROM json_each($2)))",
    )
  })
})

describe("names", () => {
  test("those with capital letters inside are quoted", () => {
    expect(sqlOf("SELECT updated_at AS updatedAt FROM t ORDER BY updatedAt")).toBe(
      'SELECT updated_at AS "updatedAt" FROM t ORDER BY "updatedAt"',
    )
  })

  test("key words, constants and functions are not", () => {
    const sql = "SELECT CAST(a AS TEXT), N, someFunction(1) FROM t"
    expect(sqlOf(sql)).toBe(sql)
  })

  test("the column user is quoted, with its table too", () => {
    expect(sqlOf("SELECT user, s.user, user_id, users.id FROM s WHERE user=?")).toBe(
      'SELECT "user", s."user", user_id, users.id FROM s WHERE "user"=$1',
    )
  })
})

describe("nothing changes", () => {
  const unchanged = [
    "'user ? updatedAt'",
    "'it''s ? user'",
    '"user ? "" fooBar"',
    "-- user ? fooBar\n",
    "/* user ?\n fooBar */",
    "$$ user ? fooBar $$",
    "$x$ user $$ ? $x$",
    "E'user \\' ? fooBar'",
    "'$.dryRun'",
  ]
  for (const part of unchanged)
    test(`in ${part.trim()}`, () => {
      expect(translate(`SELECT ${part} , ?`)).toMatchObject({ sql: `SELECT ${part} , $1`, paramsCount: 1 })
    })

  test("after a literal that does not end", () => {
    expect(sqlOf("SELECT 'abc")).toBe("SELECT 'abc")
  })
})

describe("the effect of a statement", () => {
  test.each([
    ["BEGIN IMMEDIATE", "begin"],
    ["start transaction", "begin"],
    ["SAVEPOINT one", "savepoint"],
    ["RELEASE one;", "release"],
    ["ROLLBACK", "rollback"],
    ["ROLLBACK TO one", "rollbackTo"],
    ["  COMMIT ; ", "commit"],
    ["-- a comment\nSELECT 1", "read"],
    ["WITH a AS (SELECT 1) SELECT * FROM a", "read"],
    ["SELECT 'DELETE', deleted_at FROM a", "read"],
    ["SELECT * FROM a FOR UPDATE", "write"],
    ["WITH a AS (DELETE FROM b RETURNING id) SELECT * FROM a", "write"],
    ["SELECT 1; DELETE FROM a", "write"],
    ["ROLLBACK TO one; RELEASE one", "write"],
    ["INSERT INTO a VALUES (1)", "write"],
    ["CREATE TABLE a (id text)", "write"],
  ])("of %p is %p", (sql, effect) => {
    expect(effectOf(sql)).toBe(effect as ReturnType<typeof effectOf>)
  })
})
