import { chmodSync, copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Unusable } from "../../lib/refusal"
import type { Opened } from "../engine"
import { SqliteDatabase } from "./database"
import { logsOf, mayChange, openFile, openFileToRead } from "./open"

/**
 * Opens a file for a command that only reads it, also in a place that cannot be written, such as a backup medium or a
 * snapshot. If a log beside it has a part of the database, which SQLite reads only where it may write, both are copied.
 */
export function openToRead(file: string): Opened {
  if (!existsSync(file)) throw new Unusable(`There is no database at ${file}.`)
  if (mayChange(file)) return withClose(openFile(file), file)
  try {
    return withClose(openFileToRead(file), file)
  } catch (error) {
    if (logsOf(file).length === 0) throw error
    return openCopy(file)
  }
}

const withClose = (db: SqliteDatabase, file: string): Opened => ({ db, file, close: () => db.close() })

/** Copies a file with what is beside it to a folder of its own, which is deleted when the copy is closed. */
function openCopy(file: string): Opened {
  const folder = mkdtempSync(join(tmpdir(), "kontor-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, basename(file))
    copyUnchanged(file, copy)
    const db = openFile(copy)
    return {
      db,
      file: copy,
      close() {
        db.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** Copies files that another program, which may write there, does not change meanwhile. */
function copyUnchanged(file: string, copy: string): void {
  const source = realpathSync(file)
  const parts = ["", ...logsOf(file)]
  const state = () =>
    parts.map((suffix) => statSync(source + suffix)).map(({ size, mtimeMs }) => [size, mtimeMs])
  const before = state()
  for (const suffix of parts) {
    copyFileSync(source + suffix, copy + suffix)
    // The mode was copied too.
    chmodSync(copy + suffix, 0o600)
  }
  if (!Bun.deepEquals([logsOf(file), state()], [parts.slice(1), before]))
    throw new Unusable(
      `${file} is being changed by another program, and cannot be read where its folder is read-only.`,
    )
}
