// What `kontor check` finds in a file, in a fraction of the time of a process. Tests of the command show that it prints it.
import { faultsInRows, faultsOf } from "../../src/cli/database/check"
import type { Database } from "../../src/core/engine/engine"
import { openExisting } from "../../src/server/database"

function lookInto(file: string, find: (db: Database) => string[]): string[] {
  const db = openExisting(file)
  try {
    return db.engine.atOneMoment(() => find(db))
  } finally {
    db.close()
  }
}

/** All that it finds. */
export const problemsIn = (file: string): string[] => lookInto(file, (db) => faultsOf(db, []))

/** What it finds in the rows. To compare the tables with the schema takes ten times as long. */
export const problemsInRows = (file: string): string[] => lookInto(file, (db) => faultsInRows(db, []))
