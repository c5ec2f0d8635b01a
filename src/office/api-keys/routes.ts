import { Type } from "@sinclair/typebox"
import { readRoutes, removeRoute, updateRoutes, type Money } from "../../core/http/route/kind-routes"
import { recordSchema, ref } from "../../core/http/openapi/kind-schemas"
import { checked, get, post, type Route } from "../../core/http/route/route"
import { created } from "../../core/http/request/write"
import { emptyBody } from "../../core/kind/body"
import type { Draft } from "../../core/kind/read"
import { callerOf } from "../../core/http/request/call"
import { ok } from "../../core/http/answer/envelope"
import { readParams } from "../../core/kind/query"
import { apiKeys } from "./model"
import { assertPlanAllowed } from "./rules"
import { readKey, type ApiKeyService } from "./service"
import { type KeyUsage, usesKept } from "./usage"

const KeyUse = Type.Object(
  {
    day: Type.String({ format: "date" }),
    route: Type.String({ examples: ["GET /items/{id}"], description: "`other` for paths without a route" }),
    count: Type.Integer(),
  },
  { $id: "ApiKeyUse" },
)

/** The caller's own keys, or all keys for an admin. Only people who signed in create and update keys, never a key. */
export const apiKeyRoutes = (keys: ApiKeyService, usage: Pick<KeyUsage, "uses">, money: Money): Route[] => [
  ...readRoutes(apiKeys, keys, money),
  get(
    "/api-keys/:id/usage",
    {
      may: apiKeys.rights.read,
      id: "getApiKeyUsage",
      tag: "api-keys",
      summary: "Count the requests of an API key",
      description: `By route and day (UTC), the newest day first, of the last ${usesKept} days. Also requests that were refused are counted. The audit log has what a key has changed.`,
      names: { id: "API key" },
      answer: { status: 200, description: "The counts.", schema: Type.Array(KeyUse) },
      refuses: [404],
    },
    ({ call, params }) => {
      readParams(call.query)
      return ok(usage.uses(keys.get(params.id ?? "", callerOf(call)).id))
    },
  ),
  ...updateRoutes(apiKeys, keys),
  {
    ...removeRoute(apiKeys, keys),
    summary: "Revoke an API key",
    answer: { status: 204, description: "The key is no longer valid." },
  },
  post<Draft>(
    "/api-keys",
    {
      may: apiKeys.rights.write,
      id: "createApiKey",
      tag: "api-keys",
      summary: "Create an API key",
      description:
        "The response contains the key as `key`. It is shown only in this response. If `expiresAt` is left out, the key expires after 90 days; null means that it never expires.",
      body: {
        schema: ref("ApiKeyDraft"),
        example: { name: "Web shop", scopes: ["read", "write"] },
        isOptional: false,
        read: readKey,
      },
      answer: { status: 201, description: "The new key.", schema: withKey(), headers: ["ETag", "Location"] },
    },
    (tx, { body, caller }) => {
      const { record, key } = keys.create(tx, body, caller)
      assertPlanAllowed(caller, caller.plan, record.plan ?? caller.plan)
      return created("/api/v1/api-keys", record, { key })
    },
  ),
  post(
    "/api-keys/:id/rotate",
    {
      may: apiKeys.rights.write,
      id: "rotateApiKey",
      tag: "api-keys",
      summary: "Rotate an API key",
      description:
        "The old key stops working immediately. The response contains the new key as `key`. It is shown only in this response.",
      names: { id: "API key" },
      body: checked(emptyBody),
      takesIfMatch: true,
      answer: { status: 200, description: "The API key with its new `key`.", schema: withKey() },
      refuses: [404, 412],
    },
    (tx, { params, expected, caller }) => {
      const { record, key } = keys.rotate(tx, keys.get(params.id ?? "", caller).id, expected)
      return { status: 200, headers: {}, data: record, once: { key } }
    },
  ),
]

/** The schema of the two responses that contain the text of a key. */
const withKey = () => ({
  ...recordSchema(apiKeys, {
    key: Type.String({ description: "Missing in a replayed response (see Idempotency-Key)" }),
  }),
  $id: "ApiKeyWithKey",
})
