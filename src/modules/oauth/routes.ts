import { Type } from "@sinclair/typebox"
import { callerOf } from "../../http/call"
import { ok } from "../../http/envelope"
import { readRoutes, removeRoute, updateRoutes, type Money } from "../../http/kind-routes"
import { recordSchema, ref } from "../../http/kind-schemas"
import { checked, get, post, remove, type Route } from "../../http/route"
import { created } from "../../http/write"
import { emptyBody } from "../../resource/body"
import { readParams } from "../../resource/query"
import type { Draft } from "../../resource/read"
import { readClient, type OAuthClientService } from "./client-service"
import { GrantSchema, oauthClients } from "./model"
import type { OAuthService } from "./service"

/** The two answers that hold a secret. */
const withSecret = () =>
  recordSchema(oauthClients, {
    clientSecret: Type.String({ description: "Not for a public client, nor when the answer is replayed" }),
  })

/** The applications that may ask people to act for them. Only an admin in person makes and changes them. */
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
        "An application that may ask people to act for them. The answer holds `clientSecret`, this once; a public client has none. Redirect addresses are compared as text; only the port of one on the user's own machine may differ.",
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
      summary: "Give an OAuth client a new secret",
      description: "The old secret stops working at once. The answer holds the new one, this once.",
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

/** What the caller has allowed applications. */
export const grantRoutes = (oauth: OAuthService): Route[] => [
  get(
    "/auth/grants",
    {
      may: { area: "own", scope: "read", notForApplications: true },
      id: "listGrants",
      tag: "auth",
      summary: "List the applications that may act for the caller",
      description: "Not for applications: none is told of the others.",
      answer: {
        status: 200,
        description: "What the caller has allowed, the newest first.",
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
      summary: "Revoke what an application was allowed",
      description: "Its tokens stop working at once.",
      names: { id: "grant" },
      takesIfMatch: false,
      answer: { status: 204, description: "It may no longer act for the caller." },
      refuses: [404],
    },
    (tx, { params, caller }) => oauth.withdraw(tx, params.id ?? "", caller.userId),
  ),
]
