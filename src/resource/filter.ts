import { endOfDay, isDate, startOfDay, toTimestamp } from "../lib/date"
import { priceDigits } from "../shared/decimal"
import type { FieldError } from "../lib/refusal"
import { fold, isLonger, lower } from "../lib/text"
import { statusWords } from "../shared/statuses"
import { columnOf, shadowsOf } from "./define"
import type { MoneyContext, Field } from "./field"

export const operators = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "like"] as const
export type Operator = (typeof operators)[number]

/** The operators of a field. A list is not filtered by objects and arrays. */
export const operatorsOf = ({ kind }: Field): readonly Operator[] => (kind === "json" ? [] : operators)

export type SqlValue = string | number
/** A condition for WHERE. `field` and `operator` are set when an index may be used for the condition. */
export type Term = {
  sql: string
  values: SqlValue[]
  field?: string
  operator?: Operator
}

/** The condition that a field equals a stored value. */
export const equals = (field: string, value: SqlValue): Term => ({
  sql: `${columnOf(field)} = ?`,
  values: [value],
  field,
  operator: "eq",
})
type Compare = Exclude<Operator, "in" | "like" | "ne">

/** The maximum length of a query value, unless a lower limit applies. */
export const longestValue = 1_000
/** The maximum length of a pattern. */
export const longestPattern = 200
const mostValues = 100
/** Only this many characters of a long text are compared, matched and sorted by. */
const comparedOfProse = 200
const signs: Record<Compare, string> = { eq: "=", gt: ">", gte: ">=", lt: "<", lte: "<=" }

/** The number of decimals of a field. Its column stores whole numbers: the value × 10 to the power of this number. */
export const digitsOf = (field: Field, moneyContext: MoneyContext) =>
  field.kind === "decimal" ? priceDigits : field.kind === "amount" ? moneyContext.digits : 0

/** The column or expression that contains the value of a field. */
export const sourceOf = (name: string, field: Field, moneyContext: MoneyContext) =>
  field.derived ? `(${field.derived(moneyContext)})` : columnOf(name)

/** The column or expression that a field sorts by: text without case and accents. */
export function sortSourceOf(name: string, field: Field, moneyContext: MoneyContext): string {
  const source = sourceOf(name, field, moneyContext)
  if (field.kind === "prose") return `folded(substr(${source}, 1, ${comparedOfProse}))`
  if (field.isAscii) return `${source} COLLATE NOCASE`
  if (field.kind === "text") return shadowsOf(name, field)[0] ?? `folded(${source})`
  return source
}

type Subject = { name: string; field: Field; at: string; moneyContext: MoneyContext; errors: FieldError[] }

/** Converts `field[operator]=value` to SQL, or adds to `errors` and returns undefined. */
export function readFilter(subject: Subject, operator: Operator, value: string): Term | undefined {
  const term = termOf(subject, operator, value)
  return term && { ...term, field: subject.name, operator }
}

function termOf(subject: Subject, operator: Operator, value: string): Term | undefined {
  const error = (message: string) => void subject.errors.push({ field: subject.at, message })
  if (value === "") return error("must not be empty")
  if (operator === "like") {
    if (isLonger(value, longestPattern)) return error(`must be at most ${longestPattern} characters long`)
    const stored = `matches_pattern(${textOf(subject)}, ?)`
    const others = Object.entries(subject.field.virtual ?? {}).map(
      ([word, condition]) => `(matches_pattern('${word}', ?) AND ${condition(subject.moneyContext)})`,
    )
    return { sql: `(${[stored, ...others].join(" OR ")})`, values: [value, ...others.map(() => value)] }
  }
  if (operator !== "in") {
    if (isLonger(value, longestValue)) return error(`must be at most ${longestValue} characters long`)
    return operator === "ne"
      ? not(readTerm(subject, "eq", value), subject)
      : readTerm(subject, operator, value)
  }
  const words = value.split(",").map((word) => word.trim())
  if (words.length > mostValues) return error(`must list at most ${mostValues} values`)
  if (words.includes("")) return error("must not list an empty value")
  if (words.some((word) => isLonger(word, longestValue)))
    return error(`must list values of at most ${longestValue} characters`)
  const terms = words.map((word) => readTerm(subject, "eq", word))
  return {
    sql: `(${terms.map((term) => term?.sql).join(" OR ")})`,
    values: terms.flatMap((term) => term?.values ?? []),
  }
}

