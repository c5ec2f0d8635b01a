import {
  type Answer,
  type Document,
  nameOf,
  type Operation,
  type Parameter,
  parametersOf,
  resolved,
} from "./document"
import {
  commentOf,
  declarationOf,
  keyOf,
  lowerFirst,
  maxWidth,
  objectOf,
  type Types,
  unionOf,
  upperFirst,
} from "./types"

/** An operation of the API with its place. */
export type Endpoint = Operation & { method: string; path: string }
export type Method = { name: string; text: string }

/** How the header and query parameters of writes are called in `Options`. */
const optionNames: Record<string, string> = {
  "If-None-Match": "onlyNew",
  "If-Match": "ifMatch",
  dryRun: "dryRun",
  "Idempotency-Key": "idempotencyKey",
}

/**
 * The name of an operation inside its group: its ID without the noun of the group. What is read or created besides the
 * records themselves is named by itself: `listItemHistory` is `items.history`, `createInvoiceFromOrder` is
 * `invoices.fromOrder`. If another operation has this name already, the verb stays: `getPaymentOfInvoice` is
 * `payments.getOfInvoice`.
 */
export function methodName(operationId: string, noun: string, taken: readonly string[] = []): string {
  const stem = noun.replace(/(ies|y|s)$/, "")
  const rest = operationId.replace(new RegExp(`${stem}(ies|ys?|s)?(?=[A-Z]|$)`), "")
  const short = lowerFirst(rest.replace(/^(list|get|create)(?=[A-Z])/, ""))
  return taken.includes(short) ? rest : short
}

/** The data of the envelope of a response. A choice of a record and a part of it is the record. */
function dataOf(document: Document, answer: Answer | undefined) {
  const [[type, { schema = {} }] = ["", {}]] = Object.entries(answer?.content ?? {})
  const { properties = {} } = resolved(document, schema)
  const data = properties.data ?? {}
  const isFeed = resolved(document, properties.meta ?? {}).properties?.next !== undefined
  const isList = properties.meta !== undefined && !isFeed
  const [whole = data, ...others] = data.anyOf ?? []
  return {
    type,
    isList,
    isFeed,
    schema: isList || isFeed ? (data.items?.anyOf?.[0] ?? data.items ?? {}) : whole,
    /** What a dry run has in place of a new record. */
    trial: others.at(-1) ?? whole,
    expanded: properties.expanded ?? null,
  }
}

const successesOf = ({ responses }: Operation): Answer[] =>
  Object.entries(responses).flatMap(([status, answer]) => (status.startsWith("2") ? [answer] : []))

const canBeDry = ({ headers = {} }: Answer): boolean => "Dry-Run" in headers

/** What an operation returns when it is not a dry run. */
function resultOf(document: Document, operation: Operation) {
  const answers = successesOf(operation)
  return dataOf(document, answers.find((answer) => !canBeDry(answer)) ?? answers[0])
}

/** The types of what a dry run of an operation can return. */
function trialsOf(document: Document, types: Types, operation: Operation): string[] {
  const trials = successesOf(operation)
    .filter(canBeDry)
    .map((answer) => dataOf(document, answer))
  return [
    ...new Set(
      trials.flatMap(({ type, trial }) => (type === "application/json" ? [types.typeOf(trial)] : [])),
    ),
  ]
}

/** The type of what a dry run returns, if that is another one; else null. */
function trialOf(document: Document, types: Types, operation: Operation): string | null {
  const trial = unionOf(trialsOf(document, types, operation))
  return ["", types.typeOf(resultOf(document, operation).schema)].includes(trial) ? null : trial
}

/** The record that the list of a group returns, such as Item. Null if the group has no list. */
export function recordOf(document: Document, endpoints: readonly Endpoint[]): string | null {
  for (const endpoint of endpoints) {
    const { isList, schema } = resultOf(document, endpoint)
    if (isList && schema.$ref) return nameOf(schema.$ref)
  }
  return null
}

