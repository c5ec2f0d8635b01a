import { Unusable } from "../lib/refusal"
import { deleteSecrets } from "./backup/backup"
import { endTurn } from "./change-token"
import type { Database, Place } from "./engine"
import { addressPlace, isAddress } from "./postgres/place"
import { SqliteDatabase } from "./sqlite/database"
import { openFileCopy, openFileSnapshot } from "./sqlite/open"
import { filePlace } from "./sqlite/place"

/** The database of a name: the path of a file, `:memory:`, or the address of a PostgreSQL database. */
export const placeOf = (name: string): Place => (isAddress(name) ? addressPlace(name) : filePlace(name))

/** Opens a database. A database of another program is not changed. */
export const openDatabase = (name: string): Database => placeOf(name).open()

/** Closes a database for good. */
export function closeDatabase(db: Database): void {
  endTurn(db)
  db.engine.beforeClose()
  db.close()
}

/** Opens what `snapshotSource` returned, for reading in its current state: the connection does not see later writes. */
export const openSnapshot = (source: string | Uint8Array): Database =>
  typeof source === "string" ? placeOf(source).openSnapshot() : openFileSnapshot(source)

/** The name of a database. Only this thread can read one in memory, so another one gets its bytes. */
export const snapshotSource = (db: Database, name: string): string | Uint8Array<ArrayBuffer> =>
  name === ":memory:" && db instanceof SqliteDatabase ? new Uint8Array(db.serialize()) : name

/** Opens the bytes that `snapshotSource` returned as a database of its own, which can be written. */
export const openCopy = (bytes: Uint8Array): Database => openFileCopy(bytes)

/** The same without the secrets of its server, which makes new ones. The hashes of passwords and keys stay. */
export function openCopyWithoutSecrets(bytes: Uint8Array): Database {
  const db = openFileCopy(bytes)
  deleteSecrets(db)
  return db
}

/** Why Kontor makes no backups of a PostgreSQL database. */
export const noBackups =
  "Kontor does not back up or restore a PostgreSQL database. Use pg_dump or pgBackRest instead."

/** Refuses a command that needs a database file. */
export function assertFile(name: string): void {
  if (!placeOf(name).backups) throw new Unusable(noBackups)
}
