import { textIn } from "../engine/sql"
import { columnOf, fieldsOf, type Resource } from "../kind/define"
import type { Field } from "../kind/field"

type Named = readonly (readonly [string, Field])[]

const known = new WeakMap<Resource, ReadonlyMap<string, Field>>()

/**
 * Returns the fields of a kind with their names, as lists know them: a text in an object, such as the city of an address,
 * is a field too, `address.city`. A list can be filtered and sorted by it.
 */
export function listedFields(resource: Resource): ReadonlyMap<string, Field> {
  const fields =
    known.get(resource) ??
    new Map(fieldsOf(resource).flatMap(([name, field]) => [[name, field], ...partsOf(name, field)]))
  known.set(resource, fields)
  return fields
}

/** The texts in an object. They have no columns of their own, so they are read from the JSON, as a computed field is. */
const partsOf = (name: string, { parts = {}, isNotStored }: Field): Named =>
  Object.entries(isNotStored ? {} : parts)
    .filter(([, { kind }]) => kind === "text")
    .map(([part, field]) => [
      `${name}.${part}`,
      {
        ...field,
        isPart: true,
        access: "readOnly",
        nullable: true,
        derived: () => textIn(columnOf(name), part),
      },
    ])

/** Returns a field that a list knows. */
export function listedField(resource: Resource, name: string): Field {
  const field = listedFields(resource).get(name)
  if (!field) throw new Error(`${name} is not a field of ${resource.name}.`)
  return field
}
