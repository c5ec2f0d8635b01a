import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { PostgresDatabase } from "../../src/core/engine/postgres/driver/database"
import {
  isConnectionFailure,
  isForeignKeyViolation,
  isStorageFailure,
  isUniqueViolation,
  PostgresError,
} from "../../src/core/engine/postgres/driver/errors"
import { isPostgresInstalled, postgres, type PostgresServer } from "../support/postgres"

describe.skipIf(!isPostgresInstalled())("transactions in PostgreSQL", () => {
  let server: PostgresServer
  let db: PostgresDatabase
  let other: PostgresDatabase

  beforeAll(async () => {
    server = await postgres()
    db = new PostgresDatabase(server.url())
    other = new PostgresDatabase(server.url())
    db.run(`CREATE TABLE t (id text PRIMARY KEY, parent text REFERENCES t (id) DEFERRABLE);
      CREATE TABLE late (id text REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED)`)
  })

  beforeEach(() => {
    if (db.inTransaction) db.run("ROLLBACK")
    db.run("DELETE FROM late; DELETE FROM t")
  })

  afterAll(() => {
    db?.close()
    other?.close()
    server?.stop()
  })

  const add = (id: string, parent: string | null = null) =>
    db.query<unknown, [string, string | null]>("INSERT INTO t (id, parent) VALUES (?, ?)").run(id, parent)
  const stored = () =>
    other
      .query<{ id: string }, []>("SELECT id FROM t ORDER BY id")
      .all()
      .map(({ id }) => id)
      .join("")
  const thrownBy = (work: () => unknown): unknown => {
    try {
      work()
    } catch (error) {
      return error
    }
    throw new Error("Nothing was thrown.")
  }

  test("a commit stores everything, a rollback nothing", () => {
    db.run("BEGIN IMMEDIATE")
    expect(db.inTransaction).toBeTrue()
    add("a")
    add("b")
    expect(stored()).toBe("")
    db.run("COMMIT")
    expect(db.inTransaction).toBeFalse()
    db.prepare("BEGIN").run()
    add("c")
    db.prepare("ROLLBACK").run()
    expect(db.inTransaction).toBeFalse()
    expect(stored()).toBe("ab")
  })

  test("a statement that runs for many rows at once stores each with its own values", () => {
    const insert = db.query<unknown, [string, string | null]>("INSERT INTO t (id, parent) VALUES (?, ?)")
    db.run("BEGIN")
    insert.runEach([])
    insert.runEach([
      ["a", null],
      ["b", "a"],
      ["c".repeat(100_000), "b"],
    ])
    db.run("COMMIT")
    expect(other.query("SELECT left(id, 1) AS id, parent FROM t ORDER BY id").all()).toEqual([
      { id: "a", parent: null },
      { id: "b", parent: "a" },
      { id: "c", parent: "b" },
    ])
  })

  test("a statement that fails for one of many rows stores none of them", () => {
    const insert = db.query<unknown, [string, string | null]>("INSERT INTO t (id, parent) VALUES (?, ?)")
    const lists: [string, string | null][] = [
      ["b", null],
      ["b", null],
      ["c", null],
    ]
    expect(isUniqueViolation(thrownBy(() => insert.runEach(lists)))).toBeTrue()
    expect(stored()).toBe("")
    db.run("BEGIN")
    add("a")
    db.run("SAVEPOINT one")
    expect(isUniqueViolation(thrownBy(() => insert.runEach(lists)))).toBeTrue()
    db.run("ROLLBACK TO one")
    db.run("RELEASE one")
    db.run("COMMIT")
    expect(stored()).toBe("a")
    expect(() => insert.runEach([["d", null], ["e"] as unknown as [string, string]])).toThrow(
      "needs 2 values",
    )
    expect(stored()).toBe("a")
  })

  test("an empty transaction is committed and rolled back", () => {
    for (const end of ["COMMIT", "ROLLBACK"]) {
      db.run("BEGIN")
      db.run("SAVEPOINT one")
      db.run("RELEASE one")
      expect(db.inTransaction).toBeTrue()
      db.run(end)
      expect(db.inTransaction).toBeFalse()
    }
  })

  test("an error makes all later statements fail until the savepoint is restored", () => {
    db.run("BEGIN")
    db.run("SAVEPOINT one")
    add("a")
    db.run("RELEASE one")
    db.run("SAVEPOINT one")
    expect(isUniqueViolation(thrownBy(() => add("a")))).toBeTrue()
    expect(db.inTransaction).toBeTrue()
    expect(thrownBy(() => add("b"))).toMatchObject({ code: "25P02" })
    db.run("ROLLBACK TO one")
    db.run("RELEASE one")
    add("c")
    db.run("SAVEPOINT part")
    add("d")
    db.run("ROLLBACK TO part; RELEASE part")
    db.run("COMMIT")
    expect(stored()).toBe("ac")
  })

  test("the commit of a failed transaction fails and ends it", () => {
    db.run("BEGIN")
    add("a")
    thrownBy(() => add("a"))
    expect(thrownBy(() => db.run("COMMIT"))).toMatchObject({ code: "25P02", outcome: "aborted" })
    expect(db.inTransaction).toBeFalse()
    expect(stored()).toBe("")
  })

  test("a write outside a transaction reports what is checked at its end", () => {
    const write = db.query("INSERT INTO late VALUES (?)")
    expect(isForeignKeyViolation(thrownBy(() => write.run("missing")))).toBeTrue()
    expect(db.query("SELECT count(*) AS n FROM late").get()).toEqual({ n: 0 })
    expect(isForeignKeyViolation(thrownBy(() => write.run("missing")))).toBeTrue()
    expect(thrownBy(() => db.run("INSERT INTO late VALUES ('missing')"))).toSatisfy(isForeignKeyViolation)
    expect(db.query("SELECT 7 AS seven").get()).toEqual({ seven: 7 })
  })

  test("a failure at the commit ends the transaction", () => {
    db.run("BEGIN")
    db.query("INSERT INTO late VALUES (?)").run("missing")
    expect(isForeignKeyViolation(thrownBy(() => db.run("COMMIT")))).toBeTrue()
    expect(db.inTransaction).toBeFalse()
  })

  test("the next statement reports the error of one that was sent with it", () => {
    db.run("BEGIN")
    db.run("SAVEPOINT one")
    db.run("RELEASE two")
    expect(thrownBy(() => add("a"))).toMatchObject({ code: "3B001" })
    expect(thrownBy(() => add("b"))).toMatchObject({ code: "25P02" })
    db.run("ROLLBACK")
    db.run("BEGIN")
    add("c")
    db.run("RELEASE two")
    expect(thrownBy(() => db.run("COMMIT"))).toMatchObject({ code: "3B001" })
    expect(db.inTransaction).toBeTrue()
    db.run("ROLLBACK")
    expect(stored()).toBe("")
  })

  test("statements that are deferred run before the next one, or with the commit", () => {
    db.run("BEGIN")
    db.defer("INSERT INTO t (id) VALUES ('a')")
    expect(db.query("SELECT id FROM t").all()).toEqual([{ id: "a" }])
    db.defer("INSERT INTO t (id) VALUES ('b')")
    db.run("COMMIT")
    db.run("BEGIN")
    db.defer("INSERT INTO t (id) VALUES ('c')")
    db.run("COMMIT")
    expect(stored()).toBe("abc")
    db.run("BEGIN")
    expect(() => db.defer("COMMIT")).toThrow(TypeError)
    expect(() => db.defer("SELECT ?")).toThrow(TypeError)
    db.run("ROLLBACK")
  })

  test("transactions do not nest, and end only once", () => {
    expect(thrownBy(() => db.run("COMMIT"))).toMatchObject({ code: "25P01" })
    expect(thrownBy(() => db.run("ROLLBACK"))).toMatchObject({ code: "25P01" })
    expect(thrownBy(() => db.run("SAVEPOINT one"))).toMatchObject({ code: "25P01" })
    expect(thrownBy(() => db.defer("SELECT 1"))).toMatchObject({ code: "25P01" })
    db.run("BEGIN")
    expect(thrownBy(() => db.run("BEGIN"))).toMatchObject({ code: "25001" })
    add("a")
    expect(thrownBy(() => db.run("BEGIN"))).toMatchObject({ code: "25001" })
    db.run("COMMIT")
    expect(stored()).toBe("a")
  })

  test("a function runs in a transaction, and inside another in a savepoint", () => {
    const addTwo = db.transaction((first: string, second: string) => [add(first), add(second)].length)
    expect(addTwo("a", "b")).toBe(2)
    expect(isUniqueViolation(thrownBy(() => addTwo.immediate("c", "a")))).toBeTrue()
    db.transaction(() => {
      add("d")
      thrownBy(() => addTwo("e", "a"))
      addTwo("f", "g")
    })()
    expect(db.inTransaction).toBeFalse()
    expect(stored()).toBe("abdfg")
  })

  test("several statements without parameters are stored together or not at all", () => {
    thrownBy(() => db.run("INSERT INTO t (id) VALUES ('a'); INSERT INTO t (id) VALUES ('a')"))
    expect(stored()).toBe("")
    expect(thrownBy(() => add("b", "missing"))).toSatisfy(isForeignKeyViolation)
  })

  test("a lock that is not free in time is a failure of the storage", () => {
    db.run("BEGIN")
    add("a")
    other.run("SET lock_timeout = 100; BEGIN")
    const error = thrownBy(() => other.query("INSERT INTO t (id) VALUES (?)").run("a"))
    expect(error).toMatchObject({ code: "55P03" })
    expect(isStorageFailure(error)).toBeTrue()
    expect(isConnectionFailure(error)).toBeFalse()
    other.run("ROLLBACK")
    db.run("COMMIT")
  })

  test.each([
    ["53100", true, false],
    ["25006", true, false],
    ["57P01", true, true],
    ["08007", true, true],
    ["40P01", true, false],
    ["23505", false, false],
    ["42601", false, false],
  ])("%s is a failure of the storage: %p, of the connection: %p", (code, ofStorage, ofConnection) => {
    const error = new PostgresError(code, "A message")
    expect([isStorageFailure(error), isConnectionFailure(error)]).toEqual([ofStorage, ofConnection])
  })
})
