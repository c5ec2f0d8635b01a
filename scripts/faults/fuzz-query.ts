// Parameters for the fuzzer, in paths, queries and headers: all valid, or exactly one invalid.
import type { Random } from "./random"
import { partsOf, type Operation, type Schema } from "./fuzz-document"
import type { Known } from "./fuzz-known"

export type Parameters = {
  path: string
  query: [name: string, value: string][]
  headers: Record<string, string>
  /** True when every ID in the path exists. */
  isAlive: boolean
  isSlim: boolean
}

/** Parameters whose values depend on another one: the kind, the mode or the format. */
const dependent = ["mapping", "prices", "lines", "duplicates"]

/** Generates parameters that the document allows, with existing records if there are any. */
export function validParameters(
  operation: Operation,
  random: Random,
  known: Known,
  text: string,
): Parameters {
  const { path, isAlive } = fillPath(operation, random, known)
  const query: [string, string][] = []
  const headers: Record<string, string> = {}
  for (const { name, in: place, required, schema } of operation.parameters) {
    if (place === "path" || name === "cursor" || dependent.includes(name)) continue
    if (place === "header") {
      if (name === "Idempotency-Key" && random.chance(0.2)) headers[name] = `fuzz-${random.next()}`
      if (name === "Accept-Language" && random.chance(0.5))
        headers[name] = random.pick(["de-DE,de;q=0.9", "x", "*"])
      if (name === "If-Match" && random.chance(0.1)) headers[name] = `"${random.between(0, 3)}"`
      if (name === "If-None-Match" && operation.method === "GET" && random.chance(0.3))
        headers[name] = random.pick(['"1"', 'W/"2", "1"', '"x"', "*"])
      continue
    }
    if (!required && !random.chance(0.2)) continue
    const value = valueFor(operation, name, schema, random, text)
    if (value !== null) query.push([name, value])
  }
  // Only a few filters at a time, because many together match nothing.
  const filters = operation.filters.filter(({ name }) => !dependent.includes(name))
  for (const filter of random.shuffled(filters).slice(0, random.pick([0, 0, 1, 1, 2, 3]))) {
    const value = filterValue(operation, filter.name, filter.schema, random, text)
    if (value !== null) query.push([filter.name, value])
  }
  return {
    path,
    query,
    headers,
    isAlive,
    isSlim: query.some(([name]) => name === "fields" || name === "expand"),
  }
}

/** Makes one parameter invalid. `right` are the only accepted statuses. */
export function invalidate(
  operation: Operation,
  given: Parameters,
  random: Random,
): { parameters: Parameters; how: string; right: number[] } {
  // All other parameters must be valid; a filter's value might not be.
  const others = given.query.filter(([name]) => isNeeded(operation, name))
  const has = (name: string) => operation.parameters.some((each) => each.name === name)
  const query = (name: string, value: string): Parameters => ({
    ...given,
    query: [...others.filter(([other]) => other !== name), [name, value]],
  })
  const header = (name: string, value: string): Parameters => ({
    ...given,
    // A dry run ignores the Idempotency-Key.
    query: given.query.filter(([other]) => other !== "dryRun"),
    headers: { ...given.headers, [name]: value },
  })
  const options: { parameters: Parameters; how: string; right: number[] }[] = [
    { how: "an unknown parameter", parameters: query("noSuchParameter", "1"), right: [400] },
    {
      how: "a parameter given twice",
      parameters: { ...given, query: [...others, ["twice", "1"], ["twice", "2"]] },
      right: [400],
    },
    { how: "a NUL in a parameter", parameters: query("noSuchParameter", "\0"), right: [400] },
  ]
  if (has("page")) {
    for (const value of ["0", "-1", "x", "1.5", "0x1", "1e3", ""])
      options.push({ how: `page=${value}`, parameters: query("page", value), right: [422] })
    options.push(
      { how: "an unknown order", parameters: query("order", "sideways"), right: [400, 422] },
      { how: "an unknown sort", parameters: query("sort", "noSuchField"), right: [400] },
      { how: "an unknown operator", parameters: query("id[near]", "x"), right: [400] },
      { how: "unknown fields", parameters: query("fields", "noSuchField"), right: [400, 422] },
      { how: "a forged cursor", parameters: query("cursor", "abc.def"), right: [400] },
      { how: "a search too long", parameters: query("search", "x".repeat(201)), right: [422] },
    )
  }
  // A list, its export and its counts filter by such a field, and have other rules.
  const choices = [
    "format",
    "profile",
    "delimiter",
    "decimal",
    "bom",
    ...(has("sort") || has("field") ? [] : ["language"]),
  ]
  for (const name of has("page") ? [] : choices.filter(has))
    for (const value of ["", "x", "EN", "en,de"])
      options.push({ how: `${name}=${value}`, parameters: query(name, value), right: [400] })
  if (has("If-Match"))
    options.push({ how: "If-Match that is no ETag", parameters: header("If-Match", "three"), right: [400] })
  // The body of a change of prices may ask for a dry run.
  if (has("Idempotency-Key") && operation.id !== "repriceItems")
    options.push({
      how: "an Idempotency-Key too long",
      parameters: header("Idempotency-Key", "x".repeat(256)),
      right: [400],
    })
  return random.pick(options)
}

