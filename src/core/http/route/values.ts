import { Type } from "@sinclair/typebox"
import { badQuery, parseQuery } from "../../kind/query"
import type { Resource } from "../../kind/define"
import type { MoneyContext } from "../../kind/field"
import { firstGiven, type ListQuery, pageParameters, readListParams } from "../../store/list"
import { countedFields, mostCounted, mostValues, type ValueCounts } from "../../store/values"
import { ok } from "../answer/envelope"
import { runLongWork } from "../answer/list-answer"
import { plainFilters, query, searchParameter } from "../openapi/parameters"
import { type Money, pluralOf } from "./kind-routes"
import { get, type Route } from "./route"

/** What the counts of a kind need of its service. */
export type Counted = {
  values(query: ListQuery, field: string, signal: AbortSignal | null): Promise<ValueCounts>
}

/** The parameters of a list that do not choose its records. */
const others = [...pageParameters, "sort", "order", "fields"]

const Value = Type.Object(
  {
    value: Type.Unsafe<string | boolean | null>({
      type: ["string", "boolean", "null"],
      description: "A value as the filter takes it; null for the records without one",
    }),
    count: Type.Integer({ minimum: 1 }),
  },
  { $id: "ValueCount" },
)
const Meta = Type.Object(
  { hasMore: Type.Boolean({ description: "True when the field has more values than these" }) },
  { $id: "ValueCountMeta" },
)

/** GET /{kind}/values: how many records of a list have each value of a field. */
export function valuesRoute(kind: Resource, service: Counted, money: Money): Route[] {
  const fields = countedFields(kind)
  if (fields.length === 0) return []
  const field = query(
    "field",
    "The field whose values are counted.",
    Type.Unsafe({ type: "string", enum: fields, examples: fields.slice(0, 1) }),
  )
  return [
    get(
      `/${kind.name}/values`,
      {
        may: kind.rights.read,
        id: `count${pluralOf(kind.title)}ByValue`,
        tag: kind.name,
        summary: `Count ${pluralOf(kind.noun)} by the value of a field`,
        description: `The values of a field, and how many records of the list have each, the most frequent first: for the options of a filter. The filters of the list, also with operators, and its search apply, except those on the field itself. A status that is not stored, such as overdue, is counted in addition to the stored one. At most ${mostCounted / 1_000},000 values are counted and ${mostValues} returned. The limits of expensive lists apply.`,
        parameters: () => [{ ...field, required: true }, searchParameter, ...plainFilters(kind)],
        answer: { status: 200, description: "The values.", schema: Type.Array(Value), meta: Meta },
        refuses: [422],
      },
      ({ call }) => {
        const { name, list } = readValuesQuery(kind, call.query, money())
        return runLongWork(call, async (signal) => {
          const { values, hasMore } = await service.values(list, name, signal)
          return { ...ok(values), meta: { hasMore } }
        })
      },
    ),
  ]
}

/** Parses the query: the field, and the list without its own filters on the field. */
function readValuesQuery(kind: Resource, text: string, moneyContext: MoneyContext) {
  const params = parseQuery(text)
  const allowed = countedFields(kind)
  const name = params.get("field")
  if (name === undefined || !allowed.includes(name))
    throw badQuery("field", "FORMAT", `must be one of ${allowed.join(", ")}`, { allowed })
  const other = firstGiven(kind, params, others)
  if (other !== undefined) throw badQuery(other, "UNKNOWN_FIELD", "is not a parameter of counts by value")
  params.delete("field")
  const list = readListParams(kind, params, moneyContext)
  return { name, list: { ...list, filters: list.filters.filter(({ field }) => field !== name) } }
}
