import type { Event } from "../events/model"
import { withRecords, type EventRecords } from "../events/records"
import type { Delivery, Webhook } from "./model"

/** What is stored of an event that was sent. Records are not copied: the last thousands of bodies would take gigabytes. */
export const requestOf = (event: Event): string => JSON.stringify(event)

/** Returns the event of a delivery. */
export const eventOf = ({ request }: Pick<Delivery, "request">): Event => JSON.parse(request) as Event

/** Returns the body for an event: the event as the feed shows it, with its record as it is now if the payload is full. */
export async function bodyOf(
  event: Event,
  payload: Webhook["payload"],
  records: EventRecords,
  signal: AbortSignal | null,
): Promise<string> {
  const [shown] = payload === "full" ? await withRecords([event], records, signal, null) : [event]
  return JSON.stringify(shown)
}
