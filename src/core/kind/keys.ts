// The fields with a unique index, by which records are found besides their ids.
import { lower } from "../lib/text"
import { columnOf, type Resource } from "./define"
import type { Field } from "./field"

/** Returns the fields with a unique index. */
export const keysOf = ({ indexed, fields }: Resource): [string, Field][] =>
  (indexed?.unique ?? []).flatMap((name) => {
    const field = fields[name]
    return field ? [[name, field] as [string, Field]] : []
  })

/** The column with the unique index of a field. Numbers that the server assigns are compared exactly. */
export const keyColumnOf = (name: string, field: Field): string =>
  isFolded(field) ? `${columnOf(name)}_key` : columnOf(name)

/** Returns the form of a value in the unique index of a field. */
export const keyOf = (field: Field): ((value: string) => string) =>
  isFolded(field) ? lower : (value) => value

const isFolded = ({ unique, isExact }: Field): boolean => unique === true && !isExact