/** Writes the method of an operation; of a list also the one that iterates over it. */
export function methodsOf(document: Document, types: Types, endpoint: Endpoint, name: string): Method[] {
  const { type, isList, isFeed, schema, expanded } = resultOf(document, endpoint)
  const names = parametersOf(document, endpoint, "path").map((each) => each.name)
  const target = `(${names.join(", ")}) => ${pathOf(endpoint.path)}`
  const tuple = `[${inPath(document, types, endpoint).join(", ")}]`
  const about = endpoint.summary ?? ""
  const related = expanded ? `, ${types.typeOf(expanded)}` : ""
  if (isFeed) {
    const code = `following<${types.typeOf(schema)}>(send, ${target})`
    return [written(lowerFirst(endpoint.operationId.replace(/^list/, "")), code, about)]
  }
  if (isList) {
    const filters = filtersOf(document, types, endpoint, nameOf(schema.$ref ?? ""))
    const path = names.length > 0 || expanded ? `, ${tuple}` : ""
    const call = `<${types.typeOf(schema)}, ${filters}${path}${related}>(send, ${target})`
    const each = name === "list" ? "all" : `all${upperFirst(name)}`
    return [
      written(name, `listing${call}`, `${about}: one page`),
      written(each, `iterating${call}`, `${about}: every record, page after page`),
    ]
  }
  const isRecord = type === "application/json"
  if (isRecord && parametersOf(document, endpoint, "query").some((each) => each.name === "fields"))
    return [written(name, `reading<${types.typeOf(schema)}, ${tuple}${related}>(send, ${target})`, about)]
  return [written(name, callOf(document, types, endpoint), about)]
}

/** The parameters of a path with their types. A record that has keys can be named by one. */
function inPath(document: Document, types: Types, endpoint: Endpoint): string[] {
  const [, kind = "", rest = ""] = /^\/api\/v1\/([\w-]+)\/\{id\}(.*)$/.exec(endpoint.path) ?? []
  const keys = keysIn(document, endpoint, `/api/v1/${kind}/by/`, rest)
  return parametersOf(document, endpoint, "path").map(({ name }) =>
    name === "id" && keys.length > 0 ? `id: ${idType(types, kind, keys)}` : `${name}: string`,
  )
}

/** The keys with which an operation exists too. PUT is another operation with a key: it can create the record. */
function keysIn({ paths }: Document, { method }: Endpoint, start: string, rest: string): string[] {
  const shared = paths[`${start}{field}/{value}${rest}`]?.[method]?.parameters ?? []
  const field = shared.find((each): each is Parameter => "name" in each && each.name === "field")
  if (field || rest !== "" || method === "put") return (field?.schema.enum ?? []) as string[]
  return Object.keys(paths).flatMap((path) => {
    const [, key] = new RegExp(`^${start}(\\w+)/\\{value\\}$`).exec(path) ?? []
    return key && paths[path]?.[method] ? [key] : []
  })
}

/** Declares the type of what names a record, such as InvoiceId. */
function idType(types: Types, kind: string, keys: readonly string[]): string {
  const name = `${kind.split("-").map(upperFirst).join("").replace(/ies$/, "y").replace(/s$/, "")}Id`
  types.add(name, `export type ${name} = string | Key<${keys.map((key) => JSON.stringify(key)).join(" | ")}>`)
  return name
}

