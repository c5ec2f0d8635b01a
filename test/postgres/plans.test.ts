import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"

describe.skipIf(!isPostgresInstalled())("the plan of a statement", () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await postgres({ settings: ["autovacuum = off"] })
  })
  afterAll(() => server?.stop())

  test("that was made for a few rows does not stay when the table has many", () => {
    const db = new PostgresDatabase(server.createDatabase("plans"))
    db.run("CREATE TABLE t (id bigint PRIMARY KEY, text text NOT NULL)")
    const insert = db.query<void, [number, string]>("INSERT INTO t (id, text) VALUES (?, ?)")
    const find = db.query<{ id: number }, [number]>("SELECT id FROM t WHERE id = ?")
    const add = db.transaction((from: number, to: number) => {
      for (let id = from; id < to; id++) insert.run(id, "x".repeat(200))
    })
    add(0, 2)
    db.run("ANALYZE t")
    // The server decides on a plan that is kept after some uses.
    for (let i = 0; i < 10; i++) expect(find.get(1)).toEqual({ id: 1 })
    for (let from = 2; from < 2_000; from *= 2) add(from, 2 * from)
    const scans = db.query<{ whole: number; byIndex: number }, []>(
      `SELECT seq_scan AS whole, idx_scan AS "byIndex" FROM pg_stat_xact_user_tables WHERE relname = 't'`,
    )
    const [before, after] = db.transaction(() => [scans.get(), find.get(1) && scans.get()])()
    expect(after).toEqual({ whole: before?.whole ?? NaN, byIndex: (before?.byIndex ?? NaN) + 1 })
    db.close()
  })
})
