import { nameOf } from "./expression"
import { cursor, listOf, refuse, textOf, type Token } from "./tokens"

/** The settings of the two forms of FTS5 tables in schema.sql. */
const trigrams = "content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'"
const words = "content = '', contentless_delete = 1, detail = column, prefix = '2 3', tokenize = 'ascii'"

/**
 * The size in kB of what a search has to scan because it is not in the index yet. With PostgreSQL's 4,096, searches read
 * the whole table until the next VACUUM; without such a list, a write takes four times as long.
 */
const pending = "WITH (gin_pending_list_limit = 256)"

/**
 * An FTS5 table as an ordinary table with the same columns, so that the same statements write it. Text is found by its
 * trigrams with LIKE, and words by `terms` with a query of words.
 */
export function searchTableOf(statement: readonly Token[]): string {
  const read = cursor(statement)
  read.expect("CREATE", "VIRTUAL", "TABLE")
  const name = nameOf(read.name())
  read.expect("USING", "fts5")
  const parts = listOf(read.inside())
  const columns = parts.filter((part) => part.length === 1).map(textOf)
  const settings = parts
    .filter((part) => part.length > 1)
    .map(textOf)
    .join(", ")
  if (settings === trigrams) return trigramTable(name, columns)
  if (settings === words && columns.join() === "words,more") return wordTable(name)
  return refuse(statement[0], `unknown settings or columns of the search table ${name}`)
}

const trigramTable = (name: string, columns: readonly string[]): string =>
  [
    `CREATE TABLE ${name} (`,
    `  rowid bigint PRIMARY KEY,`,
    columns.map((column) => `  ${column} text COLLATE "C" NOT NULL`).join(",\n"),
    `);`,
    ...columns.map(
      (column) => `CREATE INDEX ${name}_${column} ON ${name} USING gin (${column} gin_trgm_ops) ${pending};`,
    ),
  ].join("\n")

const wordTable = (name: string): string => `CREATE TABLE ${name} (
  rowid bigint PRIMARY KEY,
  words text COLLATE "C" NOT NULL,
  more text COLLATE "C" NOT NULL,
  terms tsvector NOT NULL GENERATED ALWAYS AS (search_terms(words, more)) STORED
);
CREATE INDEX ${name}_terms ON ${name} USING gin (terms) ${pending};`

const merges = ["automerge", "usermerge", "crisismerge"]

/** True for a statement that sets up FTS5, which PostgreSQL does not need. */
export function isMergeSetting(statement: readonly Token[]): boolean {
  const [, table, again, setting] =
    /^INSERT INTO (\w+) \((\w+), rank\) VALUES \('(\w+)', \d+\)$/.exec(textOf(statement)) ?? []
  return table !== undefined && table === again && merges.includes(setting ?? "")
}
