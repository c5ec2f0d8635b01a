import { steadyMillis } from "../../lib/clock"
import type { Log } from "../../lib/process/log"
import { Unusable } from "../../lib/refusal"
import type { Database, Place } from "../engine"
import { PostgresDatabase, type PostgresOptions, Unreachable } from "./driver/database"
import { asDatabase } from "./engine"
import { hasOurTables, isEmpty } from "./schema/tables"
import { changesChannelOf } from "./lock"

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
    open: () => openListening(address),
    openWhenUp: ({ log, isOver }) => whenUp(() => openListening(address), log, isOver),
    openToRead() {
      const db = openListening(address)
      return { db, file: address, close: () => db.close() }
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

function openListening(address: string): Database {
  const db = opened(address)
  db.listen(changesChannelOf(db))
  return asDatabase(db)
}

/** In milliseconds: how long to wait for the server, and how often to try. */
const [patience, pause] = [60_000, 500]

/** After a machine has started, PostgreSQL may take longer to start than Kontor. */
async function whenUp(open: () => Database, log: Log, isOver: () => boolean): Promise<Database> {
  const began = steadyMillis()
  let isTold = false
  for (let inVain = 0; ;) {
    try {
      return open()
    } catch (error) {
      const isLate = steadyMillis() - began > patience || isOver()
      if (isLate || !(error instanceof Unreachable)) throw error
      // A server that answers now may have come up since. It refuses the next attempt too if it is not that.
      inVain = error.mayComeUp() ? 0 : inVain + 1
      if (inVain > 1) throw error
      if (inVain > 0) continue
      if (!isTold) log.warn(`${error.message} Waiting for it for up to ${patience / 1000} seconds.`)
      isTold = true
      await Bun.sleep(pause)
    }
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
