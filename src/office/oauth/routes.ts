import { Type } from "@sinclair/typebox"
import { callerOf } from "../../core/http/request/call"
import { ok } from "../../core/http/answer/envelope"
import { readRoutes, removeRoute, updateRoutes, type Money } from "../../core/http/route/kind-routes"
import { recordSchema, ref } from "../../core/http/openapi/kind-schemas"
import { checked, get, post, remove, type Route } from "../../core/http/route/route"
import { created } from "../../core/http/request/write"
import { emptyBody } from "../../core/kind/body"
import { readParams } from "../../core/kind/query"
import type { Draft } from "../../core/kind/read"
import { readClient, type OAuthClientService } from "./client-service"
import { GrantSchema, oauthClients } from "./model"
import type { OAuthService } from "./service"

/** The schema of the two responses that contain a secret. */
const withSecret = () => ({
  ...recordSchema(oauthClients, {
    clientSecret: Type.String({
      description: "Missing for a public client, and in a replayed response (see Idempotency-Key)",
    }),
  }),
  $id: "OAuthClientWithSecret",
})

/** The registered OAuth clients. Only an admin who signed in creates and updates them. */
export const oauthClientRoutes = (clients: OAuthClientService, money: Money): Route[] => [
  ...readRoutes(oauthClients, clients, money),
  ...updateRoutes(oauthClients, clients),
  removeRoute(oauthClients, clients),
  post<Draft>(
    "/oauth-clients",
    {
      may: oauthClients.rights.write,
      id: "createOAuthClient",
      tag: "oauth-clients",
      summary: "Register an OAuth client",
      description:
        "Registers an app that can ask users for permission to act for them. The response contains `clientSecret`, which is shown only in this response. A public client has no secret. Redirect URIs are compared character by character. Only the port of a loopback address may differ.",
      body: {
        schema: ref("OAuthClientDraft"),
        example: {
          name: "Web shop",
          redirectUris: ["https://shop.example/callback"],
          scopes: ["read"],
          type: "confidential",
        },
        isOptional: false,
        read: readClient,
      },
      answer: {
        status: 201,
        description: "The new client.",
        schema: withSecret(),
        headers: ["ETag", "Location"],
      },
    },
    (tx, { body }) => {
      const { record, secret } = clients.create(tx, body)
      return created("/api/v1/oauth-clients", record, secret === null ? undefined : { clientSecret: secret })
    },
  ),
  post(
    "/oauth-clients/:id/rotate",
    {
      may: oauthClients.rights.write,
      id: "rotateOAuthClient",
      tag: "oauth-clients",
      summary: "Rotate the secret of an OAuth client",
      description:
        "The old secret stops working immediately. The response contains the new secret, which is shown only in this response.",
      names: { id: "OAuth client" },
      body: checked(emptyBody),
      takesIfMatch: true,
      answer: { status: 200, description: "The client with its new secret.", schema: withSecret() },
      refuses: [404, 412],
    },
    (tx, { params, expected }) => {
      const { record, secret } = clients.rotate(tx, params.id ?? "", expected)
      return { status: 200, headers: {}, data: record, once: { clientSecret: secret } }
    },
  ),
]

export const grantRoutes = (oauth: OAuthService): Route[] => [
  get(
    "/auth/grants",
    {
      may: { area: "own", scope: "read", notForApplications: true },
      id: "listGrants",
      tag: "auth",
      summary: "List the apps that may act for the caller",
      description: "Not available to connected apps, because an app must not see other apps.",
      answer: {
        status: 200,
        description: "The grants of the caller, newest first.",
        schema: Type.Array(GrantSchema),
      },
    },
    ({ call }) => {
      readParams(call.query)
      return ok(oauth.grantsOf(callerOf(call).userId))
    },
  ),
  remove(
    "/auth/grants/:id",
    {
      may: { area: "own", scope: "delete", personal: true },
      id: "withdrawGrant",
      tag: "auth",
      summary: "Withdraw the grant of an app",
      description: "The tokens of the app stop working immediately.",
      names: { id: "grant" },
      takesIfMatch: false,
      answer: { status: 204, description: "The app may no longer act for the caller." },
      refuses: [404],
    },
    (tx, { params, caller }) => oauth.withdraw(tx, params.id ?? "", caller.userId),
  ),
]
