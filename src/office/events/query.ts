import type { Caller } from "../../core/caller"
import { mayCaller } from "../../core/caller"
import { assertNoErrors, fieldError, type FieldError } from "../../core/lib/refusal"
import { longestValue } from "../../core/store/filter"
import { readInteger, tooLong } from "../../core/store/list"
import { readParams, type Params } from "../../core/kind/query"
import type { EventKind } from "./model"

export const defaultLimit = 100
export const mostEvents = 1_000
/** Records can be large, so a page with records is shorter. */
export const mostRecords = 100
export const longestWait = 60

export type FeedQuery = {
  after: string | undefined
  /** Every type that the request asks for, whether or not the caller may read it. */
  types: readonly string[]
  limit: number
  /** How long to wait for an event, in seconds. */
  wait: number
  hasRecords: boolean
}

const names = ["after", "types", "kinds", "limit", "wait", "include"]

export function readFeedQuery(query: string, known: readonly EventKind[]): FeedQuery {
  const params = readParams(query, names)
  const errors: FieldError[] = []
  for (const name of ["types", "kinds", "limit", "wait"])
    if ((params.get(name)?.length ?? 0) > longestValue) errors.push(tooLong(name, longestValue))
  assertNoErrors(errors, "The query has invalid values.")
  const types = typesOf(params, known, errors)
  const limit = readInteger(params, "limit", defaultLimit, Infinity, errors)
  const wait = readWait(params.get("wait") ?? "0", errors)
  const include = params.get("include")
  if (include !== undefined && include !== "record")
    errors.push(fieldError("include", "FORMAT", "must be record", { allowed: ["record"] }))
  assertNoErrors(errors, "The query has invalid values.")
  const hasRecords = include === "record"
  const most = hasRecords ? mostRecords : mostEvents
  return { after: params.get("after"), types, limit: Math.min(limit, most), wait, hasRecords }
}

function readWait(given: string, errors: FieldError[]): number {
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : NaN
  if (seconds <= longestWait) return seconds
  errors.push(
    seconds > longestWait
      ? fieldError("wait", "TOO_LARGE", `must be at most ${longestWait}`, { max: longestWait })
      : fieldError("wait", "TYPE", "must be a whole number of at least 0", { type: "integer", min: 0 }),
  )
  return 0
}

/** Returns the types that match `types` and `kinds`. Without both, it returns all. */
function typesOf(params: Params, known: readonly EventKind[], errors: FieldError[]): string[] {
  const all = known.flatMap(({ types }) => types)
  const kinds = wordsOf(params, "kinds")
  const patterns = wordsOf(params, "types")
  const kindNames = known.map(({ name }) => name)
  if (kinds?.some((kind) => !kindNames.includes(kind)))
    errors.push(
      fieldError("kinds", "FORMAT", `must list kinds out of ${kindNames.join(", ")}`, { allowed: kindNames }),
    )
  const unknown = patterns?.filter((pattern) => !all.some((type) => isMatch(pattern, type))) ?? []
  if (unknown.length > 0) errors.push(unknownTypes("types", unknown[0] ?? "", all))
  return all.filter(
    (type) =>
      (kinds === undefined || kinds.includes(kindOf(type))) &&
      (patterns === undefined || patterns.some((pattern) => isMatch(pattern, type))),
  )
}

export const kindOf = (type: string): string => type.slice(0, type.indexOf("."))

const wordsOf = (params: Params, name: string): string[] | undefined =>
  params
    .get(name)
    ?.split(",")
    .map((word) => word.trim())

/** True when a type matches a pattern: the type itself, `invoices.*` or `*`. */
export const isMatch = (pattern: string, type: string): boolean =>
  pattern === type || pattern === "*" || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)))

/** The error of a pattern that no type matches. */
export const unknownTypes = (field: string, pattern: string, all: readonly string[]): FieldError =>
  fieldError(
    field,
    "FORMAT",
    `has ${JSON.stringify(pattern.slice(0, 60))}, which is no type of event; use a type, invoices.* or *`,
    { allowed: all },
  )

/** Returns the types that the caller may read now. */
export function readableTypes(
  types: readonly string[],
  known: readonly EventKind[],
  caller: Caller,
): string[] {
  const readable = new Set(known.filter(({ right }) => mayCaller(caller, right)).map(({ name }) => name))
  return types.filter((type) => readable.has(kindOf(type)))
}
