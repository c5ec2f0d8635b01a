import { allCodes, type OwnRefusal } from "../../lib/refusal"
import type { Resource } from "../../kind/define"
import { assignedNumber, dryRunName, expandedName, kindSchemas, partialName, ref } from "./kind-schemas"
import { enveloped, errorCodes, Failure, listed, ListMeta, Warnings, withMeta } from "./envelope-schemas"
import { type Parameter, type Route, shownRoutes } from "../route/route"
import { tagsByName } from "./tags"
import { type TSchema, Type } from "@sinclair/typebox"
import { isDeepStrictEqual } from "node:util"
import type { Scope } from "../../../shared/rights"
import { canDryRun } from "../request/dry-run"
import {
  dryRun,
  fieldsParameter,
  idempotencyKey,
  idParameter,
  ifMatch,
  knownEtag,
  sharedParameters,
} from "./parameters"
import type { Upload } from "../request/body"

/**
 * The headers of every response. Only the errors name them, which all operations share: a document that repeats them
 * in each operation would be much longer.
 */
const everyAnswer = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]
const everyRequest = [400, 401, 403, 414, 429, 500, 503]

/** The names and descriptions of error responses in the document's components. */
const refusedResponses: Record<number, { name: string; description: string }> = {
  400: { name: "BadRequest", description: "The request is malformed." },
  401: { name: "Unauthorized", description: "The credential is missing or invalid." },
  403: { name: "Forbidden", description: "The caller is not allowed to do this." },
  404: { name: "NotFound", description: "The record does not exist." },
  410: { name: "Gone", description: "The data at this position was deleted." },
  412: {
    name: "PreconditionFailed",
    description: "The record's version does not match If-Match. ETag is the present one.",
  },
  413: {
    name: "PayloadTooLarge",
    description: "The body is too large: more than 1 MiB, or than the operation says.",
  },
  414: { name: "UriTooLong", description: "The path with its query is longer than 16 KiB." },
  415: {
    name: "UnsupportedMediaType",
    description: "The body is not application/json, or not one of the types of the operation.",
  },
  422: {
    name: "Unprocessable",
    description: "A value is invalid or a rule forbids it. `details` names each field.",
  },
  429: { name: "TooManyRequests", description: "A limit is exceeded. Retry-After says when to retry." },
  500: { name: "InternalError", description: "An internal error. Find it in the log by X-Request-Id." },
  501: { name: "NotSupported", description: "The database of this server cannot do this." },
  503: {
    name: "Unavailable",
    description: "The service is temporarily unavailable. Retry-After says when to retry.",
  },
}

/**
 * How operations are written: `named` replaces named schemas; records with the titles of `numbered` get a number when they
 * are stored.
 */
type Style = { named: (schema: TSchema) => TSchema; numbered: ReadonlySet<string> }

/** A route as an OpenAPI operation, with its parameters or references to them. */
function operationOf(route: Route, parameters: readonly (Parameter | { $ref: string })[], style: Style) {
  const { id, tag, summary, description, body, upload, may, refuses = [] } = route
  const statuses = [...everyRequest, ...(body || upload ? [413, 415, 422] : []), ...refuses]
    .filter((status) => may !== null || status !== 403)
    .toSorted((a, b) => a - b)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    security: securityOf(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBodyOf(route, body, style) } : {}),
    ...(upload ? { requestBody: fileOf(upload) } : {}),
    responses: {
      [route.answer.status]: successOf(route, style),
      ...dryRunAnswerOf(route, style),
      ...(route.isCreatedIfMissing ? { 201: createdOf(route, style) } : {}),
      ...(route.takesIfNoneMatch ? { 304: { $ref: "#/components/responses/NotModified" } } : {}),
      ...Object.fromEntries(statuses.map((status) => [status, refusedResponse(status)])),
    },
  }
}

type Security = { bearer: string[] } | { apiKey: string[] } | { oauth2: string[] }

/** The credentials that an operation takes, with the scopes that an app needs. Some rights only people have, or no app. */
function securityOf({ may, orMay = [], alsoMay }: Route): Security[] {
  if (may === null) return []
  const { personal, notForApplications } = may
  const also = alsoMay ? [alsoMay.scope] : []
  const ofApps = [...new Set([may, ...orMay].map(({ scope }) => scope))].map((scope) => ({
    oauth2: [scope, ...also],
  }))
  return [
    { bearer: [] },
    ...(personal ? [] : [{ apiKey: [] }]),
    ...(personal || notForApplications ? [] : ofApps),
  ]
}

const takesDryRun = ({ run, may }: Pick<Route, "run" | "may">): boolean => !("read" in run) && canDryRun(may)

