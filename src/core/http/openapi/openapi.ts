import type { Resource } from "../../kind/define"
import { kindSchemas } from "./kind-schemas"
import { headers, responses, securitySchemes } from "./openapi-components"
import { operationOf, parametersOf } from "./operation"
import { Failure, ListMeta, Warnings } from "./envelope-schemas"
import { collector, type Collector, type Schemas } from "./named-schemas"
import type { Route } from "../route/route"
import { sharedParameters } from "./shared-parameters"
import { tagsByName } from "./tags"

type About = {
  kinds: readonly Resource[]
  version: string
  /** The URL that clients know this server by. */
  url: string
}

/** The OpenAPI document, generated from the routes and the kinds. */
export function openApiDocument(routes: readonly Route[], { kinds, version, url }: About) {
  const collect = collector()
  for (const schema of [Failure, Warnings, ListMeta]) collect.named(schema)
  const { paths, parameters } = described(routes, collect)
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
    components: {
      securitySchemes: securitySchemes(url),
      headers,
      parameters,
      responses,
      schemas: schemasOf(kinds, [paths, parameters, responses], collect),
    },
  }
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>

export type Operation = ReturnType<typeof operationOf>
type Paths = Record<string, Record<string, Operation>>

/** The operations of the API, and those that are written by hand. */
function described(routes: readonly Route[], { named }: Collector) {
  const api = routes
    .filter(({ isHidden }) => !isHidden)
    .map((route) => ({ route, parameters: parametersOf(route) }))
  const shared = sharedParameters(
    api.map(({ parameters }) => parameters),
    named,
  )
  const paths: Paths = {}
  const add = ({ path, method }: Route, operation: Operation) => {
    const template = path.replace(/:(\w+)/g, "{$1}")
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  for (const { route, parameters } of api) add(route, operationOf(route, parameters.map(shared.refer), named))
  for (const route of routes) if (route.operation) add(route, named(route.operation) as Operation)
  return { paths, parameters: shared.parameters }
}

/** The tags that operations have, in the order of `tagGroups`. Of two kinds of one name, the first is described. */
function tagsOf(paths: Paths, kinds: readonly Resource[]) {
  const abouts = new Map(kinds.map(({ name, about }) => [name, about] as const).toReversed())
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const used = new Set(operations.flatMap(({ tags }) => tags))
  return [...new Set(Object.keys(tagsByName)).intersection(used).union(used)].map((name) => ({
    name,
    description: tagsByName[name]?.about ?? abouts.get(name) ?? "",
  }))
}

/**
 * The named schemas that the rest of the document refers to. Not every kind can be created or updated, so not every
 * schema of a kind is used.
 */
function schemasOf(kinds: readonly Resource[], rest: unknown, { schemas, named }: Collector): Schemas {
  for (const [name, schema] of kinds.flatMap((kind) => Object.entries(kindSchemas(kind))))
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
