import { endOfDay, isDate, startOfDay, toTimestamp } from "../../shared/dates"
import { priceDigits, toUnits } from "../../shared/decimal"
import { fieldError, reporter, type FieldError } from "../lib/refusal"
import { fold, isLonger, lower } from "../lib/text"
import type { Warning } from "../lib/warning"
import { columnOf, shadowsOf } from "../kind/define"
import { isStatus, type MoneyContext, type Field } from "../kind/field"

export const operators = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "like", "null"] as const
export type Operator = (typeof operators)[number]

const operatorsOfValues = operators.filter((operator) => operator !== "null")

/** The operators of a text in an object, such as the city of an address. */
const operatorsOfParts = operators.filter((operator) => ["eq", "ne", "in", "like", "null"].includes(operator))

/** The operators of a field: `null` only if the field may have no value. An object has no other operator. */
export const operatorsOf = ({ kind, nullable, isNotStored, isPart }: Field): readonly Operator[] => {
  if (isPart) return operatorsOfParts
  if (kind === "json") return nullable && !isNotStored ? ["null"] : []
  return nullable ? operators : operatorsOfValues
}

export type SqlValue = string | number
/** A condition for WHERE. `field` and `operator` are set when an index may be used for the condition. */
export type Term = {
  sql: string
  values: SqlValue[]
  field?: string
  /** `notNull` is the operator `null` with the value `false`. */
  operator?: Operator | "notNull"
  /** The key of metadata and the values of which a record must have one. */
  pair?: { key: string; words: readonly string[] }
  /** A column that can be long and is read as a whole. */
  longText?: string
  /** What the condition of a search without a search table looks for, and in which text. */
  searched?: { text: string; words: readonly string[] }
}

export const equals = (field: string, value: SqlValue): Term => ({
  sql: `${columnOf(field)} = ?`,
  values: [value],
  field,
  operator: "eq",
})
type Compare = Exclude<Operator, "in" | "like" | "ne" | "null">

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
export function sourceOf(name: string, field: Field, moneyContext: MoneyContext): string {
  if (!field.derived) return columnOf(name)
  const derived = `(${field.derived(moneyContext)})`
  return field.kind === "boolean" ? `(CASE WHEN ${derived} THEN 1 ELSE 0 END)` : derived
}

/** The column or expression that a field sorts by: text without case and accents. */
export function sortSourceOf(name: string, field: Field, moneyContext: MoneyContext): string {
  const source = sourceOf(name, field, moneyContext)
  if (field.kind === "prose") return `folded(substr(${source}, 1, ${comparedOfProse}))`
  if (field.isAscii) return `lower(${source})`
  if (field.isExact) return source
  if (field.kind === "text") return shadowsOf(name, field)[0] ?? `folded(${source})`
  return source
}

type Subject = {
  name: string
  field: Field
  at: string
  moneyContext: MoneyContext
  errors: FieldError[]
  /** What the caller should know about a filter that is allowed. */
  warnings: Warning[]
}

/** Converts `field[operator]=value` to SQL, or adds to `errors` and returns undefined. */
export function readFilter(subject: Subject, operator: Operator, value: string): Term | undefined {
  const term = operator === "null" ? nullTerm(subject, value) : termOf(subject, operator, value)
  return term && { operator, ...term, field: subject.name }
}

/** The condition that a field has no value, or that it has one. */
function nullTerm({ name, field, at, moneyContext, errors }: Subject, value: string): Term | undefined {
  if (value !== "true" && value !== "false")
    return void errors.push(fieldError(at, "TYPE", "must be true or false", { type: "boolean" }))
  const source = sourceOf(name, field, moneyContext)
  return value === "true"
    ? { sql: `${source} IS NULL`, values: [] }
    : { sql: `${source} IS NOT NULL`, values: [], operator: "notNull" }
}

