import { SqliteDatabase } from "../sqlite/database"
import { existsSync, realpathSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { messageOf, Unusable } from "../../lib/refusal"
import { copyClean } from "./backup"
import { syncFile } from "./files"
import { holdFile } from "../sqlite/lock"
import { versionOf } from "../schema/migrate"
import { openToLook } from "../sqlite/open"
import { findSchemaFaults } from "../sqlite/schema-check"
import { discard } from "./unfinished"

/** The result of a restore: the version that is in place now, and the new name of the previous database. */
export type Restored = { version: number; aside: string | null }

/**
 * Replaces the database with a backup. The backup is checked before anything is changed. It gets its name by a single
 * rename, and the previous database stays next to it under another name. Sessions and secrets are not restored: new
 * secrets are created and everyone signs in again.
 */
export async function restore(copy: string, file: string, now: string): Promise<Restored> {
  const version = assertUsable(copy)
  if (existsSync(file) && realpathSync(copy) === realpathSync(file))
    throw new Unusable(`${copy} is the database itself. Give the name of a backup.`)
  if (existsSync(file)) holdFile(file)
  const unfinished = `${file}.${crypto.randomUUID()}.unfinished`
  try {
    const source = new SqliteDatabase(copy, { readonly: true, strict: true })
    try {
      await copyClean({ db: source, file: copy }, unfinished)
    } finally {
      source.close()
    }
    const aside = existsSync(file)
      ? moveAside(file, freeName(`${file}.replaced-${now.replace(/\D/g, "").slice(0, 14)}`))
      : null
    // These files belong to a database that no longer exists. SQLite would apply them to the new one.
    for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true })
    renameSync(unfinished, file)
    syncFile(dirname(realpathSync(file)))
    return { version, aside }
  } catch (error) {
    discard(unfinished)
    throw error instanceof Unusable ? error : new Unusable(`${file} cannot be written: ${messageOf(error)}.`)
  }
}

/** Refuses a file that is damaged, of another program, newer than this program, or has unknown tables or triggers. */
function assertUsable(copy: string): number {
  const db = openToLook(copy)
  try {
    const version = versionOf(db)
    if (version === 0) throw new Unusable(`${copy} is empty. It is not a Kontor backup.`)
    // Checked first, because reading rows executes code in the schema.
    const [foreign] = findSchemaFaults(db, version)
    if (foreign !== undefined) throw new Unusable(`${copy} was not used. ${foreign}`)
    const problems = [
      ...db
        .query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)")
        .all()
        .map((row) => row.integrity_check),
      ...db
        .query<{ table: string }, []>("PRAGMA foreign_key_check")
        .all()
        .map(({ table }) => `a row of ${table} refers to a row that does not exist`),
    ].filter((line) => line !== "ok")
    if (problems.length > 0) throw new Unusable(`${copy} is damaged and was not used: ${problems[0]}.`)
    return version
  } catch (error) {
    if (error instanceof Unusable) throw error
    throw new Unusable(`${copy} is damaged and was not used: ${messageOf(error)}.`)
  } finally {
    db.close()
  }
}

/**
 * Returns an unused name. Otherwise the second of two restores within a second would overwrite the first one's file.
 */
function freeName(wanted: string): string {
  let name = wanted
  for (let i = 2; existsSync(name); i++) name = `${wanted}-${i}`
  return name
}

/** Renames the database, including everything in its write-ahead log. */
function moveAside(file: string, aside: string): string {
  try {
    const db = new SqliteDatabase(file, { readwrite: true, strict: true })
    db.run("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
  } catch {
    // The database may be damaged, which may be the reason for the restore. It is renamed together with its log.
  }
  renameSync(file, aside)
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`)
  return aside
}
