import { Database } from "bun:sqlite"
import { differences, extra, type SchemaObject } from "../schema/differences"
import { latestVersion, ours as recipe } from "../schema/migrate"
import { applicationId, migrateFile } from "./schema"
import { messageOf } from "../../lib/refusal"

/**
 * Compares the schema of a file with ours. Returns one sentence for each difference. An added trigger, view or default
 * would run with our rights on every write. A file of an older version is compared after our migrations.
 */
export function findSchemaFaults(db: Database, version: number): string[] {
  const found = objectsOf(db)
  const ours = inMemory((fresh) => {
    migrateFile(fresh, recipe)
    return objectsOf(fresh)
  })
  return version === latestVersion
    ? differences(found, ours)
    : inMemory((old) => olderDifferences(old, found))

  function olderDifferences(old: Database, copied: SchemaObject[]): string[] {
    const foreign = copied.filter(({ words }) => words !== null && !known.test(words))
    if (foreign.length > 0) return foreign.map(extra)
    try {
      rebuild(old, copied, version)
      const differing = differences(copied, objectsOf(old))
      if (differing.length > 0) return differing
      migrateFile(old, recipe)
    } catch (error) {
      return [
        `Its tables cannot be migrated from version ${version} to ${latestVersion}: ${messageOf(error)}.`,
      ]
    }
    return differences(objectsOf(old), ours)
  }
}

/**
 * The tables that ANALYZE and the program Litestream create. Their SQL is compared exactly, because anyone can create a
 * table of that name.
 */
const ofOthers = [
  "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
  "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
  "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
  "CREATE TABLE _litestream_lock (id INTEGER)",
]

const objectsOf = (db: Database): SchemaObject[] =>
  db
    .query<Omit<SchemaObject, "words">, []>(
      "SELECT type, name, tbl_name AS of, sql FROM sqlite_schema ORDER BY type, name",
    )
    .all()
    .filter(({ sql }) => sql === null || !ofOthers.includes(sql))
    .map((each) => ({ ...each, words: each.sql === null ? null : wordsOf(each.sql) }))

/** The statements of older releases. No other statement is run: CREATE TABLE AS SELECT would run its query. */
const known = /^CREATE (TABLE [^ ]+ \(|VIRTUAL TABLE \w+ USING fts5 \(|(UNIQUE )?INDEX |TRIGGER |VIEW )/

/** Creates the tables of a file, without its rows. */
function rebuild(db: Database, objects: SchemaObject[], version: number): void {
  const has = db.prepare<{ n: number }, [string, string]>(
    "SELECT 1 AS n FROM sqlite_schema WHERE type = ? AND name = ?",
  )
  const turn = ({ type, words }: SchemaObject) =>
    words?.startsWith("CREATE VIRTUAL") ? 0 : type === "table" ? 1 : type === "index" ? 2 : 3
  for (const { type, name, sql } of objects.toSorted((a, b) => turn(a) - turn(b)))
    // A virtual table creates its own tables.
    if (sql !== null && has.get(type, name) === null) db.prepare(sql).run()
  db.run(`PRAGMA application_id = ${applicationId}`)
  db.run(`PRAGMA user_version = ${version}`)
}

function inMemory<T>(work: (db: Database) => T): T {
  const db = new Database(":memory:", { strict: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** A token of SQL. Only SQLite's white space separates tokens: for SQLite, other Unicode white space is a letter. */
const word =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\w$\u0080-\uffff]+|[^ \t\n\f\r]/g

/**
 * Normalizes a statement of a schema, so that statements with the same meaning are equal. White space and comments are
 * removed. The CHECKs of a table are removed, because a file of an earlier release has its own CHECKs, and a CHECK can
 * only refuse a row, never change one. The columns are sorted, because ALTER TABLE adds a column at the end, and our
 * code never reads a column by its position.
 */
function wordsOf(sql: string): string {
  const words = (sql.match(word) ?? []).filter((each) => !/^(--|\/\*)/.test(each)).map(withoutQuotes)
  return (words[1]?.toUpperCase() === "TABLE" ? sorted(withoutChecks(words)) : words).join(" ")
}

/** Removes the quotes that SQLite adds when a table is renamed. */
const withoutQuotes = (each: string) => (/^"\w+"$/.test(each) ? each.slice(1, -1) : each)

/** Sorts the columns and constraints of a table alphabetically. */
function sorted(words: string[]): string[] {
  const start = words.indexOf("(")
  if (start < 0) return words
  const end = closingOf(words, start)
  const parts: string[][] = [[]]
  for (let i = start + 1, depth = 0; i < end; i++) {
    const each = words[i] ?? ""
    if (each === "(") depth++
    if (each === ")") depth--
    if (each === "," && depth === 0) parts.push([])
    else parts.at(-1)?.push(each)
  }
  const body = parts.map((part) => part.join(" ")).toSorted()
  return [...words.slice(0, start + 1), body.join(" , "), ...words.slice(end)]
}

function withoutChecks(words: string[]): string[] {
  const remaining: string[] = []
  for (let i = 0; i < words.length; i++) {
    if (words[i]?.toUpperCase() === "CHECK" && words[i + 1] === "(") i = closingOf(words, i + 1)
    else remaining.push(words[i] ?? "")
  }
  return remaining
}

/** The index of the parenthesis that closes the one at `start`. */
function closingOf(words: string[], start: number): number {
  let depth = 0
  for (let i = start; i < words.length; i++) {
    if (words[i] === "(") depth++
    if (words[i] === ")" && --depth === 0) return i
  }
  return words.length
}
