// The schemas of bodies as short text, for docs/routes.md.

export type Schema = {
  $ref?: string
  $id?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}

const referredName = ({ $ref, $id }: Schema) => ($ref ?? $id)?.split("/").at(-1)

/** The name of a schema, or its fields. */
export function nameOf(schema: Schema): string {
  const name = referredName(schema)
  if (name !== undefined) return name
  if (schema.type === "array" && schema.items) return `${nameOf(schema.items)}[]`
  return schema.properties ? `{ ${Object.keys(schema.properties).join(", ")} }` : "{}"
}

/** A section for each body with fields, and after them one for each named schema that they use. */
export function bodySections(bodies: Record<string, Schema>, schemas: Record<string, Schema>): string {
  const all = new Map(Object.entries(bodies).map(([name, schema]) => [name, schemas[name] ?? schema]))
  // A Map visits what is added to it in the loop, so parts of parts are found too.
  for (const schema of all.values())
    for (const name of referredIn(schema)) if (schemas[name] && !all.has(name)) all.set(name, schemas[name])
  return [...all]
    .filter(([, { properties = {} }]) => Object.keys(properties).length > 0)
    .map(([name, schema]) => `### ${name}\n\n${fieldsOf(schema)}`)
    .join("\n\n")
}

/** The names of this schema and of those that are parts of it. */
function referredIn(schema: Schema): string[] {
  const text = JSON.stringify(schema)
  return [...text.matchAll(/"\$(?:ref|id)":"(?:#\/components\/schemas\/)?(\w+)"/g)].map(
    ([, name = ""]) => name,
  )
}

/** The fields of an object with their types: first those that are required. */
function fieldsOf({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties)
  const pointOf = (title: string, isRequired: boolean) => {
    const some = fields.filter(([name]) => required.includes(name) === isRequired)
    const texts = some.map(([name, schema]) => fieldText(name, schema, isRequired))
    return some.length > 0 ? [wrapped(`- ${title}: ${texts.join(", ")}`)] : []
  }
  const parts = fields.flatMap(([name, schema]) => {
    const part = largePart(schema)
    return part ? [wrapped(`- Each of \`${name}\`: ${partFields(part).join(", ")}`)] : []
  })
  const optional = required.length > 0 ? "Optional" : "All fields are optional"
  return [...pointOf("Required", true), ...pointOf(optional, false), ...parts].join("\n")
}

/** The entries of a list, if they are objects without a name and with many fields. They get a point of their own. */
const largePart = ({ items }: Schema): Schema | undefined =>
  items && referredName(items) === undefined && Object.keys(items.properties ?? {}).length > 3
    ? items
    : undefined

const partFields = ({ properties = {}, required = [] }: Schema): string[] =>
  Object.entries(properties).map(
    ([name, schema]) => `\`${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}\``,
  )

function fieldText(name: string, schema: Schema, isRequired: boolean): string {
  const mark = isRequired || isNullable(schema) || schema.$ref ? "" : "!"
  return `\`${name}${mark}: ${largePart(schema) ? "object[]" : typeOf(schema)}\``
}

const isNullable = ({ type, anyOf, enum: values }: Schema): boolean =>
  (Array.isArray(type) && type.includes("null")) ||
  (values?.includes(null) ?? false) ||
  (anyOf?.some(({ type: each }) => each === "null") ?? false)

/** The type of a value in the notation of TypeScript, without `null`. */
function typeOf(schema: Schema): string {
  const name = referredName(schema)
  if (name !== undefined) return name
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum)
    return schema.enum
      .filter((value) => value !== null)
      .map((value) => JSON.stringify(value))
      .join(" | ")
  if (schema.anyOf)
    return [...new Set(schema.anyOf.filter(({ type }) => type !== "null").map(typeOf))].join(" | ")
  const types = [schema.type ?? []].flat().filter((type) => type !== "null")
  return types.map((type) => plainType(type, schema)).join(" | ") || "any"
}

function plainType(type: string, schema: Schema): string {
  if (type === "array") {
    const each = typeOf(schema.items ?? {})
    return each.includes(" | ") ? `(${each})[]` : `${each}[]`
  }
  if (type === "object") return objectType(schema)
  return type === "string" && (schema.format ?? "").startsWith("date") ? (schema.format ?? "") : type
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties)
    return typeof additionalProperties === "object" ? `{ [name]: ${typeOf(additionalProperties)} }` : "object"
  const fields = partFields({ properties, required }).map((field) => field.slice(1, -1))
  return `{ ${fields.join(", ")} }`
}

/** Breaks a point of a list into lines of at most 120 characters, at the spaces between fields. */
export function wrapped(text: string): string {
  const lines: string[] = []
  let line = ""
  for (const part of text.split(/(?<=[:,]) (?=`)/)) {
    if (line !== "" && line.length + part.length + 1 > 120) {
      lines.push(line)
      line = `  ${part}`
    } else line = line === "" ? part : `${line} ${part}`
  }
  return [...lines, line].join("\n")
}