function readTerm(subject: Subject, operator: Compare, value: string): Term | undefined {
  const { name, field, moneyContext } = subject
  const source = sourceOf(name, field, moneyContext)
  const plain = (bound: SqlValue): Term => ({ sql: `${source} ${signs[operator]} ?`, values: [bound] })
  const error = (message: string) => void subject.errors.push({ field: subject.at, message })
  switch (field.kind) {
    case "decimal":
    case "amount":
    case "integer":
      if (!/^-?\d+(\.\d+)?$/.test(value)) return error("must be a number")
      return plain(scaled(Number(value), digitsOf(field, moneyContext)))
    case "boolean":
      if (value !== "true" && value !== "false") return error("must be true or false")
      return plain(value === "true" ? 1 : 0)
    case "date":
      return isDate(value) ? plain(value) : error("must be a valid date in the format YYYY-MM-DD")
    case "timestamp":
      return (
        readInstant(source, operator, value) ??
        error("must be a date or a timestamp such as 2026-03-01T09:30:00Z")
      )
    case "status":
      if (operator === "eq" && field.virtual && Object.hasOwn(field.virtual, value))
        return { sql: `(${field.virtual[value]?.(moneyContext)})`, values: [] }
      return statusWords.includes(value) ? plain(value) : error(`must be one of ${statusWords.join(", ")}`)
    case "choice": {
      const words = (field.schema as { enum?: string[] }).enum ?? []
      return words.includes(value) ? plain(value) : error(`must be one of ${words.join(", ")}`)
    }
    default:
      if (operator === "eq") return ignoringCase(subject, value) ?? plain(value)
      return {
        sql: `${sortSourceOf(name, field, moneyContext)} ${signs[operator]} ?`,
        values: [field.kind === "reference" ? value : fold(comparedPart(value, field))],
      }
  }
}

const comparedPart = (value: string, { kind }: Field): string =>
  kind === "prose" && value.length > comparedOfProse ? [...value].slice(0, comparedOfProse).join("") : value

/** Codes and email addresses match in any case, because they are unique ignoring case. */
function ignoringCase({ name, field }: Subject, value: string): Term | null {
  if (field.unique) return { sql: `${columnOf(name)}_key = ?`, values: [lower(value)] }
  // An email address is ASCII, so folding only converts it to lower case.
  if (field.schema["format"] === "email")
    return { sql: `${shadowsOf(name, field)[0]} = ?`, values: [lower(value)] }
  return null
}

/** A date without a time means the whole day, from its start to its end. */
function readInstant(source: string, operator: Compare, value: string): Term | null {
  if (!isDate(value)) {
    const instant = toTimestamp(value)
    return instant === null ? null : { sql: `${source} ${signs[operator]} ?`, values: [instant] }
  }
  if (operator === "eq")
    return { sql: `${source} BETWEEN ? AND ?`, values: [startOfDay(value), endOfDay(value)] }
  const bound = operator === "gte" || operator === "lt" ? startOfDay(value) : endOfDay(value)
  return { sql: `${source} ${signs[operator]} ?`, values: [bound] }
}

/** `ne` also matches records without a value. */
function not(term: Term | undefined, { name, field, moneyContext }: Subject): Term | undefined {
  if (!term) return undefined
  return {
    sql: `(NOT (${term.sql}) OR ${sourceOf(name, field, moneyContext)} IS NULL)`,
    values: term.values,
  }
}

/** Converts a value to the units of a column. With more decimals than the column, the result is not a whole number. */
function scaled(value: number, digits: number): number {
  const units = value * 10 ** digits
  const whole = Math.round(units)
  return whole / 10 ** digits === value ? whole : units
}

/** Returns a field as the text that people see, for pattern matching. */
function textOf({ name, field, moneyContext }: Subject): string {
  const source = sourceOf(name, field, moneyContext)
  if (field.kind === "boolean") return `CASE ${source} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
  if (field.kind === "prose") return `substr(${source}, 1, ${comparedOfProse})`
  const digits = digitsOf(field, moneyContext)
  if (digits > 0) return `printf('%.15g', ${source} / ${10 ** digits}.0)`
  return source
}
