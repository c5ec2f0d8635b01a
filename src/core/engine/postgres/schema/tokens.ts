/** A token of SQL. `before` is the white space and the comments in front of it, and `place` the file and the line. */
export type Token = {
  kind: "word" | "quoted" | "string" | "number" | "symbol"
  text: string
  before: string
  place: string
}

const here = "src/core/engine/postgres/schema"

/** Fails for what the translation does not know, so that nothing of the schema is lost without a message. */
export function refuse(token: Token | undefined, what: string): never {
  throw new Error(
    token
      ? `${token.place}: ${what} at "${token.text}". Teach ${here} to translate it.`
      : `${what} at the end of the SQL. Teach ${here} to translate it.`,
  )
}

const spaceOrComment = /(?:\s+|--[^\n]*(?:\n|$))*/y
const patterns: [Token["kind"], RegExp][] = [
  ["string", /'(?:[^']|'')*'/y],
  ["quoted", /"(?:[^"]|"")*"/y],
  ["number", /\d+(?:\.\d+)?(?![\w.])/y],
  ["word", /[A-Za-z_]\w*/y],
  ["symbol", /<>|<=|>=|\|\||[=<>+\-*/%(),.;]/y],
]

/** Splits SQL into tokens. `source` is the name of its file. */
export function tokensOf(sql: string, source: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  for (let at = 0; ;) {
    const before = matchAt(spaceOrComment, sql, at)
    at += before.length
    line += before.split("\n").length - 1
    if (at === sql.length) return tokens
    const token = tokenAt(sql, at, before, `${source}:${line}`)
    tokens.push(token)
    at += token.text.length
    line += token.text.split("\n").length - 1
  }
}

function tokenAt(sql: string, at: number, before: string, place: string): Token {
  for (const [kind, pattern] of patterns) {
    const text = matchAt(pattern, sql, at)
    if (text !== "") return { kind, text, before, place }
  }
  return refuse({ kind: "symbol", text: sql[at] ?? "", before, place }, "unknown character")
}

function matchAt(pattern: RegExp, sql: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(sql)?.[0] ?? ""
}

/** The text of tokens with the layout of the source, without what is in front of the first one. */
export const textOf = (tokens: readonly Token[]): string =>
  tokens.map(({ before, text }, i) => (i === 0 ? text : before + text)).join("")

/** True when the token is this keyword or symbol. Keywords are in upper case, and names in lower case. */
export const isText = (token: Token | undefined, text: string): boolean =>
  token?.text === text && token.kind !== "string" && token.kind !== "quoted"

export function cursor(tokens: readonly Token[]) {
  let at = 0
  const next = (): Token => tokens[at++] ?? refuse(tokens.at(-1), "unexpected end of the statement")
  const takes = (...texts: string[]): boolean => {
    if (!texts.every((text, i) => isText(tokens[at + i], text))) return false
    at += texts.length
    return true
  }
  return {
    next,
    /** Takes these tokens if they are next. */
    takes,
    /** Takes these tokens and fails if others are next. */
    expect(...texts: string[]): void {
      if (!takes(...texts)) refuse(tokens[at] ?? tokens.at(-1), `expected ${texts.join(" ")}`)
    },
    name(): Token {
      const token = next()
      return token.kind === "word" || token.kind === "quoted" ? token : refuse(token, "expected a name")
    },
    /** Takes a pair of parentheses with what is inside, and returns the inside. */
    inside(): Token[] {
      const first = next()
      if (!isText(first, "(")) refuse(first, "expected (")
      const start = at
      for (let depth = 1; depth > 0;) {
        const token = next()
        if (isText(token, "(")) depth++
        if (isText(token, ")")) depth--
      }
      return tokens.slice(start, at - 1)
    },
    /** Takes everything that is left. */
    others(): Token[] {
      const left = tokens.slice(at)
      at = tokens.length
      return left
    },
    isAtEnd: (): boolean => at >= tokens.length,
    peek: (): Token | undefined => tokens[at],
  }
}

export type Cursor = ReturnType<typeof cursor>

/** Splits tokens at the commas that are not inside parentheses. */
export function listOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (isText(token, "(")) depth++
    if (isText(token, ")")) depth--
    if (depth === 0 && isText(token, ",")) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

/** Splits tokens into statements. The statement of a trigger ends after END. */
export function statementsOf(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]]
  let isBody = false
  for (const token of tokens) {
    const statement = statements.at(-1) ?? []
    const isTrigger = isText(statement[1], "TRIGGER")
    if (isTrigger && isText(token, "BEGIN")) isBody = true
    if (isTrigger && isText(token, "END")) isBody = false
    if (isText(token, ";") && !isBody) statements.push([])
    else statement.push(token)
  }
  const last = statements.pop() ?? []
  return last.length === 0 ? statements : refuse(last[0], "a statement without a semicolon")
}
