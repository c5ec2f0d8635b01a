import { Database } from "bun:sqlite"
import type { Engine } from "../engine"
import { sqliteEngine } from "./engine"

// The cache must have space for all statements, so that each is prepared only once. The default size is 20.
Database.MAX_QUERY_CACHE_SIZE = 500

/** A database of SQLite. */
export class SqliteDatabase extends Database {
  readonly engine: Engine = sqliteEngine(this)
}
