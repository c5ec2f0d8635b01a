// The API document for the fuzzer: each operation with its parameters, and validators compiled from its schemas.
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020"
import addFormats from "ajv-formats"

/** The subset of JSON Schema that our document uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  discriminator?: object
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  pattern?: string
  format?: string
  examples?: unknown[]
  description?: string
}

export type Parameter = { name: string; in: "query" | "path" | "header"; required?: boolean; schema: Schema }

type Answer = {
  $ref?: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: Schema }>
}
type Written = {
  operationId: string
  security?: unknown[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
}
export type Document = {
  paths: Record<string, Record<string, Written>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Answer>
    parameters: Record<string, Parameter>
  }
}

/** What the document says about one status: its headers, its content type, and a validator of its body. */
export type Promised = {
  headers: string[]
  /** The content types, of which `type` is the first. */
  types: string[]
  type: string | null
  /** Validates a body of this form. Returns an error message or null. */
  problemOf(body: unknown, form: Form): string | null
}

/**
 * What a response has where the document names a record and another form of it: the record, either of them because the
 * request selected `fields`, or the other one because it was a dry run.
 */
export type Form = "whole" | "slim" | "dryRun"

export type Operation = {
  id: string
  method: string
  path: string
  isOpen: boolean
  /** The parameters except filters, with all references resolved. */
  parameters: Parameter[]
  /** The filters of a list: `field` and `field[operator]`. */
  filters: Parameter[]
  /** The schema of the body with all references resolved. */
  body: Schema | null
  isBodyValid(body: unknown): boolean
  /** The content types of an upload; empty for an operation that takes JSON or nothing. */
  uploads: string[]
  answers: Map<number, Promised>
  /** The schema of a record in the response: the fields that can be selected and filtered by. */
  record: Schema | null
}

/** What validates values with the schemas of a document. */
function validation(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats(ajv)
  ajv.addSchema({ ...document, $id: "kontor" })
  return {
    validator: (schema: Schema): ValidateFunction => ajv.compile(withRoot(schema) as object),
    problemOf: (validate: ValidateFunction, body: unknown) =>
      validate(body) ? null : ajv.errorsText(validate.errors, { dataVar: "body" }),
  }
}

/** Validates a value with a schema of a document. Returns an error message or null. */
export function problemBy(document: Document, schema: Schema, value: unknown): string | null {
  const { validator, problemOf } = validation(document)
  return problemOf(validator(schema), value)
}

/** All operations under /api. Others follow RFCs, and are tested by OAuth clients and attacks. */
export function operationsOf(document: Document): Operation[] {
  const { validator, problemOf } = validation(document)

  // Compiling a schema is slow, and operations share many: most responses are errors, or the record of one kind.
  const known = new Map<string, ValidateFunction>()
  const compiled = (schema: Schema): ValidateFunction => {
    const text = JSON.stringify(schema)
    const validate = known.get(text) ?? validator(schema)
    known.set(text, validate)
    return validate
  }
  const shared = new Map<string, Promised>()
  const promisedBy = (written: Answer): Promised => {
    const known = shared.get(written.$ref ?? "") ?? describe(written)
    if (written.$ref) shared.set(written.$ref, known)
    return known
  }
  const describe = (written: Answer): Promised => {
    const answer = written.$ref
      ? (document.components.responses[written.$ref.split("/").at(-1) ?? ""] ?? written)
      : written
    const [type = null, content] = Object.entries(answer.content ?? {})[0] ?? []
    const isJson = type === "application/json" && content !== undefined
    const schema = content?.schema ?? {}
    const inForm = (form: "whole" | "dryRun") =>
      lazily(() => compiled(recordsIn(form, resolved(document, schema))))
    const validators = {
      whole: inForm("whole"),
      slim: lazily(() => compiled(schema)),
      dryRun: inForm("dryRun"),
    }
    return {
      headers: Object.keys(answer.headers ?? {}),
      types: Object.keys(answer.content ?? {}),
      type,
      problemOf: (body, form) => (isJson ? problemOf(validators[form](), body) : null),
    }
  }

  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith("/api/"))
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, written]): Operation => {
      const given = written.requestBody?.content["application/json"]?.schema
      const isValid = given ? lazily(() => validator(given)) : null
      const success = Object.entries(written.responses).find(([status]) => status.startsWith("2"))?.[1]
      const shown = success?.content?.["application/json"]?.schema
      return {
        id: written.operationId,
        method: method.toUpperCase(),
        path: pathWithKey(path, written.parameters),
        isOpen: written.security?.length === 0,
        ...parametersOf(document, written),
        body: given ? resolved(document, given) : null,
        uploads: given ? [] : Object.keys(written.requestBody?.content ?? {}),
        isBodyValid: (body) => isValid?.()(body) ?? false,
        answers: new Map(
          Object.entries(written.responses).map(([status, answer]) => [Number(status), promisedBy(answer)]),
        ),
        record: shown ? recordIn(resolved(document, shown)) : null,
      }
    }),
  )
}