/** Writes `getBy` and `putBy` from the operations on `/by/{field}/{value}`. */
export function methodsByKey(document: Document, types: Types, endpoints: readonly Endpoint[]): Method[] {
  const fieldOf = ({ path }: Endpoint) => JSON.stringify(path.split("/").at(-2))
  const [read = null] = endpoints.filter(({ method }) => method === "get")
  if (read === null) return []
  const writes = endpoints.filter(({ method }) => method === "put")
  const creates = (endpoint: Endpoint) => optionsOf(document, endpoint).includes("onlyNew")
  const union = (some: readonly Endpoint[]) => some.map(fieldOf).join(" | ") || "never"
  const { schema, expanded } = resultOf(document, read)
  const record = types.typeOf(schema)
  const related = expanded ? `, ${types.typeOf(expanded)}` : ""
  const target = `(field, value) => ${pathOf(read.path.replace(/\w+\/\{value\}$/, "{field}/{value}"))}`
  const fields = union(endpoints.filter(({ method }) => method === "get"))
  const by = [
    written(
      "getBy",
      `reading<${record}, [field: ${fields}, value: string]${related}>(send, ${target})`,
      "Get one by a key",
    ),
  ]
  const [write] = writes
  if (!write) return by
  const parts = [
    record,
    unionOf(writes.flatMap((each) => trialsOf(document, types, each))) || record,
    bodyOf(types, write),
    union(writes.filter(creates)),
    union(writes.filter((e) => !creates(e))),
  ]
  const about = "Update one by a key, or create it"
  return [...by, written("putBy", `merging<${parts.join(", ")}>(send, ${target})`, about)]
}

/** Writes a method. A long one has its last part on a line of its own. */
function written(name: string, code: string, about: string): Method {
  const line = `${name}: ${code},`
  const broken = line.includes(") =>\n")
    ? line
    : line.replace(/\(send, (.*)\),$/, (_, target: string) => `(\n  send,\n  ${target},\n),`)
  const short = line.replace(") =>\n  ", ") => ")
  return { name, text: [...commentOf(`${about}.`), short.length <= maxWidth ? short : broken].join("\n") }
}

const pathOf = (path: string): string => `path\`${path.replaceAll("{", "${")}\``

function optionsOf(document: Document, endpoint: Endpoint): string[] {
  if (endpoint.method === "get") return []
  const parameters = ["header", "query"].flatMap((place) => parametersOf(document, endpoint, place))
  return [...new Set(parameters.flatMap((each) => optionNames[each.name] ?? []))]
}

