import type { Tx } from "../../../core/write/writer"
import { callerOf, type Call } from "../../../core/http/request/call"
import { ok } from "../../../core/http/answer/envelope"
import { listDescription, type Money } from "../../../core/http/route/kind-routes"
import { ref } from "../../../core/http/openapi/kind-schemas"
import { answerList } from "../../../core/http/answer/list-answer"
import { checked, get, handled, type Route } from "../../../core/http/route/route"
import type { Writes } from "../../../core/http/request/write"
import { emptyBody } from "../../../core/kind/body"
import { webhookDeliveries, webhookRight as may, webhooks } from "../model"
import type { Order, WebhookSending } from "../sending"

type Deps = { webhookSending: WebhookSending; writes: Writes; money: Money }

const tag = webhooks.name

/** The deliveries of a webhook, and what its users send by hand. */
export function deliveryRoutes({ webhookSending: sending, writes, money }: Deps): Route[] {
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
