import { refusedResponses, refusalCodes, ref, written, type Detail } from "./operation"
import { resourceSchemas } from "./crud-operations"
import type { Resource } from "../resource/define"

type Route = { method: string; path: string; hooks?: { detail?: object } }

/** The OpenAPI document, made from the routes as they are and the resources they serve. */
export function openApiDocument(routes: readonly Route[], resources: readonly Resource[], version: string) {
  const paths: Record<string, Record<string, ReturnType<typeof written>>> = {}
  const tags = new Set<string>()
  for (const { method, path, hooks } of routes) {
    const detail = hooks?.detail
    if (!isDescribed(detail)) continue
    const operation = written(detail.describe())
    const template = path.replace(/:(\w+)/g, "{$1}")
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
    for (const tag of operation.tags) tags.add(tag)
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Kontor",
      version,
      description:
        "The back office of a small business: items, customers, sales orders, invoices and search. Every answer is an envelope: `{success, data, meta?, warnings?}` or `{success, error: {code, message, details}}`.",
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "The owner of this Kontor" },
    },
    servers: [{ url: "/", description: "This Kontor" }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...tags].toSorted().map((name) => ({ name, description: tagTexts[name] ?? `About ${name}.` })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "From POST /api/v1/auth/login.",
        },
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "For server-to-server use." },
      },
      headers,
      responses: Object.fromEntries(
        Object.values(refusedResponses).map(({ name, description }) => [
          name,
          {
            description,
            headers: { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } },
            content: { "application/json": { schema: ref("Error") } },
          },
        ]),
      ),
      schemas: used(paths, { ...sharedSchemas, ...Object.assign({}, ...resources.map(resourceSchemas)) }),
    },
  }
}

/** Only the schemas that something refers to: not every kind can be created or changed. */
function used(paths: object, schemas: Record<string, object>): Record<string, object> {
  const text = JSON.stringify([paths, sharedSchemas])
  const names = Object.keys(schemas).filter(
    (name) => name in sharedSchemas || text.includes(`/schemas/${name}"`),
  )
  return Object.fromEntries(names.map((name) => [name, schemas[name] ?? {}]))
}

const isDescribed = (detail: object | undefined): detail is Detail =>
  detail !== undefined && "describe" in detail

export type OpenApiDocument = ReturnType<typeof openApiDocument>

const tagTexts: Record<string, string> = {
  auth: "Signing in.",
  users: "Who signs in, and with which role. For admins.",
  "api-keys": "Keys for server-to-server use.",
  settings: "How this instance is set up. For admins.",
  "audit-logs": "Who did what. For admins.",
  "stock-movements": "The ledger of stock: receipts, adjustments, returns, and what invoices moved.",
  "sales-orders": "What customers have ordered.",
  invoices: "What customers owe, and what they paid.",
  search: "One search over everything.",
  reports: "Figures over many records.",
  items: "What is bought and sold.",
  customers: "Who buys.",
}

const text = { type: "string" }

const headers = {
  "X-Request-Id": { description: "Names this request in the log; quote it to support.", schema: text },
  "X-RateLimit-Limit": { description: "Requests allowed in the window.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left in it.", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "When it ends, in Unix seconds.", schema: { type: "integer" } },
  ETag: { description: "The record's version, for If-Match.", schema: text },
  Location: { description: "Where the new record is.", schema: text },
  Link: { description: 'The next page, with rel="next".', schema: text },
}

const sharedSchemas = {
  Error: {
    type: "object",
    required: ["success", "error"],
    properties: {
      success: { const: false },
      error: {
        type: "object",
        required: ["code", "message", "details"],
        properties: {
          code: { type: "string", enum: refusalCodes },
          message: { type: "string", examples: ["The item has invalid values."] },
          details: {
            type: "array",
            items: {
              type: "object",
              required: ["field", "message"],
              properties: { field: text, message: text },
              examples: [{ field: "items[0].quantity", message: "must be a number" }],
            },
          },
        },
      },
    },
  },
  Warnings: {
    type: "array",
    items: {
      type: "object",
      required: ["code", "field", "message"],
      properties: { code: text, field: text, message: text },
    },
  },
  ListMeta: {
    type: "object",
    required: ["perPage", "hasMore", "nextCursor"],
    properties: {
      page: { type: "integer" },
      perPage: { type: "integer" },
      total: { type: "integer" },
      totalPages: { type: "integer" },
      hasMore: { type: "boolean" },
      nextCursor: { type: ["string", "null"] },
    },
  },
  SignedIn: {
    type: "object",
    required: ["token", "refreshToken", "expiresIn", "user"],
    properties: {
      token: text,
      refreshToken: text,
      expiresIn: { type: "integer", examples: [3600] },
      user: ref("SignedInUser"),
    },
  },
  SignedInUser: {
    type: "object",
    required: ["id", "email", "name", "role"],
    properties: { id: text, email: text, name: text, role: text },
  },
  Limit: {
    type: "object",
    required: ["limit", "remaining", "resetAt"],
    properties: {
      limit: { type: ["integer", "null"] },
      remaining: { type: ["integer", "null"] },
      resetAt: { type: "integer", description: "Unix seconds" },
    },
  },
  Me: {
    type: "object",
    required: ["id", "email", "name", "role", "scopes", "rights", "credential", "plan", "limits", "company"],
    properties: {
      id: text,
      email: text,
      name: text,
      role: text,
      scopes: { type: "array", items: text },
      credential: {
        type: "object",
        required: ["type", "id", "name"],
        properties: {
          type: { type: "string", enum: ["user", "apiKey", "oauthClient"] },
          id: text,
          name: text,
        },
      },
      rights: {
        type: "object",
        description: "What the caller may do, by area: role and scopes together.",
        additionalProperties: { type: "array", items: text },
        examples: [{ items: ["read"], "sales-orders": ["read", "write", "delete"] }],
      },
      plan: text,
      limits: {
        type: "object",
        required: ["minute", "day"],
        properties: { minute: ref("Limit"), day: ref("Limit") },
      },
      company: {
        type: "object",
        required: ["name", "currency", "currencyDigits", "timeZone", "today"],
        properties: {
          name: { type: ["string", "null"] },
          currency: { type: "string", examples: ["EUR"] },
          currencyDigits: { type: "integer", description: "How many decimals its amounts have" },
          timeZone: { type: "string", examples: ["Europe/Berlin"] },
          today: { type: "string", format: "date", description: "In the instance's time zone" },
        },
      },
    },
  },
}
