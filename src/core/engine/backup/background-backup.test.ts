import { SqliteDatabase } from "../sqlite/database"
import { afterAll, beforeAll, expect, test } from "bun:test"
import "../../../kinds"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { backgroundBackup } from "./background-backup"
import { migrate } from "../schema/migrate"
import { openFile } from "../sqlite/open"

// Every file counts as a large one here.
const options = { largeFrom: 0 }
const folder = mkdtempSync(join(tmpdir(), "kontor-unit-"))
const file = join(folder, "kontor.db")
let db: SqliteDatabase
beforeAll(() => {
  db = openFile(file)
  migrate(db)
})
afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true })
})
const databaseFiles = ["kontor.db", "kontor.db-shm", "kontor.db-wal"]
const secret = (i: number) => `hidden-${i}-`.repeat(20)

test("A backup of a large file has no secrets, neither present nor deleted ones.", async () => {
  for (let i = 0; i < 400; i++) db.run("INSERT INTO secrets VALUES (?, ?)", [`name-${i}`, secret(i)])
  db.run("DELETE FROM secrets WHERE name LIKE 'name-%5' OR name LIKE 'name-3%'")
  for (let i = 0; i < 300; i++)
    db.run("INSERT INTO number_series (name, last) VALUES (?, 1)", [`series ${i} `.repeat(1 + (i % 9))])
  db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  db.run("DELETE FROM secrets WHERE name LIKE 'name-1%'")
  const target = join(folder, "copy")
  await backgroundBackup(db, file, options).copyTo(target)
  expect(readdirSync(folder).toSorted()).toEqual(["copy", ...databaseFiles])
  expect(statSync(target).mode & 0o777).toBe(0o600)
  expect(readFileSync(target).toString("latin1")).not.toContain("hidden-")
  const copy = new SqliteDatabase(target, { readonly: true })
  expect(copy.query("PRAGMA integrity_check").values()).toEqual([["ok"]])
  expect(copy.query("SELECT count(*) FROM secrets").values()).toEqual([[0]])
  expect(copy.query("SELECT name, last FROM number_series").values()).toEqual(
    db.query("SELECT name, last FROM number_series").values(),
  )
  copy.close()
  rmSync(target)
})

test("Many backups of a large file do not use up descriptors.", async () => {
  const opened = () => (process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0)
  const backups = backgroundBackup(db, file, options)
  await backups.copyTo(join(folder, "copy"))
  const before = opened()
  for (let i = 0; i < 10; i++) await backups.copyTo(join(folder, "copy"))
  expect(opened()).toBeLessThan(before + 5)
  rmSync(join(folder, "copy"))
})

test("A backup of a large file that fails is one sentence, and leaves no file.", async () => {
  db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  const bytes = readFileSync(file)
  const page = Math.floor(bytes.indexOf("series 77 ") / 4096) * 4096
  mkdirSync(join(folder, "damaged"))
  const damaged = join(folder, "damaged", "kontor.db")
  writeFileSync(damaged, bytes.fill(0xff, page + 8, page + 40))
  const refused = backgroundBackup(db, damaged, options).copyTo(join(folder, "damaged", "copy"))
  await expect(refused).rejects.toThrow(/^The database is damaged, so there is no backup: .*\.$/s)
  expect(readdirSync(join(folder, "damaged")).filter((name) => !databaseFiles.includes(name))).toEqual([])
})
