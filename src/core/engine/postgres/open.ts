import { Unusable } from "../../lib/unusable"
import { asDatabase, type Database } from "../engine"
import { PostgresDatabase, type PostgresOptions } from "./driver/database"
import { changesChannel } from "./write-lock"
import { hasOurTables, isEmpty } from "./state"

/** Opens a database for a server or a command. A database of another program is not changed. */
export function openPostgres(address: string): Database {
  const db = openedPostgres(address)
  db.listen(changesChannel)
  return asDatabase(db)
}

/** Opens a database for long reads in another thread. Each query sees what was committed before it. */
export const openPostgresReader = (address: string): Database => asDatabase(openedPostgres(address))

/** In milliseconds: longer than an export waits for its client (`core/http/answer/pace.ts`). */
const longestIdle = 10 * 60_000

/** Opens a database for reading in its current state. The connection may be idle while a client reads slowly. */
export function openPostgresSnapshot(address: string): Database {
  const db = openedPostgres(address)
  db.run(`SET idle_in_transaction_session_timeout = ${longestIdle}`)
  db.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  // The transaction sees the state at its first read.
  db.query("SELECT 1").get()
  return asDatabase(db)
}

/** Opens a connection. Refuses a database of another program. */
export function openedPostgres(address: string, options?: PostgresOptions): PostgresDatabase {
  const db = new PostgresDatabase(address, options)
  try {
    // In this order: another server may create the tables in between.
    if (!isEmpty(db) && !hasOurTables(db))
      throw new Unusable(`${db.filename} is a database of another program, not a Kontor database.`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
