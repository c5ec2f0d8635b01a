import { postgresOf, type Database } from "../engine/engine"
import { trigramCondition, wordCondition } from "../engine/postgres/match"

/** A part of SQL, with the values of its parameters. */
type Part = { sql: string; values: string[] }

/** How an engine searches. `query` is in the language of FTS5; `rest` are further conditions, an order and a limit. */
export type Matching = {
  /** A query of the row numbers that a search table finds. The values are those of its first parameters. */
  rows(searchTable: string, query: string, rest?: string): Part
  /** True if a search takes less time in slices of the table. */
  isSliced: boolean
  /** True if a slice of a table takes less time as a query of its own than as a join with its row numbers. */
  hasNestedSlices: boolean
  /** A condition that is faster than `has_words`: a text without case and accents contains each of the words. */
  hasWords: ((text: string, words: readonly string[]) => Part) | null
}

const sqlite: Matching = {
  rows: (table, query, rest = "") => ({
    sql: `SELECT rowid FROM ${table} WHERE ${table} MATCH ? ${rest}`,
    values: [query],
  }),
  isSliced: true,
  hasNestedSlices: false,
  hasWords: null,
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
  hasNestedSlices: true,
  // PostgreSQL starts has_words for each row, which takes ten times as long.
  hasWords: (text, words) => ({
    sql: `folded(${text}) LIKE ALL (string_to_array(?, chr(10)))`,
    values: [words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`).join("\n")],
  }),
}

export const matchingOf = (db: Database): Matching => (postgresOf(db) ? postgres : sqlite)
