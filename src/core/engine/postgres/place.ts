import { Unusable } from "../../lib/refusal"
import type { Place } from "../engine"
import { PostgresDatabase, type PostgresOptions } from "./driver/database"
import { asDatabase } from "./engine"
import { hasOurTables, isEmpty } from "./schema/tables"
import { changesChannel } from "./lock"

/** True for the address of a PostgreSQL database, and false for the name of a file. */
export const isAddress = (name: string): boolean => /^postgres(ql)?:\/\//i.test(name)

/** In milliseconds: longer than an export waits for its client (`core/http/answer/download.ts`). */
const longestIdle = 10 * 60_000

/** A database of a PostgreSQL server. */
export function addressPlace(address: string): Place {
  const shown = withoutPassword(address)
  return {
    shown,
    is: (other) => address === other,
    assertExists() {},
    emptySentence: `The database ${shown} has no tables. "kontor serve" creates them.`,
    open() {
      const db = opened(address)
      db.listen(changesChannel)
      return asDatabase(db)
    },
    openReader: () => asDatabase(opened(address)),
    openSnapshot() {
      const db = opened(address)
      // The connection may be idle while a client reads slowly.
      db.run(`SET idle_in_transaction_session_timeout = ${longestIdle}`)
      db.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      // The transaction sees the state at its first read.
      db.query("SELECT 1").get()
      return asDatabase(db)
    },
    openTarget() {
      // A statement of the last check may take any time.
      const db = asDatabase(opened(address, { answerTime: 0 }))
      db.engine.transfer.allowIdle()
      return db
    },
    hold() {},
    release() {},
    backups: null,
  }
}

const withoutPassword = (address: string): string =>
  address.replace(/^(\w+:\/\/[^:@/?]*):.*@/, "$1@").replace(/([?&](?:ssl)?password=)[^&]*/gi, "$1…")

/** Opens a connection. Refuses a database of another program. */
function opened(address: string, options?: PostgresOptions): PostgresDatabase {
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
