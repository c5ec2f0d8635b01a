import { fieldError, Refusal, type FieldError } from "../../core/lib/refusal"
import type { MoneyContext } from "../../core/kind/field"
import { firstGiven, type ListQuery, pageParameters, readListQuery } from "../../core/store/list"
import { parseQuery } from "../../core/kind/query"
import { isObject } from "../../core/kind/object"
import { items } from "../items/model"

/** The parameters of a list that do not choose its records. */
const others = [...pageParameters, "sort", "order", "fields"]

/** Parses a query string that chooses items, as in their list. */
export const readItemQuery = (filter: string, moneyContext: MoneyContext): ListQuery =>
  readListQuery(items, filter, moneyContext)

/**
 * Reads the filter of a request, which is a query string or an object with the same parameters. Returns the query string,
 * or null with errors.
 */
export function readFilter(given: unknown, moneyContext: MoneyContext, errors: FieldError[]): string | null {
  if (given === undefined || given === null)
    return problem(errors, fieldError("filter", "REQUIRED", "is required: {} stands for all items"))
  const query = typeof given === "string" ? given.replace(/^\?/, "") : queryOf(given, errors)
  if (query === null) return null
  try {
    const other = firstGiven(items, parseQuery(query), others)
    if (other !== undefined) return problem(errors, fieldError(`filter.${other}`, "UNKNOWN_FIELD", noFilter))
    readItemQuery(query, moneyContext)
    return query
  } catch (error) {
    if (!(error instanceof Refusal) || !isReported(error)) throw error
    errors.push(...error.details.map(inFilter))
    return null
  }
}

const noFilter = "is not a filter: a filter has only conditions and search"

/** The filter is in the body, so its errors are those of a body, not of a query string. */
const isReported = ({ code }: Refusal): boolean => code === "VALIDATION_ERROR" || code === "INVALID_QUERY"

const problem = (errors: FieldError[], error: FieldError): null => {
  errors.push(error)
  return null
}

/** Converts an object to a query string. */
function queryOf(given: unknown, errors: FieldError[]): string | null {
  if (!isObject(given))
    return problem(
      errors,
      fieldError("filter", "TYPE", "must be an object or a query string", { type: "object" }),
    )
  const wrong = Object.entries(given).filter(([, value]) => !isValue(value))
  for (const [name] of wrong)
    errors.push(
      fieldError(`filter.${name}`, "TYPE", "must be a text, a number, true or false", { type: "string" }),
    )
  if (wrong.length > 0) return null
  return Object.entries(given)
    .map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`)
    .join("&")
}

const isValue = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Names the filter in an error of the list. The list has other parameters, which a filter has not. */
function inFilter(error: FieldError): FieldError {
  const isUnknown = error.code === "UNKNOWN_FIELD" && error.params?.operators === undefined
  return {
    ...error,
    field: `filter.${error.field}`,
    message: isUnknown ? "is not a field to filter items by" : error.message,
  }
}