const isNeeded = ({ parameters }: Operation, name: string): boolean =>
  parameters.some((each) => each.name === name && each.required === true)

/** Formats a query with everything escaped. */
export const queryText = (query: Parameters["query"]): string =>
  query.length === 0
    ? ""
    : `?${query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&")}`

const year = new Date().getFullYear()
/** Values of keys that records have after some requests. */
const keyValues: Record<string, readonly string[]> = {
  externalId: ["fuzz-1", "fuzz-2", "fuzz-3"],
  // Later rounds create records of their own, whose codes must be free.
  code: ["FUZZ-0", "fuzz-0", "none"],
  itemCode: ["PLANTED-0", "planted-0", "DESK-120"],
  customerNumber: ["CUST-00001", "CUST-00002"],
  orderNumber: [`SO-${year}-00001`, `SO-${year}-00002`],
  invoiceNumber: [`INV-${year}-00001`, `INV-${year}-00002`],
  creditNoteNumber: [`CN-${year}-00001`, `CN-${year}-00002`],
}

function fillPath(
  { path, method }: Operation,
  random: Random,
  known: Known,
): { path: string; isAlive: boolean } {
  let isAlive = true
  const dead = random.chance(0.1)
  // A response to DELETE by a key does not tell which ID is gone, and a PUT may have created any other key.
  if (method === "DELETE" && path.endsWith("{value}"))
    return { path: path.replace("{value}", "never"), isAlive: false }
  const segments = path.split("/")
  const pairs = known.parts(
    segments
      .slice(-4)
      .filter((segment) => !segment.startsWith("{"))
      .join("/"),
  )
  const hasPart = /\/\{id\}\/[\w-]+\/\{\w+\}$/.test(path)
  const pair = hasPart && pairs.length > 0 && !dead ? random.pick(pairs) : null
  const filled = segments.map((segment, i) => {
    if (!segment.startsWith("{")) return segment
    if (segment === "{value}" && !dead) {
      isAlive = false
      return random.pick(keyValues[segments[i - 1] ?? ""] ?? ["none"])
    }
    if (segment === "{value}") {
      isAlive = false
      return random.pick([
        "DESK-1",
        "none",
        "%F0%9F%94%A9",
        "'%20OR%201=1--",
        "..%2f..",
        "%00",
        "a%CC%81".repeat(9),
      ])
    }
    if (pair) return segment === "{id}" ? pair[0] : pair[1]
    // Deliveries of goods, and those of webhooks.
    const prefix = segment === "{deliveryId}" ? "whd" : known.prefixAfter(segments[i - 1] ?? "")
    const ids = known.of(prefix)
    if (!dead && ids.length > 0) return known.pick(prefix, random)
    isAlive = false
    return random.pick([
      `${prefix}_${"0".repeat(26)}`,
      "none",
      "%F0%9F%94%A9",
      "'%20OR%201=1--",
      "..%2f..",
      "%00",
    ])
  })
  return { path: filled.join("/"), isAlive: isAlive && (pair !== null || !hasPart) }
}

function valueFor(
  { id, record }: Operation,
  name: string,
  schema: Schema,
  random: Random,
  text: string,
): string | null {
  // Some kinds of an import have only this mode.
  if (name === "mode") return "create"
  const words = schema.enum ?? schema.anyOf?.flatMap((each) => each.enum ?? []) ?? []
  if (words.length > 0) return String(random.pick(words))
  // A longer wait for events would take the time of the other requests.
  if (name === "wait") return "0"
  if (schema.type === "integer") return String(random.between(1, 150))
  if (schema.format === "date") return random.pick(schema.examples?.map(String) ?? ["2026-03-31"])
  if (id === "listEvents") return exampleFor(name, schema)
  if (name === "types") return random.pick(["items", "customers,invoices", "sales-orders"])
  if (name === "q" || name === "search")
    return random.pick([text, "a", "desk", "SO-2026-00001", "'; --"]) || "x"
  if (name === "fields") return random.pick(Object.keys(record?.properties ?? { id: {} }))
  if (schema.type === "boolean" || name === "dryRun") return random.pick(["true", "false"])
  if (name === "expand" || name === "sum") return schema.examples ? String(schema.examples[0]) : null
  return text === "" ? null : text
}

/** A parameter of the feed of events: any text is not a position, a type or a kind. */
const exampleFor = (name: string, { examples = [] }: Schema): string =>
  name === "after" ? "latest" : String(examples[0])

/** A value that the schema of a filter allows: typical for its field, or any text. */
function filterValue(
  { record }: Operation,
  name: string,
  schema: Schema,
  random: Random,
  text: string,
): string | null {
  const field = record?.properties?.[partsOf(name).field] ?? {}
  const isText = schema.type === "string" && !schema.enum && !schema.format
  if (isText && random.chance(0.3)) return text || "x"
  return typicalValue(isText ? field : schema, random)
}

/** A value of the field's type. */
function typicalValue(field: Schema, random: Random): string {
  const words = [field, ...(field.anyOf ?? [])].flatMap((each) => each.enum ?? [])
  if (words.length > 0) return String(random.pick(words))
  const types = [field.type].flat()
  if (types.includes("boolean")) return random.pick(["true", "false"])
  if (types.includes("number") || types.includes("integer")) return String(random.between(0, 1_000))
  return String(field.examples?.[0] ?? "a")
}
