import type { Scope } from "../../../shared/rights"
import { everyAnswer, refusedResponses } from "./operation"

/** How callers authenticate. */
export const securitySchemes = (url: string) => ({
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
}

const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The responses that many operations share: errors, and 304. */
export const responses = {
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
        ]),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  ),
}

const text = { type: "string" }

/** The headers of responses. */
export const headers = {
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
}
