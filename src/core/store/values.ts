import type { Database } from "../engine/engine"
import { changeToken } from "../engine/change-token"
import { fieldsOf, type Resource } from "../kind/define"
import type { Field, MoneyContext } from "../kind/field"
import { sourceOf, type SqlValue } from "./filter"

/** A value of a field, and the number of records that have it. */
export type ValueCount = { value: string | boolean | null; count: number }

/** The values of a field in a list, the most frequent first. */
export type ValueCounts = {
  values: ValueCount[]
  /** True when the field has more values than these. */
  hasMore: boolean
}

/** Further values are not counted, so that a field with very many of them costs no memory. */
export const mostCounted = 1_000
/** The number of values in a response. */
export const mostValues = 200
/** Only this many answers are kept for the next request. */
const mostKept = 50

const known = new WeakMap<Resource, string[]>()

/**
 * Returns the fields with few values: choices, statuses, yes or no, texts with an index of their groups, and the texts and
 * whole numbers that the kind names in `counted`.
 */
export function countedFields(resource: Resource): string[] {
  const found = known.get(resource)
  if (found) return found
  const { indexed = {}, counted = [] } = resource
  const isNamed = (name: string, { kind }: Field) =>
    (["text", "integer"].includes(kind) && counted.includes(name)) ||
    (kind === "text" && indexed.group?.includes(name) === true)
  const names = fieldsOf(resource)
    .filter(([name, field]) => ["choice", "status", "boolean"].includes(field.kind) || isNamed(name, field))
    .map(([name]) => name)
  known.set(resource, names)
  return names
}

/** A row of a slice: a value, the number of records with it, and of those in each status that is not stored. */
type Counted = Record<string, SqlValue | null> & { value: SqlValue | null; n: number }

/** How the values of a field are counted: the columns of each slice, and what becomes of its rows. */
export function valueCounter(name: string, field: Field, moneyContext: MoneyContext) {
  const virtual = Object.entries(field.virtual ?? {})
  const extra = virtual.map(
    ([, condition], i) => `, sum(CASE WHEN (${condition(moneyContext)}) THEN 1 ELSE 0 END) AS v${i}`,
  )
  const counts = new Map<SqlValue | null, number>()
  let hasMore = false
  const add = (value: SqlValue | null, n: number): void => {
    const before = counts.get(value)
    if (before === undefined && counts.size >= mostCounted) hasMore = true
    else if (n > 0) counts.set(value, (before ?? 0) + n)
  }
  return {
    select: `SELECT ${sourceOf(name, field, moneyContext)} AS value, count(*) AS n${extra.join("")}`,
    add(rows: readonly Counted[]): void {
      for (const row of rows) {
        add(row.value, Number(row.n))
        virtual.forEach(([word], i) => add(word, Number(row[`v${i}`])))
      }
    },
    result(): ValueCounts {
      const values = [...counts]
        .map(([value, count]): ValueCount => ({ value: shown(field, value), count }))
        .toSorted((a, b) => b.count - a.count || compare(String(a.value ?? ""), String(b.value ?? "")))
      return { values: values.slice(0, mostValues), hasMore: hasMore || values.length > mostValues }
    },
  }
}

const shown = ({ kind }: Field, value: SqlValue | null): ValueCount["value"] =>
  value === null ? null : kind === "boolean" ? value === 1 : String(value)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Keeps what was counted until the next write. */
export function keptCounts(db: Database) {
  const kept = new Map<string, ValueCounts>()
  let token = ""
  return async (key: string, count: () => Promise<ValueCounts>): Promise<ValueCounts> => {
    const current = changeToken(db)
    if (token !== current || kept.size >= mostKept) kept.clear()
    token = current
    const found = kept.get(key)
    if (found) return found
    const counted = await count()
    // Not kept if there was a write meanwhile: it may or may not be included.
    if (changeToken(db) === current && token === current) kept.set(key, counted)
    return counted
  }
}
