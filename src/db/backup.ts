import { Database } from "bun:sqlite"
import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname } from "node:path"
import { Unusable } from "../lib/unusable"
import { endTurn } from "./change-token"
import { copyToDisk, syncFile } from "./files"
import { makePrivate } from "./open"
import { deleteUnfinished, unfinishedIn } from "./unfinished"

/** Tables that a backup does not contain: a restore does not need them, and a thief of the backup could use them. */
const excludedTables = [
  "sessions",
  "refresh_tokens",
  "oauth_codes",
  "secrets",
  "idempotency_keys",
  "uploads",
  "webhook_secrets",
]

/**
 * Creates a consistent backup of a database that may be in use. The backup is created next to the database, stripped of
 * secrets and checked there, and only then copied to its target. The target may be a USB stick or a network share,
 * where an interrupted backup must not leave secrets. There it is written under a temporary name and synced before it
 * gets its final name.
 */
export function backUp(db: Database, source: string, target: string): void {
  assertTarget(source, target)
  const folder = temporaryFolderOf(source)
  const raw = unfinishedIn(folder, "copy")
  try {
    withReason(`The backup could not be created in ${folder}`, () => {
      deleteUnfinished(folder)
      copyClean(db, raw)
    })
    withReason(`${target} cannot be written`, () => {
      deleteUnfinished(dirname(target))
      moveTo(raw, target)
    })
  } finally {
    for (const suffix of ["", "-journal"]) rmSync(raw + suffix, { force: true })
  }
}

/**
 * Returns the folder for temporary files. The folder of the database has enough space, and others cannot read it.
 */
const temporaryFolderOf = (source: string): string =>
  source === ":memory:" ? tmpdir() : dirname(realpathSync(source))

/** Refuses an unusable target before the backup, which may take long. */
function assertTarget(source: string, target: string): void {
  const folder = dirname(target)
  if (existsSync(target) && filesOf(source).includes(realpathSync(target)))
    throw new Unusable(`${target} is the database itself. Choose another name for the backup.`)
  if (existsSync(target) && statSync(target).isDirectory())
    throw new Unusable(`${target} is a folder. Give the name of a file.`)
  if (!existsSync(folder))
    throw new Unusable(`${target} cannot be written: the folder ${folder} does not exist.`)
  withReason(`${target} cannot be written`, () => {
    const trial = unfinishedIn(folder, basename(target))
    closeSync(openSync(trial, "wx", 0o600))
    rmSync(trial)
  })
}

const filesOf = (source: string): string[] =>
  source === ":memory:" ? [] : ["", "-wal", "-shm"].map((suffix) => realpathSync(source) + suffix)

function moveTo(clean: string, target: string): void {
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

/** Copies a database to a new file without its secrets, checks it and syncs it. */
export function copyClean(db: Database, target: string): void {
  makePrivate(target)
  endTurn(db)
  db.run("VACUUM INTO ?", [target])
  clean(target)
  syncFile(target)
}

/** Deletes the rows of the excluded tables, and checks the file. */
function clean(file: string): void {
  const copy = new Database(file, { readwrite: true, strict: true })
  try {
    copy.run("PRAGMA journal_mode = DELETE")
    // Overwrites deleted rows, so that they cannot be read from free pages.
    copy.run("PRAGMA secure_delete = ON")
    for (const table of excludedTables) if (hasTable(copy, table)) copy.run(`DELETE FROM ${table}`)
    const found = copy.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get()?.integrity_check
    if (found !== "ok") throw new Unusable(`The backup is damaged and was deleted: ${found}.`)
  } finally {
    copy.close()
  }
}

/** A database of an older release does not have all tables. */
const hasTable = (db: Database, name: string): boolean =>
  db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null

/** Runs `work`. An error is reported as `message: reason`. */
function withReason(message: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw error instanceof Unusable ? error : new Unusable(`${message}: ${reasonOf(error)}.`)
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (["ENOSPC", "EDQUOT", "SQLITE_FULL"].includes(code)) return "the disk is full"
  // Omits the name of a temporary file, which would confuse the user.
  return error instanceof Error ? error.message.replace(/, \w+ '.*$/, "") : String(error)
}