const isRepeatable = ({ run, takesIdempotencyKey }: Pick<Route, "run" | "takesIdempotencyKey">): boolean =>
  "post" in run || takesIdempotencyKey === true

/** Returns the parameters of the path and of the route, and the headers that its `run` reads. */
export function parametersOf({
  id,
  path,
  names = {},
  parameters: given = () => [],
  takesIfMatch,
  takesIfNoneMatch,
  takesIdempotencyKey,
  run,
  may,
}: Route): Parameter[] {
  const parameters = given()
  const described = new Map(parameters.flatMap((each) => (each.in === "path" ? [[each.name, each]] : [])))
  const inPath = [...path.matchAll(/:(\w+)/g)].map(
    ([, name = ""]) => described.get(name) ?? idParameter(name, names[name] ?? name),
  )
  return [
    ...inPath,
    ...parameters.filter((each) => each.in !== "path"),
    ...(takesDryRun({ run, may }) ? [dryRun] : []),
    ...(isRepeatable({ run, takesIdempotencyKey }) ? [idempotencyKey(id)] : []),
    ...(takesIfMatch ? [ifMatch] : []),
    ...(takesIfNoneMatch ? [knownEtag] : []),
  ]
}

const refusedResponse = (status: number) => ({
  $ref: `#/components/responses/${refusedResponses[status]?.name ?? "InternalError"}`,
})

/** The body of an upload. In OpenAPI 3.1 a file has no schema. */
const fileOf = ({ types }: Upload) => ({
  required: true,
  content: Object.fromEntries(types.map((type) => [type, {}])),
})

function requestBodyOf(
  { method, bodyName: $id }: Route,
  { schema, example, isOptional }: NonNullable<Route["body"]>,
  { named }: Style,
) {
  const isShared = $id !== undefined && schema.properties !== undefined
  const media = {
    schema: named(isShared ? { $id, ...schema } : schema),
    ...(example === undefined ? {} : { example }),
  }
  const content: Record<string, typeof media> = {
    "application/json": media,
    ...(method === "PATCH" ? { "application/merge-patch+json": media } : {}),
  }
  return { required: !isOptional, content }
}

function successOf(route: Route, style: Style) {
  const { description, schema, headers = [], type, otherTypes = [] } = route.answer
  const isTried = takesDryRun(route)
  const shown = [
    ...headers,
    ...(isTried && !route.dryRunAnswer ? ["Dry-Run"] : []),
    ...(isRepeatable(route) ? ["Idempotent-Replayed"] : []),
  ]
  const whole = schema && (type === undefined ? envelopeOf(route, schema, style) : schema)
  const content = whole ? { schema: style.named(whole) } : {}
  const types = [type ?? "application/json", ...otherTypes]
  // A stream is a text of its own form.
  const contentOf = (name: string) =>
    name === "text/event-stream" ? { schema: { type: "string" } } : content
  return {
    description:
      schema && isTried
        ? `${description} A credential without the scope \`read\` gets \`Written\`.`
        : description,
    ...(shown.length > 0 ? { headers: headerRefs(shown) } : {}),
    ...(whole || type ? { content: Object.fromEntries(types.map((name) => [name, contentOf(name)])) } : {}),
  }
}

const dryRunAnswerOf = ({ dryRunAnswer, ...route }: Route, style: Style) =>
  dryRunAnswer ? { [dryRunAnswer.status]: successOf({ ...route, answer: dryRunAnswer }, style) } : {}

/** The response of a PUT that has created a record. */
const createdOf = (route: Route, style: Style) =>
  successOf(
    {
      ...route,
      answer: { ...route.answer, status: 201, description: "Created.", headers: ["ETag", "Location"] },
    },
    style,
  )

/**
 * The envelope of a response. Its name is that of the record in it: `ItemResponse`, `ItemList`. Where a request can
 * select `fields`, each record is either whole or partial. Where it can be a dry run, a new record may have no number.
 */
function envelopeOf(route: Route, data: TSchema, { numbered }: Style): TSchema {
  const {
    id,
    answer: { status, isList, meta },
    parameters: given = () => [],
  } = route
  const parameters = given()
  const record = data.type === "array" ? (data.items as TSchema) : data
  const name = (record.$id ?? record.$ref)?.split("/").at(-1)
  if (name === undefined) throw new Error(`The response of ${id} has no name: give its schema an $id.`)
  const isNew = status === 201 && takesDryRun(route) && numbered.has(name)
  const other = parameters.includes(fieldsParameter) ? partialName(name) : isNew ? dryRunName(name) : null
  const shown = other ? Type.Unsafe({ anyOf: [record, ref(other)] }) : record
  const content = data.type === "array" ? Type.Array(shown) : shown
  const expanded = parameters.some((each) => each.name === "expand") ? ref(expandedName(name)) : null
  if (isList) return listed(`${name}List`, content, expanded)
  if (meta) return withMeta(`${name}s`, content, meta)
  const envelope = isNew ? `New${name}` : (other ?? (data.type === "array" ? `${name}s` : name))
  return enveloped(`${envelope}Response`, content, expanded)
}

