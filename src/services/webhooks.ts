import { kinds } from "../kinds"
import { business } from "../lib/clock"
import type { EventRecords } from "../modules/events/records"
import type { EventService } from "../modules/events/service"
import { webhookDeliveries } from "../modules/webhooks/model"
import { systemResolve } from "../modules/webhooks/resolve"
import { webhookSending } from "../modules/webhooks/sending"
import { webhookService } from "../modules/webhooks/service"
import type { Base, Deps } from "../services"

/** The services of webhooks: the records, and what sends events to them. */
export function webhookServices(
  { db, writer, subscribe, allowPrivateWebhooks: allowed, noSending }: Deps,
  { storeOf }: Base,
  events: EventService,
  records: () => EventRecords,
) {
  const shared = { db, writer, events, network: { resolve: systemResolve, allowed }, clock: business.now }
  const webhooks = webhookService({
    ...shared,
    store: storeOf(kinds.webhooks),
    onChange: () => sending.sender.wake(),
  })
  const sending = webhookSending({
    ...shared,
    deliveries: storeOf(webhookDeliveries),
    feed: events.feed,
    getWebhook: webhooks.get,
    records,
    subscribe,
    isSwitchedOn: !noSending,
  })
  return { webhooks, webhookSending: sending }
}

export type Webhooks = ReturnType<typeof webhookServices>
