import { afterAll, beforeAll, expect, test } from "bun:test"
import "../../kinds"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate } from "./schema/migrate"
import { openDatabase } from "./place"
import { readerThread } from "./reader-thread"

const folder = mkdtempSync(join(tmpdir(), "kontor-unit-"))
const file = join(folder, "kontor.db")
beforeAll(() => {
  const db = openDatabase(file)
  migrate(db)
  db.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

test("A query that fails does not affect the others.", async () => {
  const thread = readerThread(file)
  const [wrong, right] = await Promise.allSettled([
    thread.read("SELECT nothing", []),
    thread.read("SELECT ? AS x", [1]),
  ])
  expect(wrong.status).toBe("rejected")
  expect(right).toMatchObject({ status: "fulfilled", value: { rows: [{ x: 1 }] } })
  thread.stop()
})

test("A query of a database that cannot be opened is refused as unavailable.", async () => {
  const thread = readerThread(join(folder, "missing.db"))
  await expect(thread.read("SELECT 1 AS x", [])).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  thread.stop()
})

test("A stop ends the queries that wait, and no later query starts the thread again.", async () => {
  const thread = readerThread(file)
  const waiting = thread.read("SELECT 1 AS x", [])
  thread.stop()
  await expect(waiting).rejects.toThrow("The server is stopping.")
  await expect(thread.read("SELECT 1 AS x", [])).rejects.toThrow("The server is stopping.")
})
