import { Type } from "@sinclair/typebox"
import { readRoutes, removeRoute, updateRoutes, type Money } from "../../http/kind-routes"
import { recordSchema, ref } from "../../http/kind-schemas"
import { checked, post, type Route } from "../../http/route"
import { created } from "../../http/write"
import { emptyBody } from "../../resource/body"
import type { Draft } from "../../resource/read"
import { apiKeys } from "./model"
import { assertPlanAllowed } from "./rules"
import { readKey, type ApiKeyService } from "./service"

/** One's own keys, and for an admin everyone's. Only people make and change keys, never a key. */
export const apiKeyRoutes = (keys: ApiKeyService, money: Money): Route[] => [
  ...readRoutes(apiKeys, keys, money),
  ...updateRoutes(apiKeys, keys),
  removeRoute(apiKeys, keys),
  post<Draft>(
    "/api-keys",
    {
      may: apiKeys.rights.write,
      id: "createApiKey",
      tag: "api-keys",
      summary: "Create an API key",
      description:
        "The answer holds the key as `key`, this once. Left out, `expiresAt` is in 90 days; null is never.",
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
      summary: "Give an API key a new text",
      description: "The old text stops working at once. The answer holds the new one as `key`, this once.",
      names: { id: "API key" },
      body: checked(emptyBody),
      takesIfMatch: true,
      answer: { status: 200, description: "The key with its new text.", schema: withKey() },
      refuses: [404, 412],
    },
    (tx, { params, expected, caller }) => {
      const { record, key } = keys.rotate(tx, keys.get(params.id ?? "", caller).id, expected)
      return { status: 200, headers: {}, data: record, once: { key } }
    },
  ),
]

/** The two answers that hold the text of a key. */
const withKey = () =>
  recordSchema(apiKeys, {
    key: Type.String({ description: "Not when the answer is replayed" }),
  })
