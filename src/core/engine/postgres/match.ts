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
