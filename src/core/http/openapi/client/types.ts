import { nameOf, type Document, type Schema } from "./document"

/** Writes schemas as types, and collects the named types that they need. */
export type Types = ReturnType<typeof typesOf>

const simple: Record<string, string> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
}

/** How long a line may be, without its indentation. */
export const maxWidth = 100

export const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
export const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

/** The name of a property; quoted if it has to be. */
export const keyOf = (name: string): string => (/^[\w$]+$/.test(name) ? name : JSON.stringify(name))

export function commentOf(text: string | undefined): string[] {
  return text === undefined ? [] : [`/** ${text.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ").trim()} */`]
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*\*.*?\*\/\s*/g, "")

export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ")

/** Writes a union on one line, or on several full lines if it is long. */
export function unionOf(parts: readonly string[]): string {
  const unique = [...new Set(parts)]
  const whole = unique.join(" | ")
  if (whole.length <= maxWidth || whole.includes("\n")) return whole
  const lines: string[] = []
  for (const part of unique) {
    const longer = `${lines.at(-1)} | ${part}`
    if (lines.length > 0 && longer.length <= maxWidth) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines.map((line) => `\n  | ${line}`).join("")
}

type Property = { name: string; type: string; about?: string | undefined }

/** Writes an object type. */
export function objectOf(properties: readonly Property[]): string {
  const lines = properties.map(({ name, type, about }) =>
    [...commentOf(about), `${name}:${type.startsWith("\n") ? "" : " "}${type}`].join("\n"),
  )
  return `{\n${indented(lines.join("\n"))}\n}`
}

/**
 * `names` gives names to schemas that have none in the document, such as the list of error codes, so that each of them
 * is written once.
 */
export function typesOf({ components }: Document, names: Record<string, Schema>) {
  const named = new Map<string, string>()
  const texts = new Map(Object.entries(names).map(([name, schema]) => [JSON.stringify(schema), name]))

  function declare(name: string, schema: Schema): string {
    if (!named.has(name)) {
      named.set(name, "")
      named.set(name, declarationOf(name, derived(name, schema) ?? written(schema), schema.description))
    }
    return name
  }

  /** `DryRunOrder` has what Order has, some of it with another type: `Omit<Order, "number"> & { number: … }`. */
  function varied(name: string, schema: Schema): string | null {
    const base = /^DryRun(.+)$/.exec(name)?.[1] ?? ""
    const known = components.schemas[base]?.properties
    if (!known) return null
    const other = Object.entries(schema.properties ?? {}).filter(
      ([key, value]) => withoutComments(typeOf(value)) !== withoutComments(typeOf(known[key] ?? {})),
    )
    const names = unionOf(other.map(([key]) => JSON.stringify(key)))
    return `Omit<${referred(base)}, ${names}> & ${written({ ...schema, properties: Object.fromEntries(other) })}`
  }

  function extended(name: string, schema: Schema): string | null {
    const { base, more } = extensionOf(components.schemas, name, schema) ?? {}
    return base && more ? `${referred(base)} & ${written({ ...schema, properties: more })}` : null
  }

  const derived = (name: string, schema: Schema) => extended(name, schema) ?? varied(name, schema)

  /** Names that stand for a simple type, such as those of filters, are not declared. */
  function referred(name: string): string {
    const schema = components.schemas[name] ?? {}
    const isSimple = typeof schema.type === "string" && schema.type in simple && !schema.enum
    return isSimple ? written(schema) : declare(name, schema)
  }

  function typeOf(schema: Schema): string {
    const name = texts.get(JSON.stringify(schema))
    if (name !== undefined) return declare(name, schema)
    return schema.$ref === undefined ? written(schema) : referred(nameOf(schema.$ref))
  }

  function written(schema: Schema): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)))
    if (schema.anyOf) return unionOf(schema.anyOf.map(typeOf))
    if (schema.type === undefined) return "unknown"
    return unionOf([schema.type].flat().map((type) => simple[type] ?? compound(type, schema)))
  }

  function compound(type: string, schema: Schema): string {
    const { items = {}, properties, additionalProperties: others } = schema
    if (type === "array") return arrayOf(typeOf(items))
    if (properties) return objectOf(propertiesOf(schema, typeOf))
    return `Record<string, ${typeof others === "object" ? typeOf(others) : "unknown"}>`
  }

  return { declare, typeOf, add: named.set.bind(named), all: () => [...named.values()] }
}

/** `WebhookWithSecret` has all that Webhook has, and is written as `Webhook & { secret }`. */
function extensionOf(schemas: Record<string, Schema>, name: string, { properties = {} }: Schema) {
  const base = /^(.+)With[A-Z]\w+$/.exec(name)?.[1] ?? ""
  const known = schemas[base]?.properties
  const all = Object.entries(properties)
  const same = all.filter(([key, value]) => Bun.deepEquals(known?.[key], value))
  if (!known || same.length < Object.keys(known).length) return null
  return { base, more: Object.fromEntries(all.filter(([key]) => !(key in known))) }
}

function arrayOf(item: string): string {
  return /^([\w$]+|\{[^]*\})$/.test(item) ? `${item}[]` : `(${item})[]`
}

function propertiesOf(
  { properties = {}, required = [] }: Schema,
  typeOf: (schema: Schema) => string,
): Property[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name: keyOf(name) + (required.includes(name) ? "" : "?"),
    type: typeOf(schema),
    about: schema.description,
  }))
}

/** Writes the declaration of a type. */
export function declarationOf(name: string, type: string, about?: string): string {
  return [...commentOf(about), `export type ${name} =${type.startsWith("\n") ? "" : " "}${type}`].join("\n")
}
