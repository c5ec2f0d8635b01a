import type { SearchTables, StoredText } from "../engine"
import { integersOf, rowsOf } from "../sql"
import type { PostgresDatabase } from "./driver/database"

/** The search tables of PostgreSQL: ordinary tables with the text, and with indexes of trigrams and words. */
export const searchTablesOf = (db: PostgresDatabase): SearchTables => ({
  // The search is materialized, because otherwise the planner may test each row of the slice instead of using the index.
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
  add(table, rows) {
    const inSearch = rows.map(({ seq, text, fragments }) => [seq, text, fragments])
    insertTogether(db, `${table}_search (rowid, words, fragments)`, inSearch)
    const inWords = rows.map(({ seq, words, more }) => [seq, words, more])
    insertTogether(db, `${table}_words (rowid, words, more)`, inWords)
  },
  empty: (name) => void db.run(`DELETE FROM ${name}`),
  whileFilling: (table, fill) => withoutIndexes(db, table, fill),
  // There are no segments.
  merge: () => false,
  differing: (table, parts) => differing(db, table, parts),
})

/** One statement takes less time than many if a server executes them. */
function insertTogether(db: PostgresDatabase, into: string, rows: readonly (string | number)[][]): void {
  const columns = "CAST(value ->> 0 AS BIGINT), value ->> 1, value ->> 2"
  db.runEach(`INSERT INTO ${into} SELECT ${columns} FROM ${rowsOf("?")}`, [[JSON.stringify(rows)]])
}

/** Creates the indexes after the rows, which takes far less time than to update them for each row. */
function withoutIndexes<T>(db: PostgresDatabase, table: string, fill: () => T): T {
  const indexes = db
    .query<{ name: string; definition: string }, [string, string]>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE schemaname = current_schema() AND tablename IN (?, ?) AND indexdef LIKE '%USING gin%'`,
    )
    .all(`${table}_search`, `${table}_words`)
  for (const { name } of indexes) db.run(`DROP INDEX ${name}`)
  const result = fill()
  for (const { definition } of indexes) db.run(definition)
  return result
}

/** The tables have the text itself, so it is compared row by row. */
function differing(db: PostgresDatabase, table: string, parts: Iterable<readonly StoredText[]>): number[] {
  const stored = db.query<StoredText, [string]>(
    `SELECT s.rowid AS seq, s.words AS text, s.fragments, w.words, w.more
     FROM ${table}_search AS s JOIN ${table}_words AS w ON w.rowid = s.rowid WHERE s.rowid IN ${integersOf("?")}`,
  )
  const found: number[] = []
  for (const part of parts) {
    const texts = stored.all(JSON.stringify(part.map(({ seq }) => seq)))
    const bySeq = new Map(texts.map((each) => [each.seq, each]))
    for (const wanted of part) if (!isSame(bySeq.get(wanted.seq), wanted)) found.push(wanted.seq)
  }
  return found
}

const isSame = (found: StoredText | undefined, { text, fragments, words, more }: StoredText): boolean =>
  found !== undefined &&
  found.text === text &&
  found.fragments === fragments &&
  found.words === words &&
  found.more === more

/** A condition on the rows of a search table, with the values of its parameters. */
export type MatchCondition = { sql: string; values: string[] }

/** A query of FTS5: texts that must all or any match. `column` is null when every column may match. */
type Node = { all: Node[] } | { any: Node[] } | { column: string | null; text: string; isStart: boolean }

/**
 * Converts a query of FTS5, as the search writes it, to a condition on a table of trigrams (`<table>_search`): text
 * anywhere, by its trigram indexes. Queries name the column.
 */
export function trigramCondition(query: string): MatchCondition {
  const values: string[] = []
  const write = (node: Node): string => {
    if ("all" in node) return `(${node.all.map(write).join(" AND ")})`
    if ("any" in node) return `(${node.any.map(write).join(" OR ")})`
    values.push(`%${node.text.replace(/[\\%_]/g, "\\$&")}%`)
    return `${node.column ?? "words"} LIKE ?`
  }
  return { sql: write(parse(query)), values }
}

/** The length that `search_lexemes` in schema.sql cuts words to. */
const longestWord = 255

/** Converts a query of FTS5 to a condition on a table of words (`<table>_words`): whole words and their beginnings. */
export function wordCondition(query: string): MatchCondition {
  const write = (node: Node): string => {
    if ("all" in node) return `(${node.all.map(write).join(" & ")})`
    if ("any" in node) return `(${node.any.map(write).join(" | ")})`
    const word = [...node.text].slice(0, longestWord).join("").replace(/['\\]/g, "$&$&")
    const label = `${node.isStart ? "*" : ""}${weightOf(node.column)}`
    return `'${word}'${label === "" ? "" : `:${label}`}`
  }
  return { sql: "terms @@ CAST(? AS tsquery)", values: [write(parse(query))] }
}

const weightOf = (column: string | null): string => (column === null ? "" : column === "words" ? "A" : "B")

const token = /"(?:[^"]|"")*"\*?|\(|\)|AND|OR|\w+ :/g

function parse(query: string): Node {
  const tokens = query.match(token) ?? []
  let at = 0
  const atom = (column: string | null): Node => {
    const next = tokens[at++] ?? ""
    if (next.endsWith(" :")) return atom(next.slice(0, -2))
    if (next === "(") {
      const inner = expression(column)
      at++
      return inner
    }
    if (!next.startsWith('"')) throw new Error(`The query ${query} cannot be read.`)
    const isStart = next.endsWith("*")
    return { column, isStart, text: next.slice(1, isStart ? -2 : -1).replaceAll('""', '"') }
  }
  const expression = (column: string | null): Node => {
    const first = atom(column)
    const operator = tokens[at]
    if (operator !== "AND" && operator !== "OR") return first
    const parts = [first]
    for (; tokens[at] === operator; parts.push(atom(column))) at++
    return operator === "OR" ? { any: parts } : { all: parts }
  }
  return expression(null)
}
