import { Type, type TSchema } from "@sinclair/typebox"
import type { OtherOperation, Parameter } from "../../core/http/route/route"
import { scopes } from "../../shared/rights"

const text = Type.String()
const tags = ["oauth"]
const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })
const json = (schema: TSchema) => ({ "application/json": { schema } })
const page = { "text/html": { schema: text } }

/** RFC 6749, 5.2. */
const OAuthError = Type.Object(
  { error: Type.String({ examples: ["invalid_grant"] }), error_description: text },
  { $id: "OAuthError" },
)

/** The responses to a refused request, in the form that the clients of an endpoint expect. */
const refused = (content: object, wrong = "The request is invalid.") => ({
  400: { description: wrong, content },
  429: { description: "A limit is exceeded.", headers: header("Retry-After"), content },
  500: { description: "An internal error.", content },
  503: { description: "Temporarily unavailable.", headers: header("Retry-After"), content },
})

/** A client authenticates in the Authorization header, or with these fields of the form. */
const credentials = { client_id: text, client_secret: text }

type Form = { schema: TSchema; example: Record<string, string> }

const endpoint = (
  about: { operationId: string; summary: string; description: string },
  { schema, example }: Form,
  answer: { description: string; schema: TSchema },
): OtherOperation => ({
  ...about,
  tags,
  security: [{ oauthClient: [] }, {}],
  requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema, example } } },
  responses: {
    200: { description: answer.description, content: json(answer.schema) },
    401: { description: "The client is unknown, or its credentials are wrong.", content: json(OAuthError) },
    ...refused(json(OAuthError)),
  },
})

/** The secret of the token, which three endpoints take. */
const tokenForm: Form = {
  schema: Type.Object({ token: text, ...optional(credentials) }),
  example: { token: "$ACCESS_TOKEN" },
}

function optional(properties: Record<string, TSchema>) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]))
}

const TokenRequest = Type.Object({
  grant_type: Type.Unsafe({
    type: "string",
    enum: ["authorization_code", "refresh_token", "client_credentials"],
  }),
  ...optional({
    code: text,
    redirect_uri: text,
    code_verifier: text,
    refresh_token: text,
    scope: text,
    resource: text,
  }),
  ...optional(credentials),
})

const TokenResponse = Type.Object(
  {
    access_token: text,
    token_type: Type.Unsafe({ type: "string", const: "Bearer" }),
    expires_in: Type.Integer(),
    refresh_token: Type.Optional(Type.String({ description: "Not for client_credentials" })),
    scope: Type.String({ examples: [scopes.slice(0, 2).join(" ")] }),
  },
  { $id: "TokenResponse" },
)

const Introspection = Type.Object(
  {
    active: Type.Boolean(),
    ...optional({
      client_id: text,
      sub: text,
      username: text,
      iss: text,
      aud: text,
      token_type: text,
      scope: text,
    }),
    ...optional({ iat: Type.Integer(), exp: Type.Integer() }),
  },
  { $id: "Introspection" },
)

export const tokenOperation = endpoint(
  {
    operationId: "getToken",
    summary: "Exchange a code or a refresh token for tokens",
    description:
      "`authorization_code` requires `code`, `redirect_uri` and `code_verifier`; `refresh_token` requires `refresh_token`, and may reduce `scope`. RFC 6749.",
  },
  { schema: TokenRequest, example: { grant_type: "refresh_token", refresh_token: "$REFRESH_TOKEN" } },
  { description: "The tokens.", schema: TokenResponse },
)

export const revokeOperation = endpoint(
  {
    operationId: "revokeToken",
    summary: "Revoke a token",
    description:
      "Ends the session of an access token or a refresh token. Unknown tokens are ignored. RFC 7009.",
  },
  tokenForm,
  { description: "The token is no longer valid.", schema: Type.Object({}) },
)

export const introspectOperation = endpoint(
  {
    operationId: "introspectToken",
    summary: "See what a token may be used for",
    description: "For confidential clients, about tokens that were issued to them. RFC 7662.",
  },
  tokenForm,
  { description: "The state of the token.", schema: Introspection },
)

const asked = (name: string, schema: TSchema, required = true): Parameter => ({
  name,
  in: "query",
  required,
  schema,
})

export const authorizeOperation: OtherOperation = {
  operationId: "authorize",
  summary: "Ask a person for permission",
  description:
    "Open it in the person's browser. After the person has allowed or denied the request, the browser is sent to `redirect_uri` with `code`, `state` and `iss`, or with `error`. RFC 6749, with PKCE. With `resource` the tokens are only for it: the address of `/mcp` for the tools of assistants, or that of `/api/v1`, which is the default (RFC 8707).",
  tags,
  security: [],
  parameters: [
    asked("response_type", Type.Unsafe({ type: "string", const: "code" })),
    asked("client_id", Type.String({ examples: ["$CLIENT"] })),
    asked("redirect_uri", Type.String({ examples: ["https://shop.example/callback"] })),
    asked("code_challenge", Type.String({ examples: ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"] })),
    asked("code_challenge_method", Type.Unsafe({ type: "string", const: "S256" })),
    asked("scope", Type.String({ examples: ["read write"] }), false),
    asked("state", text, false),
    asked("resource", Type.String({ examples: ["https://kontor.example/mcp"] }), false),
  ],
  responses: {
    200: { description: "A page where the person signs in and decides.", content: page },
    303: {
      description: "The decision is already known, or the request is invalid.",
      headers: { Location: { description: "The redirect_uri with the result.", schema: text } },
    },
    ...refused(page, "The app or its redirect_uri is not registered."),
  },
}

export const metadataOperation: OtherOperation = {
  operationId: "getOAuthMetadata",
  summary: "Get the addresses and abilities of the OAuth server",
  description: "RFC 8414.",
  tags,
  security: [],
  responses: {
    200: {
      description: "The metadata.",
      content: json(Type.Unsafe({ $id: "OAuthMetadata", type: "object", additionalProperties: true })),
    },
    400: { $ref: "#/components/responses/BadRequest" },
    500: { $ref: "#/components/responses/InternalError" },
    503: { $ref: "#/components/responses/Unavailable" },
  },
}
