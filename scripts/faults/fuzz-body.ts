// Bodies for the fuzzer: valid by the document, and the same with exactly one invalid value.
import { generateSync, type JsonSchema } from "json-schema-faker"
import type { Random } from "./random"
import type { Operation, Schema } from "./fuzz-document"
import type { Known } from "./fuzz-known"

export type Body = Record<string, unknown>

/** A body without some of its fields. */
export const without = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

/**
 * Generates a body that the document allows. `text` comes from the caller and is used where any text is valid.
 * `optionals` is the probability of optional fields; by default it is random.
 */
export function validBody(
  schema: Schema,
  random: Random,
  known: Known,
  text: string,
  optionals?: number,
): Body {
  const shaped = shape(schema, random, known)
  const made = generateSync(shaped as JsonSchema, {
    seed: random.between(1, 2 ** 31 - 1),
    optionalsProbability: optionals ?? random.pick([0, 0.3, 0.7, 1]),
    maxDefaultItems: 3,
    maxItems: 3,
    maxLength: 40,
  })
  return round(made, random.chance(0.7) ? null : text) as Body
}

/**
 * Adds to a schema what the document says only in its descriptions: IDs of existing records, numbers with four decimals
 * that are mostly small enough for totals, and valid codes where the schema allows any two letters.
 */
function shape(schema: Schema, random: Random, known: Known): Schema {
  const prefix = /^\^([a-z]+)_\[0-9a-z\]\{26\}\$$/.exec(schema.pattern ?? "")?.[1]
  if (prefix && known.of(prefix).length > 0) return { enum: [known.pick(prefix, random)] }
  if (schema.enum) return { enum: schema.enum }
  const words = schema.anyOf?.flatMap((each) => each.enum ?? []) ?? []
  if (words.length > 0) return { enum: words }
  if (schema.properties)
    return {
      ...schema,
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(schema.properties).flatMap(([name, inner]) =>
          // The ID of a line names an existing line; a new line has none.
          name === "id" ? [] : [[name, shape(inner, random, known)]],
        ),
      ),
    }
  if (schema.items) return { ...schema, maxItems: 3, items: shape(schema.items, random, known) }
  if (schema.examples && isFromStandard(schema)) return { enum: schema.examples }
  if (schema.examples && typesOf(schema).includes("string") && random.chance(0.3))
    return { enum: schema.examples }
  if (typesOf(schema).includes("number"))
    return { ...schema, maximum: Math.min(schema.maximum ?? 1_000, random.pick([10, 1_000, 1e9])) }
  return schema
}

/** True for values from an external list: countries, currencies, time zones, network addresses. */
const isFromStandard = ({ description, examples, format }: Schema): boolean =>
  /ISO|IANA/.test(description ?? "") || format === "uri" || String(examples?.[0]).includes("/24")

export const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat())

function round(value: unknown, text: string | null): unknown {
  if (typeof value === "number") return Math.round(value * 100) / 100
  if (Array.isArray(value)) return value.map((each) => round(each, text))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      text !== null && freeText.has(name) ? text : round(inner, text),
    ]),
  )
}
const freeText = new Set(["itemName", "name", "notes", "description", "note", "companyName", "street"])

export type Broken = { body: Body; field: string; how: string }

/** A field in a body: its path, its schema, and whether it is required. */
type Place = { path: (string | number)[]; schema: Schema; isRequired: boolean }

/** Returns the body with one value that the document forbids; null when no such value was found. */
export function broken(operation: Operation, body: Body, random: Random): Broken | null {
  if (!operation.isBodyValid(body)) return null
  const places = placesOf(operation.body ?? {}, body)
  for (let attempt = 0; attempt < 8 && places.length > 0; attempt++) {
    const place = random.pick(places)
    const [how, value] = random.pick(wrongValues(place))
    const changed = withValue(body, place.path, value)
    const isForbidden = beyondTheSchema.has(how) || !operation.isBodyValid(changed)
    if (isForbidden) return { body: changed, field: nameOf(place.path), how }
  }
  return null
}

function placesOf(schema: Schema, value: unknown, path: (string | number)[] = []): Place[] {
  if (schema.items && Array.isArray(value) && value.length > 0) {
    const last = value.length - 1
    return placesOf(schema.items, value[last], [...path, last])
  }
  if (!schema.properties || typeof value !== "object" || value === null) return []
  const own = Object.entries(schema.properties).flatMap(([name, inner]) => [
    { path: [...path, name], schema: inner, isRequired: schema.required?.includes(name) ?? false },
    ...placesOf(inner, (value as Body)[name], [...path, name]),
  ])
  const unknown = { path: [...path, "noSuchField"], schema: {}, isRequired: false }
  return schema.additionalProperties === false ? [...own, unknown] : own
}

/** Values that break the product's rules, which a schema cannot express. */
const beyondTheSchema = new Set([
  "five decimals",
  "a control character",
  "half a character",
  "beyond all numbers",
])
const nothing = Symbol("left out")

function wrongValues({ schema, isRequired }: Place): [how: string, value: unknown][] {
  const types = typesOf(schema)
  const wrong: [string, unknown][] = [
    ["an object", { a: 1 }],
    ["a list", [[]]],
    ["a boolean", true],
    ["a number", 17],
    ["a text", "neither this nor that"],
  ]
  if (isRequired) wrong.push(["left out", nothing], ["null", null])
  if (types.includes("string")) {
    wrong.push(["empty", ""])
    if (schema.maxLength && schema.maxLength <= 10_000)
      wrong.push(["too long", "x".repeat(schema.maxLength + 1)])
    if (!schema.enum && !schema.pattern && schema.format === undefined && schema.minLength === 1)
      wrong.push(["a control character", "a\u0007b"], ["half a character", "a\ud800b"])
  }
  // A password can be any text.
  const hasFormat = schema.enum || schema.pattern || (schema.format && schema.format !== "password")
  if (hasFormat) wrong.push(["another word", "no-such-word"])
  if (types.includes("number")) wrong.push(["five decimals", 1.00001], ["beyond all numbers", 1e300])
  if (schema.minimum !== undefined) wrong.push(["too small", schema.minimum - 1])
  if (schema.exclusiveMinimum !== undefined) wrong.push(["too small", schema.exclusiveMinimum])
  if (schema.maximum !== undefined) wrong.push(["too large", schema.maximum + 1])
  if (types.includes("array")) {
    if ((schema.minItems ?? 0) > 0) wrong.push(["no entries", []])
    if (schema.maxItems !== undefined) wrong.push(["too many entries", Array(schema.maxItems + 1).fill("x")])
  }
  return wrong
}

/** Returns the body with another value at a path. Missing parents are created. */
export function withValue(body: unknown, [step, ...rest]: (string | number)[], value: unknown): Body {
  const copy = (Array.isArray(body) ? [...body] : { ...(body as Body) }) as Body
  const key = step as string
  if (rest.length > 0)
    copy[key] = withValue(copy[key] ?? (typeof rest[0] === "number" ? [] : {}), rest, value)
  else if (value === nothing) delete copy[key]
  else copy[key] = value
  return copy
}

export const nameOf = (path: (string | number)[]): string =>
  path.reduce<string>(
    (name, step) => (typeof step === "number" ? `${name}[${step}]` : name ? `${name}.${step}` : step),
    "",
  )
