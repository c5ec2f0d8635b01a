import type { KindRights, Right } from "../../../shared/rights"
import type { Caller } from "../../caller"
import { mayCaller } from "../../caller"

/** How to find the records of a kind that others refer to. */
export type Related = {
  right: Right
  findMany(ids: readonly string[], signal: AbortSignal | null): Promise<{ id: string }[]>
}

/** The related records of a kind, by the name in `expand`: the path of the field that refers to them. */
export type RelatedRecords = Readonly<Record<string, Related>>

/** The records of a response, by name and id. */
export type Expanded = Record<string, Record<string, object>>

/** The maximum number of records for each name. */
const mostRecords = 100

export const related = (
  { rights }: { rights: KindRights },
  { findMany }: Pick<Related, "findMany">,
): Related => ({
  right: rights.read,
  findMany,
})

/** Finds the records that `records` refer to, as far as the caller may read them. */
export async function expand(
  names: readonly string[],
  records: readonly object[],
  known: RelatedRecords,
  caller: Caller,
  signal: AbortSignal | null,
): Promise<Expanded> {
  const expanded: Expanded = {}
  for (const name of names) {
    const kind = known[name]
    const ids = kind && mayCaller(caller, kind.right) ? idsIn(records, name.split(".")) : []
    const found = kind && ids.length > 0 ? await kind.findMany(ids, signal) : []
    expanded[name] = Object.fromEntries(found.map((record) => [record.id, record]))
  }
  return expanded
}

/** The first ids at a path such as `items.item`, each once. */
function idsIn(records: readonly object[], path: readonly string[]): string[] {
  const ids = new Set<string>()
  for (const record of records)
    for (const id of valuesAt(record, path)) {
      if (typeof id === "string") ids.add(id)
      if (ids.size === mostRecords) return [...ids]
    }
  return [...ids]
}

function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path))
  if (name === undefined) return [value]
  return typeof value === "object" && value !== null
    ? valuesAt((value as Record<string, unknown>)[name], rest)
    : []
}
