import { badQuery } from "../../kind/query"
import { columnOf, type Resource } from "../../kind/define"
import { listOf, rowsOf } from "../../engine/sql"
import { isLonger } from "../../lib/text"
import { fieldError, reporter, type FieldError } from "../../lib/refusal"
import { longestValue, readList, type Term } from "../filter"

/** The operators of a key of metadata. Its values are texts, which are compared exactly. */
export const pairOperators = ["eq", "ne", "in", "null"] as const
type PairOperator = (typeof pairOperators)[number]

/** A filter by a key of a field with any keys: `metadata[color]` or `metadata[color][in]`. */
export type PairFilter = { field: string; key: string; operator: PairOperator }

/** The fields of a kind that have any keys. */
export const pairFields = ({ fields }: Resource): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.isMap === true)

/** Reads the name of a filter by a key; null if it is no such filter. A key cannot contain `][`. */
export function readPairName(resource: Resource, name: string): PairFilter | null {
  const [, field = "", key = "", given = "eq"] =
    /^([A-Za-z]+)\[((?:(?!\]\[)[^])+)\](?:\[([^]*)\])?$/.exec(name) ?? []
  if (!pairFields(resource).includes(field)) return null
  const operator = pairOperators.find((each) => each === given)
  if (operator) return { field, key, operator }
  const message = `has an unknown operator; the operators of ${field} are ${pairOperators.join(", ")}`
  throw badQuery(name, "UNKNOWN_FIELD", message, { operators: pairOperators })
}

/** The name of a filter by a key, in errors and in the identity of a list. */
export const pairName = ({ field, key }: Pick<PairFilter, "field" | "key">): string => `${field}[${key}]`

/** Converts a filter by a key to SQL, or adds to `errors` and returns undefined. */
export function pairTerm(
  filter: PairFilter,
  at: string,
  value: string,
  errors: FieldError[],
): Term | undefined {
  const { field, key, operator } = filter
  const column = columnOf(field)
  const source = `(SELECT pair.value FROM ${rowsOf(column)} AS pair WHERE pair.key = ?)`
  const shared = { field: pairName(filter), longText: column }
  const error = reporter(errors, at)
  if (operator === "null") {
    if (value !== "true" && value !== "false")
      return void errors.push(fieldError(at, "TYPE", "must be true or false", { type: "boolean" }))
    return { ...shared, sql: `${source} IS ${value === "true" ? "" : "NOT "}NULL`, values: [key] }
  }
  if (operator === "in") {
    const words = readList(value, error)
    return (
      words && {
        ...shared,
        sql: `${source} IN ${listOf("?")}`,
        values: [key, JSON.stringify(words)],
        pair: { key, words },
      }
    )
  }
  if (value === "") return error("TOO_SHORT", "must not be empty", { min: 1 })
  if (isLonger(value, longestValue))
    return error("TOO_LONG", `must be at most ${longestValue} characters long`, { max: longestValue })
  const sign = operator === "eq" ? "=" : "IS DISTINCT FROM"
  const pair = operator === "eq" ? { pair: { key, words: [value] } } : {}
  return { ...shared, ...pair, sql: `${source} ${sign} ?`, values: [key, value] }
}
