import type { App } from "../../http/app"
import { callerOf } from "../../http/call"
import { ok } from "../../http/envelope"
import { enveloped, operation } from "../../http/operation"
import type { Caller } from "../../http/caller"
import { mayRole } from "../../shared/rights"
import { assertNoFaults, type Detail } from "../../lib/refusal"
import { longestValue } from "../../resource/filter"
import { readParams } from "../../resource/query"
import { searchKinds, type SearchKind } from "./model"
import type { SearchService } from "./service"

const parameters = ["q", "types", "limit"]
const defaultLimit = 10
const mostHits = 100
const longestQuery = 200

/** One search over everything the caller may read. */
export const searchRoutes = (search: SearchService) => (app: App) =>
  app.get(
    "/api/v1/search",
    async ({ call }) => {
      const { q, kinds, limit } = readSearch(call.query, callerOf(call))
      return ok(await search.search(kinds, q, limit))
    },
    { may: { area: "search", scope: "read" }, detail: searchOperation },
  )

function readSearch(query: string, caller: Caller): { q: string; kinds: SearchKind[]; limit: number } {
  const params = readParams(query, parameters)
  const faults: Detail[] = []
  const q = params.get("q")
  if (q === undefined) faults.push({ field: "q", message: "is required" })
  else if (q.trim() === "") faults.push({ field: "q", message: "must not be empty" })
  else if ([...q].length > longestQuery)
    faults.push({ field: "q", message: `must be at most ${longestQuery} characters long` })
  for (const name of ["types", "limit"])
    if ((params.get(name)?.length ?? 0) > longestValue)
      faults.push({ field: name, message: `must be at most ${longestValue} characters long` })
  const mayRead = (kind: SearchKind) => mayRole(caller.role, { area: kind.area, scope: "read" })
  const asked = params
    .get("types")
    ?.split(",")
    .map((name) => name.trim())
  const known = searchKinds.map(({ name }) => name)
  if (asked?.some((name) => !known.includes(name)))
    faults.push({ field: "types", message: `must list kinds among ${known.join(", ")}` })
  const given = params.get("limit")
  const limit = given === undefined ? defaultLimit : /^[0-9]+$/.test(given) ? Number(given) : 0
  if (limit < 1) faults.push({ field: "limit", message: "must be a whole number of at least 1" })
  assertNoFaults(faults, "The query has invalid values.")
  const kinds = searchKinds.filter((kind) => mayRead(kind) && (asked?.includes(kind.name) ?? true))
  return { q: q ?? "", kinds, limit: Math.min(limit, mostHits) }
}

const hit = {
  type: "object",
  required: ["id", "name", "score"],
  properties: {
    id: { type: "string" },
    name: { type: "string", examples: ["Standing desk 120 cm", "SO-2026-00001 · Nordlicht GmbH"] },
    score: { type: "number", exclusiveMinimum: 0, maximum: 1 },
  },
}

const searchOperation = operation(() => ({
  id: "search",
  summary: "Search over everything",
  description:
    "Codes and numbers, names and further fields, in any case, without accents, and with a typing error. Best first; an exact code or number scores 1.",
  tag: "search",
  parameters: [
    {
      name: "q",
      in: "query",
      required: true,
      description: "What to look for.",
      schema: { type: "string", maxLength: 200 },
    },
    {
      name: "types",
      in: "query",
      description: `Kinds, separated by commas: ${searchKinds.map(({ name }) => name).join(", ")}. All by default.`,
      schema: { type: "string", examples: ["items,customers"] },
    },
    {
      name: "limit",
      in: "query",
      description: `Hits of each kind; more than ${mostHits} is served as ${mostHits}.`,
      schema: { type: "integer", minimum: 1, default: defaultLimit },
    },
  ],
  answers: {
    status: 200,
    description: "The hits of each kind that was asked for.",
    schema: enveloped({ type: "object", additionalProperties: { type: "array", items: hit } }),
  },
  refuses: [422],
}))