/** The type of the body. A body without fields is not sent. A file is a Blob, which has its type. */
function bodyOf(types: Types, { operationId, requestBody }: Endpoint): string | null {
  if (Object.keys(requestBody?.content ?? {}).some((type) => /^(image|text)\//.test(type))) return "Blob"
  const schema = requestBody?.content["application/json"]?.schema
  if (!schema || (!schema.$ref && !schema.properties)) return null
  return schema.$ref ? types.typeOf(schema) : types.declare(`${upperFirst(operationId)}Body`, schema)
}

const queriesOf = (document: Document, operation: Operation): Parameter[] =>
  parametersOf(document, operation, "query").filter(({ name }) => !(name in optionNames))

function queryOf(document: Document, types: Types, endpoint: Endpoint): string | null {
  const parameters = queriesOf(document, endpoint)
  if (parameters.length === 0) return null
  const list = exportedBy(document, endpoint.path)
  if (list) {
    const { controls } = exportsIn(document)
    const kept = parameters.filter(({ name }) => controls.has(name)).map(({ name }) => JSON.stringify(name))
    const filters = `${nameOf(resultOf(document, list).schema.$ref ?? "")}Filters`
    return `Exported<${[filters, ...(kept.length > 0 ? [unionOf(kept)] : [])].join(", ")}>`
  }
  const name = `${upperFirst(endpoint.operationId)}Query`
  types.add(name, `export type ${name} = ${objectOf(parameters.map(propertyOf(types)))}`)
  return name
}

const propertyOf =
  (types: Types) =>
  ({ name, required, schema, description: about }: Parameter) => ({
    name: keyOf(name) + (required ? "" : "?"),
    type: types.typeOf(schema),
    about,
  })

/** The list that an export has: that whose path it continues. */
const exportedBy = (document: Document, path: string): Operation | undefined =>
  path.endsWith("/export") ? document.paths[path.slice(0, -"/export".length)]?.get : undefined

/** What exports take besides the filters of their lists, and the names of what some lists take and their exports do not. */
function exportsIn(document: Document) {
  const form = new Map<string, Parameter>()
  const controls = new Set<string>()
  for (const [path, { get }] of Object.entries(document.paths)) {
    const list = exportedBy(document, path)
    if (!list || !get) continue
    const [own, listed] = [get, list].map((each) => queriesOf(document, each)) as [Parameter[], Parameter[]]
    const lacks = (some: Parameter[]) => (each: Parameter) => !some.some(({ name }) => name === each.name)
    for (const each of own.filter(lacks(listed))) form.set(each.name, each)
    for (const { name } of listed.filter(lacks(own))) if (!name.includes("[")) controls.add(name)
  }
  return { form: [...form.values()], controls }
}

/** Declares the types that all exports share. */
export function declareExports(document: Document, types: Types): void {
  const { form, controls } = exportsIn(document)
  types.add("ExportForm", declarationOf("ExportForm", objectOf(form.map(propertyOf(types)))))
  const names = unionOf([...controls].map((name) => JSON.stringify(name)))
  types.add("ListControl", declarationOf("ListControl", names, "What lists take, and not their exports."))
}

/** Writes the function of an operation that is neither a list nor a record with `fields`. */
function callOf(document: Document, types: Types, endpoint: Endpoint): string {
  const { type, schema } = resultOf(document, endpoint)
  const body = bodyOf(types, endpoint)
  const query = queryOf(document, types, endpoint)
  const options = optionsOf(document, endpoint)
  const trial = trialOf(document, types, endpoint)
  // A redirect leads to a file, and `fetch` follows it.
  const isFile = "302" in endpoint.responses || !["", "application/json"].includes(type)
  const result = isFile ? "Blob" : type === "" ? "void" : types.typeOf(schema)
  const isQueryNeeded = queriesOf(document, endpoint).some(({ required }) => required)
  const isBodyNeeded = endpoint.requestBody?.required === true || isQueryNeeded
  const given = [
    ...inPath(document, types, endpoint),
    ...(body === null ? [] : [`body${isBodyNeeded ? "" : "?"}: ${body}`]),
    ...(query === null ? [] : [`query${isQueryNeeded ? "" : "?"}: ${query}`]),
    `options?: ${optionsType(options, trial !== null)}`,
  ]
  const sent = [
    ...(body === null ? [] : ["body"]),
    ...(query === null ? [] : ["query"]),
    "options",
    ...(options.includes("idempotencyKey") ? ["hasKey: true"] : []),
    ...(isFile ? ['as: "blob"'] : []),
  ]
  const start = `${trial === null ? "" : "<Dry extends boolean = false>"}(${given.join(", ")}) =>`
  const returned = trial === null ? result : `Tried<Dry, ${trial}, ${result}>`
  return `${start}\n  send<${returned}>("${endpoint.method.toUpperCase()}", ${pathOf(endpoint.path)}, { ${sent.join(", ")} })`
}

/** The type of the options of an operation. If its dry run returns something else, they have the type parameter `Dry`. */
function optionsType(names: readonly string[], hasTrial: boolean): string {
  const others = hasTrial ? names.filter((name) => name !== "dryRun") : names
  const union = others.map((name) => JSON.stringify(name)).join(" | ")
  if (hasTrial) return `TryOptions<${["Dry", union].filter(Boolean).join(", ")}>`
  return union ? `Options<${union}>` : "Options"
}

/**
 * Declares the query of a list, such as ItemFilters. A field that has operators is written once, with the type of its
 * values: `Filters` derives a name for each operator from it, and the values of `sort`, which are the same fields.
 */
function filtersOf(document: Document, types: Types, operation: Operation, record: string): string {
  const parameters = parametersOf(document, operation, "query")
  const names = new Set(parameters.map(({ name }) => name))
  const isField = ({ name }: Parameter) => names.has(`${name}[eq]`)
  const isOther = ({ name }: Parameter) => !name.includes("[") && !["fields", "sort", "expand"].includes(name)
  const fields = parameters.filter(isField).map((field) => ({
    name: keyOf(field.name),
    type: valueOf(document, types, field, record) + (names.has(`${field.name}[null]`) ? " | null" : ""),
  }))
  const others = parameters.filter((each) => !isField(each) && isOther(each)).map(propertyOf(types))
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
