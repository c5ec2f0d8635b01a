import functions from "./functions.sql" with { type: "text" }
import { readMergeSetting, searchTableOf } from "./search"
import { indexOf, tableOf, viewOf, type Context } from "./table"
import { isText, refuse, statementsOf, tokensOf, type Token } from "./tokens"
import { triggerOf } from "./trigger"

const heading = `-- Generated from schema.sql by "bun scripts/postgres-schema.ts". Do not edit. The schema of Kontor for PostgreSQL 15.
--
-- Where it differs: texts are compared by code points (COLLATE "C"); whole numbers have 64 bits; the search tables are
-- ordinary tables with indexes; the ID of a numbered row is the primary key; a reference to a table that is created
-- later is added at the end.
`

/** The schema for PostgreSQL, from the text of schema.sql. Throws for a construct that it does not know. */
export function postgresSchema(sql: string): string {
  const { tokens } = tokensOf(sql)
  const context: Context = { tables: new Set(), later: [] }
  const translated = statementsOf(tokens).flatMap((statement) => {
    const text = statementOf(statement, context)
    return text === null ? [] : [commentsOf(statement) + text]
  })
  const later = `\n\n-- The references to tables that are created after the table that has them.\n${context.later.join("\n")}`
  const own = functions.replace("/*MARKS*/", marksClass()).trimEnd()
  return `${heading}\n${own}\n${translated.join("")}${context.later.length > 0 ? later : ""}\n`
}

/** Returns null for a statement that PostgreSQL does not need. */
function statementOf(statement: readonly Token[], context: Context): string | null {
  const [first, second, third] = statement
  if (isText(first, "INSERT")) {
    readMergeSetting(statement)
    return null
  }
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

/** The empty lines and comments in front of a statement. */
function commentsOf(statement: readonly Token[]): string {
  const before = statement[0]?.before ?? ""
  return before.startsWith("\n") ? before : `\n${before}`
}

/** All combining marks, as a set of a regular expression. PostgreSQL has no name for them. */
function marksClass(): string {
  const isMark = /^\p{M}$/u
  const ranges: [number, number][] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    if (!isMark.test(String.fromCodePoint(code))) continue
    const last = ranges.at(-1)
    if (last?.[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  const escaped = (code: number) =>
    code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`
  return ranges
    .map(([from, to]) => (from === to ? escaped(from) : `${escaped(from)}-${escaped(to)}`))
    .join("")
}
