import { kinds } from "../kinds"
import { business } from "../core/lib/clock"
import type { EventRecords } from "../office/events/records"
import type { EventService } from "../office/events/service"
import { webhookDeliveries } from "../office/webhooks/model"
import { systemResolve } from "../office/webhooks/addresses"
import { webhookSending } from "../office/webhooks/sending"
import { webhookService } from "../office/webhooks/service"
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