type About = {
  kinds: readonly Resource[]
  /** The error codes that the kinds declare. */
  refusals: readonly OwnRefusal[]
  version: string
  /** The URL that clients know this server by. */
  url: string
  /** Parts that stand for others in schemas, and what they stand for. */
  filled: readonly [object, unknown][]
  /** The schema of what is sent to webhooks. */
  event: TSchema
}

export function openApiDocument(
  routes: readonly Route[],
  { kinds, refusals, version, url, filled, event }: About,
) {
  const collect = collector([...filled, [errorCodes, Object.keys(allCodes(refusals))]])
  for (const schema of [Failure, Warnings, ListMeta]) collect.named(schema)
  const numbered = kinds.filter((kind) => assignedNumber(kind) !== null)
  const { paths, parameters } = described(routes, {
    ...collect,
    numbered: new Set(numbered.map(({ title }) => title)),
  })
  const webhooks = { event: { post: webhookOf(collect.named(event)) } }
  return {
    openapi: "3.1.1",
    info: {
      title: "Kontor",
      version,
      description:
        "The back office of a small business: items, customers, sales orders, invoices and search. Every response is an envelope: `{success, data, meta?, warnings?}` or `{success, error: {code, message, details}}`. Every response has the headers X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "The owner of this Kontor" },
    },
    servers: [{ url, description: "This Kontor" }],
    security: [{ bearer: [] }, { apiKey: [] }, { oauth2: [] }],
    tags: tagsOf(paths, kinds),
    paths,
    webhooks,
    components: {
      securitySchemes: securitySchemes(url),
      headers,
      parameters,
      responses,
      schemas: schemasOf(kinds, [paths, webhooks, parameters, responses], collect),
    },
  }
}

/** What Kontor sends to a webhook, as Standard Webhooks defines it. */
const webhookOf = (event: TSchema) => ({
  operationId: "receiveEvent",
  tags: ["webhooks"],
  summary: "Receive an event",
  description:
    "Verify the signature with the secret of the webhook, answer with any 2xx, and use the id to recognize an event that is sent twice. `record` is present with the payload `full`.",
  security: [],
  parameters: [
    webhookHeader("webhook-id", "The ID of the event: the same in every attempt."),
    webhookHeader("webhook-timestamp", "The time of the attempt, in seconds."),
    webhookHeader("webhook-signature", "`v1,` and the signature; two while the secret is being replaced."),
  ],
  requestBody: { required: true, content: { "application/json": { schema: event } } },
  responses: { "2XX": { description: "The event was received." } },
})

const webhookHeader = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
})

export type OpenApiDocument = ReturnType<typeof openApiDocument>

export type Operation = ReturnType<typeof operationOf>
type Paths = Record<string, Record<string, Operation>>

/** The operations of the API, and those that are written by hand. */
function described(routes: readonly Route[], style: Collector & Style) {
  const { named } = style
  const api = shownRoutes(routes).map((route) => ({ route, parameters: parametersOf(route) }))
  const shared = sharedParameters(
    api.map(({ parameters }) => parameters),
    named,
  )
  const paths: Paths = {}
  const add = ({ path, method }: Route, operation: Operation) => {
    const template = path.replace(/:(\w+)/g, "{$1}")
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  for (const { route, parameters } of api) add(route, operationOf(route, parameters.map(shared.refer), style))
  for (const route of routes) if (route.operation) add(route, named(route.operation) as Operation)
  return { paths, parameters: shared.parameters }
}

/** The tags that operations have, in the order of `tagGroupsOf`. Of two kinds of one name, the first is described. */
function tagsOf(paths: Paths, kinds: readonly Resource[]) {
  const abouts = new Map(kinds.map(({ name, about }) => [name, about] as const).toReversed())
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const used = new Set(operations.flatMap(({ tags }) => tags))
  const known = tagsByName(kinds)
  const inOrder = Object.keys(known).filter((name) => used.has(name))
  return [...new Set(inOrder).union(used)].map((name) => ({
    name,
    description: known[name]?.about ?? abouts.get(name) ?? "",
  }))
}

/**
 * The named schemas that the rest of the document refers to. Not every kind can be created or updated, so not every
 * schema of a kind is used.
 */
function schemasOf(kinds: readonly Resource[], rest: unknown, { schemas, named }: Collector): Schemas {
  for (const [name, schema] of kinds.flatMap((kind) => Object.entries(kindSchemas(kind, kinds))))
    schemas[name] = named(schema)
  const used = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!used.has(name)) {
        used.add(name)
        follow(schemas[name])
      }
  }
  follow(rest)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

