import { Type, type TSchema } from "@sinclair/typebox"
import { enveloped, listed, withMeta } from "./envelope-schemas"
import { canDryRun } from "../request/dry-run"
import { partialName, ref } from "./kind-schemas"
import { dryRun, fieldsParameter, idempotencyKey, idParameter, ifMatch, knownEtag } from "./parameters"
import type { Upload } from "../request/body"
import type { Parameter, Route } from "../route/route"

/**
 * The headers of every response. Only the errors name them, which all operations share: a document that repeats them
 * in each operation would be much longer.
 */
export const everyAnswer = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]
const everyRequest = [400, 401, 403, 414, 429, 500, 503]

/** The names and descriptions of error responses in the document's components. */
export const refusedResponses: Record<number, { name: string; description: string }> = {
  400: { name: "BadRequest", description: "The request is malformed." },
  401: { name: "Unauthorized", description: "The credential is missing or invalid." },
  403: { name: "Forbidden", description: "The caller is not allowed to do this." },
  404: { name: "NotFound", description: "The record does not exist." },
  410: { name: "Gone", description: "The data at this position was deleted." },
  412: { name: "PreconditionFailed", description: "The record's version does not match If-Match." },
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

type Named = (schema: TSchema) => TSchema

/** A route as an OpenAPI operation, with its parameters or references to them. `named` replaces named schemas. */
export function operationOf(
  route: Route,
  parameters: readonly (Parameter | { $ref: string })[],
  named: Named,
) {
  const { id, tag, summary, description, body, upload, may, refuses = [] } = route
  const statuses = [...everyRequest, ...(body || upload ? [413, 415, 422] : []), ...refuses]
    .filter((status) => may !== null || status !== 403)
    .toSorted((a, b) => a - b)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(may === null ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBodyOf(body, named) } : {}),
    ...(upload ? { requestBody: fileOf(upload) } : {}),
    responses: {
      [route.answer.status]: successOf(route, named),
      ...dryRunAnswerOf(route, named),
      ...(route.isCreatedIfMissing ? { 201: createdOf(route, named) } : {}),
      ...(route.takesIfNoneMatch ? { 304: { $ref: "#/components/responses/NotModified" } } : {}),
      ...Object.fromEntries(statuses.map((status) => [status, refusedResponse(status)])),
    },
  }
}

/** Returns the parameters of the path and of the route, and the headers that its `run` reads. */
export function parametersOf({
  id,
  path,
  names = {},
  parameters = [],
  takesIfMatch,
  takesIfNoneMatch,
  takesIdempotencyKey,
  run,
  may,
}: Route): Parameter[] {
  const isDescribed = (name: string) => parameters.some((each) => each.in === "path" && each.name === name)
  const ids = [...path.matchAll(/:(\w+)/g)]
    .filter(([, name = ""]) => !isDescribed(name))
    .map(([, name = ""]) => idParameter(name, names[name] ?? name))
  return [
    ...ids,
    ...parameters,
    ...(!("read" in run) && canDryRun(may) ? [dryRun] : []),
    ...("post" in run || takesIdempotencyKey ? [idempotencyKey(id)] : []),
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

function requestBodyOf({ schema, example, isOptional }: NonNullable<Route["body"]>, named: Named) {
  const content = {
    "application/json": { schema: named(schema), ...(example === undefined ? {} : { example }) },
  }
  return { required: !isOptional, content }
}

function successOf(route: Route, named: Named) {
  const { description, schema, headers = [], type, otherTypes = [] } = route.answer
  const shown = headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  const whole = schema && (type === undefined ? envelopeOf(route, schema) : schema)
  const content = whole ? { schema: named(whole) } : {}
  const types = [type ?? "application/json", ...otherTypes]
  const isCut = schema !== undefined && !("read" in route.run) && canDryRun(route.may)
  return {
    description: isCut
      ? `${description} A credential without the scope \`read\` gets \`Written\`.`
      : description,
    ...(shown.length > 0 ? { headers: Object.fromEntries(shown) } : {}),
    ...(whole || type ? { content: Object.fromEntries(types.map((name) => [name, content])) } : {}),
  }
}

const dryRunAnswerOf = ({ dryRunAnswer, ...route }: Route, named: Named) =>
  dryRunAnswer ? { [dryRunAnswer.status]: successOf({ ...route, answer: dryRunAnswer }, named) } : {}

/** The response of a PUT that has created a record. */
const createdOf = (route: Route, named: Named) =>
  successOf(
    { ...route, answer: { ...route.answer, description: "Created.", headers: ["ETag", "Location"] } },
    named,
  )

/**
 * The envelope of a response. Its name is that of the record in it: `ItemResponse`, `ItemList`. Where a request can
 * select `fields`, each record is either whole or partial.
 */
function envelopeOf({ id, answer: { isList, meta }, parameters }: Route, data: TSchema): TSchema {
  const record = data.type === "array" ? (data.items as TSchema) : data
  const name = (record.$id ?? record.$ref)?.split("/").at(-1)
  if (name === undefined) throw new Error(`The response of ${id} has no name: give its schema an $id.`)
  const isPartial = parameters?.includes(fieldsParameter) ?? false
  const shown = isPartial ? Type.Unsafe({ anyOf: [record, ref(partialName(name))] }) : record
  const content = data.type === "array" ? Type.Array(shown) : shown
  const hasExpanded = parameters?.some((each) => each.name === "expand")
  if (isList) return listed(`${name}List`, content, hasExpanded)
  if (meta) return withMeta(`${name}s`, content, meta)
  const envelope = isPartial ? partialName(name) : data.type === "array" ? `${name}s` : name
  return enveloped(`${envelope}Response`, content, hasExpanded)
}
