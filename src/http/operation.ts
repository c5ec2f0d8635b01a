import type { TSchema } from "@sinclair/typebox"
import { enveloped, listed } from "./envelope-schemas"
import { idempotencyKey, idParameter, ifMatch, knownEtag } from "./parameters"
import type { Parameter, Route, Success } from "./route"

const everyAnswer = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]
const everyRequest = [400, 401, 403, 429, 500, 503]

/** The names and descriptions of error responses in the document's components. */
export const refusedResponses: Record<number, { name: string; description: string }> = {
  400: { name: "BadRequest", description: "The request is malformed." },
  401: { name: "Unauthorized", description: "The credential is missing or invalid." },
  403: { name: "Forbidden", description: "The caller is not allowed to do this." },
  404: { name: "NotFound", description: "The record does not exist." },
  412: { name: "PreconditionFailed", description: "The record's version does not match If-Match." },
  413: { name: "PayloadTooLarge", description: "The body is larger than 1 MiB." },
  415: { name: "UnsupportedMediaType", description: "The body is not application/json." },
  422: {
    name: "Unprocessable",
    description: "A value is invalid or a rule forbids it. `details` names each field.",
  },
  429: { name: "TooManyRequests", description: "A limit is exceeded. Retry-After says when to retry." },
  500: { name: "InternalError", description: "An internal error. Find it in the log by X-Request-Id." },
  503: {
    name: "Unavailable",
    description: "The service is temporarily unavailable. Retry-After says when to retry.",
  },
}

/** A route as an OpenAPI operation. `named` replaces named schemas with references. */
export function operationOf(route: Route, named: (schema: TSchema) => TSchema) {
  const { id, tag, summary, description = summary, answer, body, may, refuses = [] } = route
  const parameters = parametersOf(route)
  const statuses = [...everyRequest, ...(body ? [413, 415, 422] : []), ...refuses]
    .filter((status) => may !== null || status !== 403)
    .toSorted((a, b) => a - b)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(may === null ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBodyOf(body, named) } : {}),
    responses: {
      [answer.status]: successOf(answer, named),
      ...(route.takesIfNoneMatch ? { 304: { $ref: "#/components/responses/NotModified" } } : {}),
      ...Object.fromEntries(statuses.map((status) => [status, refusedResponse(status)])),
    },
  }
}

/** Returns the parameters of the path and of the route, and the headers that its `run` reads. */
function parametersOf(route: Route): Parameter[] {
  const { path, names = {}, parameters = [], takesIfMatch, takesIfNoneMatch, run } = route
  const ids = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => idParameter(name, names[name] ?? name))
  return [
    ...ids,
    ...parameters,
    ...("post" in run ? [idempotencyKey] : []),
    ...(takesIfMatch ? [ifMatch] : []),
    ...(takesIfNoneMatch ? [knownEtag] : []),
  ]
}

/** The response to a GET whose If-None-Match contains the current ETag. */
export const notModified = {
  description: "The record has not changed since the version in If-None-Match.",
  headers: Object.fromEntries(
    [...everyAnswer, "ETag"].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
}

const refusedResponse = (status: number) => ({
  $ref: `#/components/responses/${refusedResponses[status]?.name ?? "InternalError"}`,
})

function requestBodyOf(
  { schema, example, isOptional }: NonNullable<Route["body"]>,
  named: (schema: TSchema) => TSchema,
) {
  const content = {
    "application/json": { schema: named(schema), ...(example === undefined ? {} : { example }) },
  }
  return { required: !isOptional, content }
}

function successOf(
  { description, schema, isList = false, headers = [], type = "application/json" }: Success,
  named: (schema: TSchema) => TSchema,
) {
  const shown = [...everyAnswer, ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }])
  const whole = schema && (type !== "application/json" ? schema : isList ? listed(schema) : enveloped(schema))
  return {
    description,
    headers: Object.fromEntries(shown),
    ...(whole ? { content: { [type]: { schema: named(whole) } } } : {}),
  }
}
