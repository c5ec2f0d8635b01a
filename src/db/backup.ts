import { Database } from "bun:sqlite"
import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname } from "node:path"
import { Unusable } from "../lib/unusable"
import { endTurn } from "./change-token"
import { copyToDisk, syncFile } from "./files"
import { makePrivate } from "./open"
import { clearLeft, unfinishedIn } from "./unfinished"

/** What a copy has no use for and a thief would: whoever restores it signs in again. */
const leftOut = ["sessions", "refresh_tokens", "oauth_codes", "secrets", "idempotency_keys"]

/**
 * A consistent copy of a database that may be in use. It is made beside the database, emptied of secrets and checked there,
 * and only then brought to where it goes: that may be a stick or a share, on which a copy that is cut short must not leave
 * them. There it is written under another name and brought to the disk before it gets its own.
 */
export function backUp(db: Database, source: string, target: string): void {
  assertPlace(source, target)
  const workshop = workshopOf(source)
  const raw = unfinishedIn(workshop, "copy")
  try {
    told(`A copy is first made in ${workshop}, and that failed`, () => {
      clearLeft(workshop)
      copyClean(db, raw)
    })
    told(`${target} cannot be written`, () => {
      clearLeft(dirname(target))
      bringTo(raw, target)
    })
  } finally {
    for (const suffix of ["", "-journal"]) rmSync(raw + suffix, { force: true })
  }
}

/** Where the database lies there is room for it, and nobody reads along who does not read the database. */
const workshopOf = (source: string): string =>
  source === ":memory:" ? tmpdir() : dirname(realpathSync(source))

/** Refuses a place that no copy can go to, before one is made that may take long. */
function assertPlace(source: string, target: string): void {
  const folder = dirname(target)
  if (existsSync(target) && filesOf(source).includes(realpathSync(target)))
    throw new Unusable(`${target} is the database itself. Choose another name for the copy.`)
  if (existsSync(target) && statSync(target).isDirectory())
    throw new Unusable(`${target} is a folder. Name the file that is to be the copy.`)
  if (!existsSync(folder)) throw new Unusable(`${target} cannot be written: there is no folder ${folder}.`)
  told(`${target} cannot be written`, () => {
    const trial = unfinishedIn(folder, basename(target))
    closeSync(openSync(trial, "wx", 0o600))
    rmSync(trial)
  })
}

const filesOf = (source: string): string[] =>
  source === ":memory:" ? [] : ["", "-wal", "-shm"].map((suffix) => realpathSync(source) + suffix)

function bringTo(clean: string, target: string): void {
  const folder = realpathSync(dirname(target))
  if (folder === realpathSync(dirname(clean))) renameSync(clean, target)
  else {
    const unfinished = unfinishedIn(folder, basename(target))
    try {
      copyToDisk(clean, unfinished)
      renameSync(unfinished, target)
    } catch (error) {
      rmSync(unfinished, { force: true })
      throw error
    }
  }
  syncFile(folder)
}

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

/** Does the work; what goes wrong is told after these words. */
function told(words: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw error instanceof Unusable ? error : new Unusable(`${words}: ${reasonOf(error)}.`)
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (["ENOSPC", "EDQUOT", "SQLITE_FULL"].includes(code)) return "the disk is full"
  // Without the name of a file that nobody has asked for.
  return error instanceof Error ? error.message.replace(/, \w+ '.*$/, "") : String(error)
}
