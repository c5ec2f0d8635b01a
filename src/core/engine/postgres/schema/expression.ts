import { isText, refuse, textOf, type Token } from "./tokens"

/** The words that PostgreSQL reserves, as of version 15. As names they must be quoted. */
const reserved = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation
  column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from
  full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit
  localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references
  returning right select session_user similar some symmetric system_user table tablesample then to trailing true union
  unique user using variadic verbose when where window with`.split(/\s+/),
)

/** The keywords of expressions and queries that mean the same in both databases. */
const keywords = new Set(
  `AND OR NOT NULL IN BETWEEN CASE WHEN THEN ELSE END EXISTS SELECT FROM WHERE JOIN ON AS NEW OLD LIKE
  UPDATE SET DELETE INSERT INTO VALUES DISTINCT GROUP ORDER BY UNION ALL`.split(/\s+/),
)

/** The functions that give the same in both databases. functions.sql defines `json_valid` and `instr`. */
const functions = new Set([
  "json_valid",
  "sum",
  "count",
  "coalesce",
  "lower",
  "length",
  "substr",
  "instr",
  "replace",
])

/** A name, quoted if PostgreSQL reserves the word. */
export const nameOf = ({ kind, text }: Token): string =>
  kind === "word" && reserved.has(text) ? `"${text}"` : text

/** An expression or a query for PostgreSQL, with the layout of the source. */
export function expressionOf(tokens: readonly Token[]): string {
  return textOf(tokens.map((token, i) => ({ ...token, text: wordOf(token, tokens[i + 1], tokens[i + 2]) })))
}

function wordOf(token: Token, next: Token | undefined, afterNext: Token | undefined): string {
  const { kind, text } = token
  if (kind !== "word") return text
  if (text === "IS") {
    if (isText(next, "NULL") || (isText(next, "NOT") && isText(afterNext, "NULL"))) return text
    return refuse(token, "IS is only known before NULL and NOT NULL")
  }
  if (keywords.has(text)) return text
  if (text !== text.toLowerCase()) return refuse(token, "unknown keyword")
  if (!isText(next, "(")) return nameOf(token)
  return functions.has(text) ? text : refuse(token, "unknown function")
}
