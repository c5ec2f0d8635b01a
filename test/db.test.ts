import { SqliteDatabase } from "../src/core/engine/sqlite/database"
import { describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { otherProcessVersion } from "../src/core/engine/change-token"
import { groupWriter } from "../src/core/write/writer"
import { systemClock } from "../src/core/lib/clock"
import { newId } from "../src/core/lib/id"
import { Refusal } from "../src/core/lib/refusal"

function openTable(beforeCommit: () => void = () => {}) {
  const db = new SqliteDatabase(":memory:", { strict: true })
  db.run("CREATE TABLE t (x INTEGER NOT NULL UNIQUE) STRICT")
  const commits: number[] = []
  const writer = groupWriter(db, systemClock(), beforeCommit)
  const insert = (x: number, refuse = false) =>
    writer((tx) => {
      db.query("INSERT INTO t (x) VALUES (?)").run(x)
      tx.afterCommit.push(() => commits.push(x))
      if (refuse) throw new Refusal("RECORD_IN_USE", "No.")
      return x
    })
  const rows = () =>
    db
      .query<{ x: number }, []>("SELECT x FROM t ORDER BY x")
      .all()
      .map(({ x }) => x)
  return { db, writer, insert, rows, commits }
}

describe("the writer", () => {
  test("rolls back only the refused write; the others of the same turn are committed", async () => {
    const { insert, rows, commits } = openTable()
    const outcomes = await Promise.allSettled([insert(1), insert(2, true), insert(3), insert(3), insert(4)])
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ])
    expect(rows()).toEqual([1, 3, 4])
    expect(commits).toEqual([1, 3, 4])
  })

  test("commits the writes of one turn together, and more than a batch in several batches", async () => {
    const { insert, rows } = openTable()
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => insert(i)))
    expect(rows()).toHaveLength(1_000)
  })

  test("refuses every write of a batch with 503 when the batch cannot be committed, and works afterwards", async () => {
    let broken = true
    const { writer, db, rows, commits } = openTable(() => {
      if (broken) throw new Error("disk full")
    })
    const insert = (x: number) =>
      writer((tx) => {
        db.query("INSERT INTO t (x) VALUES (?)").run(x)
        tx.afterCommit.push(() => commits.push(x))
      })
    for (const outcome of await Promise.allSettled([insert(1), insert(2)])) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { code: "SERVICE_UNAVAILABLE", status: 503 },
      })
    }
    expect([rows(), commits]).toEqual([[], []])
    broken = false
    await insert(3)
    expect([rows(), commits]).toEqual([[3], [3]])
  })

  test("rolls back the whole batch when SQLite itself has ended the transaction", async () => {
    const { db, writer, insert, rows } = openTable()
    const ending = writer(() => {
      db.run("ROLLBACK")
      throw new Error("the disk is full")
    })
    const outcomes = await Promise.allSettled([insert(1), ending, insert(2)])
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
    expect(rows()).toEqual([])
  })
})

describe("a turn of the event loop", () => {
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setTimeout(resolve)))

  function openTwice() {
    const folder = mkdtempSync(join(tmpdir(), "kontor-turn-"))
    const file = join(folder, "k.db")
    const [db, other] = [new SqliteDatabase(file), new SqliteDatabase(file)]
    db.run("PRAGMA journal_mode = WAL")
    db.run("CREATE TABLE t (x INTEGER NOT NULL UNIQUE) STRICT")
    const count = () => db.query<{ n: number }, []>("SELECT count(*) AS n FROM t").get()?.n
    const close = () => {
      db.close()
      other.close()
      rmSync(folder, { recursive: true })
    }
    return { db, other, count, close }
  }

  test("sees one state of the database; the next turn sees what another process has written", async () => {
    const { db, other, count, close } = openTwice()
    const before = otherProcessVersion(db)
    expect(count()).toBe(0)
    other.run("INSERT INTO t (x) VALUES (1)")
    expect([otherProcessVersion(db), count()]).toEqual([before, 0])
    await nextTurn()
    expect(db.inTransaction).toBeFalse()
    expect(otherProcessVersion(db)).not.toBe(before)
    expect(count()).toBe(1)
    close()
  })

  test("ends where a write begins, and the write sees all earlier writes", async () => {
    const { db, other, count, close } = openTwice()
    const writer = groupWriter(db, systemClock(), () => {})
    // Queued before the turn's first read, so that it runs before the turn would end automatically.
    const written = writer(() => ({ version: otherProcessVersion(db), count: count() }))
    const before = otherProcessVersion(db)
    expect(count()).toBe(0)
    other.run("INSERT INTO t (x) VALUES (1)")
    const { version, count: seen } = await written
    expect(version).not.toBe(before)
    expect(seen).toBe(1)
    await nextTurn()
    expect(db.inTransaction).toBeFalse()
    close()
  })

  test("can end when the database is closed", async () => {
    const { db, close } = openTwice()
    otherProcessVersion(db)
    close()
    await nextTurn()
  })
})

describe("ids", () => {
  test("sort in the order of creation, even when the clock stands still or goes back", () => {
    const ids = Array.from({ length: 5_000 }, (_, i) =>
      newId("x", new Date(1_800_000_000_000 - i).toISOString()),
    )
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids[0]).toMatch(/^x_[0-9a-hjkmnp-tv-z]{26}$/)
  })

  test("follow a clock that was wrong, and stay different", () => {
    const at = (millis: number) => newId("x", new Date(millis).toISOString())
    const [right, ahead, again] = [at(1_900_000_000_000), at(1_950_000_000_000), at(1_900_000_000_000)]
    expect(ahead > again).toBeTrue()
    expect(right.slice(0, 12)).toBe(again.slice(0, 12))
    expect(right).not.toBe(again)
  })
})
