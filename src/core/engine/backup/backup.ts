import { SqliteDatabase } from "../sqlite/database"
import { closeSync, existsSync, openSync, realpathSync, renameSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname } from "node:path"
import { Unusable } from "../../lib/refusal"
import { endTurn } from "../change-token"
import type { Database } from "../engine"
import { assertSound, copyAsBytes, isCopiedAsBytes, largeFrom } from "./copy/copy"
import { copyToDisk, syncFile } from "./files"
import { makePrivate, mayWrite } from "../sqlite/open"
import { deleteUnfinished, discard, unfinishedIn } from "./unfinished"

/** Tables that a backup does not contain: a restore does not need them, and a thief of the backup could use them. */
const excludedTables = [
  "sessions",
  "refresh_tokens",
  "oauth_codes",
  "secrets",
  "idempotency_keys",
  "uploads",
  "webhook_secrets",
  "setting_secrets",
  "oidc_sessions",
  "reset_requests",
  "password_resets",
  "used_challenges",
]

export type Source = { db: Database; file: string }

/** A file of this size, in bytes, or a larger one is copied as bytes and not row by row. */
export type CopyOptions = { largeFrom?: number }

/**
 * Creates a consistent backup of a database that may be in use. The backup is created next to the database, stripped of
 * secrets, checked and synced there, and only then moved to its target. The target may be a USB stick or a network share,
 * where an interrupted backup must not leave secrets.
 */
export async function backUp({ db, file }: Source, target: string, options: CopyOptions = {}): Promise<void> {
  await assertTarget(file, target)
  const folder = temporaryFolderOf(file)
  const raw = unfinishedIn(folder, "copy")
  try {
    await withReason(`The backup could not be created in ${folder}`, () => {
      deleteUnfinished(folder)
      return copyClean({ db, file }, raw, options)
    })
    await withReason(`${target} cannot be written`, () => {
      deleteUnfinished(dirname(target))
      moveTo(raw, target)
    })
  } finally {
    discard(raw)
  }
}

/**
 * Returns the folder for temporary files. The folder of the database has enough space, and others cannot read it. If it is
 * read-only, it is that of the system, because the place of the backup may be one for which secrets are not meant.
 */
export function temporaryFolderOf(source: string): string {
  if (source === ":memory:") return tmpdir()
  const folder = dirname(realpathSync(source))
  return mayWrite(folder) ? folder : tmpdir()
}

/** Refuses an unusable target before the backup, which may take long. */
async function assertTarget(source: string, target: string): Promise<void> {
  const folder = dirname(target)
  if (existsSync(target) && filesOf(source).includes(realpathSync(target)))
    throw new Unusable(`${target} is the database itself. Choose another name for the backup.`)
  if (existsSync(target) && statSync(target).isDirectory())
    throw new Unusable(`${target} is a folder. Give the name of a file.`)
  if (!existsSync(folder))
    throw new Unusable(`${target} cannot be written: the folder ${folder} does not exist.`)
  await withReason(`${target} cannot be written`, () => {
    const trial = unfinishedIn(folder, basename(target))
    closeSync(openSync(trial, "wx", 0o600))
    rmSync(trial)
  })
}

const filesOf = (source: string): string[] =>
  source === ":memory:" ? [] : ["", "-wal", "-shm"].map((suffix) => realpathSync(source) + suffix)

/**
 * Moves the backup to its target. On another file system it is written under a temporary name and synced before it gets
 * its final name.
 */
function moveTo(clean: string, target: string): void {
  const folder = realpathSync(dirname(target))
  if (!renamed(clean, target)) {
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

/** Renames a file. Returns false if the new name is on another file system. */
function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EXDEV") return false
    throw error
  }
}

/** Copies a database to a new file without its secrets, checks it and syncs it. */
export async function copyClean(source: Source, target: string, options: CopyOptions = {}): Promise<void> {
  const checkCopy = await copyAll(source, target, options)
  clean(target, checkCopy)
  syncFile(target)
}

/** Checks a copy in which the rows of some tables were deleted. */
type Check = (copy: SqliteDatabase, changed: string[]) => void

/** Copies a database to a new file, and returns how the copy must be checked. */
export async function copyAll(
  { db, file }: Source,
  target: string,
  { largeFrom: from = largeFrom }: CopyOptions = {},
): Promise<Check> {
  makePrivate(target)
  if (isCopiedAsBytes(db, file, from)) {
    await copyAsBytes(file, target)
    return assertSound
  }
  endTurn(db)
  db.run("VACUUM INTO ?", [target])
  return assertIntact
}

/** Deletes the rows of the excluded tables, and checks the file. */
function clean(file: string, check: Check): void {
  const copy = new SqliteDatabase(file, { readwrite: true, strict: true })
  try {
    copy.run("PRAGMA journal_mode = DELETE")
    // The file is synced when it is complete.
    copy.run("PRAGMA synchronous = OFF")
    // Overwrites deleted rows, so that they cannot be read from free pages.
    copy.run("PRAGMA secure_delete = ON")
    check(copy, deleteSecrets(copy))
  } finally {
    copy.close()
  }
}

/** Deletes the rows of the excluded tables. Returns the tables. */
export function deleteSecrets(db: SqliteDatabase): string[] {
  const tables = excludedTables.filter((table) => hasTable(db, table))
  for (const table of tables) db.run(`DELETE FROM ${table}`)
  return tables
}

function assertIntact(copy: SqliteDatabase): void {
  const found = copy.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get()?.integrity_check
  if (found !== "ok") throw new Unusable(`The backup is damaged and was deleted: ${found}.`)
}

/** A database of an older release does not have all tables. */
const hasTable = (db: SqliteDatabase, name: string): boolean =>
  db.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null

/** Runs `work`. An error is reported as `message: reason`. */
async function withReason(message: string, work: () => Promise<void> | void): Promise<void> {
  try {
    await work()
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