/** A path with the first key in place of `{field}`: /invoices/by/invoiceNumber/{value}/pdf. */
export function pathWithKey(path: string, parameters: readonly object[] = []): string {
  const given = parameters as readonly Partial<Parameter>[]
  const field = given.find(({ name, in: place }) => name === "field" && place === "path")
  return path.replace("{field}", String(field?.schema?.enum?.[0]))
}

/** Creates a value on first use and caches it. */
function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** References are relative to the document's root. A schema outside of it must name that root. */
function withRoot(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withRoot)
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === "$ref" ? `kontor${String(value)}` : withRoot(value),
    ]),
  )
}

function resolved(document: Document, schema: Schema): Schema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== "object" || value === null) return value
    const reference = (value as Schema).$ref
    if (reference) return walk(document.components.schemas[reference.split("/").at(-1) ?? ""] ?? {})
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner)]))
  }
  return walk(schema) as Schema
}

/** The parameters of the list as a whole, and of other operations. All others filter by a field. */
const controls = new Set([
  "field",
  "page",
  "perPage",
  "cursor",
  "order",
  "search",
  "sort",
  "fields",
  "expand",
  "sum",
  "dryRun",
  "q",
  "types",
  "limit",
  "language",
  "format",
  "profile",
  "kind",
  "mode",
  "skipInvalid",
  "mapping",
  "encoding",
  "delimiter",
  "decimal",
  "dateOrder",
  "headingRow",
  "lines",
  "skipTotals",
  "prices",
  "fileName",
  "titles",
  "after",
  "kinds",
  "wait",
  "include",
  "from",
  "to",
])

function parametersOf(
  document: Document,
  { parameters = [] }: Written,
): Pick<Operation, "parameters" | "filters"> {
  const all = parameters.map((given): Parameter => {
    const parameter =
      "$ref" in given ? document.components.parameters[given.$ref.split("/").at(-1) ?? ""] : given
    if (!parameter) throw new Error(`The document has no parameter ${JSON.stringify(given)}.`)
    return { ...parameter, schema: resolved(document, parameter.schema) }
  })
  const isFilter = ({ name, in: place }: Parameter) => place === "query" && !controls.has(name)
  // A filter by a key of metadata has no value of its own.
  const some = all.filter(({ schema }) => schema.type !== "object")
  return { parameters: some.filter((each) => !isFilter(each)), filters: some.filter(isFilter) }
}

/** The field and the operator of a filter: `orderDate[gte]` → orderDate, gte. */
export function partsOf(filter: string): { field: string; operator: string } {
  const [, field = filter, operator = "eq"] = /^(\w+)\[(\w+)\]$/.exec(filter) ?? []
  return { field, operator }
}

const recordIn = (envelope: Schema): Schema | null => {
  const data = recordsIn("whole", envelope).properties?.["data"]
  return data?.items ?? data ?? null
}

/** The same envelope, in which each record has one form. The first choice is the whole record. */
function recordsIn(form: "whole" | "dryRun", envelope: Schema): Schema {
  // A choice with a discriminator is not one between forms.
  const chosen = (schema: Schema): Schema =>
    (schema.discriminator ? undefined : schema.anyOf?.at(form === "whole" ? 0 : -1)) ?? schema
  const { data, ...rest } = envelope.properties ?? {}
  if (!data) return envelope
  return {
    ...envelope,
    properties: { ...rest, data: data.items ? { ...data, items: chosen(data.items) } : chosen(data) },
  }
}
