import { columnOf, type Resource } from "../kind/define"
import type { MoneyContext, Field } from "../kind/field"
import { listedFields } from "./listed-fields"
import { sortSourceOf, sourceOf, type Term } from "./filter"
import type { PairRows } from "./pairs/pair-index"
import type { ListQuery, SortKey } from "./list"

/** The records of a list and their order. */
export type Selection = {
  /** All conditions except the search. */
  where: Term[]
  match: ListQuery["match"]
  sort: readonly SortKey[]
}

/** An index to scan: its first column, the conditions that bound the scan, and its table if that is another one. */
export type Along = { column: string; within: Term[]; table?: string }

/** Finds the rows with a value of a key of metadata, if that has an index. */
export type FindPairs = (pair: NonNullable<Term["pair"]>) => PairRows | null

/** The fields of a kind, and the names of the indexed fields. See `indexed` of a resource. */
type Indexes = {
  fields: ReturnType<typeof listedFields>
  sorted: readonly string[]
  grouped: readonly string[]
  unique: readonly string[]
  pairs: FindPairs
}

const bounds: readonly Term["operator"][] = ["eq", "gt", "gte", "lt", "lte"]
/** The conditions that leave one value of a field. No value counts as one. */
const points: readonly Term["operator"][] = ["eq", "null"]
/** The conditions for which SQLite does not read the text of a field. */
const unread: readonly Term["operator"][] = ["null", "notNull"]

/** Chooses how to find the records of a kind: by an index, or by a scan. */
export function planner(resource: Resource, pairs: FindPairs = () => null) {
  const fields = listedFields(resource)
  const { sort: sorted = [], group: grouped = [], unique = [] } = resource.indexed ?? {}
  const indexes: Indexes = { fields, sorted, grouped, unique, pairs }
  return {
    /** True when indexes alone can find the page and count the total. */
    isIndexed: (selection: Selection, moneyContext: MoneyContext): boolean =>
      isIndexed(indexes, selection, moneyContext),

    /**
     * The index in the order of the list, or of its first field, or null. With it, a scan can stop at the end of the page.
     */
    inOrder: (selection: Selection, moneyContext: MoneyContext): Along | null =>
      inOrder(indexes, selection, moneyContext),

    /** The index that leaves the fewest records to scan, in any order; null for the whole table. */
    narrowest: (selection: Selection, moneyContext: MoneyContext): Along | null =>
      narrowest(indexes, selection, moneyContext),

    /** The columns of long text that a list reads completely, although it compares only their beginning. */
    longTexts({ where, sort }: Selection): string[] {
      const read = where.filter(({ operator }) => !unread.includes(operator))
      const names = new Set([...read.map(({ field }) => field ?? ""), ...sort.map(({ field }) => field)])
      const prose = [...names].filter((name) => fields.get(name)?.kind === "prose").map(columnOf)
      return [...new Set([...prose, ...where.flatMap(({ longText }) => longText ?? [])])]
    },

    /** The fields that a list can be filtered by to avoid a full scan. */
    names: (): string[] => [...new Set([...unique, ...grouped, ...sorted])],

    /** The parameter to report when a scan is too long: the first one without an index. */
    unindexedPart: (selection: Selection): string => unindexedPart(indexes, selection),
  }
}

export type Planner = ReturnType<typeof planner>

const has = (names: readonly string[], name: string | undefined): boolean =>
  name !== undefined && names.includes(name)

const groupIn = ({ grouped }: Indexes, where: readonly Term[]): Term | undefined =>
  where.find(({ field, operator }) => points.includes(operator) && has(grouped, field))

/** The index of a key of metadata for one value of it. It is in the order of createdAt. */
function pairIn({ pairs }: Indexes, where: readonly Term[]): Along | null {
  for (const { pair } of where) {
    const rows = pair?.words.length === 1 ? pairs(pair) : null
    if (rows)
      return {
        table: rows.table,
        column: columnOf("createdAt"),
        within: [{ sql: rows.conditions.join(" AND "), values: rows.values }],
      }
  }
  return null
}

/** True when a field is sorted and filtered by the same column, so that one index is used for both. */
function isPlain({ fields }: Indexes, name: string, moneyContext: MoneyContext): boolean {
  const field = fields.get(name) as Field
  return sourceOf(name, field, moneyContext) === sortSourceOf(name, field, moneyContext)
}

/** Returns the conditions that bound the index that a field is sorted by. */
const rangeOf = (
  indexes: Indexes,
  name: string,
  where: readonly Term[],
  moneyContext: MoneyContext,
): Term[] =>
  has(indexes.sorted, name) && isPlain(indexes, name, moneyContext)
    ? where.filter(({ field, operator }) => field === name && bounds.includes(operator))
    : []

/** An index of the first of two fields is not enough: any number of records may have the same value of it. */
function isIndexed(
  indexes: Indexes,
  { where, match, sort: [first, second] }: Selection,
  moneyContext: MoneyContext,
): boolean {
  const isOne = where.some(
    ({ field, operator }) => operator === "eq" && (field === "id" || has(indexes.unique, field)),
  )
  if (isOne) return true
  if (match !== undefined || !first || second) return false
  const group = groupIn(indexes, where)
  if (group && where.length === 1 && first.field === "createdAt") return true
  const range = rangeOf(indexes, first.field, where, moneyContext)
  return has(indexes.sorted, first.field) && range.length === where.length
}

function inOrder(indexes: Indexes, selection: Selection, moneyContext: MoneyContext): Along | null {
  const { where } = selection
  const sort = selection.sort[0]?.field ?? ""
  const column = sortSourceOf(sort, indexes.fields.get(sort) as Field, moneyContext)
  const pair = pairIn(indexes, where)
  if (pair) return sort === "createdAt" ? pair : null
  const group = groupIn(indexes, where)
  if (group) return sort === "createdAt" ? { column, within: [group] } : null
  return has(indexes.sorted, sort) ? { column, within: rangeOf(indexes, sort, where, moneyContext) } : null
}

function narrowest(indexes: Indexes, { where }: Selection, moneyContext: MoneyContext): Along | null {
  const pair = pairIn(indexes, where)
  if (pair) return pair
  const group = groupIn(indexes, where)
  if (group) return { column: columnOf("createdAt"), within: [group] }
  for (const name of indexes.sorted) {
    const within = rangeOf(indexes, name, where, moneyContext)
    if (within.length > 0) return { column: columnOf(name), within }
  }
  return null
}

function unindexedPart(
  { sorted, grouped, unique }: Indexes,
  { where, match, sort: [first, second] }: Selection,
): string {
  const known = ["id", ...unique, ...grouped, ...sorted]
  const filter = where.find(({ field }) => field !== undefined && !has(known, field))
  if (filter?.field) return filter.field
  return has(sorted, first?.field) && !second
    ? match === undefined
      ? (where[0]?.field ?? "sort")
      : "search"
    : "sort"
}
