import functions from "./functions.sql" with { type: "text" }
import { expressionOf, nameOf } from "./expression"
import { isMergeSetting, searchTableOf } from "./search"
import { columnOf, indexOf, tableOf, viewOf, type Context } from "./table"
import { cursor, isText, refuse, statementsOf, tokensOf, type Token } from "./tokens"
import { triggerOf } from "./trigger"

/**
 * The schema for PostgreSQL 15, from the text of schema.sql. Where it differs: texts are compared by code points (COLLATE
 * "C"); whole numbers have 64 bits; the search tables are ordinary tables with indexes; the ID of a numbered row is the
 * primary key; a reference to a table that is created later is added at the end. Throws for a construct that it does not
 * know.
 */
export const translatedSchema = (sql: string): string =>
  `${functions.trimEnd()}\n${translated(tokensOf(sql, "schema.sql"), createdBy)}`

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
