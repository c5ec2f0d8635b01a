// Translates SQL that is written for SQLite in a portable subset. Literals, quoted names and comments do not change.
import { NulInText } from "./errors"

/** What a statement does to the transaction. `read` changes nothing; `write` is everything else. */
export type Effect =
  "begin" | "savepoint" | "release" | "commit" | "rollback" | "rollbackTo" | "read" | "write"

export type Translation = { sql: string; paramsCount: number; effect: Effect }

type Token = { kind: "word" | "parameter" | "space" | "fixed"; text: string }

/** The parts of SQL, in the order in which they are tried. Other characters are tokens of their own. */
const patterns: readonly [Token["kind"], RegExp][] = [
  ["space", /\s+|--[^\n]*|\/\*[^]*?\*\//y],
  ["fixed", /[eE]'(?:[^'\\]|''|\\[^])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"/y],
  ["fixed", /\$([A-Za-z_]\w*)?\$[^]*?\$\1\$/y],
  ["word", /[\p{L}_][\p{L}\p{N}_$]*/uy],
  ["fixed", /\d[\w.]*/y],
  ["parameter", /\?\d*/y],
]

/** The list of a JSON text, as `listOf` and `integersOf` of `../sql` write it. */
const jsonList = /\b(NOT )?IN (\(SELECT (?:value|CAST\(value AS BIGINT\)) FROM json_each\(\?\d*\)\))/g

/** An array, because the planner expects hundreds of values in a list, and reads all of a small table to compare them. */
const arrayOf = (_: string, not: string | undefined, list: string): string =>
  `${not ? "<> ALL" : "= ANY"} (ARRAY${list})`

export function translate(given: string): Translation {
  if (given.includes("\0")) throw new NulInText()
  const tokens = tokensOf(given.replace(jsonList, arrayOf))
  const count = { highest: 0 }
  const sql = tokens.map((token, i) => translated(token, tokens[i + 1], count)).join("")
  return { sql, paramsCount: count.highest, effect: effectOf(tokens) }
}

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < sql.length;) {
    const token = tokenAt(sql, at)
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

function tokenAt(sql: string, at: number): Token {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const text = pattern.exec(sql)?.[0]
    if (text) return { kind, text }
  }
  return { kind: "fixed", text: sql.charAt(at) }
}

function translated({ kind, text }: Token, next: Token | undefined, count: { highest: number }): string {
  if (kind === "parameter") {
    const number = text === "?" ? count.highest + 1 : Number(text.slice(1))
    count.highest = Math.max(count.highest, number)
    return `$${number}`
  }
  return kind === "word" && isQuoted(text) && next?.text !== "(" ? `"${text}"` : text
}

/** Columns whose names are reserved words. In upper case they are the words of SQL. */
const reserved = ["user", "only"]

/** PostgreSQL changes names such as `updatedAt` to lower case, unless they are quoted. */
const isQuoted = (word: string) => reserved.includes(word) || /^[a-z]\w*[A-Z]/.test(word)

const effects: Record<string, Effect> = {
  BEGIN: "begin",
  START: "begin",
  SAVEPOINT: "savepoint",
  RELEASE: "release",
  COMMIT: "commit",
  END: "commit",
  ROLLBACK: "rollback",
}
const readers = new Set(["SELECT", "WITH", "VALUES", "TABLE"])
const writers = new Set(["INSERT", "UPDATE", "DELETE", "MERGE", "INTO", "SHARE"])

/** A query that locks rows counts as a write, because a lock gives the transaction its ID. */
function effectOf(tokens: readonly Token[]): Effect {
  const said = tokens.filter(({ kind }) => kind !== "space").map(({ text }) => text)
  const words = tokens.flatMap(({ kind, text }) => (kind === "word" ? [text.toUpperCase()] : []))
  const [first = "", second] = words
  const isSingle = !said.slice(0, -1).includes(";")
  if (readers.has(first)) return isSingle && !words.some((word) => writers.has(word)) ? "read" : "write"
  const effect = isSingle ? effects[first] : undefined
  return effect === "rollback" && second === "TO" ? "rollbackTo" : (effect ?? "write")
}
