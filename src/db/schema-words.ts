/** The blanks of SQLite: what else JavaScript takes for one is a letter to it. */
const word =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\w$\u0080-\uffff]+|[^ \t\n\f\r]/g

/**
 * What a statement of a schema says, whatever its blanks and comments. The CHECKs of a table are left out: a file that an
 * earlier release has made keeps them as they were written then, and they can only refuse a row, never change one. Its
 * columns are in alphabetical order: one that was added later by ALTER TABLE stands last, and nothing of ours reads a
 * column by its position.
 */
export function wordsOf(sql: string): string {
  const words = (sql.match(word) ?? []).filter((each) => !/^(--|\/\*)/.test(each)).map(withoutQuotes)
  return (words[1]?.toUpperCase() === "TABLE" ? sorted(withoutChecks(words)) : words).join(" ")
}

/** SQLite puts a name in quotes when a table is renamed. */
const withoutQuotes = (each: string) => (/^"\w+"$/.test(each) ? each.slice(1, -1) : each)

/** The words of a table with its columns and constraints in alphabetical order, each as it was. */
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
  const kept: string[] = []
  for (let i = 0; i < words.length; i++) {
    if (words[i]?.toUpperCase() === "CHECK" && words[i + 1] === "(") i = closingOf(words, i + 1)
    else kept.push(words[i] ?? "")
  }
  return kept
}

/** Where the parenthesis that opens at `start` is closed. */
function closingOf(words: string[], start: number): number {
  let depth = 0
  for (let i = start; i < words.length; i++) {
    if (words[i] === "(") depth++
    if (words[i] === ")" && --depth === 0) return i
  }
  return words.length
}
