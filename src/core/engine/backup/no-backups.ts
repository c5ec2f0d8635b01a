import { isPostgresAddress } from "../engine"
import { Unusable } from "../../lib/unusable"

/** Why Kontor makes no backups of a PostgreSQL database. */
export const noBackups =
  "Kontor does not back up or restore a PostgreSQL database. Use pg_dump or pgBackRest instead."

/** Refuses a command that needs a database file. */
export function assertFile(file: string): void {
  if (isPostgresAddress(file)) throw new Unusable(noBackups)
}
