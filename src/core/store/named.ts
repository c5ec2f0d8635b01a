import type { Database } from "../engine/engine"
import { listOf } from "../engine/sql"
import { columnOf, draftFieldsOf, type Resource } from "../kind/define"
import type { Field } from "../kind/field"
import { keyColumnOf } from "../kind/keys"
import { readDraft, type Draft, type Input } from "../kind/read"
import { type FindNamed, type Named, namesByKey, resolved } from "../kind/references"
import type { Tx } from "../write/writer"

/** Finds the records that a body names, with one statement for each key. */
const finderIn =
  (db: Database): FindNamed =>
  (kind, by, values) => {
    const { table, view = table, mergedInto } = kind
    const column = columnIn(kind, by)
    const means = mergedInto === undefined ? "id" : `coalesce(${columnOf(mergedInto)}, id)`
    const rows = db
      .query<Named & { value: string }, [string]>(
        `SELECT ${column} AS value, id, ${means} AS means FROM ${view} WHERE ${column} IN ${listOf("?")}`,
      )
      .all(JSON.stringify(values))
    return new Map(rows.map(({ value, id, means: meant }) => [value, { id, means: meant }]))
  }

const columnIn = ({ fields }: Resource, by: string): string =>
  by === "id" ? by : keyColumnOf(by, fields[by] as Field)

/**
 * Returns a body with the ids of the records that it names by keys. They are found inside the write, so that they are
 * still the same when it stores them. `stored` returns the record that the body updates.
 */
export const namedIn = (
  { db }: Tx,
  fields: Record<string, Field>,
  input: Input,
  stored: () => object | null = () => null,
): Input =>
  namesByKey(fields, input)
    ? resolved(fields, input, stored() as Record<string, unknown> | null, finderIn(db))
    : input

/** Reads a body that creates a record. */
export const draftIn = (tx: Tx, kind: Resource, input: Input): Draft =>
  readDraft(kind, namedIn(tx, draftFieldsOf(kind), input))
