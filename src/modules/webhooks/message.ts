import type { Event } from "../events/model"
import { withRecords, type EventRecords } from "../events/records"
import type { Webhook } from "./model"

/** Returns the body for an event: the event as the feed shows it, with its record as it is now if the payload is full. */
export async function bodyOf(
  event: Event,
  payload: Webhook["payload"],
  records: EventRecords,
  signal: AbortSignal | null,
): Promise<string> {
  const [shown] = payload === "full" ? await withRecords([event], records, signal) : [event]
  return JSON.stringify(shown)
}
