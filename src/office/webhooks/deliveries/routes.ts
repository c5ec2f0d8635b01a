import type { Tx } from "../../../core/write/writer"
import { callerOf, type Call } from "../../../core/http/request/call"
import { ok } from "../../../core/http/answer/envelope"
import { listDescription, type Money } from "../../../core/http/route/kind-routes"
import { ref } from "../../../core/http/openapi/kind-schemas"
import { answerList } from "../../../core/http/answer/list-answer"
import { checked, get, handled, post, type Route } from "../../../core/http/route/route"
import type { Writes } from "../../../core/http/request/write"
import { body, emptyBody } from "../../../core/kind/body"
import { instant, required } from "../../../core/kind/field"
import { jobCallerOf, jobSchema, shownJob } from "../../jobs/model"
import type { JobService } from "../../jobs/service"
import { webhookDeliveries, webhookRight as may, webhooks } from "../model"
import type { Replays } from "../replay/replay"
import type { Order, WebhookSending } from "../sending"

type Deps = {
  webhookSending: WebhookSending
  webhookReplays: Replays
  jobs: JobService
  writes: Writes
  money: Money
}

const tag = webhooks.name

/** The deliveries of a webhook, and what its users send by hand. */
export function deliveryRoutes({
  webhookSending: sending,
  webhookReplays,
  jobs,
  writes,
  money,
}: Deps): Route[] {
  const answer = {
    status: 200,
    description: "The delivery with the result, also if it failed.",
    schema: ref(webhookDeliveries.title),
  }
  /** Sends what a caller has ordered, and waits for the result. */
  const send = async (call: Call, order: (tx: Tx) => Order): Promise<object> => {
    call.keepOpen()
    const { value } = await writes.runWrite(call, order)
    return ok(await sending.send(value))
  }
  return [
    get(
      "/webhooks/:id/deliveries",
      {
        ...listDescription(webhookDeliveries),
        may,
        id: "listWebhookDeliveries",
        tag,
        summary: "List the deliveries of a webhook",
        description:
          "The events that were sent, with the last attempt of each: the last 1,000, and those that are sent again.",
        names: { id: webhooks.noun },
        refuses: [404, 422],
      },
      (context) =>
        answerList(webhookDeliveries, context, money(), (query, caller) =>
          sending.list(context.params.id ?? "", query, caller),
        ),
    ),
    handled(
      "POST",
      "/webhooks/:id/test",
      {
        may,
        id: "testWebhook",
        tag,
        summary: "Send a test event to a webhook",
        description:
          "Sends an event of the type `webhooks.test` now and waits for the response. It is not in the feed, and it is not sent again.",
        names: { id: webhooks.noun },
        body: checked(emptyBody),
        answer,
        refuses: [404, 422],
      },
      ({ call, params: { id = "" } }) => send(call, (tx) => sending.orderTest(tx, id, callerOf(call))),
    ),
    post<{ since: string }>(
      "/webhooks/:id/replay",
      {
        may,
        id: "replayWebhook",
        tag,
        summary: "Send the events since a time again",
        description:
          "Sends the events since `since` that the webhook has got, and would get now, once more, in their order and with the same `webhook-id`, in the background: `GET /jobs/{id}` tells how far it is, and `POST /jobs/{id}/cancel` ends it. New events are sent meanwhile as usual. It ends when the webhook is no longer active, and after ten failures in a row. A webhook has one replay at a time.",
        names: { id: webhooks.noun },
        body: checked(body({ since: required(instant()) }, { example: { since: "2026-03-01T09:30:00Z" } })),
        takesIdempotencyKey: true,
        answer: { status: 202, description: "The job.", schema: jobSchema, headers: ["Location"] },
        refuses: [404, 410, 422],
      },
      (tx, { params: { id = "" }, body: { since }, caller, call }) => {
        const wanted = { id, since, viewer: caller, caller: jobCallerOf(call) }
        const job = webhookReplays.begin(tx, jobs, wanted)
        return { status: 202, headers: { location: `/api/v1/jobs/${job.id}` }, data: shownJob(job, []) }
      },
    ),
    handled(
      "POST",
      "/webhooks/:id/deliveries/:deliveryId/redeliver",
      {
        may,
        id: "redeliverWebhook",
        tag,
        summary: "Send an event to a webhook again",
        description:
          "Sends the same event with the same `webhook-id` now, and waits for the response. With the full payload, the body has the record as it is now.",
        names: { id: webhooks.noun, deliveryId: webhookDeliveries.noun },
        body: checked(emptyBody),
        answer,
        refuses: [404, 422],
      },
      ({ call, params: { id = "", deliveryId = "" } }) =>
        send(call, (tx) => sending.orderAgain(tx, id, deliveryId, callerOf(call))),
    ),
  ]
}
