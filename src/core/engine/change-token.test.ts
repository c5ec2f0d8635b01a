import { SqliteDatabase } from "./sqlite/database"
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { nextTurn } from "../lib/turns"
import { changeToken, endTurn, otherProcessVersion } from "./change-token"

const folder = mkdtempSync(join(tmpdir(), "kontor-unit-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Two connections to one file, as two processes have them. */
function connections(name: string) {
  const file = join(folder, name)
  const open = () => {
    const db = new SqliteDatabase(file)
    db.run("PRAGMA journal_mode = WAL")
    return db
  }
  const [here, there] = [open(), open()]
  there.run("CREATE TABLE notes (x)")
  return { here, write: () => there.run("INSERT INTO notes VALUES (1)") }
}

/** Reads the version from SQLite each time, without a cache. */
const plainVersion = (db: SqliteDatabase) =>
  db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version

test("The version that is read once per turn is the one that SQLite reports.", async () => {
  const { here, write } = connections("turns.db")
  for (let i = 0; i < 50; i++) {
    if (Math.random() < 0.5) write()
    const version = otherProcessVersion(here)
    expect(version).toBe(plainVersion(here) ?? -1)
    expect(otherProcessVersion(here)).toBe(version)
    await nextTurn()
    expect(here.inTransaction).toBeFalse()
  }
})

test("A write of another process is seen in the next turn, and after endTurn in the same turn.", async () => {
  const { here, write } = connections("others.db")
  const first = otherProcessVersion(here)
  write()
  expect(otherProcessVersion(here)).toBe(first)
  endTurn(here)
  const second = otherProcessVersion(here)
  expect(second).not.toBe(first)
  await nextTurn()
  write()
  expect(otherProcessVersion(here)).not.toBe(second)
})

test("The change token also changes with a write of this process.", async () => {
  const { here } = connections("own.db")
  const before = changeToken(here)
  await nextTurn()
  here.run("INSERT INTO notes VALUES (2)")
  expect(changeToken(here)).not.toBe(before)
})
