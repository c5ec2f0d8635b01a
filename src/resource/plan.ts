import { columnOf, type Resource } from "./define"
import type { MoneyContext, Field } from "./field"
import { sortSourceOf, sourceOf, type Operator, type Term } from "./filter"
import type { ListQuery } from "./list"

/** What a list is asked for, as its table understands it. */
export type Asked = {
  /** Every condition but that of the search. */
  where: Term[]
  match: ListQuery["match"]
  sort: string
  order: "asc" | "desc"
}

/** An index to go along: its first column, and the conditions that it bounds. */
export type Along = { column: string; within: Term[] }

const bounds: readonly (Operator | undefined)[] = ["eq", "gt", "gte", "lt", "lte"]

/** How the records of a kind are found: by its indexes, or by looking through them. */
export function planner(resource: Resource) {
  const { sort: sorted = [], group: grouped = [], unique = [] } = resource.indexed ?? {}
  const has = (names: readonly string[], name: string | undefined) =>
    name !== undefined && names.includes(name)
  const fieldOf = (name: string) => resource.fields[name] as Field
  /** True when a field sorts by what it is filtered by, so that one index serves both. */
  const isPlain = (name: string, moneyContext: MoneyContext) =>
    sourceOf(name, fieldOf(name), moneyContext) === sortSourceOf(name, fieldOf(name), moneyContext)

  const groupIn = (where: readonly Term[]): Term | undefined =>
    where.find(({ field, operator }) => operator === "eq" && has(grouped, field))

  /** The conditions that bound the index a field is sorted by. */
  const rangeOf = (name: string, where: readonly Term[], moneyContext: MoneyContext): Term[] =>
    has(sorted, name) && isPlain(name, moneyContext)
      ? where.filter(({ field, operator }) => field === name && bounds.includes(operator))
      : []

  return {
    /** True when indexes alone find the page and count the rest. */
    isIndexed({ where, match, sort }: Asked, moneyContext: MoneyContext): boolean {
      const isOne = where.some(
        ({ field, operator }) => operator === "eq" && (field === "id" || has(unique, field)),
      )
      if (isOne) return true
      if (match !== undefined) return false
      const group = groupIn(where)
      if (group && where.length === 1 && sort === "createdAt") return true
      return has(sorted, sort) && rangeOf(sort, where, moneyContext).length === where.length
    },

    /** The index in whose order the list is, if there is one; a list may then end where its page does. */
    inOrder({ where, sort }: Asked, moneyContext: MoneyContext): Along | null {
      const column = sortSourceOf(sort, fieldOf(sort), moneyContext)
      const group = groupIn(where)
      if (group) return sort === "createdAt" ? { column, within: [group] } : null
      return has(sorted, sort) ? { column, within: rangeOf(sort, where, moneyContext) } : null
    },

    /** The index that leaves the least to look through, whatever the order; null for the whole table. */
    narrowest({ where }: Asked, moneyContext: MoneyContext): Along | null {
      const group = groupIn(where)
      if (group) return { column: columnOf("createdAt"), within: [group] }
      for (const name of sorted) {
        const within = rangeOf(name, where, moneyContext)
        if (within.length > 0) return { column: columnOf(name), within }
      }
      return null
    },

    /** The columns of long text that a list reads to the end, though it compares only their beginning. */
    longTexts({ where, sort }: Asked): string[] {
      const names = new Set([...where.map(({ field }) => field ?? ""), sort])
      return [...names]
        .filter((name) => Object.hasOwn(resource.fields, name) && fieldOf(name).kind === "prose")
        .map(columnOf)
    },

    /** What a list can be narrowed by so that it need not look through everything. */
    names: (): string[] => [...new Set([...unique, ...grouped, ...sorted])],

    /** The first thing asked for that no index helps with. */
    culprit({ where, match, sort }: Asked): string {
      const known = ["id", ...unique, ...grouped, ...sorted]
      const filter = where.find(({ field }) => field !== undefined && !has(known, field))
      if (filter?.field) return filter.field
      return has(sorted, sort) ? (match === undefined ? (where[0]?.field ?? "sort") : "search") : "sort"
    },
  }
}

export type Planner = ReturnType<typeof planner>
