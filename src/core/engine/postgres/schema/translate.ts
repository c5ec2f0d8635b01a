import extension from "./extension.sql" with { type: "text" }
import functions from "./functions.sql" with { type: "text" }
import { expressionOf, nameOf } from "./expression"
import { columnOf, type Context, indexOf, tableOf, viewOf } from "./table"
import { cursor, isText, listOf, refuse, statementsOf, textOf, type Token, tokensOf } from "./tokens"
import { triggerOf } from "./trigger"

/**
 * The schema for PostgreSQL 15, from the text of schema.sql. Where it differs: texts are compared by code points (COLLATE
 * "C"); whole numbers have 64 bits; the search tables are ordinary tables with indexes; the ID of a numbered row is the
 * primary key; a reference to a table that is created later is added at the end. Throws for a construct that it does not
 * know.
 */
export const translatedSchema = (sql: string): string =>
  `${functions.trimEnd()}\n${createExtension}\n${translated(tokensOf(sql, "schema.sql"), createdBy)}`

/** Creates the extension that the search needs, unless it is there. */
export const createExtension = extension.trimEnd()

/** A migration for PostgreSQL. `source` is its name for messages. */
export const translatedStep = (sql: string, source: string): string =>
  translated(tokensOf(sql, source), changedBy)

/** Returns null for a statement that PostgreSQL does not need. */
type Translate = (statement: readonly Token[], context: Context) => string | null

function translated(tokens: readonly Token[], translate: Translate): string {
  const context: Context = { tables: new Set(), later: [] }
  const statements = statementsOf(tokens).flatMap((statement) => translate(statement, context) ?? [])
  return [...statements, ...context.later].map((statement) => `${statement}\n`).join("")
}

function createdBy(statement: readonly Token[], context: Context): string | null {
  const [first, second, third] = statement
  if (isText(first, "INSERT")) return isMergeSetting(statement) ? null : refuse(first, "unknown INSERT")
  if (isText(first, "CREATE")) {
    if (isText(second, "TABLE")) return tableOf(statement, context)
    if (isText(second, "VIRTUAL")) return searchTableOf(statement)
    if (isText(second, "INDEX") || (isText(second, "UNIQUE") && isText(third, "INDEX")))
      return indexOf(statement)
    if (isText(second, "TRIGGER")) return triggerOf(statement)
    if (isText(second, "VIEW")) return viewOf(statement)
  }
  return refuse(first, "unknown statement")
}

/** A statement of a migration, which can also change tables and rows. */
function changedBy(statement: readonly Token[], context: Context): string | null {
  const [first] = statement
  if (isText(first, "ALTER")) return alteredBy(statement, context)
  if (isText(first, "DROP")) return droppedBy(statement)
  const isOfRows = ["INSERT", "UPDATE", "DELETE"].some((word) => isText(first, word))
  if (isOfRows && !isMergeSetting(statement)) return `${expressionOf(statement)};`
  return createdBy(statement, context)
}

function alteredBy(statement: readonly Token[], context: Context): string {
  const read = cursor(statement)
  read.expect("ALTER", "TABLE")
  const table = nameOf(read.name())
  if (read.takes("ADD", "COLUMN"))
    return `ALTER TABLE ${table} ADD COLUMN ${columnOf(read.others(), { table, hasIdAsKey: false, context })};`
  const words = read.takes("DROP", "COLUMN")
    ? `DROP COLUMN ${nameOf(read.name())}`
    : read.takes("RENAME", "TO")
      ? `RENAME TO ${nameOf(read.name())}`
      : read.takes("RENAME", "COLUMN")
        ? `RENAME COLUMN ${nameOf(read.name())} ${toName(read)}`
        : refuse(read.peek(), "unknown change of a table")
  if (!read.isAtEnd()) refuse(read.peek(), "unknown change of a table")
  return `ALTER TABLE ${table} ${words};`
}

function toName(read: ReturnType<typeof cursor>): string {
  read.expect("TO")
  return `TO ${nameOf(read.name())}`
}

/** A trigger is dropped with its function, which has the same name. */
function droppedBy(statement: readonly Token[]): string {
  const read = cursor(statement)
  read.expect("DROP")
  const kind = ["INDEX", "TABLE", "VIEW", "TRIGGER"].find((word) => read.takes(word))
  if (kind === undefined) return refuse(read.peek(), "unknown kind of object")
  const name = nameOf(read.name())
  if (!read.isAtEnd()) refuse(read.peek(), "unknown part of DROP")
  return kind === "TRIGGER" ? `DROP FUNCTION ${name}() CASCADE;` : `DROP ${kind} ${name};`
}

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
function searchTableOf(statement: readonly Token[]): string {
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
function isMergeSetting(statement: readonly Token[]): boolean {
  const [, table, again, setting] =
    /^INSERT INTO (\w+) \((\w+), rank\) VALUES \('(\w+)', \d+\)$/.exec(textOf(statement)) ?? []
  return table !== undefined && table === again && merges.includes(setting ?? "")
}
