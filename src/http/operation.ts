import { statusOf } from "../lib/refusal"

type Schema = object
type Parameter = {
  name: string
  in: "query" | "path" | "header"
  required?: boolean
  description?: string
  schema: Schema
}

export type Described = {
  id: string
  summary: string
  description?: string
  tag: string
  parameters?: Parameter[]
  body?: { schema: Schema; example?: unknown; optional?: boolean }
  answers: { status: number; description: string; schema?: Schema; headers?: string[]; type?: string }
  /** The statuses it can refuse with, beyond those that every request can meet. */
  refuses?: number[]
  /** True when it needs no credential. */
  open?: boolean
}

const everyAnswer = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]
const everyRequest = [400, 401, 403, 429, 500, 503]

/** What each refusing status is called in the document's components. */
export const refusedResponses: Record<number, { name: string; description: string }> = {
  400: { name: "BadRequest", description: "The request cannot be understood." },
  401: { name: "Unauthorized", description: "The credential is missing or no good." },
  403: { name: "Forbidden", description: "The caller is known but may not do this." },
  404: { name: "NotFound", description: "There is no such record." },
  412: { name: "PreconditionFailed", description: "The record has another version than If-Match says." },
  413: { name: "PayloadTooLarge", description: "The body is larger than 1 MiB." },
  415: { name: "UnsupportedMediaType", description: "The body is not application/json." },
  422: {
    name: "Unprocessable",
    description: "A value is wrong or a rule forbids it; details name each field.",
  },
  429: { name: "TooManyRequests", description: "A limit is used up; Retry-After says when to come back." },
  500: { name: "InternalError", description: "A fault of the service; X-Request-Id finds it in the log." },
  503: {
    name: "Unavailable",
    description: "The service cannot answer now; Retry-After says when to come back.",
  },
}

/**
 * What a route carries as its `detail`: how to describe it, for when somebody asks for the document. Most starts are of
 * a service whose document nobody will read.
 */
export type Detail = { hide?: boolean; describe: () => Described }
export const operation = (describe: () => Described): Detail => ({ describe })

/** An operation as OpenAPI writes it. */
export function written({
  id,
  tag,
  answers,
  body,
  parameters = [],
  refuses = [],
  open,
  ...words
}: Described) {
  const statuses = [...everyRequest, ...(body ? [413, 415, 422] : []), ...refuses]
    .filter((status) => !open || status !== 403)
    .toSorted((a, b) => a - b)
  return {
    operationId: id,
    tags: [tag],
    description: words.summary,
    ...words,
    ...(open ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBody(body) } : {}),
    responses: {
      [answers.status]: answer(answers),
      ...Object.fromEntries(statuses.map((status) => [status, refusedResponse(status)])),
    },
  }
}

const refusedResponse = (status: number) => ({
  $ref: `#/components/responses/${refusedResponses[status]?.name ?? "InternalError"}`,
})

/** `{ success, data }` around a schema. */
export const enveloped = (data: Schema): Schema => ({
  type: "object",
  required: ["success", "data"],
  properties: { success: { const: true }, data, warnings: ref("Warnings") },
})

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Every code of an error envelope, for the document. */
export const refusalCodes = Object.keys(statusOf)

function requestBody({ schema, example, optional }: NonNullable<Described["body"]>) {
  const content = { "application/json": { schema, ...(example === undefined ? {} : { example }) } }
  return { required: !optional, content }
}

function answer({ description, schema, headers = [], type = "application/json" }: Described["answers"]) {
  const shown = [...everyAnswer, ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return {
    description,
    headers: Object.fromEntries(shown),
    ...(schema ? { content: { [type]: { schema } } } : {}),
  }
}