type Schemas = Record<string, TSchema>

/** Collects the schemas that have a name (`$id`), at any depth, and replaces them with references. */
type Collector = { schemas: Schemas; named<T>(schema: T): T }

/** `filled` are the parts that stand for others in the schemas, and what they stand for. */
function collector(filled: readonly [object, unknown][]): Collector {
  const schemas: Schemas = {}
  const contents = new Map(filled)
  // Thousands of parameters share a few schemas.
  const visited = new Map<object, unknown>()
  const visit = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part
    const known = visited.get(part)
    if (known !== undefined) return known
    const content = contents.get(part) ?? part
    const result = Array.isArray(content) ? content.map(visit) : visitObject(content)
    visited.set(part, result)
    return result
  }
  const visitObject = (part: { $id?: string }): unknown => {
    const { $id, ...rest } = part
    const content = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, visit(value)]))
    if ($id === undefined) return content
    if (schemas[$id] && !isDeepStrictEqual(schemas[$id], content))
      throw new Error(`Two different schemas are named ${$id}.`)
    schemas[$id] = content as TSchema
    return Type.Ref(`#/components/schemas/${$id}`)
  }
  return { schemas, named: <T>(schema: T) => visit(schema) as T }
}

/** How callers authenticate. */
const securitySchemes = (url: string) => ({
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "An access token from POST /api/v1/auth/login or from the OAuth token endpoint.",
  },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "An API key, for programs." },
  oauth2: {
    type: "oauth2",
    description: "For apps that act for a user: the authorization code flow with PKCE (S256).",
    flows: {
      authorizationCode: {
        authorizationUrl: `${url}/oauth/authorize`,
        tokenUrl: `${url}/oauth/token`,
        refreshUrl: `${url}/oauth/token`,
        scopes: scopeTexts,
      },
    },
  },
  oauthClient: {
    type: "http",
    scheme: "basic",
    description: "The ID and the secret of a confidential OAuth client.",
  },
})

/** What an app with a scope may do, within the rights of its user. */
const scopeTexts: Record<Scope, string> = {
  read: "Read records",
  write: "Create and update records",
  delete: "Delete records",
  admin: "Read users, settings and the audit log",
  webhooks: "Manage the user's own webhooks, which send the events and records that the user may read",
}

const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The responses that many operations share: errors, and 304. */
const responses = {
  NotModified: {
    description: "The record has not changed since the ETag in If-None-Match.",
    headers: headerRefs([...everyAnswer, "ETag"]),
  },
  ...Object.fromEntries(
    Object.entries(refusedResponses).map(([status, { name, description }]) => [
      name,
      {
        description,
        headers: headerRefs([
          ...everyAnswer,
          ...(status === "429" || status === "503" ? ["Retry-After"] : []),
          ...(status === "412" ? ["ETag"] : []),
        ]),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  ),
}

const text = { type: "string" }

const headers = {
  "X-Request-Id": {
    description: "Identifies this request in the log. Include it when you report a problem.",
    schema: text,
  },
  "X-RateLimit-Limit": {
    description: "Requests allowed in the period, a minute or a day; 2147483647 if there is no limit.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": { description: "Requests left in the period.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "When the period ends, in Unix seconds.", schema: { type: "integer" } },
  ETag: {
    description: "The state of the record, for If-Match and If-None-Match; of a file, its SHA-256.",
    schema: text,
  },
  "Retry-After": { description: "Seconds to wait before the next request.", schema: { type: "integer" } },
  Location: { description: "The path of the new record, or of the PDF.", schema: text },
  "Kontor-Warning": {
    description: "GLYPHS_MISSING: the fonts lack letters of the document.",
    schema: text,
  },
  Link: { description: 'The next page, with rel="next".', schema: text },
  Deprecation: { description: "The request uses what will be removed.", schema: text },
  "Dry-Run": { description: "`true` if nothing was stored.", schema: text },
  "Idempotent-Replayed": {
    description: "`true` if the Idempotency-Key was known and this is its stored response.",
    schema: text,
  },
}
