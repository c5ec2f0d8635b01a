import { Type } from "@sinclair/typebox"
import { callerOf } from "../../core/http/request/call"
import { type Caller, mayCaller } from "../../core/caller"
import { ok } from "../../core/http/answer/envelope"
import { query } from "../../core/http/openapi/parameters"
import { get, type Route } from "../../core/http/route/route"
import { assertNoErrors, fieldError, type FieldError } from "../../core/lib/refusal"
import { longestValue } from "../../core/store/filter"
import { readInteger, tooLong } from "../../core/store/list"
import { readParams, type Params } from "../../core/kind/query"
import { Hit, type SearchKind } from "./model"
import type { SearchService } from "./service"

const defaultLimit = 10
const mostHits = 100
const longestQuery = 200

/** The global search, over all kinds that the caller may read. */
export const searchRoutes = (search: SearchService): Route[] => {
  const names = search.kinds.map(({ name }) => name)
  return [
    get(
      "/search",
      {
        may: { area: "search", scope: "read" },
        id: "search",
        tag: "search",
        summary: "Search all kinds of records",
        description:
          "Matches codes, numbers, names and other fields. Ignores case and accents, and tolerates a typing error. The best matches come first; an exact code or number has a score of 1. An amount, such as `4413.97` or `€4,413.97`, finds the sales orders and invoices with this total, and the invoices with this balance.",
        parameters: () => [
          {
            ...query(
              "q",
              "The text to search for.",
              Type.String({ maxLength: longestQuery, examples: ["desk"] }),
            ),
            required: true,
          },
          query(
            "types",
            `Kinds, separated by commas: ${names.join(", ")}. All by default.`,
            Type.String({ examples: ["items,customers"] }),
          ),
          query(
            "limit",
            `Maximum number of matches per kind; a value above ${mostHits} counts as ${mostHits}.`,
            Type.Integer({ minimum: 1, default: defaultLimit }),
          ),
        ],
        answer: {
          status: 200,
          description: "The matches of each requested kind.",
          schema: Type.Unsafe({ $id: "SearchHits", type: "object", additionalProperties: Type.Array(Hit) }),
        },
        refuses: [422],
      },
      async ({ call }) => {
        const { q, kinds, limit } = readSearch(call.query, callerOf(call), search.kinds)
        return ok(await search.search(kinds, q, limit))
      },
    ),
  ]
}

function readSearch(text: string, caller: Caller, known: readonly SearchKind[]) {
  const params = readParams(text, ["q", "types", "limit"])
  const errors: FieldError[] = []
  const q = readTyped(params, errors)
  for (const name of ["types", "limit"])
    if ((params.get(name)?.length ?? 0) > longestValue) errors.push(tooLong(name, longestValue))
  const requested = params
    .get("types")
    ?.split(",")
    .map((name) => name.trim())
  const names = known.map(({ name }) => name)
  if (requested?.some((name) => !names.includes(name)))
    errors.push(
      fieldError("types", "FORMAT", `must list kinds out of ${names.join(", ")}`, { allowed: names }),
    )
  const limit = readInteger(params, "limit", defaultLimit, Infinity, errors)
  assertNoErrors(errors, "The query has invalid values.")
  const kinds = known.filter(
    ({ name, resource }) => mayCaller(caller, resource.rights.read) && (requested?.includes(name) ?? true),
  )
  return { q, kinds, limit: Math.min(limit, mostHits) }
}

function readTyped(params: Params, errors: FieldError[]): string {
  const q = params.get("q")
  if (q === undefined) errors.push(fieldError("q", "REQUIRED", "is required"))
  else if (q.trim() === "") errors.push(fieldError("q", "TOO_SHORT", "must not be empty", { min: 1 }))
  else if ([...q].length > longestQuery) errors.push(tooLong("q", longestQuery))
  return q ?? ""
}
