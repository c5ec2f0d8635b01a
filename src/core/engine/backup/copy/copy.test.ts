import { Database } from "bun:sqlite"
import { afterAll, expect, test } from "bun:test"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openFile } from "../../sqlite/open"
import { applicationId } from "../../sqlite/schema"
import { copyAsBytes } from "./copy"
import { isLong } from "../../../../../test/support/long"

const folder = mkdtempSync(join(tmpdir(), "kontor-unit-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = () => join(folder, `${++files}.db`)

const tables = `CREATE TABLE one (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL, note TEXT);
  CREATE TABLE two (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL, note TEXT);
  CREATE INDEX two_note ON two (note);
  CREATE TABLE last (n INTEGER NOT NULL); INSERT INTO last VALUES (0);`

function newDatabase(): { db: Database; file: string } {
  const file = newFile()
  const db = openFile(file)
  db.run(`PRAGMA application_id = ${applicationId}`)
  for (const statement of tables.split(";")) if (statement.trim()) db.run(statement)
  return { db, file }
}

async function copyOf(source: string): Promise<string> {
  const target = newFile()
  writeFileSync(target, "")
  await copyAsBytes(source, target)
  expect([`${target}-wal`, `${target}-shm`, `${target}-journal`].filter((name) => existsSync(name))).toEqual(
    [],
  )
  return target
}

function looking<T>(file: string, look: (db: Database) => T): T {
  const db = new Database(file, { readonly: true })
  try {
    return look(db)
  } finally {
    db.close()
  }
}
const rowsOf = (db: Database) =>
  ["one", "two", "last"].map((table) => db.query(`SELECT * FROM ${table}`).values())
const integrity = (db: Database) => db.query("PRAGMA integrity_check").values()

/** The words that `busy-writer` and the tests write, wherever they are in a file. */
const wordsIn = (text: string) => new Set(text.match(/Tok\d+-/g))
const wordsOf = (file: string) => wordsIn(readFileSync(file).toString("latin1"))
const liveWords = (file: string) => looking(file, (db) => wordsIn(JSON.stringify(rowsOf(db))))

/** Starts a process that writes, and returns the number of its last committed transaction. */
function startWriter(file: string, seed: number) {
  const script = join(import.meta.dir, "../../../../../test/support/busy-writer.ts")
  const child = Bun.spawn([process.execPath, script, file, String(seed)], {
    stdout: "pipe",
    stderr: "ignore",
  })
  let last = 0
  const reading = (async () => {
    for await (const bytes of child.stdout)
      last = Number(new TextDecoder().decode(bytes).trimEnd().split("\n").at(-1)) || last
  })()
  return {
    last: () => last,
    async stop() {
      child.kill("SIGKILL")
      await child.exited
      await reading.catch(() => {})
    },
  }
}

test("A copy of a file that another process writes and checkpoints is a state that existed, without deleted rows.", async () => {
  for (let seed = 1; seed <= (isLong ? 3 : 1); seed++) {
    const { db, file } = newDatabase()
    db.close()
    const writer = startWriter(file, seed)
    while (writer.last() < 100) await Bun.sleep(5)
    try {
      for (let round = 0; round < (isLong ? 8 : 4); round++) {
        await Bun.sleep(round * 7)
        const known = writer.last()
        const copy = await copyOf(file)
        looking(copy, (made) => {
          expect(integrity(made)).toEqual([["ok"]])
          expect(
            made.query("SELECT (SELECT sum(amount) FROM one) + (SELECT sum(amount) FROM two)").values(),
          ).toEqual([[0]])
          expect(Number(made.query("SELECT n FROM last").values()[0]?.[0])).toBeGreaterThanOrEqual(known)
        })
        expect([...wordsOf(copy).difference(liveWords(copy))]).toEqual([])
        rmSync(copy)
      }
    } finally {
      await writer.stop()
    }
  }
})

test("A copy has all rows, and nothing of rows that were deleted, in pages of every kind.", async () => {
  const most = isLong ? 2000 : 600
  for (const pageSize of [1024, 4096, 65_536]) {
    const file = newFile()
    const empty = new Database(file, { create: true })
    empty.run(`PRAGMA page_size = ${pageSize}`)
    empty.run("VACUUM")
    empty.close()
    const db = openFile(file)
    db.run("PRAGMA synchronous = OFF")
    db.run(`PRAGMA application_id = ${applicationId}`)
    for (const statement of tables.split(";")) if (statement.trim()) db.run(statement)
    const note = (i: number) => `Tok${i}-`.repeat(i % 17 === 0 ? 3000 : i % 5 === 0 ? 400 : i % 40)
    for (let i = 0; i < most; i++) db.run("INSERT INTO one VALUES (?, 0, ?)", [i, note(i)])
    db.run("DELETE FROM one WHERE id % 3 = 0 OR id BETWEEN ? AND ?", [most / 2, most * 0.75])
    for (let i = 0; i < most * 0.3; i++) db.run("INSERT INTO two VALUES (?, 0, ?)", [i, note(10_000 + i * 3)])
    db.run("DELETE FROM two WHERE id % 4 = 0")
    db.run("UPDATE two SET note = substr(note, 1, length(note) / 2) WHERE id % 7 = 0")
    db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    db.run("DELETE FROM one WHERE id > ?", [most * 0.95])
    expect([...wordsOf(file).difference(liveWords(file))].length).toBeGreaterThan(100)
    const copy = await copyOf(file)
    expect(looking(copy, integrity)).toEqual([["ok"]])
    expect(looking(copy, rowsOf)).toEqual(looking(file, rowsOf))
    expect([...wordsOf(copy).difference(liveWords(copy))]).toEqual([])
    expect(looking(copy, (made) => made.query("PRAGMA journal_mode").values())).toEqual([["delete"]])
    db.close()
    const again = await copyOf(copy)
    expect(looking(again, rowsOf)).toEqual(looking(copy, rowsOf))
  }
})

test("A damaged table, and a free page that is in use, are refused.", async () => {
  const { db, file } = newDatabase()
  db.run("PRAGMA synchronous = OFF")
  for (let i = 0; i < 3000; i++) db.run("INSERT INTO one VALUES (?, 0, ?)", [i, `Tok${i}-`.repeat(20)])
  db.run("DELETE FROM one WHERE id > 2000")
  db.run("PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
  const bytes = readFileSync(file)
  const pageOf = (id: number) => Math.floor(bytes.indexOf(`Tok${id}-`) / 4096)
  const damagedBy = (change: (bytes: Buffer) => void): string => {
    const damaged = newFile()
    copyFileSync(file, damaged)
    const changed = Buffer.from(bytes)
    change(changed)
    writeFileSync(damaged, changed)
    return damaged
  }
  const torn = damagedBy((changed) => changed.fill(0xff, pageOf(500) * 4096 + 8, pageOf(500) * 4096 + 40))
  await expect(copyOf(torn)).rejects.toThrow("The database is damaged, so there is no backup: ")
  const trunk = (bytes.readUInt32BE(32) - 1) * 4096
  const twice = damagedBy((changed) => changed.writeUInt32BE(pageOf(500) + 1, trunk + 8))
  await expect(copyOf(twice)).rejects.toThrow(`page ${pageOf(500) + 1} is free, but page`)
})
