import { Database } from "bun:sqlite"
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { wallClock } from "../lib/clock"
import { Unusable } from "../lib/unusable"
import { endTurn } from "./changes"
import { makePrivate } from "./open"

/** What a copy has no use for and a thief would: whoever restores it signs in again. */
const leftOut = ["sessions", "refresh_tokens", "oauth_codes", "secrets", "idempotency_keys"]

/**
 * A consistent copy of a database that may be in use. It is made under another name, emptied of secrets, checked
 * and brought to the disk, and only then gets its own.
 */
export function backUp(db: Database, source: string, target: string): void {
  if (existsSync(target) && filesOf(source).includes(realpathSync(target)))
    throw new Unusable(`${target} is the database itself. Choose another name for the copy.`)
  const unfinished = join(dirname(target), `.${basename(target)}.${crypto.randomUUID()}.unfinished`)
  try {
    clearLeft(dirname(target))
    copyClean(db, unfinished)
    renameSync(unfinished, target)
    syncFile(dirname(target))
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error instanceof Unusable ? error : new Unusable(`${target} cannot be written: ${reasonOf(error)}.`)
  }
}

const unfinishedName = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.unfinished(-journal)?$/
const anHour = 3_600_000

/**
 * Removes what a power cut or a stop has left of earlier copies, which would add up to a full disk. Nobody has written to it
 * for an hour: what is younger may be a copy that is being made.
 */
function clearLeft(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => unfinishedName.test(each))) {
    const { mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {}
    if (mtimeMs !== undefined && Date.parse(wallClock()) - mtimeMs > anHour)
      rmSync(join(folder, name), { force: true })
  }
}

const filesOf = (source: string): string[] =>
  source === ":memory:" ? [] : ["", "-wal", "-shm"].map((suffix) => realpathSync(source) + suffix)

/** Copies a database to a file that is not there yet, without its secrets, checked and on the disk. */
export function copyClean(db: Database, target: string): void {
  makePrivate(target)
  endTurn(db)
  db.run("VACUUM INTO ?", [target])
  clean(target)
  syncFile(target)
}

/** Takes out what must not be in it, leaves no trace of it in free pages, and checks the rest. */
function clean(file: string): void {
  const copy = new Database(file, { readwrite: true, strict: true })
  try {
    copy.run("PRAGMA journal_mode = DELETE")
    // What is deleted is overwritten too, so that no free page tells of it.
    copy.run("PRAGMA secure_delete = ON")
    for (const table of leftOut) if (hasTable(copy, table)) copy.run(`DELETE FROM ${table}`)
    const found = copy.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get()?.integrity_check
    if (found !== "ok") throw new Unusable(`The copy is damaged and was thrown away: ${found}.`)
  } finally {
    copy.close()
  }
}

/** A copy of the first release has no codes to take out. */
const hasTable = (db: Database, name: string): boolean =>
  db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null

export function syncFile(path: string): void {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