function termOf(subject: Subject, operator: Exclude<Operator, "null">, value: string): Term | undefined {
  const error = reporter(subject.errors, subject.at)
  const tooLong = (max: number) => error("TOO_LONG", `must be at most ${max} characters long`, { max })
  if (value === "") return error("TOO_SHORT", "must not be empty", { min: 1 })
  if (operator === "like") {
    if (isLonger(value, longestPattern)) return tooLong(longestPattern)
    const stored = `matches_pattern(${textOf(subject)}, ?)`
    const others = Object.entries(subject.field.virtual ?? {}).map(
      ([word, condition]) => `(matches_pattern('${word}', ?) AND ${condition(subject.moneyContext)})`,
    )
    return { sql: `(${[stored, ...others].join(" OR ")})`, values: [value, ...others.map(() => value)] }
  }
  if (operator !== "in") {
    if (isLonger(value, longestValue)) return tooLong(longestValue)
    return operator === "ne"
      ? not(readTerm(subject, "eq", value), subject)
      : readTerm(subject, operator, value)
  }
  const words = readList(value, error)
  if (!words) return undefined
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
  const error = reporter(subject.errors, subject.at)
  switch (field.kind) {
    case "decimal":
    case "amount":
    case "integer":
      if (!/^-?\d+(\.\d+)?$/.test(value)) return error("TYPE", "must be a number", { type: "number" })
      return numberTerm(source, operator, scaled(Number(value), digitsOf(field, moneyContext)))
    case "boolean":
      if (value !== "true" && value !== "false")
        return error("TYPE", "must be true or false", { type: "boolean" })
      return plain(value === "true" ? 1 : 0)
    case "date":
      return isDate(value)
        ? plain(value)
        : error("FORMAT", "must be a valid date in the format YYYY-MM-DD", { format: "date" })
    case "timestamp":
      return (
        readInstant(source, operator, value) ??
        error("FORMAT", "must be a date or a timestamp such as 2026-03-01T09:30:00Z", { format: "date-time" })
      )
    case "status":
      if (operator === "eq" && field.virtual && Object.hasOwn(field.virtual, value))
        return { sql: `(${field.virtual[value]?.(moneyContext)})`, values: [] }
      return readStatus(subject, value) ? plain(value) : undefined
    case "choice": {
      const words = (field.schema as { enum?: string[] }).enum ?? []
      return words.includes(value) ? plain(value) : notIn(subject, words)
    }
    default:
      if (operator === "eq") return ignoringCase(subject, value) ?? plain(value)
      return {
        sql: `${sortSourceOf(name, field, moneyContext)} ${signs[operator]} ?`,
        values: [field.kind === "reference" || field.isExact ? value : fold(comparedPart(value, field))],
      }
  }
}

/** Returns the values of a list, or tells what is wrong with it. */
export function readList(value: string, error: ReturnType<typeof reporter>): string[] | undefined {
  if (value === "") return error("TOO_SHORT", "must not be empty", { min: 1 })
  const words = listedWords(value)
  if (words.length > mostValues)
    return error("TOO_LONG", `must list at most ${mostValues} values`, { max: mostValues })
  if (words.includes("")) return error("TOO_SHORT", "must not list an empty value", { min: 1 })
  if (words.some((word) => isLonger(word, longestValue)))
    return error("TOO_LONG", `must list values of at most ${longestValue} characters`, { max: longestValue })
  return words
}

/** A value of a list: in quotation marks, as in a CSV file, if it contains a comma. */
const listed = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/y

/** Returns the values of a list that are separated by commas. */
function listedWords(text: string): string[] {
  const words: string[] = []
  listed.lastIndex = 0
  // The last value ends without a comma.
  for (let isMore = true; isMore;) {
    const [whole = "", quoted, plain = ""] = listed.exec(text) ?? []
    words.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    isMore = whole.endsWith(",") && words.length <= mostValues
  }
  return words
}

/** Tells whether a word is a status. One that only other kinds have matches no record, which a warning says. */
function readStatus(subject: Subject, word: string): boolean {
  const { field, at, warnings } = subject
  const own = [...((field.schema as { enum?: string[] }).enum ?? []), ...Object.keys(field.virtual ?? {})]
  if (own.includes(word)) return true
  if (!isStatus(word)) {
    notIn(subject, own.toSorted())
    return false
  }
  warnings.push({
    code: "STATUS_NEVER_MATCHES",
    field: at,
    message: `No record of this list ever has the status ${word}; its statuses are ${own.toSorted().join(", ")}.`,
    params: { status: word, allowed: own.toSorted() },
  })
  return true
}

const notIn = ({ errors, at }: Subject, allowed: readonly string[]) =>
  reporter(errors, at)("FORMAT", `must be one of ${allowed.join(", ")}`, { allowed })

const comparedPart = (value: string, { kind }: Field): string =>
  kind === "prose" && value.length > comparedOfProse ? [...value].slice(0, comparedOfProse).join("") : value

/** Codes and email addresses match in any case, because they are unique ignoring case. */
function ignoringCase({ name, field }: Subject, value: string): Term | null {
  if (field.isExact) return null
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

/** No column has a larger number. */
const largestUnits = 9e18

/** Compares a column of whole numbers with a number that may have more decimals. */
function numberTerm(source: string, operator: Compare, units: number): Term {
  if (operator === "eq" && !Number.isInteger(units)) return { sql: "false", values: [] }
  const whole = operator === "gt" || operator === "lte" ? Math.floor(units) : Math.ceil(units)
  const bound = Math.max(-largestUnits, Math.min(largestUnits, whole))
  return { sql: `${source} ${signs[operator]} ?`, values: [bound] }
}

/** Converts a value to the units of a column. With more decimals than the column, the result is not a whole number. */
const scaled = (value: number, digits: number): number => toUnits(value, digits) ?? value * 10 ** digits

/** Returns a field as the text that people see, for pattern matching. */
function textOf({ name, field, moneyContext }: Subject): string {
  const source = sourceOf(name, field, moneyContext)
  if (field.kind === "boolean") return `CASE ${source} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
  if (field.kind === "prose") return `substr(${source}, 1, ${comparedOfProse})`
  const digits = digitsOf(field, moneyContext)
  if (digits > 0) return `printf('%.15g', ${source} / ${10 ** digits}.0)`
  return source
}
