import { afterAll, expect, test } from "bun:test"
import "../../../kinds"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate } from "../schema/migrate"
import { openDatabase } from "../place"
import { openToLook } from "./open"

const folder = mkdtempSync(join(tmpdir(), "kontor-unit-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** The number of locks on a file. Only Linux lists them. */
function locksOn(file: string): number {
  if (process.platform !== "linux") return 1
  const { ino } = statSync(file)
  return readFileSync("/proc/locks", "utf8")
    .split("\n")
    .filter((line) => line.includes(`:${ino} `)).length
}

test("A connection for reading does not release the lock of another connection of this process.", () => {
  const file = join(folder, "kontor.db")
  const db = openDatabase(file)
  migrate(db)
  expect(locksOn(file)).toBe(1)
  openToLook(file).close()
  expect(locksOn(file)).toBe(1)
  db.close()
})
