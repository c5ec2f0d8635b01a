/** The blanks of SQLite: what else JavaScript takes for one is a letter to it. */
const word =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\w$\u0080-\uffff]+|[^ \t\n\f\r]/g

/**
 * What a statement of a schema says, whatever its blanks and comments. The CHECKs of a table are left out: a file that an
 * earlier release has made keeps them as they were written then, and they can only refuse a row, never change one.
 */
export function wordsOf(sql: string): string {
  const words = (sql.match(word) ?? []).filter((each) => !/^(--|\/\*)/.test(each))
  const kept = words[1]?.toUpperCase() === "TABLE" ? withoutChecks(words) : words
  // SQLite puts a name in quotes when a table is renamed.
  return kept.map((each) => (/^"\w+"$/.test(each) ? each.slice(1, -1) : each)).join(" ")
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
