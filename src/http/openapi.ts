import type { TSchema } from "@sinclair/typebox"
import type { Resource } from "../resource/define"
import { kindSchemas } from "./kind-schemas"
import { notModified, operationOf, refusedResponses } from "./operation"
import { Failure, ListMeta, Warnings } from "./envelope-schemas"
import { collector, type Schemas } from "./named-schemas"
import type { Route } from "./route"
import { tagsByName } from "./tags"

type About = { kinds: readonly Resource[]; version: string }

/** The OpenAPI document, generated from the routes and the kinds. */
export function openApiDocument(routes: readonly Route[], { kinds, version }: About) {
  const described = routes.filter(({ isHidden }) => !isHidden)
  const collect = collector()
  for (const schema of [Failure, Warnings, ListMeta]) collect.named(schema)
  const paths = pathsOf(described, collect.named)
  return {
    openapi: "3.1.1",
    info: {
      title: "Kontor",
      version,
      description:
        "The back office of a small business: items, customers, sales orders, invoices and search. Every response is an envelope: `{success, data, meta?, warnings?}` or `{success, error: {code, message, details}}`.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "The owner of this Kontor" },
    },
    servers: [{ url: "/", description: "This Kontor" }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: tagsOf(described, kinds),
    paths,
    components: componentsOf(schemasOf(kinds, paths, collect.schemas)),
  }
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>

/** The tags that operations have, in the order of `tagGroups`. */
function tagsOf(routes: readonly Route[], kinds: readonly Resource[]) {
  const abouts = new Map(kinds.map(({ name, about }) => [name, about]))
  const used = new Set(routes.map(({ tag }) => tag))
  return [...new Set(Object.keys(tagsByName)).intersection(used).union(used)].map((name) => ({
    name,
    description: tagsByName[name]?.about ?? abouts.get(name) ?? "",
  }))
}

type Named = (schema: TSchema) => TSchema

function pathsOf(routes: readonly Route[], named: Named) {
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {}
  for (const route of routes) {
    const template = route.path.replace(/:(\w+)/g, "{$1}")
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: operationOf(route, named) }
  }
  return paths
}

/** The schemas of a kind are included only when something refers to them: not every kind can be created or updated. */
function schemasOf(kinds: readonly Resource[], paths: object, named: Schemas): Schemas {
  const text = JSON.stringify([paths, named])
  const all = Object.assign({}, ...kinds.map(kindSchemas)) as Schemas
  const used = Object.entries(all).filter(([name]) => text.includes(`/schemas/${name}"`))
  const nested = JSON.stringify(used)
  const further = Object.entries(all).filter(([name]) => nested.includes(`/schemas/${name}"`))
  return { ...named, ...Object.fromEntries([...used, ...further]) }
}

const componentsOf = (schemas: Schemas) => ({
  securitySchemes: {
    bearer: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description: "An access token from POST /api/v1/auth/login or from the OAuth token endpoint.",
    },
    apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "An API key, for programs." },
  },
  headers,
  responses: {
    NotModified: notModified,
    ...Object.fromEntries(
      Object.values(refusedResponses).map(({ name, description }) => [
        name,
        {
          description,
          headers: { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } },
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      ]),
    ),
  },
  schemas,
})

const text = { type: "string" }

const headers = {
  "X-Request-Id": {
    description: "Identifies this request in the log. Include it when you report a problem.",
    schema: text,
  },
  "X-RateLimit-Limit": {
    description: "Requests allowed in the period, a minute or a day.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": { description: "Requests left in the period.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "When the period ends, in Unix seconds.", schema: { type: "integer" } },
  ETag: { description: "The record's version, for If-Match and If-None-Match.", schema: text },
  Location: { description: "The path of the new record.", schema: text },
  Link: { description: 'The next page, with rel="next".', schema: text },
}
