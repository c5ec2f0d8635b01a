import { nameOf, parametersOf, type Document, type Operation, type Parameter } from "./document"
import { declarationOf, keyOf, objectOf, type Types } from "./types"

/**
 * Declares the query of a list, such as ItemFilters. A field that has operators is written once, with the type of its
 * values: `Filters` derives a name for each operator from it, and the values of `sort`, which are the same fields.
 */
export function filtersOf(document: Document, types: Types, operation: Operation, record: string): string {
  const parameters = parametersOf(document, operation, "query")
  const names = new Set(parameters.map(({ name }) => name))
  const isField = ({ name }: Parameter) => names.has(`${name}[eq]`)
  const isOther = ({ name }: Parameter) => !name.includes("[") && name !== "fields" && name !== "sort"
  const fields = parameters.filter(isField).map((field) => ({
    name: keyOf(field.name),
    type: valueOf(document, types, field, record) + (names.has(`${field.name}[null]`) ? " | null" : ""),
  }))
  const others = parameters
    .filter((each) => !isField(each) && isOther(each))
    .map(({ name, schema, description: about }) => ({
      name: `${keyOf(name)}?`,
      type: types.typeOf(schema),
      about,
    }))
  const name = `${record}Filters`
  types.add(name, declarationOf(name, `Filters<${objectOf(fields)}> & ${objectOf(others)}`))
  return name
}

/** The type of a filter's value. A field with a list of values takes these. */
function valueOf(
  { components }: Document,
  types: Types,
  { name, schema }: Parameter,
  record: string,
): string {
  const isChoice = schema.$ref !== undefined && nameOf(schema.$ref) === "ChoiceFilter"
  const values = components.schemas[record]?.properties?.[name]?.enum
  return isChoice && values ? `NonNullable<${record}["${name}"]>` : types.typeOf(schema)
}
