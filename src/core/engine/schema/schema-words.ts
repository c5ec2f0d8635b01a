/** A token of SQL. Only SQLite's white space separates tokens: for SQLite, other Unicode white space is a letter. */
const word =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\w$\u0080-\uffff]+|[^ \t\n\f\r]/g

/**
 * Normalizes a statement of a schema, so that statements with the same meaning are equal. White space and comments are
 * removed. The CHECKs of a table are removed, because a file of an earlier release has its own CHECKs, and a CHECK can
 * only refuse a row, never change one. The columns are sorted, because ALTER TABLE adds a column at the end, and our
 * code never reads a column by its position.
 */
export function wordsOf(sql: string): string {
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
