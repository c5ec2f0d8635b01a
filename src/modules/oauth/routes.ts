import type { App } from "../../http/app"
import { readBody } from "../../http/body"
import { callerOf } from "../../http/call"
import { idempotencyKey, idParameter, ifMatch, recordSchema } from "../../http/crud-operations"
import { readRoutes, removeRoute, updateRoutes, type Door } from "../../http/crud-routes"
import { ok } from "../../http/envelope"
import { enveloped, operation, ref } from "../../http/operation"
import type { Right } from "../../http/caller"
import { created, readIfMatch } from "../../http/write"
import { readParams } from "../../resource/query"
import type { ClientService } from "./clients"
import { oauthClients } from "./model"
import type { OAuthService } from "./service"

const path = "/api/v1/oauth-clients"
const reading: Right = { area: "administration", scope: "admin" }
const writing: Right = { ...reading, personal: true }

/** The applications that may ask people to act for them. Only an admin in person makes and changes them. */
export const clientRoutes = (clients: ClientService, door: Door) => (app: App) =>
  app
    .use(readRoutes(oauthClients, clients, { ...door, right: reading }))
    .use(updateRoutes(oauthClients, clients, { ...door, right: writing }))
    .use(removeRoute(oauthClients, clients, { ...door, right: writing }))
    .use(issuingRoutes(clients, door))

/** The two answers that hold a secret. */
const issuingRoutes =
  (clients: ClientService, { post }: Door) =>
  (app: App) =>
    app
      .post(
        "/api/v1/oauth-clients",
        async ({ call, request, set }) => {
          const input = await readBody(request)
          return post({ call, request, set }, input, (tx) => {
            const { record, secret } = clients.create(tx, input)
            return created(path, record, secret === null ? undefined : { clientSecret: secret })
          })
        },
        { may: writing, parse: "none", detail: createOperation },
      )
      .post(
        "/api/v1/oauth-clients/:id/rotate",
        async ({ call, params, request, set }) => {
          const expected = readIfMatch(request)
          const input = await readBody(request, { optional: true, empty: true })
          return post({ call, request, set }, input, (tx) => {
            const { record, secret } = clients.rotate(tx, params.id, expected)
            return { status: 200, headers: {}, data: record, once: { clientSecret: secret } }
          })
        },
        { may: writing, parse: "none", detail: rotateOperation },
      )

/** What one has allowed applications. */
export const grantRoutes =
  (oauth: OAuthService, { commit }: Door) =>
  (app: App) =>
    app
      .get(
        "/api/v1/auth/grants",
        ({ call }) => {
          readParams(call.query)
          return ok(oauth.grantsOf(callerOf(call).userId))
        },
        { may: { area: "own", scope: "read", notForApplications: true }, detail: grantsOperation },
      )
      .delete(
        "/api/v1/auth/grants/:id",
        async ({ call, params, set }) => {
          await commit(call, (tx) => oauth.withdraw(tx, params.id, callerOf(call).userId))
          set.status = 204
        },
        { may: { area: "own", scope: "delete", personal: true }, detail: withdrawOperation },
      )

const withSecret = enveloped(
  recordSchema(oauthClients, {
    clientSecret: { type: "string", description: "Not for a public client, nor when the answer is replayed" },
  }),
)

const createOperation = operation(() => ({
  id: "createOAuthClient",
  summary: "Register an OAuth client",
  description:
    "An application that may ask people to act for them. The answer holds `clientSecret`, this once; a public client has none. Redirect addresses are compared as text; only the port of one on the user's own machine may differ.",
  tag: "oauth-clients",
  parameters: [idempotencyKey],
  body: {
    schema: ref("OAuthClientDraft"),
    example: {
      name: "Web shop",
      redirectUris: ["https://shop.example/callback"],
      scopes: ["read"],
      type: "confidential",
    },
  },
  answers: { status: 201, description: "The new client.", schema: withSecret, headers: ["ETag", "Location"] },
}))

const rotateOperation = operation(() => ({
  id: "rotateOAuthClient",
  summary: "Give an OAuth client a new secret",
  description: "The old secret stops working at once. The answer holds the new one, this once.",
  tag: "oauth-clients",
  parameters: [idParameter("OAuth client"), idempotencyKey, ifMatch],
  body: { schema: { type: "object", additionalProperties: false }, optional: true },
  answers: { status: 200, description: "The client with its new secret.", schema: withSecret },
  refuses: [404, 412],
}))

const text = { type: "string" }

const grantsOperation = operation(() => ({
  id: "listGrants",
  summary: "List the applications that may act for the caller",
  description: "Not for applications: none is told of the others.",
  tag: "auth",
  answers: {
    status: 200,
    description: "What the caller has allowed, the newest first.",
    schema: enveloped({
      type: "array",
      items: {
        type: "object",
        required: ["id", "client", "clientName", "scopes", "createdAt", "updatedAt", "lastUsedAt"],
        properties: {
          id: text,
          client: text,
          clientName: text,
          scopes: { type: "array", items: text },
          createdAt: { type: "string", format: "date-time" },
          updatedAt: { type: "string", format: "date-time" },
          lastUsedAt: { type: ["string", "null"], format: "date-time" },
        },
      },
    }),
  },
}))

const withdrawOperation = operation(() => ({
  id: "withdrawGrant",
  summary: "Take back what an application was allowed",
  description: "Its tokens stop working at once.",
  tag: "auth",
  parameters: [idParameter("grant")],
  answers: { status: 204, description: "It may no longer act for the caller." },
  refuses: [404],
}))
