import { Type } from "@sinclair/typebox"
import { ok } from "../../core/http/answer/envelope"
import { readRoutes, removeRoute, updateRoutes } from "../../core/http/route/kind-routes"
import { recordSchema, ref } from "../../core/http/openapi/kind-schemas"
import { action, checked, get, post, type Route } from "../../core/http/route/route"
import { created } from "../../core/http/request/write"
import { emptyBody } from "../../core/kind/body"
import { readParams } from "../../core/kind/query"
import type { Draft } from "../../core/kind/read"
import { deliveryRoutes } from "./deliveries/routes"
import { adminRights } from "../../shared/rights"
import { SendingStatus, webhookRight, webhooks, type Webhook } from "./model"
import type { WebhookSending } from "./sending"
import type { WebhookService } from "./service"
import type { Change } from "./update"

type Deps = Parameters<typeof deliveryRoutes>[0] & { webhooks: WebhookService }

const may = webhookRight
const tag = webhooks.name

/** Webhooks, their deliveries, and whether anything is sent. An admin who signed in manages those of all users. */
export const webhookRoutes = (deps: Deps): Route[] => [
  ...sendingRoutes(deps.webhookSending),
  ...readRoutes(webhooks, deps.webhooks, deps.money),
  ...secretRoutes(deps.webhooks),
  ...updateRoutes<Webhook, Change>(webhooks, deps.webhooks),
  removeRoute(webhooks, deps.webhooks),
  ...deliveryRoutes(deps),
]

const sendingRoutes = (sending: WebhookSending): Route[] => [
  get(
    "/webhooks/status",
    {
      may,
      id: "getWebhookStatus",
      tag,
      summary: "Get whether events are sent",
      description:
        "After a restore nothing is sent until `POST /webhooks/resume`. A server that was started with `--no-sending` never sends.",
      answer: { status: 200, description: "Whether events are sent.", schema: SendingStatus },
    },
    ({ call }) => {
      readParams(call.query)
      return ok(sending.status())
    },
  ),
  action(
    "/webhooks/resume",
    {
      may: adminRights.write,
      id: "resumeWebhooks",
      tag,
      summary: "Send events again after a restore",
      description:
        "A restored database does not know what was sent after its backup was made, so it sends nothing until an admin has looked at it. Its webhooks have no secrets: rotate each one to activate it.",
      takesIfMatch: false,
      body: checked(emptyBody),
      answer: { status: 200, description: "Whether events are sent.", schema: SendingStatus },
    },
    (tx) => {
      sending.resume(tx)
      return sending.status()
    },
  ),
]

const secretRoutes = (service: WebhookService): Route[] => [
  post<Draft>(
    "/webhooks",
    {
      may,
      id: "createWebhook",
      tag,
      summary: "Create a webhook",
      description:
        "Events after this moment that the caller may read are sent to `url`, signed as Standard Webhooks defines it. The response contains the secret as `secret`. It is shown only in this response. `types` are types of events, such as `invoices.issued`, `invoices.*` or `*`.",
      body: {
        schema: ref("WebhookDraft"),
        example: { url: "https://shop.example/hooks", types: ["invoices.*", "items.low-stock"] },
        isOptional: false,
        read: service.prepareDraft,
      },
      answer: {
        status: 201,
        description: "The new webhook.",
        schema: withSecret(),
        headers: ["ETag", "Location"],
      },
    },
    (tx, { body, caller }) => {
      const { record, secret } = service.create(tx, body, caller)
      return created("/api/v1/webhooks", record, { secret })
    },
  ),
  post(
    "/webhooks/:id/rotate",
    {
      may,
      id: "rotateWebhook",
      tag,
      summary: "Rotate the secret of a webhook",
      description:
        "For 24 hours, requests have two signatures: one by the new secret and one by the old one. The response contains the new secret as `secret`. It is shown only in this response. A webhook of a restored database becomes active again.",
      names: { id: webhooks.noun },
      body: checked(emptyBody),
      takesIfMatch: true,
      answer: { status: 200, description: "The webhook with its new `secret`.", schema: withSecret() },
      refuses: [404, 412],
    },
    (tx, { params, expected, caller }) => {
      const { record, secret } = service.rotate(tx, params.id ?? "", expected, caller)
      return { status: 200, headers: {}, data: record, once: { secret } }
    },
  ),
]

/** The schema of the two responses that contain a secret. */
const withSecret = () => ({
  ...recordSchema(webhooks, {
    secret: Type.String({ description: "Missing in a replayed response (see Idempotency-Key)" }),
  }),
  $id: "WebhookWithSecret",
})
