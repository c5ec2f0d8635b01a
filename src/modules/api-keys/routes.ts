import type { App } from "../../http/app"
import { readBody } from "../../http/body"
import { callerOf } from "../../http/call"
import { idempotencyKey, idParameter, ifMatch, recordSchema } from "../../http/crud-operations"
import { readRoutes, removeRoute, updateRoutes, type Door } from "../../http/crud-routes"
import { enveloped, operation, ref } from "../../http/operation"
import type { Right } from "../../http/caller"
import { created, readIfMatch } from "../../http/write"
import { apiKeys } from "./model"
import { assertPlanAllowed } from "./rules"
import type { ApiKeyService } from "./service"

const path = "/api/v1/api-keys"
export const keyReading: Right = { area: "own", scope: "read", notForApplications: true }
const writing: Right = { area: "own", scope: "write", personal: true }
const removing: Right = { area: "own", scope: "delete", personal: true }

/** One's own keys, and for an admin everyone's. Only people make and change keys, never a key. */
export const apiKeyRoutes = (keys: ApiKeyService, door: Door) => (app: App) =>
  app
    .use(readRoutes(apiKeys, keys, { ...door, right: keyReading }))
    .use(updateRoutes(apiKeys, keys, { ...door, right: writing }))
    .use(removeRoute(apiKeys, keys, { ...door, right: removing }))
    .use(issuingRoutes(keys, door))

/** The two answers that hold the text of a key. */
const issuingRoutes =
  (keys: ApiKeyService, { post }: Door) =>
  (app: App) =>
    app
      .post(
        "/api/v1/api-keys",
        async ({ call, request, set }) => {
          const input = await readBody(request)
          return post({ call, request, set }, input, (tx) => {
            const caller = callerOf(call)
            const { record, key } = keys.create(tx, input, caller)
            assertPlanAllowed(caller, caller.plan, record.plan ?? caller.plan)
            return created(path, record, { key })
          })
        },
        { may: writing, parse: "none", detail: createOperation },
      )
      .post(
        "/api/v1/api-keys/:id/rotate",
        async ({ call, params, request, set }) => {
          const expected = readIfMatch(request)
          const input = await readBody(request, { optional: true, empty: true })
          return post({ call, request, set }, input, (tx) => {
            const { record, key } = keys.rotate(tx, keys.get(params.id, callerOf(call)).id, expected)
            return { status: 200, headers: {}, data: record, once: { key } }
          })
        },
        { may: writing, parse: "none", detail: rotateOperation },
      )

const withKey = enveloped(
  recordSchema(apiKeys, { key: { type: "string", description: "Not when the answer is replayed" } }),
)

const createOperation = operation(() => ({
  id: "createApiKey",
  summary: "Create an API key",
  description:
    "The answer holds the key as `key`, this once. Left out, `expiresAt` is in 90 days; null is never.",
  tag: "api-keys",
  parameters: [idempotencyKey],
  body: { schema: ref("ApiKeyDraft"), example: { name: "Web shop", scopes: ["read", "write"] } },
  answers: { status: 201, description: "The new key.", schema: withKey, headers: ["ETag", "Location"] },
}))

const rotateOperation = operation(() => ({
  id: "rotateApiKey",
  summary: "Give an API key a new text",
  description: "The old text stops working at once. The answer holds the new one as `key`, this once.",
  tag: "api-keys",
  parameters: [idParameter("API key"), idempotencyKey, ifMatch],
  body: { schema: { type: "object", additionalProperties: false }, optional: true },
  answers: { status: 200, description: "The key with its new text.", schema: withKey },
  refuses: [404, 412],
}))
