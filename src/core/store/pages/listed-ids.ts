import type { Database } from "../../engine/engine"
import type { Resource } from "../../kind/define"
import type { Field, MoneyContext } from "../../kind/field"
import { sortSourceOf } from "../filter"
import { matchTerm } from "./finds"
import type { Selection } from "../plan"
import { sorting } from "./page"
import { valuesOf, whereOf } from "./walk"

/**
 * Returns the ids of all records of a list, in its order. They are read one after the other, so that a long list takes no
 * memory. The query blocks its thread, and must see no writes until it is done.
 */
export function* listedIds(
  db: Database,
  { table, view = table, fields }: Resource,
  { where, match, sort, order }: Selection,
  moneyContext: MoneyContext,
): Generator<string, undefined> {
  const terms = [...where, ...matchTerm(db.engine.search, view, match)]
  const field = fields[sort] as Field
  const sorted = sorting(sortSourceOf(sort, field, moneyContext), field.nullable, order)
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
