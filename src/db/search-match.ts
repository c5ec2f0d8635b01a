import { postgresOf, type Database } from "./engine"
import { trigramCondition, wordCondition } from "./postgres/match"

/** A query of the row numbers that a search table finds, with the values of its first parameters. */
type FoundRows = { sql: string; values: string[] }

/** How an engine searches. `query` is in the language of FTS5; `rest` are further conditions, an order and a limit. */
export type Matching = {
  rows(searchTable: string, query: string, rest?: string): FoundRows
  /** True if a search takes less time in slices of the table. */
  isSliced: boolean
}

const sqlite: Matching = {
  rows: (table, query, rest = "") => ({
    sql: `SELECT rowid FROM ${table} WHERE ${table} MATCH ? ${rest}`,
    values: [query],
  }),
  isSliced: true,
}

/** The search is materialized, because otherwise the planner may test each row of the slice instead of using the index. */
const postgres: Matching = {
  rows(table, query, rest = "") {
    const { sql, values } = table.endsWith("_words") ? wordCondition(query) : trigramCondition(query)
    return {
      sql: `WITH hits AS MATERIALIZED (SELECT rowid FROM ${table} WHERE ${sql}) SELECT rowid FROM hits WHERE true ${rest}`,
      values,
    }
  },
  isSliced: false,
}

export const matchingOf = (db: Database): Matching => (postgresOf(db) ? postgres : sqlite)
