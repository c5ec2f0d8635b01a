import { Database } from "bun:sqlite"
import { existsSync, realpathSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { Unusable } from "../lib/unusable"
import { copyClean } from "./backup"
import { syncFile } from "./files"
import { holdFile } from "./lock"
import { versionOf } from "./migrate"
import { openToLook } from "./open"
import { findSchemaFaults } from "./schema-check"

/** What was done: the version that is in place now, and where the database that was there before is kept. */
export type Restored = { version: number; aside: string | null }

/**
 * Puts a copy in the place of the database. The copy is looked through before anything is touched; it gets its name
 * by a single rename, and the database that was there is kept beside it. Sessions and secrets do not come back: new
 * ones are made, and everyone signs in again.
 */
export function restore(copy: string, file: string, now: string): Restored {
  const version = assertWhole(copy)
  if (existsSync(file) && realpathSync(copy) === realpathSync(file))
    throw new Unusable(`${copy} is the database itself. Name the copy that is to take its place.`)
  if (existsSync(file)) holdFile(file)
  const unfinished = `${file}.${crypto.randomUUID()}.unfinished`
  try {
    const source = new Database(copy, { readonly: true, strict: true })
    try {
      copyClean(source, unfinished)
    } finally {
      source.close()
    }
    const aside = existsSync(file)
      ? moveAside(file, freeName(`${file}.replaced-${now.replace(/\D/g, "").slice(0, 14)}`))
      : null
    // Without a database they belong to nothing, and SQLite would read them into the new one.
    for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true })
    renameSync(unfinished, file)
    syncFile(dirname(realpathSync(file)))
    return { version, aside }
  } catch (error) {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(unfinished + suffix, { force: true })
    throw error instanceof Unusable
      ? error
      : new Unusable(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** Refuses what is damaged, of another program, newer than we are, or holds tables or triggers that are not ours. */
function assertWhole(copy: string): number {
  const db = openToLook(copy)
  try {
    const version = versionOf(db)
    if (version === 0) throw new Unusable(`${copy} is empty: it is no copy of a database of Kontor.`)
    // First, because to look through the rows is to run what the tables say.
    const [strange] = findSchemaFaults(db, version)
    if (strange !== undefined) throw new Unusable(`${copy} was not used. ${strange}`)
    const faults = [
      ...db
        .query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)")
        .all()
        .map((row) => row.integrity_check),
      ...db
        .query<{ table: string }, []>("PRAGMA foreign_key_check")
        .all()
        .map(({ table }) => `a row of ${table} points nowhere`),
    ].filter((line) => line !== "ok")
    if (faults.length > 0) throw new Unusable(`${copy} is damaged and was not used: ${faults[0]}.`)
    return version
  } catch (error) {
    if (error instanceof Unusable) throw error
    throw new Unusable(
      `${copy} is damaged and was not used: ${error instanceof Error ? error.message : String(error)}.`,
    )
  } finally {
    db.close()
  }
}

/** Two within a second would have the same name, and the second would take the place of the first. */
function freeName(wanted: string): string {
  let name = wanted
  for (let i = 2; existsSync(name); i++) name = `${wanted}-${i}`
  return name
}

/** Gives the database another name, with all that was written to it. */
function moveAside(file: string, aside: string): string {
  try {
    const db = new Database(file, { readwrite: true, strict: true })
    db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
  } catch {
    // It may be why one restores: damaged as it is, it is kept with its log.
  }
  renameSync(file, aside)
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`)
  return aside
}
