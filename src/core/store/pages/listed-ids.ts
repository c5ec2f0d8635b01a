import type { Database } from "../../engine/engine"
import type { Resource } from "../../kind/define"
import type { MoneyContext } from "../../kind/field"
import { matchTerm } from "./finds"
import type { Selection } from "../plan"
import { sortColumns, sorting } from "./page"
import { valuesOf, whereOf } from "./walk"

/**
 * Returns the ids of all records of a list, in its order. They are read one after the other, so that a long list takes no
 * memory. The query blocks its thread, and must see no writes until it is done.
 */
export function* listedIds(
  db: Database,
  resource: Resource,
  { where, match, sort }: Selection,
  moneyContext: MoneyContext,
): Generator<string, undefined> {
  const { table, view = table } = resource
  const terms = [...where, ...matchTerm(db.engine.search, view, match)]
  const sorted = sorting(sortColumns(resource, sort, moneyContext))
  const statement = db.prepare<{ id: string }, (string | number)[]>(
    `SELECT id FROM ${view} ${whereOf(terms)} ORDER BY ${sorted}`,
  )
  try {
    for (const { id } of statement.iterate(...valuesOf(terms))) yield id
  } finally {
    statement.finalize()
  }
  return undefined
}
