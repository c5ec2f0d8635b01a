import { SqliteDatabase } from "../../engine/sqlite/database"
import { expect, test } from "bun:test"
import { settled } from "../../lib/turns"
import { rightsOf } from "../../../shared/rights"
import { defineResource } from "../../kind/define"
import { findDirectly } from "./direct-list"
import { required } from "../../kind/field"
import { readListQuery } from "../list"
import { pageRows } from "./page-rows"
import { loopReader, type Reader } from "./reader"
import { statementCache } from "../../engine/sql"
import { text } from "../../kind/text-field"
import { listTotals } from "../totals"

const things = defineResource({
  name: "things",
  table: "things",
  idPrefix: "thg",
  noun: "thing",
  title: "Thing",
  about: "",
  rights: rightsOf("items"),
  search: [],
  fields: { label: required(text()) },
})
const moneyContext = { currency: "EUR", digits: 2, today: "2026-03-01" }
const perPage = 100
const page = 600

test("A page at a large offset has a cursor although its last record is deleted meanwhile.", async () => {
  const db = new SqliteDatabase(":memory:")
  db.run("CREATE TABLE things (seq INTEGER PRIMARY KEY, id TEXT, created_at TEXT)")
  db.run("CREATE INDEX things_by_id ON things (id)")
  const rows = perPage * page + 1
  db.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})
    INSERT INTO things SELECT n, printf('%06d', n), printf('%06d', n) FROM numbers`,
  )
  const prepared = statementCache(db)
  const deps = { prepared, selectOf: () => "SELECT id", convert: (row: object) => ({ ...row }) }
  const last = String(perPage * page).padStart(6, "0")
  const deleting: Reader = {
    ...loopReader(prepared, null),
    async all<T>(sql: string, values: readonly (string | number)[]) {
      const found = prepared(sql).all(...values) as T[]
      if (sql.includes("OFFSET")) db.run("DELETE FROM things WHERE id = ?", [last])
      return found
    },
  }
  const query = readListQuery(
    things,
    `sort=createdAt&order=asc&perPage=${perPage}&page=${page}`,
    moneyContext,
  )
  const selection = { where: [], match: undefined, sort: query.sort }
  const found = findDirectly(
    {
      ...deps,
      resource: things,
      totals: listTotals(db, things, prepared),
      pages: pageRows(things, deps),
      matching: db.engine.search,
    },
    { selection, query, start: undefined, moneyContext },
    () => () => deleting,
  )
  const { rows: shown, last: end } = await settled(found, null)
  expect(shown.length).toBe(perPage - 1)
  expect(end).toEqual({ value: last, id: last })
})
